/**
 * The port to an accounting system that is read live. Its pages are the input of the adapter for the shape; what is done with them is the
 * connector's (docs/decisions/019-sources.md).
 */
import type { Effect } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Adapter } from "./Adapter.ts"
import type { LiveSourceError } from "./LiveSourceError.ts"

/** The few fields of a record that reading on needs; the adapter reads the rest of the page. */
export interface LiveRecord {
  /** The identifier that the adapter gives the document. */
  readonly id: string
  /** Null: not a sales document, such as a bill. */
  readonly kind: DocumentKind | null
  readonly number: string
  /** When the source changed it last, by the source's clock, in milliseconds since the epoch. */
  readonly modified: number
  /** Identifiers of the records that the document is joined with, such as its contact. */
  readonly needs: ReadonlyArray<string>
}

/** One answer of the source. */
export interface LivePage {
  /** As the source answered it: the adapter reads this. */
  readonly bytes: Uint8Array
  readonly records: ReadonlyArray<LiveRecord>
  /** `more`: the source has further records for the same question. */
  readonly more: "more" | "last"
  /** The source's clock when it answered (`Date`), in milliseconds since the epoch; null where it does not state it. */
  readonly answeredAt: number | null
  /** Number of requests that the page took. @default 1 */
  readonly requests?: number
}

/** A question for one page. */
export interface PagesRequest {
  readonly endpoint: string
  /** Records that were modified at or after this time, in milliseconds since the epoch; null: all. */
  readonly since: number | null
  /** Counted from 1. Always 1 for a source with keyset paging. */
  readonly page: number
  /** Only for keyset paging: records of the first second that were read already. The source leaves them out. */
  readonly without?: ReadonlyArray<string>
}

/** The company whose data the source gives. */
export interface LiveIdentity {
  readonly tenant: string
  /** The company's name as the source has it; empty where it states none. */
  readonly name: string
}

/** Limits of the source. */
export interface LiveLimits {
  /** How many identifiers one question may have. */
  readonly idsPerCall: number
}

/** A source that is read live. */
export interface LiveSource<Options> {
  /** Shape of its answers, as the adapter names it: `xero-like`. */
  readonly name: string
  readonly adapter: Adapter<Options>
  readonly options: Options
  /** Lists that are read, in this order; each has a watermark. */
  readonly endpoints: ReadonlyArray<string>
  readonly limits: LiveLimits
  /**
   * `numbered`: pages have numbers, and shift while documents change. `keyset`: a page begins behind the last record, by modified second and
   * identifiers (`PagesRequest.without`).
   */
  readonly paging: "numbered" | "keyset"
  /** The company whose data the login gives. */
  readonly identity: Effect.Effect<LiveIdentity, LiveSourceError>
  /** One page of an endpoint, its records in the order of their modified times. Statuses are not filtered. */
  pages(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /** The same question, answered with as little of each record as the source can; only `records` is read of it. */
  summaries(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /** Records by their identifiers, at most `limits.idsPerCall`. The source leaves out what it does not have. */
  byIds(endpoint: string, ids: ReadonlyArray<string>): Effect.Effect<LivePage, LiveSourceError>
  /** Records that documents are joined with, by `LiveRecord.needs`, at most `limits.idsPerCall`. */
  companions(ids: ReadonlyArray<string>): Effect.Effect<LivePage, LiveSourceError>
  /** When the login ends if it is not used again, in milliseconds since the epoch; null where it does not end. */
  readonly loginEnds: Effect.Effect<number | null, LiveSourceError>
}
