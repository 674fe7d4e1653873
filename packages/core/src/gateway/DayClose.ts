/**
 * Documents dated at or before the last close are historical (docs/architecture.md#receipt-dates).
 */
import { type DateTime, type Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { Misfit } from "./exchange/AnswerLaw.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { toInstant } from "./operation/LocalDateTime.ts"
import type { ZReport } from "./operation/ZReport.ts"

/** Newest first. Days that could not be closed for longer than 20 reports are handled elsewhere. */
const recent = 20

/**
 * The last close. `doubt` is the reason why a later, unreadable close may exist; null if the answer
 * is as documented.
 */
export interface LastClose {
  readonly at: Option.Option<Instant>
  readonly doubt: string | null
  readonly misfits: ReadonlyArray<Misfit>
}

/**
 * Returns the latest Z-reports. The operation is experimental: if the read fails, the caller
 * reports the failure and continues without Z-reports.
 */
export const reports = (gateway: Pick<GatewayOperations, "zReports">) =>
  gateway.zReports({ order: "desc", size: recent })

/**
 * `zone` applies to date-times without an offset (TIME-1); null if it is not known: then such a
 * close cannot be read. Reports come newest first, so an unreadable one matters only before the
 * first readable one.
 */
export const lastOf = (
  { items, misfits = [] }: Effect.Success<ReturnType<GatewayOperations["zReports"]>>,
  zone: DateTime.TimeZone | null
): LastClose => {
  const closeOf = ({ closedAt, isSuccess }: ZReport) =>
    isSuccess === true && closedAt !== null ? toInstant(closedAt, zone) : Option.none()
  const at = items
    .flatMap((report) => Option.toArray(closeOf(report)))
    .reduce<Option.Option<Instant>>(
      (latest, close) =>
        Option.isSome(latest) && latest.value.epochMilliseconds >= close.epochMilliseconds
          ? latest
          : Option.some(close),
      Option.none()
    )
  const first = items.findIndex((report) => Option.isSome(closeOf(report)))
  const before = first === -1 ? items : items.slice(0, first)
  // a report before the first readable close may be about a later one, unless it states a failure
  const row = before.find(({ isSuccess }) => isSuccess !== false)
  const lost = misfits.find(({ field, follows }) => follows === "row" && isBefore(field, first))
  if (lost !== undefined) return { at, doubt: `${lost.field}: ${lost.text}`, misfits }
  if (row === undefined) return { at, doubt: null, misfits }
  const problem = row.misfits?.find(({ follows }) => follows === "documents")
  const field = row.isSuccess === null ? "IsSuccess" : "ClosedAt"
  const isAbsent = row.isSuccess === null || row.closedAt === null
  const otherwise = isAbsent ? "absent" : "the time has no offset, and no zone is known"
  return {
    at,
    doubt: `${field} of fiscal day ${row.fiscalDayNumber ?? "?"}: ${problem?.text ?? otherwise}`,
    misfits
  }
}

/** `first` is -1 if no row can be read. */
const isBefore = (field: string, first: number): boolean => {
  const index = /^Items\.(\d+)$/.exec(field)?.[1]
  return index !== undefined && (first === -1 || Number(index) <= first)
}
