import * as Schema from "effect/Schema"
import * as Counters from "./Counters.ts"
import { type IssuedReceipt, isRed } from "./IssuedReceipt.ts"

/** Report of a day that was closed or could not be closed. Instants are milliseconds since 1970. */
export const ZReport = Schema.Struct({
  fiscalDay: Schema.Int,
  openedAt: Schema.Int,
  closedAt: Schema.Int,
  result: Schema.Literals(["closed", "failed"]),
  message: Schema.String,
  counters: Schema.Array(Counters.Counter)
})
export type ZReport = typeof ZReport.Type

export interface FiscalDays {
  number: number
  /** Opening of the running day, milliseconds since 1970; undefined before its first receipt. */
  openedAt: number | undefined
  receipts: Array<IssuedReceipt>
  /**
   * Request ids of red receipts that the authority has repaired: these no longer stop the close.
   */
  readonly repaired: Set<string>
  readonly reports: Map<number, ZReport>
}

export const start = (): FiscalDays => ({
  number: 1,
  openedAt: undefined,
  receipts: [],
  repaired: new Set(),
  reports: new Map()
})

export const unrepaired = (days: FiscalDays): ReadonlyArray<IssuedReceipt> =>
  days.receipts.filter((receipt) => isRed(receipt) && !days.repaired.has(receipt.requestId))

const lastClose = (days: FiscalDays): number | undefined => days.reports.get(days.number - 1)?.closedAt

/**
 * Returns the opening of the running day for a receipt of the given date (both milliseconds since
 * 1970). The first receipt opens the day one second before its own date, but never before the close
 * of the last day.
 */
export const openingFor = (days: FiscalDays, receiptDate: number): number =>
  days.openedAt ?? Math.max(receiptDate - 1000, lastClose(days) ?? -Infinity)

export const enter = (days: FiscalDays, receipt: IssuedReceipt): void => {
  days.openedAt = openingFor(days, receipt.epochSeconds * 1000)
  days.receipts.push(receipt)
}

const failure = (day: number, red: ReadonlyArray<IssuedReceipt>): string => {
  const codes = new Map<string, number>()
  for (const mark of red.flatMap((receipt) => receipt.marks)) {
    if (mark.colour === "red") codes.set(mark.code, (codes.get(mark.code) ?? 0) + 1)
  }
  const causes = [...codes].map(([code, count]) => `${code} x ${count}`)
  return `Fiscal day ${day} cannot be closed: ${red.length} receipt(s) marked red (${causes.join(", ")})`
}

/**
 * Closes the running day at `now` (milliseconds since 1970). A red receipt keeps the day open; the
 * report then states the reason.
 */
export const close = (days: FiscalDays, now: number): ZReport => {
  const red = unrepaired(days)
  const report: ZReport = {
    fiscalDay: days.number,
    openedAt: days.openedAt ?? lastClose(days) ?? now,
    closedAt: now,
    result: red.length === 0 ? "closed" : "failed",
    message: red.length === 0 ? `Fiscal day ${days.number} closed` : failure(days.number, red),
    counters: Counters.of(days.receipts)
  }
  days.reports.set(report.fiscalDay, report)
  if (report.result === "closed") {
    days.number++
    days.openedAt = undefined
    days.receipts = []
    days.repaired.clear()
  }
  return report
}
