/** The device's latest fiscal days, and when the last of them was closed: documents at or before that are historical (docs/architecture.md#receipt-dates). */
import { type DateTime, type Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { Misfit } from "./exchange/AnswerLaw.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import { toInstant } from "./operation/LocalDateTime.ts"
import type { ZReport } from "./operation/ZReport.ts"

/** Reports are looked through newest first; a day that could not be closed for longer than this is asked about elsewhere. */
const recent = 20

/** The last close. `doubt` says why a later one may exist that cannot be read; null where the answer is as documented. */
export interface LastClose {
  /** ClosedAt of the last successful Z-report; none where there is none. */
  readonly at: Option.Option<Instant>
  readonly doubt: string | null
  readonly misfits: ReadonlyArray<Misfit>
}

/** Whether the report may be of a successful close that cannot be read. */
const isDoubtful = ({ closedAt, isSuccess }: ZReport): boolean => isSuccess === null || (isSuccess && closedAt === null)

/** Returns the latest Z-reports. They are experimental: where they fail, the caller says so and goes on without. */
export const reports = (gateway: Pick<GatewayOperations, "zReports">) =>
  gateway.zReports({ order: "desc", size: recent })

/**
 * The last close of the reports. `zone` is for date-times without an offset (TIME-1). Reports come newest first, so what cannot be read counts only before
 * the first that can.
 */
export const lastOf = (
  { items, misfits = [] }: Effect.Success<ReturnType<GatewayOperations["zReports"]>>,
  zone: DateTime.TimeZone
): LastClose => {
  const closes = items.flatMap(({ closedAt, isSuccess }) =>
    isSuccess === true && closedAt !== null ? Option.toArray(toInstant(closedAt, zone)) : []
  )
  const at = closes.reduce<Option.Option<Instant>>(
    (latest, close) =>
      Option.isSome(latest) && latest.value.epochMilliseconds >= close.epochMilliseconds ? latest : Option.some(close),
    Option.none()
  )
  const first = items.findIndex(({ closedAt, isSuccess }) => isSuccess === true && closedAt !== null)
  const before = first === -1 ? items : items.slice(0, first)
  const row = before.find(isDoubtful)
  const lost = misfits.find(({ field, follows }) => follows === "row" && isBefore(field, first))
  if (lost !== undefined) return { at, doubt: `${lost.field}: ${lost.problem}`, misfits }
  if (row === undefined) return { at, doubt: null, misfits }
  const problem = row.misfits?.find(({ follows }) => follows === "documents")
  const field = row.isSuccess === null ? "IsSuccess" : "ClosedAt"
  return {
    at,
    doubt: `${field} of fiscal day ${row.fiscalDayNumber ?? "?"}: ${problem?.problem ?? "absent"}`,
    misfits
  }
}

/** A row of the list that was left out, counted with those before it; `first` is -1 where no row can be read. */
const isBefore = (field: string, first: number): boolean => {
  const index = /^Items\.(\d+)$/.exec(field)?.[1]
  return index !== undefined && (first === -1 || Number(index) <= first)
}
