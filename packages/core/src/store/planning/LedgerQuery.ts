/** preflight's Ledger on the store: numbers ever used, originals with what is credited so far, the lane's mark. */
import { BigDecimal, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import type { Credit, Ledger, NumberHolder, Original } from "../../ledger/Ledger.ts"
import type { LaneMark, Reached } from "../../ledger/Mark.ts"
import type { StoreError } from "../../ledger/StoreError.ts"
import type { State } from "../../submission/Submission.ts"
import { mayHaveReached } from "../lanes/Mark.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { type Integer, keyOf, type SubmissionRow } from "../rows/Rows.ts"
import type { Statements } from "../database/Statements.ts"
import * as Stored from "../../ledger/Stored.ts"
import * as StoredDocument from "../../ledger/StoredDocument.ts"
import * as StoredWords from "../rows/StoredWords.ts"
import type { Database } from "../database/Transaction.ts"

type Read<A> = Effect.Effect<A, SqlError | StoreError>

const statusOf: Record<State, Original["status"]> = {
  Fiscalised: "fiscalised",
  Held: "open",
  Planned: "open",
  Sending: "open",
  Accepted: "open",
  Unknown: "open",
  Rejected: "void",
  Expired: "void",
  Declined: "void",
  Withdrawn: "void"
}

/** States in which a credit note takes nothing from its original. */
const void_: ReadonlyArray<State> = ["Rejected", "Declined", "Withdrawn"]

const holders = (sql: SqlClient, taxpayer: string, numbers: ReadonlyArray<string>): Read<ReadonlyArray<NumberHolder>> =>
  Effect.gen(function* () {
    const found: Array<NumberHolder> = []
    for (let from = 0; from < numbers.length; from += 1000) {
      const rows = yield* sql<Omit<NumberHolder, "number"> & { readonly number: string }>`
        select number, account, kind, id from fiscal_number
        where taxpayer = ${taxpayer} and ${sql.in("number", numbers.slice(from, from + 1000))}`
      for (const row of rows) {
        found.push({ number: row.number as DocumentNumber, account: row.account, kind: row.kind, id: row.id })
      }
    }
    return found
  })

/** The credit notes on an original that are fiscalised or may still be. */
const creditsOn = (sql: SqlClient, account: string, id: string) =>
  Effect.map(
    sql<{ readonly id: string; readonly total: string; readonly state: State }>`select s.id, s.state, p.total
      from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${account} and s.original_id = ${id} and not ${sql.in("s.state", void_)}
      order by s.seq`,
    (rows) =>
      rows.map(({ id, state, total }): Credit => ({
        id,
        total: Stored.money(total, () => `total of credit note ${id}`),
        status: state === "Planned" || state === "Held" ? "waiting" : "sent"
      }))
  )

const sum = (start: Money.Money, credits: ReadonlyArray<{ readonly total: Money.Money }>): Money.Money =>
  credits.reduce((sum, { total }) => BigDecimal.sum(sum, total), start)

interface OriginalRow {
  readonly account: string
  readonly invoice_id: string
  readonly number: string
  readonly date: string
  readonly currency: string
  readonly total: string
  readonly tax_codes: string
  readonly credited: string
}

const ours = (sql: SqlClient, account: string, id: string): Read<Option.Option<Original>> =>
  Effect.gen(function* () {
    const [row] = yield* sql<
      SubmissionRow & { readonly body: string; readonly source: string }
    >`select s.*, p.body, p.source from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.account = ${account} and s.kind = 'invoice' and s.id = ${id}`
    if (row === undefined) return Option.none()
    const { payload } = yield* StoredDocument.read("invoice", row.body, row.number)
    const credits = yield* creditsOn(sql, account, id)
    // a date that is not settled yet is read as the source's own day
    const date =
      row.receipt_text ??
      `${row.source_date}T00:00:00${row.zone.startsWith("+") || row.zone.startsWith("-") ? row.zone : "Z"}`
    return Option.some({
      invoiceId: row.id as InvoiceId,
      number: row.number as DocumentNumber,
      status: statusOf[Stored.oneOf(StoredWords.states, row.state, () => `state of invoice ${row.number}`)],
      date: Stored.instant(date, () => `receipt_text of invoice ${row.number}`),
      currency: payload.currencyCode,
      total: payload.total,
      taxCodes: [...new Set(payload.lineItems.map(({ taxCode }) => taxCode))],
      // who bought what is not known any more, which is other than nobody and nothing
      ...(isForgotten(row) ? {} : { buyerTin: payload.buyerContact?.tin ?? null, lines: payload.lineItems }),
      credited: sum(Money.zero, credits),
      credits
    })
  })

const elsewhere = (sql: SqlClient, account: string, id: string): Read<Option.Option<Original>> =>
  Effect.gen(function* () {
    const [row] =
      yield* sql<OriginalRow>`select * from fiscal_original where account = ${account} and invoice_id = ${id}`
    if (row === undefined) return Option.none()
    const credits = yield* creditsOn(sql, account, id)
    const at = (column: string) => () => `${column} of the original ${row.number} (fiscal_original)`
    return Option.some({
      invoiceId: Stored.name<InvoiceId>(row.invoice_id, at("invoice_id")),
      number: Stored.name<DocumentNumber>(row.number, at("number")),
      status: "fiscalised" as const,
      date: Stored.instant(row.date, at("date")),
      currency: Stored.name<CurrencyCode>(row.currency, at("currency")),
      total: Stored.money(row.total, at("total")),
      taxCodes: Stored.list(row.tax_codes, at("tax_codes")).map((code) => Stored.name<TaxCode>(code, at("tax_codes"))),
      credited: sum(Stored.money(row.credited, at("credited")), credits),
      credits
    })
  })

const byId = (sql: SqlClient, account: string, id: string): Read<Option.Option<Original>> =>
  Effect.filterOrElse(ours(sql, account, id), Option.isSome, () => elsewhere(sql, account, id))

const byNumber = (sql: SqlClient, account: string, wanted: string): Read<Option.Option<Original>> =>
  Effect.gen(function* () {
    const rows = yield* sql<{
      readonly account: string
      readonly id: string
    }>`select n.account, n.id from fiscal_number n
      join fiscal_account a on a.taxpayer = n.taxpayer
      where a.account = ${account} and n.number = ${wanted} and n.kind = 'invoice'`
    const [holder] = rows
    return holder === undefined ? Option.none() : yield* byId(sql, holder.account, holder.id)
  })

interface ReachedRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number"> {
  readonly submission: Integer
  readonly receipt_text: string
}

