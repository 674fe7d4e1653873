import { Effect } from "effect"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { Ability } from "../submission/ledger/Settled.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Pin } from "../submission/Pin.ts"
import * as Destination from "./Destination.ts"
import * as Finding from "../finding/Finding.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"

type AbilityFacts = Parameters<typeof DeviceReadiness.check>

export const of = (device: AbilityFacts[0], subscription: AbilityFacts[1], switches: AssumptionSwitches): Ability =>
  DeviceReadiness.check(device, subscription, switches).some(Finding.refuses) ? "unable" : "able"

/** Time limit: a sweep waits for these reads. */
const longest = "10 seconds"

/**
 * Reads device and subscription. `unknown` if one of them cannot be read in time. Calls `changed`
 * with the device if it is not the pinned one.
 */
export const read = (
  gateway: Pick<GatewayOperations, "fiscalDevice" | "subscription">,
  switches: Partial<AssumptionSwitches> | undefined,
  pin: Pin | null,
  changed: (device: Pin) => Effect.Effect<unknown, StoreError>
): Effect.Effect<Ability, StoreError> =>
  Effect.gen(function* () {
    const subscription = yield* Effect.catchReason(gateway.subscription, "GatewayError", "NotFound", () =>
      Effect.succeed(null)
    )
    // last: an attempt may begin until the caller has stored the answer
    const device = yield* gateway.fiscalDevice
    return { device, ability: of(device, subscription, { ...defaults, ...switches }) }
  }).pipe(
    Effect.timeout(longest),
    Effect.matchEffect({
      onFailure: () => Effect.succeed<Ability>("unknown"),
      onSuccess: ({ ability, device }) => {
        const other = pin === null ? null : Destination.changed(pin, device)
        return other === null ? Effect.succeed(ability) : Effect.as(changed(other), ability)
      }
    })
  )
