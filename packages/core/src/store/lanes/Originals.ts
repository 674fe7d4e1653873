/** For planning a credit note and for sending one. */
import { Effect, Option } from "effect"
import { sum } from "../../credit/Balance.ts"
import type { CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../document/Identifiers.ts"
import * as Money from "../../document/Money.ts"
import type { Credit, Original, RegisteredOriginal } from "../../submission/ledger/Original.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import { ended, type State } from "../../submission/Submission.ts"
import type { Queries } from "../database/Statements.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { meaningOf, type SubmissionRow } from "../rows/Rows.ts"
import { mayBeReceipt } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import type { SqlEffect } from "../database/Transaction.ts"

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

interface CreditRow extends Pick<Credit, "id" | "status" | "made"> {
  readonly total: string
}

/**
 * Reads the credit notes on an original that are fiscalized or still may be, except notes for a
 * surplus receipt. A Planned or Held note counts as sent while an attempt of it may be a receipt.
 */
export const creditsOn = (sql: Queries, account: string, id: string) =>
  Effect.map(
    sql<CreditRow>`select s.id, p.total, coalesce(s.made, 'source') as made, case when s.state in ('Planned', 'Held') and not exists (
        select 1 from fiscal_attempt a where a.submission = s.seq and ${mayBeReceipt(sql)})
      then 'waiting' else 'sent' end as status
      from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${account} and s.original_id = ${id} and s.receipt is null and not ${sql.in("s.state", ended)}
      order by s.seq`,
    (rows) =>
      rows.map(({ id, made, status, total }): Credit => ({
        id,
        total: Stored.money(total, () => `total of credit note ${id}`),
        status,
        made
      }))
  )

interface OriginalRow {
  readonly account: string
  readonly taxpayer: string
  readonly invoice_id: string
  readonly number: string
  readonly date: string
  readonly currency: string
  readonly total: string
  readonly tax_codes: string
  readonly credited: string
}

const ours = (sql: Queries, account: string, id: string): SqlEffect<Option.Option<Original>> =>
  Effect.gen(function* () {
    const [row] = yield* sql<
      SubmissionRow & { readonly body: string; readonly source: string; readonly meaning: string | null }
    >`select s.*, p.body, p.source, p.meaning from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.account = ${account} and s.kind = 'invoice' and s.id = ${id}`
    if (row === undefined) return Option.none()
    const { payload } = yield* StoredDocument.read("invoice", row.body, row.number)
    const credits = yield* creditsOn(sql, account, id)
    // a date that is not settled yet is read as midnight of the source's day
    const date =
      row.receipt_text ??
      `${row.source_date}T00:00:00${row.zone.startsWith("+") || row.zone.startsWith("-") ? row.zone : "Z"}`
    return Option.some({
      invoiceId: row.id as InvoiceId,
      number: row.number as DocumentNumber,
      status: statusOf[Stored.oneOf(StoredValues.states, row.state, () => `state of invoice ${row.number}`)],
      date: Stored.instant(date, () => `receipt_text of invoice ${row.number}`),
      currency: payload.currencyCode,
      total: payload.total,
      taxCodes: [...new Set(payload.lineItems.map(({ taxCode }) => taxCode))],
      ...(row.meaning !== null && {
        meaning: meaningOf(row.meaning, () => `meaning of invoice ${row.number}`)
      }),
      // after forgetting, buyer and lines are unknown, which differs from "no buyer" and "no lines"
      ...(isForgotten(row) ? {} : { buyer: payload.buyerContact, lines: payload.lineItems }),
      credited: sum(Money.zero, credits),
      credits
    })
  })

const elsewhere = (sql: Queries, account: string, id: string): SqlEffect<Option.Option<Original>> =>
  Effect.gen(function* () {
    const [row] =
      yield* sql<OriginalRow>`select * from fiscal_original where account = ${account} and invoice_id = ${id}`
    if (row === undefined) return Option.none()
    const credits = yield* creditsOn(sql, account, id)
    const { credited, ...figures } = ofRow(row)
    return Option.some({ ...figures, status: "fiscalised" as const, credited: sum(credited, credits), credits })
  })

const ofRow = (row: OriginalRow): Omit<RegisteredOriginal, "account" | "taxpayer"> => {
  const { column } = Stored.columns(row, `the original ${row.number} (fiscal_original)`)
  return {
    invoiceId: column("invoice_id", Stored.name<InvoiceId>),
    number: column("number", Stored.name<DocumentNumber>),
    date: column("date", Stored.instant),
    currency: column("currency", Stored.name<CurrencyCode>),
    total: column("total", Stored.money),
    taxCodes: column("tax_codes", (codes, place) =>
      Stored.list(codes, place).map((code) => Stored.name<TaxCode>(code, place))
    ),
    credited: column("credited", Stored.money)
  }
}

export const registered = (sql: Queries): SqlEffect<ReadonlyArray<RegisteredOriginal>> =>
  Effect.map(sql<OriginalRow>`select * from fiscal_original order by account, number`, (rows) =>
    rows.map((row) => ({ account: row.account, taxpayer: row.taxpayer, ...ofRow(row) }))
  )

export const originalOf = (sql: Queries, account: string, id: string): SqlEffect<Option.Option<Original>> =>
  Effect.filterOrElse(ours(sql, account, id), Option.isSome, () => elsewhere(sql, account, id))
