/** What the gateway maps the account's own currency codes to, and the currencies it can map to (docs/gateway.md#currencymapping). */
import { type Effect, Schema } from "effect"
import { CurrencyCode } from "../../document/Identifiers.ts"
import { nullable, record, WholeNumber } from "../exchange/AnswerRecord.ts"
import { type Calls, decoding, done, readJson, writtenJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as Mapping from "./Mapping.ts"

/** `regulatorDeviceId` is assigned by the gateway and shown in the answer to an addition. */
export const CurrencyMapping = record({
  id: WholeNumber,
  userId: nullable(WholeNumber),
  regulatorDeviceId: nullable(WholeNumber),
  sourceCurrency: CurrencyCode,
  destinationCurrency: Schema.String
})
export interface CurrencyMapping extends Schema.Schema.Type<typeof CurrencyMapping> {}

/** A mapping before the gateway has given it an id. */
export type NewCurrencyMapping = Pick<CurrencyMapping, "sourceCurrency" | "destinationCurrency">

/** What can be asked and changed of currency mappings. */
export interface CurrencyMappingOperations {
  readonly supportedCurrencies: Effect.Effect<ReadonlyArray<string>, GatewayError>
  readonly currencyMappings: Effect.Effect<ReadonlyArray<CurrencyMapping>, GatewayError>
  currencyMapping(id: number): Effect.Effect<CurrencyMapping, GatewayError>
  /** Sent once: after an UnknownOutcome look at `currencyMappings` before adding again. */
  addCurrencyMapping(mapping: NewCurrencyMapping): Effect.Effect<CurrencyMapping, GatewayError>
  updateCurrencyMapping(mapping: CurrencyMapping): Effect.Effect<void, GatewayError>
  deleteCurrencyMapping(id: number): Effect.Effect<void, GatewayError>
}

const decode = decoding(CurrencyMapping)
const decodeAll = decoding(Schema.Array(CurrencyMapping))
const decodeCurrencies = decoding(Schema.Array(Schema.String))

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
