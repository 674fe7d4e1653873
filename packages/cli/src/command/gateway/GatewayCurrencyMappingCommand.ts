/**
 * Subcommands of `connector gateway` for mappings of the account's currency codes to the device's
 * (docs/gateway.md#mappings).
 */
import { CurrencyCode } from "@fiscal-connector/core/document/Identifiers"
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { answer, flags, id } from "./GatewayCall.ts"

const fields = {
  source: Argument.String("source-currency").pipe(
    Argument.withDescription("the account's own currency code"),
    Argument.withSchema(CurrencyCode)
  ),
  destination: Argument.String("destination-currency").pipe(
    Argument.withDescription("the device's currency; supported-currencies lists them"),
    Argument.withSchema(Schema.NonEmptyString)
  )
}

export const supportedCurrencies = Command.make("supported-currencies", flags, (given) =>
  answer(given, ({ supportedCurrencies }) => supportedCurrencies)
).pipe(Command.withDescription("Supported Currencies of the device"))

export const currencyMappings = Command.make("currency-mappings", flags, (given) =>
  answer(given, ({ currencyMappings }) => currencyMappings)
).pipe(Command.withDescription("Get All CurrencyMappings"))

export const currencyMapping = Command.make("currency-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => gateway.currencyMapping(given.id))
).pipe(Command.withDescription("Get Specific Currency Mapping"))

export const addCurrencyMapping = Command.make(
  "add-currency-mapping",
  { ...flags, ...fields },
  ({ destination, source, ...given }) =>
    answer(given, (gateway) => gateway.addCurrencyMapping({ sourceCurrency: source, destinationCurrency: destination }))
).pipe(Command.withDescription("Add Currency Mapping; connector mappings keeps them as the book says"))

export const updateCurrencyMapping = Command.make(
  "update-currency-mapping",
  { ...flags, id, ...fields },
  ({ destination, id, source, ...given }) =>
    answer(given, (gateway) =>
      Effect.flatMap(gateway.currencyMapping(id), (mapping) =>
        Effect.as(
          gateway.updateCurrencyMapping({ ...mapping, id, sourceCurrency: source, destinationCurrency: destination }),
          { updated: id }
        )
      )
    )
).pipe(Command.withDescription("Update Currency Mapping"))

export const deleteCurrencyMapping = Command.make("delete-currency-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => Effect.as(gateway.deleteCurrencyMapping(given.id), { deleted: given.id }))
).pipe(Command.withDescription("Delete Currency Mapping"))
