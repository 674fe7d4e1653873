import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { GatewayApi } from "../http/GatewayApi.ts"
import { World } from "../gateway/World.ts"
import { Control } from "./Control.ts"

/** Handlers of `/_control`. */
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
      clock: () => control.clock,
      moveClock: ({ payload }) => control.moveClock(payload)
    })
  })
)
