import { Duration, Effect, Option } from "effect"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import type { StatusControl } from "../gateway/operation/Status.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { Ability } from "../submission/ledger/Settled.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Pin } from "../submission/Pin.ts"
import * as Destination from "./Destination.ts"
import * as Finding from "../finding/Finding.ts"
import * as DeviceReadiness from "../preflight/DeviceReadiness.ts"

type AbilityFacts = Parameters<typeof DeviceReadiness.check>

export const of = (device: AbilityFacts[0], subscription: AbilityFacts[1], switches: AssumptionSwitches): Ability =>
  DeviceReadiness.check(device, subscription, switches).some(Finding.refuses) ? "unable" : "able"

// a sweep waits for device and subscription
const longest = Duration.times(Patience.oneRead.is, 2)

/** Asks the control. `NotAnswered` after the time limit. */
export const control = (gateway: Pick<GatewayOperations, "control">): Effect.Effect<StatusControl> =>
  Effect.map(
    Effect.timeoutOption(gateway.control, Patience.oneRead.is),
    Option.getOrElse((): StatusControl => ({ _tag: "NotAnswered" }))
  )

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
