/**
 * Reads the five query parameters of the Z-report list and selects the page
 * (docs/gateway.md#reports; ZREP-1).
 */
import * as Result from "effect/Result"
import * as Zone from "../wire/Zone.ts"
import type { ZReport } from "./FiscalDay.ts"

const defaultSize = 100

/** Parsed query. `sinceDate`: milliseconds since 1970. Pages start at 1. */
export interface ZReportQuery {
  readonly sinceDay: number
  readonly sinceDate: number
  readonly size: number
  readonly page: number
  readonly order: "asc" | "desc"
}

export interface Parameters {
  readonly since_day?: string
  readonly since_date?: string
  readonly size?: string
  readonly page?: string
  readonly order?: string
}

const whole = (text: string | undefined, standard: number): number | undefined =>
  text === undefined ? standard : /^\d{1,9}$/.test(text) ? Number(text) : undefined

/**
 * Reads the parameters; a date-time without offset is in `zone`. Fails with one sentence per
 * unreadable parameter. `since_day` and `since_date` are inclusive: that fiscal day or a day opened
 * at that time, and later days.
 */
export const parse = (parameters: Parameters, zone: Zone.Zone): Result.Result<ZReportQuery, ReadonlyArray<string>> => {
  const sinceDay = whole(parameters.since_day, 0)
  const size = whole(parameters.size, defaultSize)
  const page = whole(parameters.page, 1)
  const sinceDate = parameters.since_date === undefined ? -Infinity : Zone.instant(zone, parameters.since_date)
  const order = (parameters.order ?? "desc").toLowerCase()
  const problems: Array<string> = []
  if (sinceDay === undefined) problems.push("since_day: expected an integer")
  if (sinceDate === undefined) problems.push("since_date: expected a date-time without offset")
  if (size === undefined || size === 0) problems.push("size: expected an integer of at least 1")
  if (page === undefined || page === 0) problems.push("page: expected an integer of at least 1")
  if (order !== "asc" && order !== "desc") problems.push("order: expected asc or desc")
  return sinceDay === undefined || sinceDate === undefined || !size || !page || (order !== "asc" && order !== "desc")
    ? Result.fail(problems)
    : Result.succeed({ sinceDay, sinceDate, size, page, order })
}

export const select = (
  reports: ReadonlyArray<ZReport>,
  { order, page, sinceDate, sinceDay, size }: ZReportQuery
): { readonly items: ReadonlyArray<ZReport>; readonly total: number } => {
  const direction = order === "asc" ? 1 : -1
  const matching = reports
    .filter((report) => report.fiscalDay >= sinceDay && report.openedAt >= sinceDate)
    .toSorted((left, right) => direction * (left.fiscalDay - right.fiscalDay))
  return { items: matching.slice((page - 1) * size, page * size), total: matching.length }
}
