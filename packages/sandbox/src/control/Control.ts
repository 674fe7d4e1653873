/**
 * The sandbox's controls: what a test or a person may see of it and do to it, in the process or through `/_control`.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { FaultSpec } from "../fault/Fault.ts"
import type { StandingFault } from "../fault/FaultBook.ts"
import * as Processing from "../gateway/Processing.ts"
import { type Call, World } from "../gateway/World.ts"
import { problems } from "../http/Body.ts"
import { Invalid, SandboxError } from "../SandboxError.ts"
import * as AcceptedDocument from "./AcceptedDocument.ts"
import type { ClockChange, ClockReading } from "./ClockChange.ts"
import type { Settings, SettingsChange } from "./Settings.ts"

/** Every view first works off what is due. */
export interface ControlShape {
  /** What was accepted, per document. */
  readonly accepted: Effect.Effect<ReadonlyArray<AcceptedDocument.AcceptedDocument>>
  /** The calls that reached the gateway's operations, oldest first; the last 10 000. */
  readonly calls: Effect.Effect<ReadonlyArray<Call>>
  readonly forgetCalls: Effect.Effect<void>
  readonly faults: Effect.Effect<ReadonlyArray<StandingFault>>
  /** Puts a fault in force and answers its id. */
  readonly addFault: (fault: typeof FaultSpec.Encoded) => Effect.Effect<string, SandboxError>
  readonly removeFault: (id: string) => Effect.Effect<"removed" | "unknown">
  readonly clearFaults: Effect.Effect<void>
  readonly settings: Effect.Effect<Settings>
  readonly change: (change: SettingsChange) => Effect.Effect<Settings>
  readonly clock: Effect.Effect<ClockReading>
  readonly moveClock: (change: ClockChange) => Effect.Effect<ClockReading>
}

export class Control extends Context.Service<Control, ControlShape>()("@fiscal-connector/sandbox/Control") {}

const decodeFault = Schema.decodeUnknownEffect(FaultSpec, { errors: "all", onExcessProperty: "error" })

export const layer = Layer.effect(
  Control,
  Effect.gen(function* () {
    const world = yield* World
    const view = <A>(look: () => A) =>
      Effect.map(world.clock.now, (now) => {
        Processing.workOff(world, now)
        return look()
      })
    const settings = Effect.sync(() => ({
      isRetry: world.retryPolicy,
      processingDelayMillis: world.processingDelayMillis
    }))
    const clock = Effect.map(world.clock.now, (now) => ({ now: new Date(now).toISOString() }))

    return Control.of({
      accepted: view(() => AcceptedDocument.all(world)),
      calls: Effect.sync(() => [...world.calls]),
      forgetCalls: Effect.sync(() => {
        world.calls.length = 0
      }),
      faults: Effect.sync(() => world.faults.list()),
      addFault: (fault) =>
        decodeFault(fault).pipe(
          Effect.mapError((error) => new SandboxError({ reason: new Invalid({ problems: problems(error) }) })),
          Effect.map((spec) => world.faults.add(spec))
        ),
      removeFault: (id) => Effect.sync(() => world.faults.remove(id)),
      clearFaults: Effect.sync(() => world.faults.clear()),
      settings,
      change: (change) =>
        Effect.andThen(
          Effect.sync(() => {
            world.retryPolicy = change.isRetry ?? world.retryPolicy
            world.processingDelayMillis = change.processingDelayMillis ?? world.processingDelayMillis
          }),
          settings
        ),
      clock,
      moveClock: Effect.fnUntraced(function* ({ advanceMillis, mode, set }) {
        if (mode !== undefined) yield* mode === "standing" ? world.clock.freeze : world.clock.run
        if (set !== undefined) yield* world.clock.set(Date.parse(set))
        if (advanceMillis !== undefined) yield* world.clock.advance(advanceMillis)
        return yield* clock
      })
    })
  })
)
