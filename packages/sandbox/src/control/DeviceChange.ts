import * as Schema from "effect/Schema"
import { deviceOf, type WorldState } from "../gateway/World.ts"
import { ApplicableTax, Civil, SubscriptionConfig } from "../DeviceConfig.ts"

/**
 * Change of a device; DeviceConfig describes the fields. Without `deviceId`, changes the first
 * device; absent fields keep their values.
 */
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

export const apply = (world: WorldState, { deviceId, ...change }: DeviceChange): "changed" | "unknown" => {
  const device = deviceOf(world, deviceId)
  if (device === undefined) return "unknown"
  device.config = { ...device.config, ...change }
  return "changed"
}