/** The latest receipt date of the lane that may have reached the device, of any other submission than this one. */
const reached = (sql: Statements, lane: string, but: Integer) =>
  Effect.map(
    sql<ReachedRow>`select a.submission, a.receipt_text, s.account, s.kind, s.id, s.number
      from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
      where a.lane = ${lane} and ${mayHaveReached(sql)} and a.submission <> ${but}
      order by a.receipt_at desc limit 1`,
    ([row]): ReachedRow | undefined => row
  )

const reachedOf = (row: ReachedRow | undefined): Reached | null =>
  row === undefined
    ? null
    : {
        at: Stored.instant(row.receipt_text, () => `receipt_text of ${row.kind} ${row.id}`),
        key: keyOf(row),
        number: row.number as DocumentNumber
      }

// submissions are counted from 1
const none = 0

/** What the marks of the lane's documents follow from. */
export const mark = (sql: Statements, lane: string): Effect.Effect<LaneMark, SqlError> =>
  Effect.gen(function* () {
    const latest = yield* reached(sql, lane, none)
    const another = latest === undefined ? undefined : yield* reached(sql, lane, latest.submission)
    const [row] = yield* sql<{ readonly closed_text: string | null }>`
      select closed_text from fiscal_lane where lane = ${lane}`
    const closed = Option.flatMap(Option.fromNullishOr(row?.closed_text), Instant.parse)
    return { latest: reachedOf(latest), another: reachedOf(another), closed: Option.getOrNull(closed) }
  })

const latestReceiptDate = (sql: SqlClient, lane: string, from: Instant.Instant, until: Instant.Instant) =>
  Effect.map(
    sql<{ readonly receipt_text: string }>`select receipt_text from fiscal_submission
      where lane = ${lane} and receipt_at is not null
      and receipt_at >= ${Instant.seconds(from)} and receipt_at <= ${Instant.seconds(until)}
      order by receipt_at desc limit 1`,
    ([row]) => Option.flatMap(Option.fromNullishOr(row?.receipt_text), Instant.parse)
  )

export const make = ({ read, sql }: Database): Ledger => ({
  holders: (taxpayer, numbers) => read("look up numbers", holders(sql, taxpayer, numbers)),
  original: (account, { by, value }) =>
    read("look up an original", by === "id" ? byId(sql, account, value) : byNumber(sql, account, value)),
  mark: (lane) => read("look up a mark", mark(sql, lane)),
  latestReceiptDate: (lane, from, until) => read("look up receipt dates", latestReceiptDate(sql, lane, from, until))
})
