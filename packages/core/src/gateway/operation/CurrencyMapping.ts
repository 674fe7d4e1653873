/**
 * The gateway's mappings of the account's currency codes, and the currencies that a code can be
 * mapped to (docs/gateway.md#currencymapping).
 */
import type { Effect } from "effect"
import { type Decode, list, type RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, done, readJson, writtenJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as AnswerTable from "./AnswerTable.ts"
import * as Mapping from "./Mapping.ts"

/**
 * Mapping of a currency code. `regulatorDeviceId` is assigned by the gateway. A mapping without an
 * `id` cannot be changed.
 */
export interface CurrencyMapping extends RecordOf<(typeof AnswerTable.CurrencyMapping)["table"]> {}

/** A mapping that the gateway has not given an id yet. */
export type NewCurrencyMapping = Pick<CurrencyMapping, "sourceCurrency" | "destinationCurrency">

/** Operations on currency mappings. */
export interface CurrencyMappingOperations {
  readonly supportedCurrencies: Effect.Effect<ReadonlyArray<string>, GatewayError>
  readonly currencyMappings: Effect.Effect<ReadonlyArray<CurrencyMapping>, GatewayError>
  currencyMapping(id: number): Effect.Effect<CurrencyMapping, GatewayError>
  /** Sent once. After an UnknownOutcome, check `currencyMappings` before adding again. */
  addCurrencyMapping(mapping: NewCurrencyMapping): Effect.Effect<CurrencyMapping, GatewayError>
  updateCurrencyMapping(mapping: CurrencyMapping & Mapping.Stored): Effect.Effect<void, GatewayError>
  deleteCurrencyMapping(id: number): Effect.Effect<void, GatewayError>
}

const { decode } = AnswerTable.CurrencyMapping
const decodeAll = list(decode, AnswerTable.codeOfCurrencyMapping)
const currencies = list(AnswerTable.SupportedCurrency)

/** Reads the codes of one text, `USD,ZAR`, as published clients do (SHAPE-1). */
const decodeCurrencies: Decode<ReadonlyArray<string>> = (wire) =>
  currencies(typeof wire === "string" ? wire.split(/[\s,;|"'[\]]+/).filter((code) => code !== "") : wire)

const written = (mapping: NewCurrencyMapping) => ({
  SourceCurrency: mapping.sourceCurrency,
  DestinationCurrency: mapping.destinationCurrency
})

/** Makes these operations over the calls of one account. */
export const operations = (calls: Calls): CurrencyMappingOperations => ({
  supportedCurrencies: calls.read({ operation: "supportedCurrencies" }, readJson(decodeCurrencies)),
  currencyMappings: calls.read({ operation: "currencyMappings" }, readJson(decodeAll)),
  currencyMapping: (id) => calls.read({ operation: "currencyMapping", segments: { id } }, readJson(decode)),
  addCurrencyMapping: (mapping) =>
    calls.write({ operation: "addCurrencyMapping", body: JSON.stringify(written(mapping)) }, writtenJson(decode)),
  updateCurrencyMapping: (mapping) =>
    Mapping.update(calls, {
      operation: "updateCurrencyMapping",
      segments: { id: mapping.id },
      body: JSON.stringify({ Id: mapping.id, UserId: mapping.userId, ...written(mapping) })
    }),
  deleteCurrencyMapping: (id) => calls.write({ operation: "deleteCurrencyMapping", segments: { id } }, done)
})
