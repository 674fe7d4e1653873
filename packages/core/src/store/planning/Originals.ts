/** Registers invoices fiscalised elsewhere, so that credit notes here can refer to them. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Instant from "../../document/Instant.ts"
import * as Money from "../../document/Money.ts"
import type { StoreError } from "../../ledger/StoreError.ts"
import type { RegisteredOriginal } from "../../submission/SubmissionStore.ts"
import type { Transaction } from "../database/Transaction.ts"

type Registration = "registered" | "known" | "number-taken"

const registerOne = (
  { sql }: Transaction,
  original: RegisteredOriginal
): Effect.Effect<Registration, SqlError | StoreError> =>
  Effect.gen(function* () {
    const { account, invoiceId, number, taxpayer } = original
    const known = yield* sql`select 1 from fiscal_original where account = ${account} and invoice_id = ${invoiceId}
      union all select 1 from fiscal_submission where account = ${account} and kind = 'invoice' and id = ${invoiceId}`
    if (known.length > 0) return "known"
    const claim = { taxpayer, number, account, kind: "invoice", id: invoiceId }
    const taken = yield* sql`insert into fiscal_number ${sql.insert(claim)}
      on conflict (taxpayer, number) do nothing returning number`
    if (taken.length === 0) return "number-taken"
    yield* sql`insert into fiscal_original ${sql.insert({
      account,
      invoice_id: invoiceId,
      taxpayer,
      number,
      date: Instant.format(original.date),
      currency: original.currency,
      total: Money.formatAmount(original.total),
      tax_codes: JSON.stringify(original.taxCodes),
      credited: Money.formatAmount(original.credited)
    })}`
    return "registered"
  })

export const register = (transaction: Transaction, originals: ReadonlyArray<RegisteredOriginal>) =>
  Effect.forEach(originals, (original) => registerOne(transaction, original))
