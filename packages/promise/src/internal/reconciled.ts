/** The account of a period as data. */
import type { AccountFacts } from "@fiscal-connector/core/unstable/account/AccountFacts"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import * as Money from "@fiscal-connector/core/document/Money"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as Session from "@fiscal-connector/core/session/Session"
import * as Account from "@fiscal-connector/core/unstable/day/Account"
import * as Reconcile from "@fiscal-connector/core/unstable/session/Reconcile"
import { Effect } from "effect"
import type { AccountDocument, AccountReport, AccountSum, ReconcileOptions } from "../AccountReport.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Accounts } from "./Account.ts"
import { handed } from "./handed.ts"

const dayOf = (text: string) =>
  Effect.mapError(
    Effect.fromOption(CivilDate.parse(text)),
    () => new FiscalConnectorError("config_invalid", `"${text}" is not a day`)
  )

const sumOf = ({ documents, tax, total }: Account.Sum): AccountSum => ({
  documents,
  tax: Money.formatAmount(tax),
  total: Money.formatAmount(total)
})

const documentOf = (row: Reconcile.AccountRow): ReadonlyArray<AccountDocument> => {
  const { account, dated, id, kind, number, place, receipts } = row
  if (place === null) return []
  const stated = Account.statedBy(row)
  return [
    {
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
  ]
}

const reportOf = (found: Reconcile.Reconciliation, rows: ReadonlyArray<Reconcile.AccountRow>): AccountReport => ({
  exitCode: Reconcile.exitOf(found),
  legs: found.legs,
  chains:
    found.chains &&
    Array.from(found.chains, ([currency, rows]) => {
      const { left, reports } = found.deviceSums.get(currency)!
      return {
        currency,
        rows: rows.map(({ "credit-note": note, invoice, name }) => ({
          name,
          invoices: sumOf(invoice),
          creditNotes: sumOf(note)
        })),
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
    for (const row of rows) yield* documentOf(row)
  }
})

/** Makes the account. `asked`: the gateway's facts about the account. */
export const reconciled = <Options, E, R>(
  accounts: Pick<Accounts, "others" | "own">,
  book: MappingBook,
  asked: Effect.Effect<AccountFacts, E, R>,
  { from, source, to }: ReconcileOptions<Options>
) =>
  Effect.gen(function* () {
    const period = { from: yield* dayOf(from), to: yield* dayOf(to) }
    let read: Reconcile.SourceInput | null = null
    if (source !== undefined) {
      const { failed, readings } = yield* handed(source, book)
      const { plan } = yield* Session.plan(yield* asked, { book, readings }).pipe(
        Effect.catchTag("AdapterError", (error) => Effect.fail(failed(error)))
      )
      read = { _tag: "Read", plan, name: "the given source" }
    }
    const rows: Array<Reconcile.AccountRow> = []
    const { settings } = accounts.own
    const others = accounts.others.map(({ settings }) => settings)
    const order = { settings, others, period, source: read, each: (row: Reconcile.AccountRow) => void rows.push(row) }
    const found = yield* Effect.catchTag(Reconcile.run(order), "ReconcileRefused", ({ message }) =>
      Effect.fail(new FiscalConnectorError("config_invalid", message))
    )
    return reportOf(found, rows)
  }).pipe(Effect.scoped)
