import * as Schema from "effect/Schema"
import { Integer } from "./Decimal.ts"

const body = { SourceCurrency: Schema.NonEmptyString, DestinationCurrency: Schema.NonEmptyString }

export const CurrencyMappingBody = Schema.Struct(body).annotate({ identifier: "CurrencyMappingBody" })

/**
 * Body of PUT /currencymapping/{id}. The fields other than the currencies are read and ignored: the
 * path selects the mapping.
 */
export const CurrencyMappingChange = Schema.Struct({
  Id: Schema.optionalKey(Integer),
  UserId: Schema.optionalKey(Integer),
  RegulatorDeviceId: Schema.optionalKey(Schema.NullOr(Integer)),
  ...body
}).annotate({ identifier: "CurrencyMappingChange" })

/**
 * Currency mapping. `RegulatorDeviceId` is the DeviceId of the account's device; null if the
 * account has no device.
 */
export const CurrencyMapping = Schema.Struct({
  Id: Schema.Int,
  UserId: Schema.Int,
  RegulatorDeviceId: Schema.NullOr(Schema.Int),
  SourceCurrency: Schema.String,
  DestinationCurrency: Schema.String
}).annotate({ identifier: "CurrencyMapping" })
export type CurrencyMapping = typeof CurrencyMapping.Type
