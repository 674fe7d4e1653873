/** The store's own documents of the same sale are held: they would be a second receipt. */
import { Effect } from "effect"
import type { RegisteredOriginal } from "../../submission/ledger/Original.ts"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import * as NumberFold from "../../document/NumberFold.ts"
import * as SameSale from "../../submission/ledger/SameSale.ts"
import type { Registration } from "../../submission/PlanResult.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { recordConflict } from "../evidence/Conflicts.ts"
import * as Relations from "../lanes/Relations.ts"
import { amend, holdBack, note } from "../lanes/Transition.ts"
import type { SubmissionRow } from "../rows/Rows.ts"
import { mayBeReceipt } from "../rows/SettledSql.ts"
import * as SameSales from "./SameSales.ts"

const keyOf = ({ account, invoiceId }: RegisteredOriginal) => ({ account, kind: "invoice", id: invoiceId }) as const

const again = (
  known: { readonly date: string; readonly currency: string; readonly total: string },
  { currency, date, total }: RegisteredOriginal
): Registration =>
  known.date.slice(0, 10) === Instant.format(date).slice(0, 10) &&
  known.currency === currency &&
  known.total === Money.formatAmount(total)
    ? "known"
    : "differs"

const holdOwn = (transaction: Transaction, row: SubmissionRow, question: SameSale.SameSaleQuestion): SqlEffect<void> =>
  Effect.gen(function* () {
    const { text } = question
    const { sql } = transaction
    const receipts = yield* sql`select 1 from fiscal_attempt a
      where a.submission = ${row.seq} and ${mayBeReceipt(sql)} limit 1`
    if (receipts.length > 0) yield* recordConflict(transaction, row, "ALSO_ELSEWHERE", text)
    // a document in another state is held when its turn comes again (store/lanes/Begin)
    if (row.state !== "Planned" && (row.state !== "Held" || row.hold_cause === "contradicted")) return
    yield* Relations.record(transaction, row, question)
    if (row.state === "Planned") yield* holdBack(transaction, row, "duplicate", text)
    else {
      yield* amend(transaction, row, { hold_cause: "duplicate", hold_because: text, word: null })
      note(transaction, row, "noted", text)
    }
  })

const registerOne = (transaction: Transaction, original: RegisteredOriginal): SqlEffect<Registration> =>
  Effect.gen(function* () {
    const { dialect, now, sql } = transaction
    const { account, invoiceId, number, taxpayer } = original
    const [known] = yield* sql<{
      readonly date: string
      readonly currency: string
      readonly total: string
    }>`select date, currency, total from fiscal_original where account = ${account} and invoice_id = ${invoiceId}`
    if (known !== undefined) return again(known, original)
    const [own] = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${account} and kind = 'invoice' and id = ${invoiceId} ${dialect.forUpdate}`
    if (own?.state === "Fiscalised") {
      yield* recordConflict(transaction, own, "ALSO_ELSEWHERE", "registered as fiscalised elsewhere")
      return "fiscalised-here"
    }
    const folded = NumberFold.of(number)
    yield* sql`insert into fiscal_number ${sql.insert({ taxpayer, number, folded, ...keyOf(original) })}
      on conflict (taxpayer, number) do nothing`
    const holders = yield* sql`select 1 from fiscal_number where taxpayer = ${taxpayer} and number = ${number}
      and account = ${account} and kind = 'invoice' and id = ${invoiceId}`
    if (holders.length === 0) return "number-taken"
    yield* sql`insert into fiscal_original ${sql.insert({
      account,
      invoice_id: invoiceId,
      taxpayer,
      number,
      date: Instant.format(original.date),
      currency: original.currency,
      total: Money.formatAmount(original.total),
      tax_codes: JSON.stringify(original.taxCodes),
      credited: Money.formatAmount(original.credited),
      registered_at: now
    })}`
    const alike = yield* holdAlike(transaction, original, folded)
    return alike === "registered" && own !== undefined ? "held" : alike
  })

const holdAlike = (transaction: Transaction, original: RegisteredOriginal, folded: string): SqlEffect<Registration> =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const sales = yield* SameSales.alike(sql, original.taxpayer, [folded])
    const registered = sales.filter(({ account, id, registration }) => {
      const isThis = account === original.account && id === original.invoiceId
      return isThis && registration === "registered"
    })
    let result: Registration = "registered"
    for (const sale of sales) {
      if (sale.state === "elsewhere") continue
      const isSettled = yield* Relations.settledPairs(sql, [sale])
      const elsewhere = registered.map((one) => ({ ...one, standing: "own" as const, state: "elsewhere" as const }))
      const question = SameSale.questionAbout(sale, elsewhere, isSettled)
      if (question === null) continue
      const [row] = yield* sql<SubmissionRow>`select * from fiscal_submission
        where account = ${sale.account} and kind = ${sale.kind} and id = ${sale.id} ${dialect.forUpdate}`
      if (row === undefined) continue
      yield* holdOwn(transaction, row, question)
      if (row.state === "Fiscalised") result = "fiscalised-here"
      else if (result === "registered") result = "held"
    }
    return result
  })

/** Registers invoices fiscalized elsewhere, so that credit notes here can refer to them. */
export const register = (transaction: Transaction, originals: ReadonlyArray<RegisteredOriginal>) =>
  Effect.andThen(
    SameSales.lock(
      transaction,
      originals.map(({ taxpayer }) => taxpayer)
    ),
    Effect.forEach(originals, (original) => registerOne(transaction, original))
  )
