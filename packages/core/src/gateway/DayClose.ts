/**
 * The device's latest fiscal days and the last day close. Documents dated at or before the close
 * are historical (docs/architecture.md#receipt-dates).
 */
import { type DateTime, type Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { Misfit } from "./exchange/AnswerLaw.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { type AnswerDateTime, toInstant } from "./operation/LocalDateTime.ts"
import type { ZReport } from "./operation/ZReport.ts"

/**
 * Number of Z-reports to read, newest first. Days that could not be closed for longer than 20
 * reports are handled elsewhere.
 */
const recent = 20

/**
 * The last close. `doubt` is the reason why a later, unreadable close may exist; null if the answer
 * is as documented.
 */
export interface LastClose {
  /** ClosedAt of the last successful Z-report. Empty if no report is successful. */
  readonly at: Option.Option<Instant>
  readonly doubt: string | null
  readonly misfits: ReadonlyArray<Misfit>
}

/** True if the report may be about a successful close that cannot be read. */
const isDoubtful = ({ closedAt, isSuccess }: ZReport, zone: DateTime.TimeZone | null): boolean =>
  isSuccess === null || (isSuccess && (closedAt === null || isWithoutZone(closedAt, zone)))

/** True for a local date-time in a zone that is not known. */
const isWithoutZone = (at: AnswerDateTime | null, zone: DateTime.TimeZone | null): boolean =>
  typeof at === "string" && zone === null

/**
 * Returns the latest Z-reports. The operation is experimental: if the read fails, the caller
 * reports the failure and continues without Z-reports.
 */
export const reports = (gateway: Pick<GatewayOperations, "zReports">) =>
  gateway.zReports({ order: "desc", size: recent })

/**
 * Returns the last close of the reports. `zone` applies to date-times without an offset (TIME-1);
 * null if it is not known: then such a close cannot be read. Reports come newest first, so an
 * unreadable report matters only before the first readable one.
 */
export const lastOf = (
  { items, misfits = [] }: Effect.Success<ReturnType<GatewayOperations["zReports"]>>,
  zone: DateTime.TimeZone | null
): LastClose => {
  const closes = items.flatMap(({ closedAt, isSuccess }) =>
    isSuccess === true && closedAt !== null ? Option.toArray(toInstant(closedAt, zone)) : []
  )
  const at = closes.reduce<Option.Option<Instant>>(
    (latest, close) =>
      Option.isSome(latest) && latest.value.epochMilliseconds >= close.epochMilliseconds ? latest : Option.some(close),
    Option.none()
  )
  const first = items.findIndex(
    ({ closedAt, isSuccess }) => isSuccess === true && closedAt !== null && !isWithoutZone(closedAt, zone)
  )
  const before = first === -1 ? items : items.slice(0, first)
  const row = before.find((report) => isDoubtful(report, zone))
  const lost = misfits.find(({ field, follows }) => follows === "row" && isBefore(field, first))
  if (lost !== undefined) return { at, doubt: `${lost.field}: ${lost.problem}`, misfits }
  if (row === undefined) return { at, doubt: null, misfits }
  const problem = row.misfits?.find(({ follows }) => follows === "documents")
  const field = row.isSuccess === null ? "IsSuccess" : "ClosedAt"
  const otherwise = isWithoutZone(row.closedAt, zone) ? "the time has no offset, and no zone is known" : "absent"
  return {
    at,
    doubt: `${field} of fiscal day ${row.fiscalDayNumber ?? "?"}: ${problem?.problem ?? otherwise}`,
    misfits
  }
}

/**
 * True if the row that was left out of the list came before the item at index `first`. `first` is
 * -1 if no row can be read.
 */
const isBefore = (field: string, first: number): boolean => {
  const index = /^Items\.(\d+)$/.exec(field)?.[1]
  return index !== undefined && (first === -1 || Number(index) <= first)
}
