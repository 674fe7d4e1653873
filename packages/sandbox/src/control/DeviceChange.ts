/**
 * What a control may change of a device while it runs.
 */
import * as Schema from "effect/Schema"
import { deviceOf, type WorldState } from "../gateway/World.ts"
import { ApplicableTax, Civil, SubscriptionConfig } from "../DeviceConfig.ts"

/** See DeviceConfig for what the fields mean. Without `deviceId` the first device; what is absent stays. */
export const DeviceChange = Schema.Struct({
  deviceId: Schema.optionalKey(Schema.Int),
  isActive: Schema.optionalKey(Schema.Boolean),
  isLive: Schema.optionalKey(Schema.Boolean),
  isSwitchedOn: Schema.optionalKey(Schema.Boolean),
  taxpayerStatus: Schema.optionalKey(Schema.Literals(["active", "inactive"])),
  allowCsvUpload: Schema.optionalKey(Schema.Boolean),
  expireCsvUpload: Schema.optionalKey(Civil),
  allowCreditNoteWithNoInvoice: Schema.optionalKey(Schema.Boolean),
  expireCreditNoteWithNoInvoice: Schema.optionalKey(Civil),
  vatNumber: Schema.optionalKey(Schema.NullOr(Schema.String)),
  supportedCurrencies: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  taxes: Schema.optionalKey(Schema.Array(ApplicableTax)),
  subscription: Schema.optionalKey(Schema.NullOr(SubscriptionConfig))
}).annotate({ identifier: "DeviceChange" })
export type DeviceChange = typeof DeviceChange.Type

/** Applies a change to the first device, or to the one it names; `unknown` when the sandbox has no such device. */
export const apply = (world: WorldState, { deviceId, ...change }: DeviceChange): "changed" | "unknown" => {
  const device = deviceOf(world, deviceId)
  if (device === undefined) return "unknown"
  device.config = { ...device.config, ...change }
  return "changed"
}
