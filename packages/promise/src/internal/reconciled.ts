import { Account } from "@fiscal-connector/core/host/account"
import { CivilDate, Money } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import { Reconcile } from "@fiscal-connector/core/session"
import { Effect } from "effect"
import type { AccountDocument, AccountReport, AccountSum, ReconcileOptions } from "../AccountReport.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { SyncSource } from "../SourceInput.ts"
import type { Accounts } from "./Account.ts"
import { handed } from "./handed.ts"

const dayOf = (text: string) =>
  Effect.mapError(
    Effect.fromOption(CivilDate.parse(text)),
    () => new FiscalConnectorError("config_invalid", `"${text}" is not a day`)
  )

const sumOf = ({ documents, tax, total }: Account.AccountSum): AccountSum => ({
  documents,
  tax: Money.formatAmount(tax),
  total: Money.formatAmount(total)
})

const documentOf = (row: Reconcile.AccountRow): AccountDocument => {
  const { account, dated, id, kind, number, place, receipts } = row
  const stated = Account.statedBy(row)
  return {
    account,
    kind,
    id,
    number,
    date: dated,
    currency: stated?.currency ?? null,
    total: stated && Money.formatAmount(stated.total),
    receipts: receipts.map(({ by, code, day, number }) => ({ by, day, number, verificationCode: code })),
    origin: place.origin,
    fate: place.fate
  }
}

const reportOf = (found: Reconcile.Reconciliation, rows: ReadonlyArray<Reconcile.AccountRow>): AccountReport => ({
  exitCode: Reconcile.exitOf(found),
  legs: found.legs,
  chains:
    found.chains &&
    Array.from(found.chains, ([currency, rows]) => {
      const { left, notCompared, others, reports } = found.deviceSums.get(currency)!
      return {
        currency,
        rows: rows.map(({ "credit-note": note, invoice, name }) => ({
          name,
          invoices: sumOf(invoice),
          creditNotes: sumOf(note)
        })),
        notCompared: Money.formatAmount(notCompared),
        otherPrograms: Money.formatAmount(others),
        dayReports: Money.formatAmount(reports),
        left: Money.formatAmount(left)
      }
    }),
  differences: found.differences.map(({ acknowledged, amount, code, currency, documents, grade, id, text }) => ({
    id,
    code,
    grade,
    currency,
    documents,
    text,
    acknowledged,
    amount: amount && Money.formatAmount(amount)
  })),
  notes: found.notes,
  async *documents() {
    for (const row of rows) yield documentOf(row)
  }
})

const isLive = (source: object): source is SyncSource => "tenant" in source && "open" in source

export const reconciled = <Options>(
  accounts: Pick<Accounts, "others" | "own">,
  book: MappingBook.MappingBook,
  { from, source, to }: ReconcileOptions<Options>
) =>
  Effect.gen(function* () {
    const period = { from: yield* dayOf(from), to: yield* dayOf(to) }
    const { settings } = accounts.own
    let read: Reconcile.SourceInput | null = null
    if (source !== undefined && isLive(source))
      read = yield* (yield* Effect.promise(() => import("./sourceSync.ts"))).present(source, accounts.own, book, period)
    else if (source !== undefined) {
      const { failed, readings } = yield* handed(source, book)
      read = yield* Reconcile.sourceOf(settings, { book, readings }, "the given source").pipe(
        Effect.catchTag("AdapterError", (error) => Effect.fail(failed(error)))
      )
    }
    const rows: Array<Reconcile.AccountRow> = []
    const others = accounts.others.map(({ settings }) => settings)
    const order = { settings, others, period, source: read, each: (row: Reconcile.AccountRow) => void rows.push(row) }
    const found = yield* Effect.catchTag(Reconcile.run(order), "ReconcileRefused", ({ message }) =>
      Effect.fail(new FiscalConnectorError("config_invalid", message))
    )
    return reportOf(found, rows)
  }).pipe(Effect.scoped)
