/**
 * The settled date, a new one, or the reason for none now (docs/architecture.md#receipt-dates).
 * Pure; the lane carries out the decision.
 */
import { type DateTime, Option } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"

export type DateHoldCause = "late" | "historical" | "outdated" | "operator"

/**
 * Result of an earlier attempt that may have been processed. `ruled-out`: an operator stated that
 * it was not processed. `open`: neither request id nor evidence. `pending`: a request id, or
 * evidence other than a rejection.
 */
export type EarlierResult = "rejected" | "ruled-out" | "open" | "pending"

/** Facts about the head of a lane's queue. Each is read only if the decision depends on it. */
export interface AttemptHead {
  /** Settled receipt date. Null if the attempt sets the date. */
  readonly receipt: { readonly second: number; readonly text: string | null } | null
  readonly sourceDate: string
  /** Last permitted day of the receipt date (ValidUntil). Null if no end is known. */
  readonly lastDay: string | null
  readonly zone: DateTime.TimeZone
  readonly late: "hold" | "restamp"
  readonly timing: "ordinary" | "historical"
  /** Second of the document's mark among the attempts; -Infinity without one. */
  readonly mark: number
  readonly close: { readonly second: number; readonly text: string | null } | null
  readonly earlier: ReadonlyArray<EarlierResult>
  readonly sendsDespite: (cause: DateHoldCause) => boolean
  /** Reason why the device does not permit a date behind the close now. Null if it does. */
  readonly notBehindClose: string | null
}

/** Clocks in seconds since the epoch. */
export interface Clocks {
  /** Estimate of the gateway's time, never later than the real one. */
  readonly gateway: number
  readonly own: number
  readonly skew: number
}

interface HeldAttempt {
  readonly _tag: "Hold"
  readonly cause: DateHoldCause
  readonly text: string
}

export type AttemptDate =
  | { readonly _tag: "Dated"; readonly second: number }
  /** To be sent at this second of the gateway's time. */
  | { readonly _tag: "Early"; readonly second: number }
  | HeldAttempt
  /**
   * At or before the mark or the close. An assigned date may move to a later second of its day;
   * otherwise `withoutRoom` decides.
   */
  | { readonly _tag: "Overtaken"; readonly mark: number; readonly close: number }
  /** Every receipt before the mark would be red, so the lane stops until the mark. */
  | { readonly _tag: "MarkInFuture"; readonly text: string }

const hold = (cause: DateHoldCause, text: string): HeldAttempt => ({ _tag: "Hold", cause, text })

const secondOf = (close: AttemptHead["close"]): number => close?.second ?? Number.NEGATIVE_INFINITY

const dateText = (head: AttemptHead, second: number): string => {
  const own = head.receipt?.text == null ? Option.none() : Instant.parse(head.receipt.text)
  const zone = Option.match(own, { onNone: () => head.zone, onSome: ({ zone }) => zone })
  return Instant.format(Instant.fromSeconds(second, zone))
}

const restamps = (head: AttemptHead): boolean => head.late === "restamp" || head.sendsDespite("late")

export const of = (head: AttemptHead, clocks: Clocks): AttemptDate => {
  const { mark, receipt } = head
  // uses our own clock: an earlier attempt may have been dated when the clocks differed less
  if (mark > clocks.own + clocks.skew) {
    const text = `a receipt date after now (${dateText(head, mark)}) may have reached the device: every receipt before it would be red`
    return { _tag: "MarkInFuture", text }
  }
  if (receipt === null) return settle(head, clocks.gateway)
  const at = receipt.second
  const lastClose = secondOf(head.close)
  const isOrdinary = head.timing === "ordinary"
  const closed = isOrdinary ? lastClose : Number.NEGATIVE_INFINITY
  if (!isOrdinary && at <= lastClose && at > mark && head.notBehindClose !== null) {
    const text = `receipt date ${receipt.text} is not after the close of the fiscal day at ${head.close?.text}, and ${head.notBehindClose}`
    return hold("historical", text)
  }
  if (at <= Math.max(mark, closed)) return { _tag: "Overtaken", mark, close: closed }
  return at > clocks.gateway + clocks.skew ? { _tag: "Early", second: at - clocks.skew } : { _tag: "Dated", second: at }
}

/**
 * Now, or the first second after the mark and the close. Holds a document whose source date is not
 * today, unless a restamp is permitted, or if today is after its last permitted day.
 */
const settle = (head: AttemptHead, now: number): AttemptDate => {
  const { close, lastDay, mark, sourceDate } = head
  const today = CivilDate.of(Instant.fromSeconds(now, head.zone))
  if (!restamps(head) && sourceDate !== today) {
    const text = `dated ${sourceDate}: receipt dates set at submission are for documents of today (${today})`
    return hold("late", text)
  }
  if (lastDay !== null && today > lastDay) {
    const text = `its receipt may be dated until ${lastDay}, when a tax of it or its original's twelve months end, and would be dated ${today}: issue it again in the source and import that, or withdraw it`
    return hold("outdated", text)
  }
  const second = Math.max(now, mark + 1, secondOf(close) + 1)
  return second > now ? { _tag: "Early", second } : { _tag: "Dated", second }
}

/**
 * Holds the document, or removes the date, so that it is dated at its next submission, after all
 * documents with a date.
 */
export const withoutRoom = (head: AttemptHead): HeldAttempt | { readonly _tag: "Undate"; readonly text: string } => {
  const { earlier, mark, receipt, sendsDespite } = head
  const isLate = receipt !== null && receipt.second <= mark
  const cause = isLate ? "late" : "historical"
  const text = isLate
    ? `receipt date ${receipt.text} is not after ${dateText(head, mark)}, that of another document which may have reached the device`
    : `receipt date ${receipt?.text} is not after the close of the fiscal day at ${head.close?.text}`
  // a historical batch would keep the document held, so an operator must decide at once
  const isForOperator = cause === "historical" && earlier.includes("open")
  if (!restamps(head) && !isForOperator) return hold(cause, text)
  // an operator's statement is not a proof: a ruled-out attempt permits a new date only if an
  // operator sends the late document, not because the book permits restamping
  const permitsNewDate = (result: EarlierResult) =>
    result === "rejected" || (result === "ruled-out" && sendsDespite(cause))
  if (!earlier.every(permitsNewDate) && !sendsDespite("operator")) {
    const why = earlier.every((result) => result === "rejected" || result === "ruled-out")
      ? `${text}; an operator states that it was not processed with this date, and only an operator can give it another date`
      : `${text}; it may have been processed with this date, so it is not restamped`
    return hold("operator", why)
  }
  return { _tag: "Undate", text: `${text}; its receipt date becomes that of its submission` }
}
