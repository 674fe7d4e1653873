/**
 * Command `connector gateway`: a subcommand per operation of the gateway
 * (docs/gateway.md#operations).
 */
import { Command } from "effect/cli"
import { fiscalDevice, profile, subscription, test } from "./GatewayAccountCommand.ts"
import {
  addCurrencyMapping,
  currencyMapping,
  currencyMappings,
  deleteCurrencyMapping,
  supportedCurrencies,
  updateCurrencyMapping
} from "./GatewayCurrencyMappingCommand.ts"
import { zReport, zReportPdf, zReports } from "./GatewayReportCommand.ts"
import {
  addTaxMapping,
  deleteTaxMapping,
  taxMapping,
  taxMappings,
  updateTaxMapping
} from "./GatewayTaxMappingCommand.ts"
import { downloadPdf, status, submitCreditNote, submitInvoice } from "./GatewayTransactionCommand.ts"

export const gateway = Command.make("gateway").pipe(
  Command.withDescription("Call a single operation of the gateway; the result is a table or JSON"),
  Command.withSubcommands([
    profile,
    fiscalDevice,
    subscription,
    test,
    submitInvoice,
    submitCreditNote,
    status,
    downloadPdf,
    zReports,
    zReport,
    zReportPdf,
    taxMappings,
    taxMapping,
    addTaxMapping,
    updateTaxMapping,
    deleteTaxMapping,
    supportedCurrencies,
    currencyMappings,
    currencyMapping,
    addCurrencyMapping,
    updateCurrencyMapping,
    deleteCurrencyMapping
  ])
)
