/**
 * Assigns new receipt dates to waiting documents after a change of lane, or after other documents
 * were sent first (dating/Redating).
 */
import type { SqlClient } from "effect/sql/SqlClient"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import * as Stored from "../../ledger/Stored.ts"
import * as FreeSeconds from "../../dating/FreeSeconds.ts"
import * as Redating from "../../dating/Redating.ts"
import { type Integer, number, type SubmissionRow } from "../rows/Rows.ts"

/** Columns of a row with a receipt date that decide if the date changes. */
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

/** Columns of a changed date. */
export interface NewDate {
  readonly receipt_at: number
  readonly receipt_text: string
  readonly lane_order: number
}

const dateOf = ({ receipt_text, seq }: DatedRow) =>
  Stored.instant(receipt_text, () => `receipt_text of submission ${seq} (fiscal_submission)`)

/** Returns the last second of the date's day, in the date's own zone. */
export const endOfDay = (date: Instant.Instant): number =>
  Instant.seconds(CivilDate.at(CivilDate.of(date), 86_400, date.zone)) - 1

/**
 * Returns the changed dates, by `seq`. `rows` are in sending order. `markOf`: the second that a row
 * must be later than. `taken`: occupied seconds of other documents in the lane.
 */
export const make = <Row extends DatedRow>(
  rows: ReadonlyArray<Row>,
  markOf: (row: Row) => number,
  taken: Iterable<number>
): ReadonlyMap<Integer, NewDate> => {
  const dates = rows.map(dateOf)
  const seconds = Redating.reassign(
    rows.map((row, at) => ({
      second: number(row.receipt_at),
      dated: row.dated ?? "stated",
      endOfDay: endOfDay(dates[at]!),
      mark: markOf(row)
    })),
    FreeSeconds.make(taken)
  )
  return new Map(
    rows.flatMap(({ receipt_at, seq }, at) => {
      const second = seconds[at]!
      if (second === number(receipt_at)) return []
      const text = Instant.format(Instant.fromSeconds(second, dates[at]!.zone))
      return [[seq, { receipt_at: second, receipt_text: text, lane_order: second }] as const]
    })
  )
}
