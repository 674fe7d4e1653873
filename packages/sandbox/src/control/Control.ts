import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as FiscalDay from "../day/FiscalDay.ts"
import type { IssuedReceipt } from "../day/IssuedReceipt.ts"
import { FaultSpec, type StandingFault } from "../fault/Fault.ts"
import type { GatewayCall } from "../gateway/Call.ts"
import * as Processing from "../gateway/Processing.ts"
import { deviceOf, World } from "../gateway/World.ts"
import { Invalid, SandboxError } from "../SandboxError.ts"
import * as Problems from "../wire/Problems.ts"
import * as AcceptedDocument from "./AcceptedDocument.ts"
import * as AccountChange from "./AccountChange.ts"
import type { ClockChange, ClockReading } from "./ClockChange.ts"
import type { ClosedDay, DeviceChoice, RepairedDay } from "./DayClose.ts"
import * as DeviceChange from "./DeviceChange.ts"
import type { ControlSettings, SettingsChange } from "./Settings.ts"

/** Operations of the controls. Every view first processes everything due. */
export interface ControlShape {
  readonly accepted: Effect.Effect<ReadonlyArray<AcceptedDocument.AcceptedDocument>>
  /** Calls that reached the gateway's operations, oldest first; the last 10 000. */
  readonly calls: Effect.Effect<ReadonlyArray<GatewayCall>>
  readonly forgetCalls: Effect.Effect<void>
  readonly faults: Effect.Effect<ReadonlyArray<StandingFault>>
  readonly addFault: (fault: typeof FaultSpec.Encoded) => Effect.Effect<string, SandboxError>
  readonly removeFault: (id: string) => Effect.Effect<"removed" | "unknown">
  readonly clearFaults: Effect.Effect<void>
  readonly settings: Effect.Effect<ControlSettings>
  readonly change: (change: SettingsChange) => Effect.Effect<ControlSettings>
  readonly receipts: Effect.Effect<ReadonlyArray<IssuedReceipt>>
  readonly coloured: Effect.Effect<ReadonlyArray<IssuedReceipt>>
  /**
   * Closes the running fiscal day of a device; a day with red receipts fails to close and remains
   * open.
   */
  readonly closeDay: (device?: DeviceChoice) => Effect.Effect<ClosedDay, SandboxError>
  /**
   * Simulates a repair by the authority: the red receipts of the running day no longer stop its
   * close.
   */
  readonly repairDay: (device?: DeviceChoice) => Effect.Effect<RepairedDay, SandboxError>
  /** Changes the state and settings of a device; absent fields keep their values. */
  readonly changeDevice: (change: typeof DeviceChange.DeviceChange.Encoded) => Effect.Effect<void, SandboxError>
  /** Gives an account another device or secret; absent fields keep their values. */
  readonly changeAccount: (change: typeof AccountChange.AccountChange.Encoded) => Effect.Effect<void, SandboxError>
  readonly clock: Effect.Effect<ClockReading>
  readonly moveClock: (change: ClockChange) => Effect.Effect<ClockReading>
}

/** Service of the controls: clock, faults, received documents. */
export class Control extends Context.Service<Control, ControlShape>()("@fiscal-connector/sandbox/Control") {}

const invalid = (problems: ReadonlyArray<string>) => new SandboxError({ reason: new Invalid({ problems }) })
const noSuchDevice = invalid(["deviceId: the sandbox has no such device"])

const decoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return (input: S["Encoded"]) => Effect.mapError(decode(input), (error) => invalid(Problems.of(error)))
}
const decodeFault = decoder(FaultSpec)
const decodeDeviceChange = decoder(DeviceChange.DeviceChange)
const decodeAccountChange = decoder(AccountChange.AccountChange)

/** Provides the controls over the sandbox's world. */
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
    const chosen = (choice: DeviceChoice = {}) =>
      Effect.mapError(Effect.fromNullishOr(deviceOf(world, choice.deviceId)), () => noSuchDevice)
    const worked = view(() => undefined)
    const clock = Effect.map(world.clock.now, (now) => ({ now: new Date(now).toISOString() }))

    return Control.of({
      accepted: view(() => AcceptedDocument.all(world)),
      calls: Effect.sync(() => [...world.calls]),
      forgetCalls: Effect.sync(() => {
        world.calls.length = 0
      }),
      faults: Effect.sync(() => world.faults.list()),
      addFault: (fault) => Effect.map(decodeFault(fault), (spec) => world.faults.add(spec)),
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
      receipts: view(() => world.receipts.all()),
      coloured: view(() => world.receipts.all().filter((receipt) => receipt.marks.length > 0)),
      closeDay: Effect.fnUntraced(function* (choice) {
        const device = yield* chosen(choice)
        yield* worked
        world.revision++
        const { closedAt, fiscalDay, message, openedAt, result } = FiscalDay.close(device.days, yield* world.clock.now)
        const iso = (epochMillis: number) => new Date(epochMillis).toISOString()
        return { deviceId: device.id, fiscalDay, result, message, openedAt: iso(openedAt), closedAt: iso(closedAt) }
      }),
      repairDay: Effect.fnUntraced(function* (choice) {
        const device = yield* chosen(choice)
        yield* worked
        const red = FiscalDay.unrepaired(device.days)
        world.revision++
        for (const receipt of red) device.days.repaired.add(receipt.requestId)
        return { deviceId: device.id, fiscalDay: device.days.number, repaired: red.map((receipt) => receipt.requestId) }
      }),
      changeDevice: Effect.fnUntraced(function* (change) {
        const decoded = yield* decodeDeviceChange(change)
        yield* worked
        if (DeviceChange.apply(world, decoded) === "unknown") return yield* noSuchDevice
      }),
      changeAccount: Effect.fnUntraced(function* (change) {
        const decoded = yield* decodeAccountChange(change)
        yield* worked
        const applied = AccountChange.apply(world, decoded)
        if (applied !== "changed") return yield* invalid([`the sandbox has ${applied}`])
      }),
      clock,
      moveClock: Effect.fnUntraced(function* ({ advanceMillis, mode, set }) {
        world.revision++
        if (mode !== undefined) yield* mode === "standing" ? world.clock.freeze : world.clock.run
        if (set !== undefined) yield* world.clock.set(Date.parse(set))
        if (advanceMillis !== undefined) yield* world.clock.advance(advanceMillis)
        world.bell.openUnsafe()
        return yield* clock
      })
    })
  })
)
