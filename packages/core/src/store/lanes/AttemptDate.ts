/**
 * Receipt date of an attempt: the settled date, a new one, or the reason for none now
 * (docs/architecture.md#receipt-dates).
 */
import { DateTime, Duration, Effect, Option } from "effect"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Instant from "../../document/Instant.ts"
import * as Stored from "../../ledger/Stored.ts"
import { parseOverride, sendsDespite } from "../../submission/Revisit.ts"
import { redate } from "./NewDates.ts"
import { type HeadRow, type LaneContext, next, type Step } from "./QueueHead.ts"
import { stop } from "./Lanes.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { type Integer, keyOf, number, unsettledOrder } from "../rows/Rows.ts"
import { type SqlEffect, type SqlReturn, utc } from "../database/Transaction.ts"
import { amend, holdBack, note } from "./Transition.ts"

/** Evidence on an earlier attempt. */
export interface EarlierAttempt {
  readonly request_id: string | null
  /** 1 if an operator stated that the attempt was not processed. */
  readonly ruled_out: Integer
  readonly outcome: string | null
  /** Time when the request id became known, or was last mentioned as pending. */
  readonly known_at: Integer | null
  /** Revision for which the rejection was queried once more. */
  readonly confirmed: Integer | null
  /** End of the quiet period. Null if the attempt does not count. */
  readonly quiet_until: Integer | null
  /**
   * 1 if the outcome is unknown, so that an import leaves the document unchanged
   * (submission/Revisit).
   */
  readonly is_open: Integer
}

const markOf = ({ mark }: HeadRow): number => (mark === null ? Number.NEGATIVE_INFINITY : number(mark))

/**
 * Returns the column's value. Fails on an unknown value, because damaged data could send a document
 * that must be held.
 */
const columnValue = <A extends string>(row: HeadRow, column: "late" | "passage", values: ReadonlyArray<A>): A =>
  Stored.oneOf(values, row[column], () => `${column} of ${row.kind} ${row.number}`)

/** Waits until that second of the gateway's time, on our clock. */
const waitUntil = ({ ahead }: LaneContext, row: HeadRow, second: number): Step => ({
  _tag: "Waiting",
  wait: { for: "clock", key: keyOf(row), until: utc(second * 1000 + ahead) }
})

/** Returns the zone for receipt dates that the lane sets. */
export const zoneOf = (row: HeadRow) =>
  Option.getOrElse(DateTime.zoneFromString(row.zone), () => DateTime.zoneMakeOffset(0))

/** Formats a second in the document's own zone. */
const dateText = (row: HeadRow, second: number): string => {
  const own = row.receipt_text === null ? Option.none() : Instant.parse(row.receipt_text)
  const zone = Option.match(own, { onNone: () => zoneOf(row), onSome: ({ zone }) => zone })
  return Instant.format(Instant.fromSeconds(second, zone))
}

/**
 * Returns true if the current time may replace the date: the book permits it, or an operator
 * decided to send a late document.
 */
const restamps = (row: HeadRow): boolean =>
  columnValue(row, "late", StoredValues.lates) === "restamp" || sendsDespite(parseOverride(row.word), "late")

/**
 * Settles the receipt date of a document without one: now, or the first second after the mark and
 * the close. Holds the document if the source date is not today, unless a restamp is permitted, or
 * if today is after its last permitted day.
 */
const settleDate = Effect.fnUntraced(function* (context: LaneContext, row: HeadRow): SqlReturn<number | Step> {
  const today = CivilDate.of(Instant.fromSeconds(context.now, zoneOf(row)))
  if (!restamps(row) && row.source_date !== today) {
    const because = `dated ${row.source_date}: receipt dates set at submission are for documents of today (${today})`
    return yield* Effect.as(holdBack(context.transaction, row, "late", because), next)
  }
  if (row.good_until !== null && today > row.good_until) {
    const because = `its receipt may be dated until ${row.good_until}, when a tax of it or its original's twelve months end, and would be dated ${today}: issue it again in the source and import that, or withdraw it`
    return yield* Effect.as(holdBack(context.transaction, row, "outdated", because), next)
  }
  const closed = context.lane.closed_at === null ? Number.NEGATIVE_INFINITY : number(context.lane.closed_at)
  const second = Math.max(context.now, markOf(row) + 1, closed + 1)
  return second > context.now ? waitUntil(context, row, second) : second
})

