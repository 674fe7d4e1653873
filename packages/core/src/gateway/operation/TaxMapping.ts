/**
 * The gateway's mappings of the account's tax codes (docs/gateway.md#taxmapping). A mapping has no
 * dates.
 */
import type { Effect } from "effect"
import { list, type RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, done, readJson, writtenJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as AnswerTable from "./AnswerTable.ts"
import * as Mapping from "./Mapping.ts"

/**
 * Mapping of a tax code. `destinationTaxId` is the device's tax id (DOC-13). A mapping without an
 * `id` cannot be changed.
 */
export interface TaxMapping extends RecordOf<(typeof AnswerTable.TaxMapping)["table"]> {}

/** A mapping that the gateway has not given an id yet. */
export type NewTaxMapping = Pick<TaxMapping, "taxCode" | "destinationTaxId"> & { readonly taxName: string }

/** Operations on tax mappings. */
export interface TaxMappingOperations {
  readonly taxMappings: Effect.Effect<ReadonlyArray<TaxMapping>, GatewayError>
  taxMapping(id: number): Effect.Effect<TaxMapping, GatewayError>
  /** Sent once. After an UnknownOutcome, check `taxMappings` before adding again. */
  addTaxMapping(mapping: NewTaxMapping): Effect.Effect<TaxMapping, GatewayError>
  updateTaxMapping(mapping: TaxMapping & Mapping.Stored): Effect.Effect<void, GatewayError>
  deleteTaxMapping(id: number): Effect.Effect<void, GatewayError>
}

const { decode } = AnswerTable.TaxMapping
const decodeAll = list(decode, AnswerTable.codeOfTaxMapping)

const written = (mapping: NewTaxMapping) => ({
  TaxCode: mapping.taxCode,
  TaxName: mapping.taxName,
  DestinationTaxId: mapping.destinationTaxId
})

/** Makes these operations over the calls of one account. */
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
