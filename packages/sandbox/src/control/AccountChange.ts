import * as Schema from "effect/Schema"
import { AccountConfig } from "../AccountConfig.ts"
import type { WorldState } from "../gateway/World.ts"

/**
 * Change of an account. `account`: its name. `device`: the DeviceId of a device of this sandbox;
 * documents accepted earlier remain with their device. `secret`: as in AccountConfig, several
 * during a rotation (AUTH-6). Absent fields keep their values.
 */
export const AccountChange = Schema.Struct({
  account: Schema.NonEmptyString,
  device: Schema.optionalKey(Schema.Int),
  secret: AccountConfig.fields.secret
}).annotate({ identifier: "AccountChange" })
export type AccountChange = typeof AccountChange.Type

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
