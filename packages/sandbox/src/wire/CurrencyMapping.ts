/** A currency mapping on the wire: the client's own currency code, and the device's. */
import * as Schema from "effect/Schema"

/** Body of POST and PUT /currencymapping. Id and UserId of a PUT are read and ignored: the path selects the mapping. */
export const CurrencyMappingBody = Schema.Struct({
  SourceCurrency: Schema.NonEmptyString,
  DestinationCurrency: Schema.NonEmptyString
}).annotate({ identifier: "CurrencyMappingBody" })

/** `RegulatorDeviceId` is the DeviceId of the account's device; null when none is attached. */
export const CurrencyMapping = Schema.Struct({
  Id: Schema.Int,
  UserId: Schema.Int,
  RegulatorDeviceId: Schema.NullOr(Schema.Int),
  SourceCurrency: Schema.String,
  DestinationCurrency: Schema.String
}).annotate({ identifier: "CurrencyMapping" })
export type CurrencyMapping = typeof CurrencyMapping.Type
