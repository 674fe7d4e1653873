/** An Odoo-shaped interface (JSON-2) that is read live. */
import { defineSource } from "@fiscal-connector/adapter-kit"
import * as SourceRequest from "@fiscal-connector/adapter-kit/SourceRequest"
import { type LiveSource, LiveSourceError, type NamedSource } from "@fiscal-connector/core/adapter"
import { Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { adapter, type OdooLikeOptions } from "./OdooLikeAdapter.ts"
import * as OdooLikeAnswer from "./OdooLikeAnswer.ts"

/** One company of an Odoo-shaped system, and the API key that reads it. */
export interface OdooLikeSourceOptions {
  /** Your own name of the source, in the store and in messages. */
  readonly name: string
  /** Scheme, host and port, without a slash at its end. */
  readonly url: string
  /** Identifier of the company (`res.company`), as `1`. */
  readonly tenant: string
  readonly apiKey: string | Redacted.Redacted<string>
  /** Name of the database, for a server with several. */
  readonly database?: string | undefined
  /**
   * End of the API key, in milliseconds since the epoch: keys live at most three months, and no
   * answer states the end.
   */
  readonly keyEnds?: number | undefined
  readonly options: OdooLikeOptions
  /** Records of a page, 100 to 1 000. @default 500 */
  readonly pageSize?: number | undefined
}

/** Nothing but reads is requested, so a request is safe to repeat. */
const searching = (client: HttpClient.HttpClient, { apiKey, database, name, url }: OdooLikeSourceOptions) => {
  const key = typeof apiKey === "string" ? Redacted.make(apiKey) : apiKey
  return (operation: string, model: string, named: object, method: "search_read" | "read" = "search_read") => {
    const request = HttpClientRequest.post(`${url}/json/2/${model}/${method}`).pipe(
      HttpClientRequest.setHeaders({
        authorization: `bearer ${Redacted.value(key)}`,
        ...(database !== undefined && { "x-odoo-database": database })
      }),
      HttpClientRequest.bodyJsonUnsafe(named)
    )
    // a read is refused for a single record, too
    const isRefused = (status: number) => status === 401 || (status === 403 && method === "search_read")
    const attempt = (): SourceRequest.RequestAttempt => ({
      request: Effect.succeed(request),
      login: (status) =>
        Effect.succeed(
          isRefused(status) ? { _tag: "LoginEnded", text: `the API key is refused, ${status}` } : undefined
        )
    })
    return SourceRequest.answered(client, { source: name, operation, attempt })
  }
}

type Domain = ReadonlyArray<unknown>

/**
 * Journal entries and purchases are other models of the business, and far more of them. States are
 * never filtered.
 */
const moveTypes = ["out_invoice", "out_refund", "out_receipt"]

const utc = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")

const sinceDomain = ({ since, without = [] }: LiveSource.PagesRequest): Domain => {
  if (since === null) return []
  const from = ["write_date", ">=", utc(since)]
  return without.length === 0
    ? [from]
    : ["|", ["write_date", ">=", utc(since + 1000)], "&", from, ["id", "not in", without.map(Number)]]
}

const names = (text: string): ReadonlyArray<string> => text.split(" ")

const summaryFields = names("id name move_type write_date partner_id commercial_partner_id")

const moveFields = [
  ...summaryFields,
  ...names("state payment_state invoice_date invoice_date_due currency_id ref reversed_entry_id"),
  ...names("amount_untaxed amount_tax amount_total invoice_line_ids")
]

const companionFields = {
  "account.move.line": [
    ...names("id move_id display_type name product_id account_id quantity price_unit discount tax_ids"),
    ...names("price_subtotal price_total sequence")
  ],
  "account.tax": names("id name amount amount_type price_include price_include_override"),
  "res.partner": names("id name display_name complete_name commercial_partner_id vat company_registry phone email")
}

/** Makes the source. Nothing is requested yet. */
export const make = (
  given: OdooLikeSourceOptions
): Effect.Effect<LiveSource.LiveSource<OdooLikeOptions>, never, HttpClient.HttpClient> =>
  Effect.map(HttpClient.HttpClient, (client) => {
    const { keyEnds = null, name, options, pageSize = 500, tenant } = given
    const search = searching(client, given)
    const company = /^\d{1,15}$/.test(tenant) ? Number(tenant) : 0
    const unreadable = (operation: string, text: string) =>
      new LiveSourceError.LiveSourceError({ source: name, operation, reason: { _tag: "AnswerUnreadable", text } })
    const moves = Effect.fnUntraced(function* (
      operation: string,
      domain: Domain,
      fields: ReadonlyArray<string>,
      limit: number
    ): Effect.fn.Return<LiveSource.LivePage, LiveSourceError.LiveSourceError> {
      const own = [["company_id", "=", company], ["move_type", "in", moveTypes], ...domain]
      const named = { domain: own, fields, order: "write_date, id", limit }
      const { response, text } = yield* search(operation, "account.move", named)
      const read = OdooLikeAnswer.moves(text)
      if (typeof read === "string") return yield* unreadable(operation, read)
      const more = read.length >= limit ? "more" : "last"
      const bytes = new TextEncoder().encode(`{"account.move":${text}}`)
      return { bytes, records: read, more, answeredAt: SourceRequest.dateOf(response) }
    })
    /** Returns whether a record exists; null if the key may not see the record. */
    const exists = Effect.fnUntraced(
      function* (id: string) {
        const operation = "account.move read"
        const named = { ids: [Number(id)], fields: ["id"] }
        const { text } = yield* search(operation, "account.move", named, "read")
        const list = OdooLikeAnswer.listIn(text)
        if (list === undefined) return yield* unreadable(operation, "the answer is not a list")
        return list.length > 0
      },
      Effect.catchIf(
        ({ reason }) => reason._tag === "Refused" && reason.status === 403,
        () => Effect.succeed(null)
      )
    )
    /**
     * A list silently lacks records that the key may not see, and a read answers that a record does
     * not exist.
     */
    const byIds = Effect.fnUntraced(function* (
      ids: ReadonlyArray<string>
    ): Effect.fn.Return<LiveSource.LiveAnswer, LiveSourceError.LiveSourceError> {
      const page = yield* moves("account.move by id", [["id", "in", ids.map(Number)]], moveFields, 1000)
      const there = new Set(page.records.map(({ id }) => id))
      const left = ids.filter((id) => !there.has(id))
      const absent = yield* Effect.filter(left, (id) => Effect.map(exists(id), (found) => found === false))
      return { pages: [page], absent, requests: 1 + left.length }
    })
    const companions = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
      const needed = OdooLikeAnswer.needed(ids)
      const texts: Array<string> = []
      const all = Effect.fnUntraced(function* (model: keyof typeof companionFields, field: string, ids: Domain) {
        if (ids.length === 0) return []
        const operation = `${model} by id`
        const fields = companionFields[model]
        const named = { domain: [[field, "in", ids]], fields, order: "id", context: { active_test: false } }
        const { text } = yield* search(operation, model, named)
        const list = OdooLikeAnswer.listIn(text)
        if (list === undefined) return yield* unreadable(operation, "the answer is not a list")
        texts.push(`${JSON.stringify(model)}:${text}`)
        return list
      })
      const lines = yield* all("account.move.line", "move_id", needed.moves)
      yield* all("account.tax", "id", OdooLikeAnswer.taxesIn(lines))
      yield* all("res.partner", "id", needed.partners)
      const bytes = new TextEncoder().encode(`{${texts.join(",")}}`)
      return {
        bytes,
        records: [],
        more: "last",
        answeredAt: null,
        requests: texts.length
      } satisfies LiveSource.LivePage
    })
    return defineSource<OdooLikeOptions>({
      name: "odoo-like",
      adapter,
      options,
      endpoints: ["account.move"],
      paging: "keyset",
      limits: { idsPerCall: 200 },
      identity: Effect.gen(function* () {
        const named = { domain: [["id", "=", company]], fields: ["id", "name"] }
        const { text } = yield* search("res.company", "res.company", named)
        return (
          OdooLikeAnswer.companyIn(text) ?? (yield* unreadable("res.company", "the answer is not a list of companies"))
        )
      }),
      pages: (request) => moves("account.move", sinceDomain(request), moveFields, pageSize),
      summaries: (request) => moves("account.move summary", sinceDomain(request), summaryFields, pageSize),
      byIds: (_, ids) => byIds(ids),
      companions,
      loginEnds: Effect.succeed(keyEnds)
    })
  })

/** Returns the company as a source for a program without a configuration file. */
export const source = (given: OdooLikeSourceOptions): NamedSource.NamedSource<OdooLikeOptions> => ({
  name: given.name,
  tenant: given.tenant,
  open: make(given)
})
