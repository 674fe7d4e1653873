/** Checks the original of a credit note when the turn of the note comes. */
import { Effect } from "effect"
import * as Balance from "../../credit/Balance.ts"
import * as Money from "../../document/Money.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { sendsDespite } from "../../submission/Revisit.ts"
import type { SqlReturn } from "../database/Transaction.ts"
import { keyOf, meaningOf, type SubmissionRow } from "../rows/Rows.ts"
import * as CreditFamily from "./CreditFamily.ts"
import { creditsOn } from "./Originals.ts"
import * as Quiet from "./Quiet.ts"
import type { HeadAnswer, HeadCandidate } from "./QueueHead.ts"

const hold = (cause: "original" | "credited", text: string): HeadAnswer => ({ _tag: "Hold", cause, text })

interface OriginalBalanceRow {
  readonly total: string
  readonly credited: string
}

/**
 * A note that would exceed the rest of its original is held (RCPT035). Other notes may have been
 * sent since planning, or planned by a parallel import that this note's import did not see. Null if
 * it may be sent, or an operator decided to send in spite of this excess.
 */
const within = Effect.fnUntraced(function* (
  { override, row, transaction }: HeadCandidate,
  { credited, total }: OriginalBalanceRow
): SqlReturn<HeadAnswer> {
  if (sendsDespite(override, "credited")) return null
  const credits = yield* creditsOn(transaction.sql, row.original_account!, row.original_id!)
  const own = credits.find(({ id }) => id === row.id)
  // a note for a surplus receipt takes nothing of the other one
  if (own === undefined) return null
  const elsewhere = Stored.money(credited, () => `credited of ${row.original_id} (fiscal_original)`)
  const balance = {
    credited: Balance.sum(elsewhere, Balance.sentByOthers(credits, row.id)),
    total: Stored.money(total, () => `total of the original ${row.original_id}`)
  }
  if (!Balance.exceeds(balance, own.total)) return null
  const [taken, whole] = [Money.formatAmount(balance.credited), Money.formatAmount(balance.total)]
  return hold("credited", `other credit notes have taken ${taken} of the ${whole} of its original since`)
})

interface OriginalTurnRow extends SubmissionRow, Pick<OriginalBalanceRow, "total"> {
  readonly unstated: string | null
  readonly meaning: string | null
  readonly of_note: string | null
}

/** True if the invoice, corrected since the note was planned, has each device tax of the note. */
const hasTaxes = ({ meaning, number, of_note }: OriginalTurnRow): boolean => {
  if (meaning === null || of_note === null) return true
  const [own, note] = [meaning, of_note].map((text) =>
    meaningOf(text, () => `meaning of ${number} or its note`).taxes.map(([, device]) => device)
  )
  return note!.every((device) => own!.includes(device))
}

/**
 * Checks the original of a credit note. The note waits for the original's outcome. If there will be
 * none, or there is only a stated failure after the quiet period, the note is held and does not
 * block the lane.
 */
export const original = Effect.fnUntraced(function* (candidate: HeadCandidate): SqlReturn<HeadAnswer> {
  const { row } = candidate
  if (row.original_id === null || row.original_account === null) return null
  const { sql } = candidate.transaction
  const key = { account: row.original_account, kind: "invoice", id: row.original_id } as const
  const [invoice] = yield* sql<OriginalTurnRow>`select s.*, p.total, p.meaning,
      (select n.meaning from fiscal_payload n where n.submission = ${row.seq} and n.revision = ${row.revision}) as of_note,
      (select max(o.number) from fiscal_submission o where o.original_account = s.account and o.original_id = s.id
        and o.receipt is not null and o.seq <> ${row.seq} and ${sql.literal(CreditFamily.notEnded)}
        and (o.seq < ${row.seq} or ${sql.literal(CreditFamily.mayBeSent)})
        having count(*) > (select count(distinct d.what) from fiscal_decision d
          where d.submission = s.seq and d.act = 'credited-receipt')) as unstated
    from fiscal_submission s
    join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
    where s.account = ${key.account} and s.kind = 'invoice' and s.id = ${key.id}`
  const held = (text: string) => hold("original", text)
  const waiting: HeadAnswer = { _tag: "Waiting", wait: { for: "original", key: keyOf(row), original: key } }
  if (invoice === undefined) {
    const [elsewhere] = yield* sql<OriginalBalanceRow>`select total, credited from fiscal_original
      where account = ${key.account} and invoice_id = ${key.id}`
    return elsewhere === undefined ? held(`its original ${key.id} is not known`) : yield* within(candidate, elsewhere)
  }
  switch (invoice.state) {
    case "Fiscalised":
      if (invoice.unstated !== null) {
        const note = `${invoice.unstated} is meant for one of the receipts of ${invoice.number}`
        return hold("credited", `${note}, and no operator has stated which of them the portal shows as credited`)
      }
      if (!sendsDespite(candidate.override, "credited") && !hasTaxes(invoice))
        return hold("credited", `${invoice.number} was sent without a tax of the note (RCPT036)`)
      return yield* within(candidate, { total: invoice.total, credited: "0" })
    case "Accepted":
      // time settles a stated failure only beside a later receipt of the lane
      return invoice.said !== null && (yield* Quiet.quietUntil(candidate.transaction, invoice.seq)) === null
        ? held(`its original ${invoice.number} is not known to be fiscalised`)
        : waiting
    case "Sending":
    case "Unknown":
      return waiting
    case "Planned":
      return invoice.lane === row.lane ? held(`its original ${invoice.number} is to be sent after it`) : waiting
    default:
      return held(`its original ${invoice.number} is ${invoice.state}`)
  }
})
