/**
 * After a change of lane, or after another document was sent first
 * (docs/architecture.md#receipt-dates, dating/Redating).
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Redating from "../../dating/Redating.ts"
import * as Instant from "../../document/Instant.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { SqlEffect } from "../database/Transaction.ts"
import { type Integer, type SubmissionRow } from "../rows/Rows.ts"
import type { HeadRow, LaneContext } from "./QueueHead.ts"
import { amend, note } from "./Transition.ts"

export interface DatedRow extends Pick<SubmissionRow, "seq" | "dated"> {
  readonly receipt_at: Integer
  readonly receipt_text: string
}

/**
 * SQL for the origin of the time of submission `s`. The result is `stated`, so the time stays, once
 * an attempt may have been processed.
 */
export const timing = (sql: Pick<SqlClient, "literal">) =>
  sql.literal(`case when s.dated = 'assigned' and s.state in ('Planned', 'Held', 'Declined') and not exists (
      select 1 from fiscal_attempt a where a.submission = s.seq and a.possibly_processed = 1)
    then 'assigned' else 'stated' end`)

export interface NewDate {
  readonly receipt_at: number
  readonly receipt_text: string
  readonly lane_order: number
}

const dateOf = ({ receipt_text, seq }: DatedRow) =>
  Stored.instant(receipt_text, () => `receipt_text of submission ${seq} (fiscal_submission)`)

/**
 * Returns the changed dates, by `seq`. `rows` are in sending order. `markOf`: the second that a row
 * must be later than. `taken`: occupied seconds of other documents in the lane.
 */
export const make = <Row extends DatedRow>(
  rows: ReadonlyArray<Row>,
  markOf: (row: Row) => number,
  taken: Iterable<number>
): ReadonlyMap<Integer, NewDate> => {
  const documents = rows.map((row) => ({ date: dateOf(row), dated: row.dated ?? "stated", mark: markOf(row) }))
  const dates = Redating.redate(documents, taken)
  return new Map(
    rows.flatMap(({ seq }, at) => {
      const date = dates[at]!
      if (date === documents[at]!.date) return []
      const second = Instant.seconds(date)
      return [[seq, { receipt_at: second, receipt_text: Instant.format(date), lane_order: second }] as const]
    })
  )
}

interface WaitingRow extends DatedRow, Pick<SubmissionRow, "state" | "passage"> {}

const ofItsDay = ({ lane: { lane }, transaction: { dialect, sql } }: LaneContext, date: Instant.Instant) =>
  sql<WaitingRow>`select s.seq, s.state, s.passage, s.receipt_at, s.receipt_text,
      ${timing(sql)} as dated
    from fiscal_submission s where s.lane = ${lane} and s.state = 'Planned'
      and s.lane_order >= ${Instant.seconds(date)} and s.lane_order <= ${Redating.endOfDay(date)}
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
    const dates = make(rows, ({ passage }) => (passage === "ordinary" ? Math.max(mark, closed) : mark), [])
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
