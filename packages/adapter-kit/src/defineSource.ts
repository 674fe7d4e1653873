/** A source from what its author knows: how its pages are asked for, and which adapter reads them. */
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import type {
  LiveIdentity,
  LiveLimits,
  LivePage,
  LiveSource,
  PagesRequest
} from "@fiscal-connector/core/source/LiveSource"
import type { LiveSourceError } from "@fiscal-connector/core/source/LiveSourceError"
import { Effect } from "effect"

/** A source as its author states it. */
export interface SourceDefinition<Options> {
  /** Letters, digits and dashes, as the adapter's. */
  readonly name: string
  /** Reads the pages. */
  readonly adapter: Adapter<Options>
  /** How the adapter reads them. */
  readonly options: Options
  /** Lists that are read, in this order. */
  readonly endpoints: readonly [string, ...ReadonlyArray<string>]
  /** The company whose data the login gives. */
  readonly identity: Effect.Effect<LiveIdentity, LiveSourceError>
  /** One page, its records in the order of their modified times; statuses are never filtered. */
  pages(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /** The same with as little as the source can give of each record. Left out: `pages`. */
  summaries?(request: PagesRequest): Effect.Effect<LivePage, LiveSourceError>
  /** Records by their identifiers. */
  byIds(endpoint: string, ids: ReadonlyArray<string>): Effect.Effect<LivePage, LiveSourceError>
  /** Records that documents are joined with. Left out: nothing, and no record needs any. */
  companions?(ids: ReadonlyArray<string>): Effect.Effect<LivePage, LiveSourceError>
  /** When the login ends unused, in milliseconds since the epoch. Left out: never. */
  readonly loginEnds?: Effect.Effect<number | null, LiveSourceError>
  /** See `LiveSource.paging`. @default "numbered" */
  readonly paging?: "numbered" | "keyset"
  /** @default 50 identifiers in one question */
  readonly limits?: Partial<LiveLimits>
}

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

const nothing: LivePage = { bytes: new Uint8Array(), records: [], more: "last", answeredAt: null }

/** Makes a source of a definition. Throws a TypeError for a name that is not letters, digits and dashes. */
export const defineSource = <Options>(definition: SourceDefinition<Options>): LiveSource<Options> => {
  const { loginEnds, limits, name } = definition
  if (!namePattern.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not the name of a source: small letters, digits and dashes are`)
  const pages = (request: PagesRequest) => definition.pages(request)
  return {
    name,
    adapter: definition.adapter,
    options: definition.options,
    endpoints: definition.endpoints,
    limits: { idsPerCall: limits?.idsPerCall ?? 50 },
    paging: definition.paging ?? "numbered",
    identity: definition.identity,
    pages,
    summaries: (request) => definition.summaries?.(request) ?? pages(request),
    byIds: (endpoint, ids) => definition.byIds(endpoint, ids),
    companions: (ids) => definition.companions?.(ids) ?? Effect.succeed(nothing),
    loginEnds: loginEnds ?? Effect.succeed(null)
  }
}
