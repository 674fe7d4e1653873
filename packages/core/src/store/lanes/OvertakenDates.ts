/**
 * Moves assigned receipt dates of planned documents that another sent document has overtaken to a
 * later time of the same day (docs/architecture.md#receipt-dates).
 */
import { Effect } from "effect"
import * as Instant from "../../document/Instant.ts"
import * as Stored from "../../ledger/Stored.ts"
import type { SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect } from "../database/Transaction.ts"
import type { HeadRow, LaneContext } from "./QueueHead.ts"
import * as NewDates from "./NewDates.ts"
import { amend, note } from "./Transition.ts"

interface WaitingRow extends NewDates.DatedRow, Pick<SubmissionRow, "state" | "passage"> {}

/** Selects the lane's planned documents from the date to the end of its day. */
const ofItsDay = ({ lane: { lane }, transaction: { dialect, sql } }: LaneContext, date: Instant.Instant) =>
  sql<WaitingRow>`select s.seq, s.state, s.passage, s.receipt_at, s.receipt_text,
      ${NewDates.timing(sql)} as dated
    from fiscal_submission s where s.lane = ${lane} and s.state = 'Planned'
      and s.lane_order >= ${Instant.seconds(date)} and s.lane_order <= ${NewDates.endOfDay(date)}
    order by s.lane_order, s.seq ${dialect.forUpdateOfS}`

/**
 * Dates the head of the queue, and the planned documents that then collide, after the mark;
 * ordinary documents also after the close. Returns false if the head cannot move: its time is
 * stated by the source, it may have been processed, or the day has no time left.
 */
export const redate = (
  context: LaneContext,
  row: HeadRow,
  { closed, mark }: { readonly mark: number; readonly closed: number }
): SqlEffect<boolean> =>
  Effect.gen(function* () {
    if (row.dated !== "assigned" || row.receipt_text === null) return false
    const date = Stored.instant(row.receipt_text, () => `receipt_text of ${row.kind} ${row.number}`)
    const rows = yield* ofItsDay(context, date)
    const dates = NewDates.make(rows, ({ passage }) => (passage === "ordinary" ? Math.max(mark, closed) : mark), [])
    if (!dates.has(row.seq)) return false
    for (const waiting of rows) {
      const found = dates.get(waiting.seq)
      if (found === undefined) continue
      yield* amend(context.transaction, waiting, found)
      const text = `another document was sent, or will be sent, with its receipt date ${waiting.receipt_text}; it becomes ${found.receipt_text}`
      note(context.transaction, waiting, "noted", text)
    }
    return true
  })
