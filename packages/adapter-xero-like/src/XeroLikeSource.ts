import { defineSource } from "@fiscal-connector/adapter-kit"
import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import { type LiveSource, LiveSourceError, type TokenFile } from "@fiscal-connector/core/adapter"
import { Duration, Effect } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import type { XeroLikeOptions } from "./options/XeroLikeOptions.ts"
import { adapter } from "./XeroLikeAdapter.ts"
import * as Asking from "./live/Asking.ts"
import * as XeroLikeAnswer from "./live/XeroLikeAnswer.ts"

/** Address of a source, and settings of its reading. */
export interface XeroLikeSourceOptions {
  readonly name: string
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string
  readonly tenant: string
  readonly tokens: TokenFile.Tokens
  readonly options: XeroLikeOptions
  /** Records per page, 100 to 1 000. @default 500 */
  readonly pageSize?: number | undefined
  /** Lifetime of an unused login. @default 60 days */
  readonly loginLasts?: Duration.Duration | undefined
}

/** Returns the header with UTC time in whole seconds: `2026-03-05T00:00:00`. */
const sinceHeader = (since: number | null): Readonly<Record<string, string>> =>
  since === null ? {} : { "if-modified-since": new Date(since).toISOString().slice(0, 19) }

/** Without this parameter unit prices are answered with two places. */
const prices = { unitdp: "4" }

const endpointOf = (endpoint: string): XeroLikeAnswer.Endpoint =>
  endpoint === "CreditNotes" ? "CreditNotes" : "Invoices"

/** Makes the source. Sends no request yet. */
export const make = (
  given: XeroLikeSourceOptions
): Effect.Effect<LiveSource.LiveSource<XeroLikeOptions>, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { loginLasts = Duration.days(60), name, options, pageSize = 500, tenant, tokens } = given
    const ask = Asking.make(yield* HttpClient.HttpClient, given)
    const answered = Effect.fnUntraced(function* (
      endpoint: XeroLikeAnswer.Endpoint | "Contacts",
      operation: string,
      path: string,
      { number, since, size }: { readonly number: number; readonly since: number | null; readonly size: number }
    ): Effect.fn.Return<LiveSource.LivePage, LiveSourceError.LiveSourceError> {
      const { response, text } = yield* ask(operation, `/api.xro/2.0/${path}`, sinceHeader(since))
      const read = XeroLikeAnswer.read(endpoint, text, number, size)
      if (read._tag === "Unreadable") return yield* unreadable(operation, read.text)
      const { more, records } = read
      return { bytes: new TextEncoder().encode(text), records, more, answeredAt: SourceRequest.dateOf(response) }
    })
    const unreadable = (operation: string, text: string) =>
      new LiveSourceError.LiveSourceError({ source: name, operation, reason: { _tag: "AnswerUnreadable", text } })
    const page = (
      endpoint: XeroLikeAnswer.Endpoint | "Contacts",
      operation: string,
      query: Readonly<Record<string, string>>,
      since: number | null,
      number: number,
      size: number
    ) => {
      const search = new URLSearchParams({ ...query, page: String(number), pageSize: String(size) })
      return answered(endpoint, operation, `${endpoint}?${search}`, { number, since, size })
    }
    const order = { order: "UpdatedDateUTC", ...prices }
    const pages = ({ endpoint, page: number, since }: LiveSource.PagesRequest) =>
      page(endpointOf(endpoint), `${endpoint} page ${number}`, order, since, number, pageSize)
    /** Returns a record by its own address, the only one that answers that there is no record. */
    const single = Effect.fnUntraced(function* (endpoint: XeroLikeAnswer.Endpoint, id: string) {
      const operation = `${endpoint} by id`
      const path = `${endpoint}/${encodeURIComponent(id)}?${new URLSearchParams(prices)}`
      const found = yield* answered(endpoint, operation, path, { number: 1, since: null, size: 2 }).pipe(
        Effect.catchIf(
          ({ reason }) => reason._tag === "Refused" && reason.status === 404,
          () => Effect.succeed(null)
        )
      )
      if (found === null || found.records.some((record) => record.id === id)) return { id, found }
      return yield* unreadable(operation, "the answer is not about the document that was asked for")
    })
    /** Requests by its own address each record that the page of ids lacks. */
    const byIds = Effect.fnUntraced(function* (
      endpoint: XeroLikeAnswer.Endpoint,
      ids: ReadonlyArray<string>
    ): Effect.fn.Return<LiveSource.LiveAnswer, LiveSourceError.LiveSourceError> {
      // the interface has no list of credit notes by id
      const listed =
        endpoint === "CreditNotes"
          ? []
          : [yield* page(endpoint, `${endpoint} by id`, { IDs: ids.join(","), ...prices }, null, 1, 100)]
      const there = new Set(listed.flatMap(({ records }) => records.map(({ id }) => id)))
      const singles = yield* Effect.forEach(
        ids.filter((id) => !there.has(id)),
        (id) => single(endpoint, id)
      )
      return {
        pages: [...listed, ...singles.flatMap(({ found }) => found ?? [])],
        absent: singles.flatMap(({ found, id }) => (found === null ? [id] : [])),
        requests: listed.length + singles.length
      }
    })
    return defineSource({
      name: "xero-like",
      adapter,
      options,
      endpoints: ["Invoices", "CreditNotes"],
      limits: { idsPerCall: 50, idsPerCallOf: { CreditNotes: 1 } },
      identity: Effect.gen(function* () {
        const { text } = yield* ask("connections", "/connections")
        const found = XeroLikeAnswer.tenantIn(text, tenant)
        return found ?? (yield* unreadable("connections", "the answer is not a list of tenants"))
      }),
      pages,
      // the interface has no summaries of credit notes
      summaries: (request) =>
        request.endpoint === "Invoices"
          ? page(
              "Invoices",
              `Invoices summary page ${request.page}`,
              { order: order.order, summaryOnly: "true" },
              request.since,
              request.page,
              pageSize
            )
          : pages(request),
      byIds: (endpoint, ids) => byIds(endpointOf(endpoint), ids),
      companions: (ids) =>
        page("Contacts", "Contacts by id", { IDs: ids.join(","), includeArchived: "true" }, null, 1, 100),
      loginEnds: Effect.map(tokens.refreshedAt, (at) => (at === null ? null : at + Duration.toMillis(loginLasts)))
    })
  })
