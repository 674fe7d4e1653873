/**
 * Reads that must concern one device. The gateway answers for the device that an account has at
 * that moment, and most answers do not name the device.
 */
import { Effect, Result } from "effect"
import { GatewayError, MalformedAnswer } from "../gateway/contract/GatewayError.ts"
import { operations } from "../gateway/contract/Operation.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"

type DeviceNumbers = Pick<FiscalDevice, "deviceId" | "serialNo">

/**
 * Reads the device, runs the other reads, and reads the device again. Returns the last answer about
 * the device, because it may have been switched off meanwhile. If the device was exchanged,
 * everything is read once more. Fails if the device was exchanged again.
 */
export const read = <A, E, R>(
  device: Effect.Effect<FiscalDevice, GatewayError>,
  others: Effect.Effect<A, E, R>
): Effect.Effect<readonly [FiscalDevice, A], E | GatewayError, R> =>
  Effect.gen(function* () {
    const once = Effect.gen(function* () {
      const before = yield* device
      const read = yield* others
      const after = yield* device
      const isSame = before.deviceId === after.deviceId && before.serialNo === after.serialNo
      return isSame ? Result.succeed([after, read] as const) : Result.fail(exchanged(before, after))
    })
    const first = yield* once
    return yield* Result.isSuccess(first) ? Effect.succeed(first.success) : Effect.flatMap(once, Effect.fromResult)
  })

const shown = ({ deviceId, serialNo }: DeviceNumbers) => `device ${deviceId}, serial number ${serialNo ?? "not given"}`

const exchanged = (before: DeviceNumbers, after: DeviceNumbers) =>
  new GatewayError({
    operation: operations.fiscalDevice.name,
    reason: new MalformedAnswer({
      text: `the device was exchanged while its facts were read: ${shown(before)}; then ${shown(after)}. Try again`,
      excerpt: ""
    })
  })
