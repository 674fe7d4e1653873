/** Reads if the account can send, as device and subscription state. */
import { Effect, Option } from "effect"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { Ability } from "../submission/ledger/Settled.ts"
import * as Finding from "../finding/Finding.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"

type AbilityFacts = Parameters<typeof DeviceReadiness.check>

/** Returns the ability that these facts state. */
export const of = (device: AbilityFacts[0], subscription: AbilityFacts[1], switches: AssumptionSwitches): Ability =>
  DeviceReadiness.check(device, subscription, switches).some(Finding.refuses) ? "unable" : "able"

/** Time limit: a sweep waits for these reads. */
const longest = "10 seconds"

/** Reads device and subscription. `unknown` if one of them cannot be read in time. */
export const read = (
  gateway: Pick<GatewayOperations, "fiscalDevice" | "subscription">,
  switches: Partial<AssumptionSwitches> | undefined
): Effect.Effect<Ability> =>
  Effect.gen(function* () {
    const subscription = yield* Effect.catchReason(gateway.subscription, "GatewayError", "NotFound", () =>
      Effect.succeed(null)
    )
    // last: an attempt may begin until the caller has stored the answer
    const device = yield* gateway.fiscalDevice
    return of(device, subscription, { ...defaults, ...switches })
  }).pipe(
    Effect.timeoutOption(longest),
    Effect.match({
      onFailure: (): Ability => "unknown",
      onSuccess: Option.getOrElse((): Ability => "unknown")
    })
  )
