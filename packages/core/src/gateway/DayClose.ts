/** The device's latest fiscal days, and when the last of them was closed: documents at or before that are historical (docs/architecture.md#receipt-dates). */
import { type DateTime, Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "./contract/GatewayError.ts"
import { toInstant } from "./operation/LocalDateTime.ts"
import type { ZReport } from "./operation/ZReport.ts"

/** Reports are looked through newest first; a day that could not be closed for longer than this is asked about elsewhere. */
const recent = 20

/** Returns the latest Z-reports. They are experimental: where they fail, the caller says so and goes on without. */
export const reports = (
  gateway: Pick<GatewayOperations, "zReports">
): Effect.Effect<ReadonlyArray<ZReport>, GatewayError> =>
  Effect.map(gateway.zReports({ order: "desc", size: recent }), ({ items }) => items)

/** ClosedAt of the last successful Z-report; none where there is none. `zone` is for date-times without an offset (TIME-1). */
export const lastOf = (reports: ReadonlyArray<ZReport>, zone: DateTime.TimeZone): Option.Option<Instant> => {
  const closes = reports.flatMap(({ closedAt, isSuccess }) =>
    isSuccess === true && closedAt !== null ? Option.toArray(toInstant(closedAt, zone)) : []
  )
  return closes.reduce<Option.Option<Instant>>(
    (latest, close) =>
      Option.isSome(latest) && latest.value.epochMilliseconds >= close.epochMilliseconds ? latest : Option.some(close),
    Option.none()
  )
}
