/**
 * Live source with a Xero-shaped interface: invoices and credit notes page by page, with their
 * contacts.
 */
import { defineSource } from "@fiscal-connector/adapter-kit"
import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import type { LivePage, LiveSource, PagesRequest } from "@fiscal-connector/core/source/LiveSource"
import { LiveSourceError } from "@fiscal-connector/core/source/LiveSourceError"
import type { Tokens } from "@fiscal-connector/core/pull/TokenFile"
import { Duration, Effect } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type { XeroLikeOptions } from "./options/XeroLikeOptions.ts"
import { adapter } from "./XeroLikeAdapter.ts"
import * as Asking from "./live/Asking.ts"
import * as XeroLikeAnswer from "./live/XeroLikeAnswer.ts"

/** Address of a source, and settings of its reading. */
export interface XeroLikeSourceOptions {
  /** Name of the source in messages. */
  readonly name: string
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string
  readonly tenant: string
  readonly tokens: Tokens
  readonly options: XeroLikeOptions
  /** Records per page, 100 to 1 000. @default 500 */
  readonly pageSize?: number | undefined
  /** Lifetime of an unused login. @default 60 days */
  readonly loginLasts?: Duration.Duration | undefined
}

/** Returns the header with UTC time in whole seconds: `2026-03-05T00:00:00`. */
const sinceHeader = (since: number | null): Readonly<Record<string, string>> =>
  since === null ? {} : { "if-modified-since": new Date(since).toISOString().slice(0, 19) }

const endpointOf = (endpoint: string): XeroLikeAnswer.Endpoint =>
  endpoint === "CreditNotes" ? "CreditNotes" : "Invoices"

/** Makes the source. Sends no request yet. */
export const make = (
  given: XeroLikeSourceOptions
): Effect.Effect<LiveSource<XeroLikeOptions>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { loginLasts = Duration.days(60), name, options, pageSize = 500, tenant, tokens } = given
    const ask = Asking.make(yield* HttpClient.HttpClient, given)
    const page = Effect.fnUntraced(function* (
      endpoint: XeroLikeAnswer.Endpoint | "Contacts",
      operation: string,
      query: Readonly<Record<string, string>>,
      since: number | null,
      number: number,
      size: number
    ): Effect.fn.Return<LivePage, LiveSourceError> {
      const search = new URLSearchParams({ ...query, page: String(number), pageSize: String(size) })
      const { response, text } = yield* ask(operation, `/api.xro/2.0/${endpoint}?${search}`, sinceHeader(since))
      const read = XeroLikeAnswer.read(endpoint, text, number, size)
      if (read._tag === "Unreadable")
        return yield* new LiveSourceError({
          source: name,
          operation,
          reason: { _tag: "AnswerUnreadable", problem: read.problem }
        })
      const { more, records } = read
      return { bytes: new TextEncoder().encode(text), records, more, answeredAt: SourceRequest.dateOf(response) }
    })
    const order = { order: "UpdatedDateUTC" }
    const pages = ({ endpoint, page: number, since }: PagesRequest) =>
      page(endpointOf(endpoint), `${endpoint} page ${number}`, order, since, number, pageSize)
    /** Returns records by id, always on a single page. */
    const byIds = (endpoint: XeroLikeAnswer.Endpoint | "Contacts", ids: ReadonlyArray<string>) => {
      const query = { IDs: ids.join(","), ...(endpoint === "Contacts" && { includeArchived: "true" }) }
      return page(endpoint, `${endpoint} by id`, query, null, 1, 100)
    }
    return defineSource({
      name: "xero-like",
      adapter,
      options,
      endpoints: ["Invoices", "CreditNotes"],
      limits: { idsPerCall: 50 },
      identity: Effect.gen(function* () {
        const { text } = yield* ask("connections", "/connections")
        const found = XeroLikeAnswer.tenantIn(text, tenant)
        if (found !== undefined) return found
        return yield* new LiveSourceError({
          source: name,
          operation: "connections",
          reason: { _tag: "AnswerUnreadable", problem: "the answer is not a list of tenants" }
        })
      }),
      pages,
      // the interface has no summaries of credit notes
      summaries: (request) =>
        request.endpoint === "Invoices"
          ? page(
              "Invoices",
              `Invoices summary page ${request.page}`,
              { ...order, summaryOnly: "true" },
              request.since,
              request.page,
              pageSize
            )
          : pages(request),
      byIds: (endpoint, ids) => byIds(endpointOf(endpoint), ids),
      companions: (ids) => byIds("Contacts", ids),
      loginEnds: Effect.map(tokens.refreshedAt, (at) => (at === null ? null : at + Duration.toMillis(loginLasts)))
    })
  })
