/** Fiscal days that need an operator, by the latest reports and by what the store has sent: failed, missing and overlong ones. */
import { DateTime, Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import * as AuthorityCode from "../preflight/AuthorityCode.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { Notice } from "../submission/Notice.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/** Facts by which the days of a device are judged. */
export interface DayFacts {
  /** The latest reports, in any order. */
  readonly reports: ReadonlyArray<ZReport>
  /** Receipt date of the first receipt after the last close; null where there is none. */
  readonly openSince: DateTime.Utc | null
  /** The longest fiscal day of the device, in hours; null where the device does not state it. */
  readonly longestHours: number | null
  readonly now: DateTime.Utc
}

/** Facts that were read of the days of a device. `reports`: null where they could not be read. */
export interface ReadDays extends Pick<DayFacts, "longestHours" | "now"> {
  readonly lastClose: Option.Option<Instant>
  readonly reports: ReadonlyArray<ZReport> | null
}

/** Keeps in the store when the last day was closed, and which days need an operator. */
export const record = (
  store: Pick<SubmissionStoreOperations, "closeDay" | "lanes" | "notice">,
  lane: string,
  { lastClose, longestHours, now, reports }: ReadDays
): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    if (Option.isSome(lastClose)) yield* store.closeDay(lane, lastClose.value)
    if (reports === null) return
    // the store has just learnt of a close that was not known before
    const openSince = (yield* store.lanes()).find((view) => view.lane === lane)?.daySince ?? null
    yield* store.notice("days", lane, of({ reports, openSince, longestHours, now }))
  })

const isNumbered = <R extends ZReport>(report: R): report is R & { readonly fiscalDayNumber: number } =>
  report.fiscalDayNumber !== null

/** Returns a notice for each of them; `detail` is the number of the day. A report without a number says nothing of a day. */
export const of = ({ longestHours, now, openSince, reports: all }: DayFacts): ReadonlyArray<Notice> => {
  const reports = all.filter(isNumbered)
  const closed = reports.filter(({ isSuccess }) => isSuccess !== false).map(({ fiscalDayNumber }) => fiscalDayNumber)
  const last = Math.max(0, ...closed)
  const failed = reports.filter(({ fiscalDayNumber, isSuccess }) => isSuccess === false && fiscalDayNumber > last)
  return [
    ...failed.map(({ fiscalDayNumber, message }): Notice => {
      const codes = AuthorityCode.inText(message ?? "").map(({ code, meaning }) => `${code}: ${meaning}`)
      return {
        code: "DAY_FAILED",
        detail: String(fiscalDayNumber),
        text: [`fiscal day ${fiscalDayNumber} could not be closed: ${message || "no message"}`, ...codes].join("; ")
      }
    }),
    ...missing(reports.map(({ fiscalDayNumber }) => fiscalDayNumber)).map((day): Notice => ({
      code: "DAY_MISSING",
      detail: String(day),
      text: `there is no report of fiscal day ${day}, although there is one of a later day`
    })),
    ...overlong(last + 1, now, openSince, longestHours)
  ]
}

/** Days between the first and the last of the reported ones that have no report. */
const missing = (reported: ReadonlyArray<number>): ReadonlyArray<number> => {
  const days = new Set(reported)
  const [first, last] = [Math.min(...days), Math.max(...days)]
  // a page of reports has 20; a larger gap is a device that counts otherwise
  if (days.size < 2 || last - first > 2 * days.size) return []
  return Array.from({ length: last - first }, (_, n) => first + n).filter((day) => !days.has(day))
}

const overlong = (
  day: number,
  now: DateTime.Utc,
  since: DateTime.Utc | null,
  longest: number | null
): ReadonlyArray<Notice> => {
  if (since === null || longest === null || longest <= 0) return []
  const hours = Math.floor((now.epochMilliseconds - since.epochMilliseconds) / 3_600_000)
  if (hours < longest) return []
  // the text names no growing figure, so that the notice stays the same
  const at = DateTime.formatIso(since).slice(0, 16)
  const text = `the fiscal day has had receipts since ${at} UTC, and the device allows ${longest} h`
  return [{ code: "DAY_OVERLONG", detail: String(day), text }]
}
