/** What credit notes have taken from an original, or may have: at the moment another one is to be sent. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Money from "../../document/Money.ts"
import * as Stored from "../../ledger/Stored.ts"
import type { State } from "../../submission/Submission.ts"
import type { Integer, SubmissionRow } from "../rows/Rows.ts"
import type { Statements } from "../database/Statements.ts"

/** States in which a note takes nothing yet, or no more. */
const nothing: ReadonlyArray<State> = ["Planned", "Held", "Rejected", "Declined", "Withdrawn"]

interface Credits {
  /** The original's total; null where neither the store nor a registration knows it. */
  readonly original: Money.Money | null
  /** Taken elsewhere, as it was registered. */
  readonly credited: Money.Money
  /** Of the notes that were sent and may count, and of this one. */
  readonly credits: ReadonlyArray<{ readonly seq: Integer; readonly total: Money.Money }>
}

export const creditsBeside = (
  sql: Statements,
  { id, original_account, original_id, seq }: Pick<SubmissionRow, "id" | "original_account" | "original_id" | "seq">
): Effect.Effect<Credits, SqlError> =>
  Effect.gen(function* () {
    const money = (text: string) => Stored.money(text, () => `what credit note ${id} is counted with`)
    const rows = yield* sql<{ readonly seq: Integer; readonly total: string }>`select s.seq, p.total
      from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.original_account = ${original_account} and s.original_id = ${original_id}
        and (s.seq = ${seq} or not ${sql.in("s.state", nothing)})`
    const [ours] = yield* sql<{ readonly total: string }>`select p.total from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.account = ${original_account} and s.kind = 'invoice' and s.id = ${original_id}`
    const [registered] = yield* sql<{ readonly total: string; readonly credited: string }>`select total, credited
      from fiscal_original where account = ${original_account} and invoice_id = ${original_id}`
    const known = ours ?? registered
    return {
      original: known === undefined ? null : money(known.total),
      credited: registered === undefined ? Money.zero : money(registered.credited),
      credits: rows.map(({ seq, total }) => ({ seq, total: money(total) }))
    }
  })
