/** Checks the transition table, updates the row and the counts, and writes the timeline. */
import { Effect } from "effect"
import { DocumentNumber } from "../../document/Identifiers.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import { type Cause, permits, type State } from "../../submission/Submission.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { TimelineEntry } from "../../submission/Explanation.ts"
import { keyOf, type MovableRow, type SubmissionRow } from "../rows/Rows.ts"
import * as CreditFamily from "./CreditFamily.ts"
import * as Replaced from "./Replaced.ts"
import { count } from "../database/Journal.ts"
import { inOneTrip } from "../database/Statements.ts"
import { type SqlEffect, type SqlReturn, type Transaction, utc } from "../database/Transaction.ts"

export type Patch = Partial<Omit<SubmissionRow, keyof SubmissionKey | "seq" | "state" | "since">>

export interface TransitionParticulars {
  readonly patch?: Patch
  readonly text?: string | null
  readonly attempt?: number | null
}

export const amend = ({ sql }: Transaction, { seq }: Pick<SubmissionRow, "seq">, patch: Patch) =>
  Effect.asVoid(sql`update fiscal_submission set ${sql.update(patch)} where seq = ${seq}`)

export const note = (
  { events, now }: Transaction,
  row: Pick<SubmissionRow, "seq" | "state">,
  cause: TimelineEntry["cause"],
  text: string | null,
  attempt: number | null = null
): void => {
  events.push({ submission: row.seq, at: now, from_state: row.state, to_state: row.state, cause, text, attempt })
}

export const moveAlone = Effect.fnUntraced(function* (
  transaction: Transaction,
  row: MovableRow,
  to: State,
  cause: Cause,
  { attempt = null, patch = {}, text = null }: TransitionParticulars = {}
): SqlReturn<State> {
  const { changes, events, logEntries, now, sql } = transaction
  if (!permits(row.state, to, cause)) {
    return yield* new StoreError({
      operation: "change a state",
      reason: "conflict",
      text: `a submission that is ${row.state} does not become ${to} (${cause})`
    })
  }
  // a hold belongs to the state Held, so every way out clears the hold
  const hold = row.state === "Held" && to !== "Held" ? { hold_cause: null, hold_because: null } : {}
  yield* sql`update fiscal_submission set ${sql.update({ ...hold, ...patch, state: to, since: now })} where seq = ${row.seq}`
  count(transaction, row.lane, row.state, -1)
  count(transaction, patch.lane ?? row.lane, to, 1)
  events.push({ submission: row.seq, at: now, from_state: row.state, to_state: to, cause, text, attempt })
  const named = {
    key: keyOf(row),
    number: DocumentNumber.make(patch.number ?? row.number),
    lane: patch.lane ?? row.lane
  }
  changes.push({ ...named, from: row.state, to, cause, at: utc(now) })
  const logEntry = StateLog.ofChange({ ...named, requestId: patch.request_id ?? row.request_id ?? null }, to)
  if (logEntry !== null) logEntries.push(logEntry)
  return to
})

/**
 * Moves the submission along an edge of the table and returns its new state. Fails with `conflict`
 * if the table has no such edge. A fiscalized invoice also releases its credit notes.
 */
export const move = (
  transaction: Transaction,
  row: MovableRow,
  to: State,
  cause: Cause,
  particulars: TransitionParticulars = {}
): SqlEffect<State> =>
  Effect.tap(moveAlone(transaction, row, to, cause, particulars), () =>
    to === "Fiscalised" ? releaseNotes(transaction, [row]) : Effect.void
  )

/**
 * Releases credit notes that were held until these originals are fiscalized, and replacements of
 * the invoices that these notes have credited in full.
 */
export const releaseNotes = (transaction: Transaction, originals: ReadonlyArray<MovableRow>) =>
  Effect.gen(function* () {
    const { dialect, sql } = transaction
    const invoices = originals.filter(({ kind }) => kind === "invoice")
    const held = yield* inOneTrip(
      invoices,
      ({ account, id }) => sql.ahead<SubmissionRow>`select * from fiscal_submission
        where original_account = ${account} and original_id = ${id}
        and state = 'Held' and hold_cause = 'original' order by seq ${dialect.forUpdate}`
    )
    for (const [n, { number }] of invoices.entries()) {
      const text = `its original ${number} is fiscalised`
      for (const row of held[n]!) yield* moveAlone(transaction, row, "Planned", "released", { text })
    }
    const replacing = yield* inOneTrip(
      originals.filter(({ kind }) => kind === "credit-note"),
      ({ seq }) => sql.ahead<SubmissionRow>`select h.* from fiscal_submission n
        join fiscal_relation r on r.other_account = n.original_account and r.other_kind = 'invoice'
          and r.other_id = n.original_id and r.relation = 'replaces'
        join fiscal_submission h on h.account = r.account and h.kind = r.kind and h.id = r.id
        where n.seq = ${seq} and h.state = 'Held' and h.hold_cause = 'replaces' order by h.seq`
    )
    for (const row of originals) if (row.kind === "credit-note") yield* CreditFamily.endNotice(transaction, row)
    for (const row of replacing.flat())
      if ((yield* Replaced.holds(sql, keyOf(row))) === null)
        yield* moveAlone(transaction, row, "Planned", "released", { text: "what it replaces is credited in full" })
  })

export const holdBack = (
  transaction: Transaction,
  row: MovableRow,
  cause: NonNullable<SubmissionRow["hold_cause"]>,
  text: string
) =>
  move(transaction, row, "Held", cause === "contradicted" ? "contradicted" : "held", {
    patch: { hold_cause: cause, hold_because: text },
    text
  })

export const locked = ({ dialect, sql }: Transaction, seq: number | bigint) =>
  Effect.map(
    sql<SubmissionRow>`select * from fiscal_submission where seq = ${seq} ${dialect.forUpdate}`,
    ([row]) => row
  )

export const lockedByKey = ({ dialect, sql }: Transaction, { account, id, kind }: SubmissionKey) =>
  Effect.map(
    sql<SubmissionRow>`select * from fiscal_submission
      where account = ${account} and kind = ${kind} and id = ${id} ${dialect.forUpdate}`,
    ([row]) => row
  )
