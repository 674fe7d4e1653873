import * as Schema from "effect/Schema"
import { Integer } from "./Decimal.ts"

const body = { TaxCode: Schema.NonEmptyString, TaxName: Schema.String, DestinationTaxId: Integer }

export const TaxMappingBody = Schema.Struct(body).annotate({ identifier: "TaxMappingBody" })

/**
 * Body of PUT /taxmapping/{id}. Id and UserId are read and ignored: the path selects the mapping
 * (OP-3).
 */
export const TaxMappingChange = Schema.Struct({
  Id: Schema.optionalKey(Integer),
  UserId: Schema.optionalKey(Integer),
  ...body
}).annotate({ identifier: "TaxMappingChange" })

export const TaxMapping = Schema.Struct({
  Id: Schema.Int,
  UserId: Schema.Int,
  TaxCode: Schema.String,
  TaxName: Schema.String,
  DestinationTaxId: Schema.Int
}).annotate({ identifier: "TaxMapping" })
export type TaxMapping = typeof TaxMapping.Type
