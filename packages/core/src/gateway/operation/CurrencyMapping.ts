/** What the gateway maps the account's own currency codes to, and the currencies it can map to (docs/gateway.md#currencymapping). */
import type { Effect } from "effect"
import { type Decode, list, type RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, done, readJson, writtenJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as AnswerTable from "./AnswerTable.ts"
import * as Mapping from "./Mapping.ts"

/** `regulatorDeviceId` is assigned by the gateway. Without an `id` the mapping cannot be changed. */
export interface CurrencyMapping extends RecordOf<(typeof AnswerTable.CurrencyMapping)["table"]> {}

/** A mapping before the gateway has given it an id. */
export type NewCurrencyMapping = Pick<CurrencyMapping, "sourceCurrency" | "destinationCurrency">

/** What can be asked and changed of currency mappings. */
export interface CurrencyMappingOperations {
  readonly supportedCurrencies: Effect.Effect<ReadonlyArray<string>, GatewayError>
  readonly currencyMappings: Effect.Effect<ReadonlyArray<CurrencyMapping>, GatewayError>
  currencyMapping(id: number): Effect.Effect<CurrencyMapping, GatewayError>
  /** Sent once: after an UnknownOutcome look at `currencyMappings` before adding again. */
  addCurrencyMapping(mapping: NewCurrencyMapping): Effect.Effect<CurrencyMapping, GatewayError>
  updateCurrencyMapping(mapping: CurrencyMapping & Mapping.Stored): Effect.Effect<void, GatewayError>
  deleteCurrencyMapping(id: number): Effect.Effect<void, GatewayError>
}

const { decode } = AnswerTable.CurrencyMapping
const decodeAll = list(decode, AnswerTable.codeOfCurrencyMapping)
const currencies = list(AnswerTable.SupportedCurrency)

/** The codes of one text, `USD,ZAR`, as published clients read it (SHAPE-1). */
const decodeCurrencies: Decode<ReadonlyArray<string>> = (wire) =>
  currencies(typeof wire === "string" ? wire.split(/[\s,;|"'[\]]+/).filter((code) => code !== "") : wire)

const written = (mapping: NewCurrencyMapping) => ({
  SourceCurrency: mapping.sourceCurrency,
  DestinationCurrency: mapping.destinationCurrency
})

/** These operations over the calls of one account. */
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