/**
 * Handles a receipt date at or before the mark or the close: holds the document, or removes the
 * date, so that the document is dated at its next submission, after all documents with a date.
 */
const overtaken = (
  context: LaneContext,
  row: HeadRow,
  cause: "late" | "historical",
  because: string,
  attempts: ReadonlyArray<EarlierAttempt>
): SqlEffect<Step> =>
  Effect.gen(function* () {
    const { transaction } = context
    const override = parseOverride(row.word)
    // a historical batch would keep the document held, so an operator must decide at once
    const isForPerson = cause === "historical" && attempts.some(({ is_open }) => number(is_open) === 1)
    if (!restamps(row) && !isForPerson) return yield* Effect.as(holdBack(transaction, row, cause, because), next)
    // an operator's statement is not a proof: a ruled-out attempt permits a new date only if an
    // operator sends the late document, not because the book permits restamping
    const isRuledOut = ({ ruled_out }: EarlierAttempt) => number(ruled_out) === 1 && sendsDespite(override, cause)
    const answered = attempts.every((attempt) => attempt.outcome === "Rejected" || isRuledOut(attempt))
    if (!answered && !sendsDespite(override, "person")) {
      const isOnlyRuledOut = attempts.every(
        ({ outcome, ruled_out }) => outcome === "Rejected" || number(ruled_out) === 1
      )
      const why = isOnlyRuledOut
        ? `${because}; an operator states that it was not processed with this date, and only an operator can give it another date`
        : `${because}; it may have been processed with this date, so it is not restamped`
      return yield* Effect.as(holdBack(transaction, row, "person", why), next)
    }
    yield* amend(transaction, row, { receipt_at: null, receipt_text: null, lane_order: unsettledOrder })
    note(transaction, row, "noted", `${because}; its receipt date becomes that of its submission`)
    return next
  })

/**
 * Returns the reason why the historical document must not be dated behind the close, or null if the
 * device permits the date now.
 */
const notBehindClose = ({ lane, options }: LaneContext, row: HeadRow): string | null => {
  const permit = options.accounts.find(({ account }) => account === row.account)?.behindClose
  if (permit?._tag === "Permitted") return null
  const because = permit?.because ?? "nothing says that the device permits it"
  return `receipt date ${row.receipt_text} is not after the close of the fiscal day at ${lane.closed_text}, and ${because}`
}

/** Returns the receipt date of the attempt in seconds, or the reason for none now. */
export const receiptDate = Effect.fnUntraced(function* (
  context: LaneContext,
  row: HeadRow,
  attempts: ReadonlyArray<EarlierAttempt>
): SqlReturn<number | Step> {
  const { lane, now, options } = context
  const skew = Math.floor(Duration.toSeconds(options.skew))
  const mark = markOf(row)
  // uses our own clock: an earlier attempt may have been dated when the clocks differed less
  if (mark > Math.floor(context.transaction.hostNow / 1000) + skew) {
    const because = `a receipt date after now (${dateText(row, mark)}) may have reached the device: every receipt before it would be red`
    const stopped = { cause: "mark-in-future", because, retryAt: utc(mark * 1000) } as const
    yield* stop(context.transaction, lane.lane, stopped)
    return { _tag: "Stopped", stop: stopped }
  }
  if (row.receipt_at === null) return yield* settleDate(context, row)
  const at = number(row.receipt_at)
  const isOrdinary = columnValue(row, "passage", StoredValues.passages) === "ordinary"
  const lastClose = lane.closed_at === null ? Number.NEGATIVE_INFINITY : number(lane.closed_at)
  const closed = isOrdinary ? lastClose : Number.NEGATIVE_INFINITY
  if (!isOrdinary && at <= lastClose && at > mark) {
    const refused = notBehindClose(context, row)
    if (refused !== null) return yield* Effect.as(holdBack(context.transaction, row, "historical", refused), next)
  }
  if (at <= Math.max(mark, closed)) {
    if (yield* redate(context, row, { mark, closed })) return next
    const isLate = at <= mark
    const because = isLate
      ? `not after ${dateText(row, mark)}, that of another document which may have reached the device`
      : `not after the close of the fiscal day at ${lane.closed_text}`
    const cause = isLate ? "late" : "historical"
    return yield* overtaken(context, row, cause, `receipt date ${row.receipt_text} is ${because}`, attempts)
  }
  return at > now + skew ? waitUntil(context, row, at - skew) : at
})
