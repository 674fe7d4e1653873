/**
 * Builds a live source from a definition: requests for pages, and the adapter that reads the pages.
 */
import type { Adapter, LiveSource, LiveSourceError } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"

/** Definition of a source, written by its author. */
export interface SourceDefinition<Options> {
  /** Name of letters, digits and dashes, like an adapter's. */
  readonly name: string
  /** Adapter that reads the pages. */
  readonly adapter: Adapter.Adapter<Options>
  readonly options: Options
  readonly endpoints: readonly [string, ...ReadonlyArray<string>]
  /** Company whose data the login gives. */
  readonly identity: Effect.Effect<LiveSource.LiveIdentity, LiveSourceError.LiveSourceError>
  /** Returns one page with records in the order of their modified times. Never filter by status. */
  pages(request: LiveSource.PagesRequest): Effect.Effect<LiveSource.LivePage, LiveSourceError.LiveSourceError>
  /** Returns the same page with the smallest form of each record. @default `pages` */
  summaries?(request: LiveSource.PagesRequest): Effect.Effect<LiveSource.LivePage, LiveSourceError.LiveSourceError>
  /**
   * Returns records by their identifiers. `absent` are identifiers of which the source answered
   * that it has no record. A list that leaves a record out does not answer that.
   */
  byIds(
    endpoint: string,
    ids: ReadonlyArray<string>
  ): Effect.Effect<LiveSource.LiveAnswer, LiveSourceError.LiveSourceError>
  /** Returns records that documents are joined with. Omit if records need none. */
  companions?(ids: ReadonlyArray<string>): Effect.Effect<LiveSource.LivePage, LiveSourceError.LiveSourceError>
  /** Time when an unused login expires, in milliseconds since the epoch. @default never */
  readonly loginEnds?: Effect.Effect<number | null, LiveSourceError.LiveSourceError>
  /** See `LiveSource.paging`. @default "numbered" */
  readonly paging?: "numbered" | "keyset"
  /** @default 50 identifiers per request */
  readonly limits?: Partial<LiveSource.LiveLimits>
}

const namePattern = /^[a-z][a-z0-9-]{0,40}$/

const nothing: LiveSource.LivePage = { bytes: new Uint8Array(), records: [], more: "last", answeredAt: null }

/**
 * Makes a source of a definition. Throws a TypeError for a name that is not letters, digits and
 * dashes.
 */
export const defineSource = <Options>(definition: SourceDefinition<Options>): LiveSource.LiveSource<Options> => {
  const { loginEnds, limits, name } = definition
  if (!namePattern.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not the name of a source: small letters, digits and dashes are`)
  const pages = (request: LiveSource.PagesRequest) => definition.pages(request)
  return {
    name,
    adapter: definition.adapter,
    options: definition.options,
    endpoints: definition.endpoints,
    limits: { idsPerCall: 50, ...limits },
    paging: definition.paging ?? "numbered",
    identity: definition.identity,
    pages,
    summaries: (request) => definition.summaries?.(request) ?? pages(request),
    byIds: (endpoint, ids) => definition.byIds(endpoint, ids),
    companions: (ids) => definition.companions?.(ids) ?? Effect.succeed(nothing),
    loginEnds: loginEnds ?? Effect.succeed(null)
  }
}
