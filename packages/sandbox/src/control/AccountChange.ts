/**
 * What a control may change of an account while it runs: the device behind its key, and its secret.
 */
import * as Schema from "effect/Schema"
import { AccountConfig } from "../AccountConfig.ts"
import type { WorldState } from "../gateway/World.ts"

/**
 * `account`: its name. `device`: the DeviceId of a device of this sandbox; what was accepted before stays with the device that accepted
 * it. `secret`: as in AccountConfig, several during a rotation (AUTH-6). What is absent stays.
 */
export const AccountChange = Schema.Struct({
  account: Schema.NonEmptyString,
  device: Schema.optionalKey(Schema.Int),
  secret: AccountConfig.fields.secret
}).annotate({ identifier: "AccountChange" })
export type AccountChange = typeof AccountChange.Type

/** Applies a change; says what the sandbox does not have. */
export const apply = (
  world: WorldState,
  { account: name, device: deviceId, secret }: AccountChange
): "changed" | "no such account" | "no such device" => {
  const account = world.accounts.find((each) => each.name === name)
  if (account === undefined) return "no such account"
  const device = deviceId === undefined ? account.device : world.devices.get(deviceId)
  if (deviceId !== undefined && device === undefined) return "no such device"
  account.device = device
  if (secret !== undefined) account.config = { ...account.config, secret }
  return "changed"
}
