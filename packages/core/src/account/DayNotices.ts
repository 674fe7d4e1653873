import { DateTime, Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import * as AuthorityCode from "../preflight/AuthorityCode.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Notice } from "../submission/Notice.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

export interface NoticeFacts {
  readonly reports: ReadonlyArray<ZReport>
  /** Receipt date of the first receipt after the last close. Null if no receipt followed. */
  readonly openSince: DateTime.Utc | null
  readonly longestHours: number | null
  readonly now: DateTime.Utc
}

export interface ReadDays extends Pick<NoticeFacts, "longestHours" | "now"> {
  readonly lastClose: Option.Option<Instant>
  readonly reports: ReadonlyArray<ZReport> | null
}

export const record = (
  store: Pick<SubmissionStoreOperations, "closeDay" | "lanes" | "notice">,
  lane: string,
  { lastClose, longestHours, now, reports }: ReadDays
): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    if (Option.isSome(lastClose)) yield* store.closeDay(lane, lastClose.value)
    if (reports === null) return
    // The store may just have learned of this close, so the lanes are read again.
    const openSince = (yield* store.lanes()).find((view) => view.lane === lane)?.daySince ?? null
    yield* store.notice("days", lane, of({ reports, openSince, longestHours, now }))
  })

const isNumbered = <R extends ZReport>(report: R): report is R & { readonly fiscalDayNumber: number } =>
  report.fiscalDayNumber !== null

/**
 * Returns a notice for each failed, missing or overlong day. `detail` is the number of the day. A
 * report without a day number is ignored.
 */
export const of = ({ longestHours, now, openSince, reports: all }: NoticeFacts): ReadonlyArray<Notice> => {
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

const missing = (reported: ReadonlyArray<number>): ReadonlyArray<number> => {
  const days = new Set(reported)
  const [first, last] = [Math.min(...days), Math.max(...days)]
  // A page of reports has 20 reports. A larger gap means that the device counts days in another
  // way.
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
  // The text contains no growing figure, so that the notice stays the same.
  const at = DateTime.formatIso(since).slice(0, 16)
  const text = `the fiscal day has had receipts since ${at} UTC, and the device allows ${longest} h`
  return [{ code: "DAY_OVERLONG", detail: String(day), text }]
}
