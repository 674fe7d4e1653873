/**
 * Port to an accounting system that is read live: requests its records page by page. The adapter
 * for the shape parses the pages; the connector decides how to use the readings
 * (docs/decisions/019-sources.md).
 */
import type { Effect } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Adapter } from "./Adapter.ts"
import type { LiveSourceError } from "./LiveSourceError.ts"

/**
 * Fields of a record that are needed to continue reading; the adapter reads the rest of the page.
 */
export interface LiveRecord {
  /** Identifier that the adapter gives the document. */
  readonly id: string
  /** Null: not a sales document, such as a bill. */
  readonly kind: DocumentKind | null
  readonly number: string
  /** Time of the source's last change, by the source's clock, in milliseconds since the epoch. */
  readonly modified: number
  /** Identifiers of the records to join with the document, such as its contact. */
  readonly needs: ReadonlyArray<string>
}

/** One response of the source. */
export interface LivePage {
  /** Body of the response, unchanged: input of the adapter. */
  readonly bytes: Uint8Array
  readonly records: ReadonlyArray<LiveRecord>
  /** `more`: the source has further records for the same question. */
  readonly more: "more" | "last"
  /**
   * Time of the response by the source's clock (`Date`), in milliseconds since the epoch; null if
   * not stated.
   */
  readonly answeredAt: number | null
  /** Number of requests that the page took. @default 1 */
  readonly requests?: number
}

/**
 * Answer about single records. A record that is neither in a page nor absent is not known: the
 * source may filter its lists by permission or by its own rules.
 */
export interface LiveAnswer {
  readonly pages: ReadonlyArray<LivePage>
  /**
   * Identifiers of which the source answered that it has no record. Never an identifier that a list
   * left out, or whose request was refused.
   */
  readonly absent: ReadonlyArray<string>
  readonly requests: number
}

/** Request for one page. */
export interface PagesRequest {
  readonly endpoint: string
  /**
   * Lower limit of the modified time, in milliseconds since the epoch, inclusive; null: all
   * records.
   */
  readonly since: number | null
  /** Page number, from 1. */
  readonly page: number
  /**
   * Only for keyset paging: records of the first second that were read already. The source leaves
   * them out.
   */
  readonly without?: ReadonlyArray<string>
}

/** Company that owns the data of the source. */
export interface LiveIdentity {
  readonly tenant: string
  readonly name: string
}

/** Limits of the source. */
export interface LiveLimits {
  /** Largest number of identifiers in one request. */
  readonly idsPerCall: number
  /** The same for endpoints with another limit. */
  readonly idsPerCallOf?: Readonly<Record<string, number>>
}

/** A source that is read live. */
export interface LiveSource<Options> {
  readonly name: string
  readonly adapter: Adapter<Options>
  readonly options: Options
  /** Lists to read, in this order; each list has a watermark. */
  readonly endpoints: ReadonlyArray<string>
  readonly limits: LiveLimits
  /**
   * `numbered`: pages have numbers, and shift while documents change. `keyset`: a page begins
   * behind the last record, by modified second and identifiers (`PagesRequest.without`).
   */
  readonly paging: "numbered" | "keyset"
  /** Company that the login gives access to. */
  readonly identity: Effect.Effect<LiveIdentity, LiveSourceError>
  /**
   * Returns one page of an endpoint, the records in the order of their modified times. Statuses are
   * not filtered.
   */
  pages(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /**
   * Answers the same request with as little of each record as the source can; the caller reads only
   * `records`.
   */
  summaries(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /**
   * Returns records by identifier, at most as many as the limit of the endpoint, and the
   * identifiers that the source does not have. Fails if a request is refused.
   */
  byIds(endpoint: string, ids: ReadonlyArray<string>): Effect.Effect<LiveAnswer, LiveSourceError>
  /** Returns records to join with documents, by `LiveRecord.needs`, at most `limits.idsPerCall`. */
  companions(ids: ReadonlyArray<string>): Effect.Effect<LivePage, LiveSourceError>
  /**
   * Expiry of an unused login, in milliseconds since the epoch; null if the login does not expire.
   */
  readonly loginEnds: Effect.Effect<number | null, LiveSourceError>
}
