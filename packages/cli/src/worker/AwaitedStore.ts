import { StoreOpening } from "@fiscal-connector/core/node"
import type { StoreError, StorePlace } from "@fiscal-connector/core/store"
import { Console, Effect, Schedule } from "effect"

/** Errors of a database server that starts or stops. A wrong name or password is permanent. */
const passes = ({ reason, text }: StoreError.StoreError): boolean =>
  reason === "unavailable" &&
  /ECONNREFUSED|ECONNRESET|EPIPE|starting up|shutting down|not yet accepting|recovery|terminat|closed/i.test(text)

// in seconds; afterwards a service manager restarts the worker
const patience = 60

export const reachable = (place: StorePlace.StorePlace): Effect.Effect<void, StoreError.StoreError> => {
  if (place._tag !== "Postgres") return Effect.void
  let isReported = false
  return Effect.asVoid(
    StoreOpening.isThere(place).pipe(
      Effect.tapError((error) => {
        if (isReported || !passes(error)) return Effect.void
        isReported = true
        return Console.error(`${error.message}. It is tried again for a minute.`)
      }),
      Effect.retry({ while: passes, times: patience, schedule: Schedule.spaced("1 second") })
    )
  )
}
