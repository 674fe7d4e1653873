/** What the gateway maps the account's own tax codes to (docs/gateway.md#taxmapping). A mapping has no dates. */
import { type Effect, Schema } from "effect"
import { TaxCode } from "../../document/Identifiers.ts"
import { nullable, record, WholeNumber } from "../exchange/AnswerRecord.ts"
import { type Calls, decoding, done, readJson, writtenJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as Mapping from "./Mapping.ts"

/** `destinationTaxId` is the device's; it may be called RegulatorTaxId (DOC-13). */
export const TaxMapping = record(
  {
    id: WholeNumber,
    userId: nullable(WholeNumber),
    taxCode: TaxCode,
    taxName: nullable(Schema.String),
    destinationTaxId: WholeNumber
  },
  { destinationTaxId: ["DestinationTaxId", "RegulatorTaxId"] }
)
export interface TaxMapping extends Schema.Schema.Type<typeof TaxMapping> {}

/** A mapping before the gateway has given it an id. */
export type NewTaxMapping = Pick<TaxMapping, "taxCode" | "destinationTaxId"> & { readonly taxName: string }

/** What can be asked and changed of tax mappings. */
export interface TaxMappingOperations {
  readonly taxMappings: Effect.Effect<ReadonlyArray<TaxMapping>, GatewayError>
  taxMapping(id: number): Effect.Effect<TaxMapping, GatewayError>
  /** Sent once: after an UnknownOutcome look at `taxMappings` before adding again. */
  addTaxMapping(mapping: NewTaxMapping): Effect.Effect<TaxMapping, GatewayError>
  updateTaxMapping(mapping: TaxMapping): Effect.Effect<void, GatewayError>
  deleteTaxMapping(id: number): Effect.Effect<void, GatewayError>
}

const decode = decoding(TaxMapping)
const decodeAll = decoding(Schema.Array(TaxMapping))

const written = (mapping: NewTaxMapping) => ({
  TaxCode: mapping.taxCode,
  TaxName: mapping.taxName,
  DestinationTaxId: mapping.destinationTaxId
})

/** These operations over the calls of one account. */
export const operations = (calls: Calls): TaxMappingOperations => ({
  taxMappings: calls.read({ operation: "taxMappings" }, readJson(decodeAll)),
  taxMapping: (id) => calls.read({ operation: "taxMapping", segments: { id } }, readJson(decode)),
  addTaxMapping: (mapping) =>
    calls.write({ operation: "addTaxMapping", body: JSON.stringify(written(mapping)) }, writtenJson(decode)),
  updateTaxMapping: (mapping) =>
    Mapping.update(calls, {
      operation: "updateTaxMapping",
      segments: { id: mapping.id },
      body: JSON.stringify({
        Id: mapping.id,
        UserId: mapping.userId,
        ...written({ ...mapping, taxName: mapping.taxName ?? mapping.taxCode })
      })
    }),
  deleteTaxMapping: (id) => calls.write({ operation: "deleteTaxMapping", segments: { id } }, done)
})
