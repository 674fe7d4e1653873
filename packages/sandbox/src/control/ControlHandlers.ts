import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GatewayApi } from "../http/GatewayApi.ts"
import { World } from "../gateway/World.ts"
import type { SandboxError } from "../SandboxError.ts"
import * as AccountChange from "./AccountChange.ts"
import * as DeviceChange from "./DeviceChange.ts"
import { Control } from "./Control.ts"

const taken = <A>(change: Effect.Effect<A, SandboxError>) =>
  Effect.mapError(change, (error) => ({ Message: error.message }))

export const layer = HttpApiBuilder.group(
  GatewayApi,
  "control",
  Effect.fnUntraced(function* (handlers) {
    const control = yield* Control
    const world = yield* World
    return handlers.handleAll({
      accepted: () => control.accepted,
      calls: () => control.calls,
      forgetCalls: () => control.forgetCalls,
      faults: () => control.faults,
      addFault: ({ payload }) => Effect.sync(() => ({ id: world.faults.add(payload) })),
      clearFaults: () => control.clearFaults,
      removeFault: ({ params }) =>
        Effect.flatMap(control.removeFault(params.id), (removal) =>
          removal === "removed" ? Effect.void : Effect.fail({ Message: "no fault of that id is in force" })
        ),
      settings: () => control.settings,
      change: ({ payload }) => control.change(payload),
      receipts: () => control.receipts,
      coloured: () => control.coloured,
      closeDay: ({ payload }) => taken(control.closeDay(payload ?? {})),
      repairDay: ({ payload }) => taken(control.repairDay(payload ?? {})),
      changeDevice: ({ payload }) =>
        Effect.suspend(() =>
          DeviceChange.apply(world, payload) === "changed"
            ? Effect.void
            : Effect.fail({ Message: "deviceId: the sandbox has no such device" })
        ),
      changeAccount: ({ payload }) =>
        Effect.suspend(() => {
          const applied = AccountChange.apply(world, payload)
          return applied === "changed" ? Effect.void : Effect.fail({ Message: `the sandbox has ${applied}` })
        }),
      clock: () => control.clock,
      moveClock: ({ payload }) => control.moveClock(payload)
    })
  })
)
