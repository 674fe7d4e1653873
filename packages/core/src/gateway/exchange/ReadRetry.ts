/** Full jitter, a budget of tries and of time, and Retry-After honored up to a cap. */
import { Clock, Duration, Effect, Random, Result } from "effect"
import type { SettledConfig } from "../contract/GatewayConfig.ts"
import type { GatewayError, GatewayErrorReason } from "../contract/GatewayError.ts"

type Retries = SettledConfig["retries"]

const passing: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504])

/** True if the same read may succeed a little later. */
export const isPassing = (reason: GatewayErrorReason): boolean => {
  switch (reason._tag) {
    case "Limited":
      return true
    case "NotSent":
      return reason.cause !== "tls-failure"
    case "Unavailable":
      return reason.status === undefined || passing.has(reason.status)
    default:
      return false
  }
}

/**
 * Evenly between zero and a bound that doubles with every try, at least what the gateway asked for,
 * within the cap.
 */
const waitAfter = (tried: number, reason: GatewayErrorReason, retries: Retries): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.next, (drawn) => {
    const bound = Duration.min(Duration.times(retries.base, 2 ** (tried - 1)), retries.longest)
    const asked = ("retryAfter" in reason && reason.retryAfter) || Duration.zero
    return Duration.max(Duration.times(bound, drawn), Duration.min(asked, retries.longestRetryAfter))
  })

/**
 * Repeats `read` while its failure may pass and the budget lasts. Fails with the last failure.
 * Never used for a submission.
 */
export const repeating = <A>(read: Effect.Effect<A, GatewayError>, retries: Retries): Effect.Effect<A, GatewayError> =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(retries.within)
    for (let tried = 1; ; tried++) {
      const result = yield* Effect.result(read)
      if (Result.isSuccess(result)) return result.success
      const error = result.failure
      if (tried > retries.times || !isPassing(error.reason)) return yield* error
      const wait = yield* waitAfter(tried, error.reason, retries)
      if ((yield* Clock.currentTimeMillis) + Duration.toMillis(wait) > end) return yield* error
      yield* Effect.logDebug(`${error.message}; try ${tried + 1} in ${Duration.format(wait)}`)
      yield* Effect.sleep(wait)
    }
  })
