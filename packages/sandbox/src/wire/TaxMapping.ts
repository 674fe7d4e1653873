/** A tax mapping on the wire: the client's own TaxCode, and the device tax it means. */
import * as Schema from "effect/Schema"
import { Integer } from "./Decimal.ts"

/** Body of POST and PUT /taxmapping. Id and UserId of a PUT are read and ignored: the path selects the mapping (OP-3). */
export const TaxMappingBody = Schema.Struct({
  TaxCode: Schema.NonEmptyString,
  TaxName: Schema.String,
  DestinationTaxId: Integer
}).annotate({ identifier: "TaxMappingBody" })

export const TaxMapping = Schema.Struct({
  Id: Schema.Int,
  UserId: Schema.Int,
  TaxCode: Schema.String,
  TaxName: Schema.String,
  DestinationTaxId: Schema.Int
}).annotate({ identifier: "TaxMapping" })
export type TaxMapping = typeof TaxMapping.Type
