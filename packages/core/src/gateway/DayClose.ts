/** When the device's fiscal day was last closed: documents at or before that are historical (docs/architecture.md#receipt-dates). */
import { type DateTime, Effect, Option } from "effect"
import type { Instant } from "../document/Instant.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { GatewayError } from "./contract/GatewayError.ts"
import { toInstant } from "./operation/LocalDateTime.ts"

/** Reports are looked through newest first; a day that could not be closed for longer than this is asked about elsewhere. */
const recent = 20

/**
 * ClosedAt of the last successful Z-report; none where there is none. `zone` is for date-times without an offset (TIME-1). Reports are
 * experimental: where they fail, the caller says so and goes on without.
 */
export const lastClose = (
  gateway: Pick<GatewayOperations, "zReports">,
  zone: DateTime.TimeZone
): Effect.Effect<Option.Option<Instant>, GatewayError> =>
  Effect.map(gateway.zReports({ order: "desc", size: recent }), ({ items }) => {
    const closes = items.flatMap(({ closedAt, isSuccess }) =>
      isSuccess === true && closedAt !== null ? Option.toArray(toInstant(closedAt, zone)) : []
    )
    return closes.reduce<Option.Option<Instant>>(
      (latest, close) =>
        Option.isSome(latest) && latest.value.epochMilliseconds >= close.epochMilliseconds
          ? latest
          : Option.some(close),
      Option.none()
    )
  })
