/**
 * Subcommands of `connector gateway` for mappings of the account's tax codes to the device's taxes
 * (docs/gateway.md#mappings).
 */
import { TaxCode } from "@fiscal-connector/core/document/Identifiers"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { answer, flags, id } from "./GatewayCall.ts"

const fields = {
  code: Argument.String("tax-code").pipe(
    Argument.withDescription("the account's own tax code"),
    Argument.withSchema(TaxCode)
  ),
  name: Argument.String("tax-name").pipe(Argument.withDescription("what people call it")),
  device: Argument.Int("device-tax").pipe(Argument.withDescription("DestinationTaxId: the device's tax"))
}

export const taxMappings = Command.make("tax-mappings", flags, (given) =>
  answer(given, ({ taxMappings }) => taxMappings)
).pipe(Command.withDescription("Get All TaxMappings"))

export const taxMapping = Command.make("tax-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => gateway.taxMapping(given.id))
).pipe(Command.withDescription("Get Specific Tax Mapping"))

export const addTaxMapping = Command.make(
  "add-tax-mapping",
  { ...flags, ...fields },
  ({ code, device, name, ...given }) =>
    answer(given, (gateway) => gateway.addTaxMapping({ taxCode: code, taxName: name, destinationTaxId: device }))
).pipe(Command.withDescription("Add Tax Mapping; connector mappings keeps them as the book says"))

export const updateTaxMapping = Command.make(
  "update-tax-mapping",
  { ...flags, id, ...fields },
  ({ code, device, id, name, ...given }) =>
    answer(given, (gateway) =>
      Effect.flatMap(gateway.taxMapping(id), (mapping) =>
        Effect.as(
          gateway.updateTaxMapping({ ...mapping, id, taxCode: code, taxName: name, destinationTaxId: device }),
          {
            updated: id
          }
        )
      )
    )
).pipe(Command.withDescription("Update Tax Mapping; a code in use means another tax from then on"))

export const deleteTaxMapping = Command.make("delete-tax-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => Effect.as(gateway.deleteTaxMapping(given.id), { deleted: given.id }))
).pipe(Command.withDescription("Delete Tax Mapping"))
