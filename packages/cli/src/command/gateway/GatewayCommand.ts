import { Identifiers } from "@fiscal-connector/core/adapter"
import { LocalDateTime } from "@fiscal-connector/core/host"
import { Effect, Option, Schema, Stream } from "effect"
import { Argument, Flag } from "effect/cli"
import { notDone } from "../../output/ExitError.ts"
import { download, operation } from "./GatewayCall.ts"
import { submitCreditNote, submitInvoice } from "./GatewaySubmitCommand.ts"
import { commandGroup, isSet, optional } from "../../output/Flags.ts"

const id = { id: Argument.Int("id").pipe(Argument.withDescription("the mapping's Id")) }
const day = { day: Argument.Int("day").pipe(Argument.withDescription("the fiscal day's number")) }

const taxFields = {
  taxCode: Argument.String("tax-code").pipe(
    Argument.withDescription("the account's own tax code"),
    Argument.withSchema(Identifiers.TaxCode)
  ),
  taxName: Argument.String("tax-name").pipe(Argument.withDescription("what people call it")),
  destinationTaxId: Argument.Int("device-tax").pipe(Argument.withDescription("DestinationTaxId: the device's tax"))
}

const currencyFields = {
  sourceCurrency: Argument.String("source-currency").pipe(
    Argument.withDescription("the account's own currency code"),
    Argument.withSchema(Identifiers.CurrencyCode)
  ),
  destinationCurrency: Argument.String("destination-currency").pipe(
    Argument.withDescription("the device's currency; supported-currencies lists them"),
    Argument.withSchema(Schema.NonEmptyString)
  )
}

const zReportsFlags = {
  sinceDay: optional(Flag.Int("since-day"), "a fiscal day's number"),
  sinceDate: Flag.String("since-date").pipe(
    Flag.withSchema(LocalDateTime.LocalDateTime),
    Flag.withDescription("a date-time without an offset, as 2026-01-31T00:00:00"),
    Flag.optional
  ),
  size: optional(Flag.Int("size"), "reports per page"),
  page: optional(Flag.Int("page"), "which page, from 1 (ZREP-1)"),
  order: optional(Flag.Literals("order", ["asc", "desc"]), "by fiscal day; only desc is documented"),
  all: isSet("all", "every report, page after page")
}

export const gateway = commandGroup(
  "gateway",
  "Call a single operation of the gateway; the result is a table or JSON",
  [
    operation("profile", "Get Profile: whose credentials these are", {}, ({ profile }) => profile),
    operation(
      "fiscaldevice",
      "Get Fiscal Device: the device of the account, its flags and taxes",
      {},
      ({ fiscalDevice }) => fiscalDevice
    ),
    operation("subscription", "Subscription: the device's billing", {}, ({ subscription }) => subscription),
    operation(
      "test",
      "Test: a signed call that changes nothing; shows that the secret is right",
      {},
      ({ test }) => test
    ),
    submitInvoice,
    submitCreditNote,
    operation(
      "status",
      "Check Status: the outcomes of requests of the last seven days",
      {
        ids: Argument.String("request-id").pipe(
          Argument.withDescription("what a submission answered; one that the gateway does not know is left out"),
          Argument.withSchema(Identifiers.RequestId),
          Argument.atLeast(1)
        )
      },
      (gateway, { ids }) => gateway.status(ids),
      (items) =>
        items.map((item) => {
          const said = item._tag === "Rejected" ? `${item.error} (${item.nature})` : ""
          const proof = item._tag === "Fiscalised" ? item : undefined
          return {
            requestId: item.requestId,
            outcome: item._tag,
            said,
            verificationCode: proof?.qrData?.verificationCode,
            fiscalInvoicePdf: proof?.fiscalInvoicePdf,
            qrCodeUrl: proof?.qrData?.qrCodeUrl
          }
        })
    ),
    download(
      "download-pdf",
      "Download PDF: the fiscal PDF of a document",
      { name: Argument.String("name").pipe(Argument.withDescription("FiscalInvoicePdf of a status")) },
      (gateway, { name }) => gateway.downloadPdf(name)
    ),
    operation(
      "z-reports",
      "Get Z-Reports: a page of day-close reports, the latest 100 unless the flags say otherwise (experimental); connector z-reports checks them",
      zReportsFlags,
      Effect.fnUntraced(function* (gateway, { all, order, page, sinceDate, sinceDay, size }) {
        const query = {
          order: Option.getOrUndefined(order),
          sinceDate: Option.getOrUndefined(sinceDate),
          sinceDay: Option.getOrUndefined(sinceDay),
          size: Option.getOrUndefined(size)
        }
        if (!all) return yield* gateway.zReports({ ...query, page: Option.getOrUndefined(page) })
        if (Option.isSome(page)) return yield* notDone("--page is one page and --all is every page: one of them.")
        return yield* Stream.runCollect(gateway.allZReports(query))
      })
    ),
    operation("z-report", "Get Specific Z-Report, with its summaries (experimental)", day, (gateway, { day }) =>
      gateway.zReport(day)
    ),
    download("z-report-pdf", "Download Z-report As PDF", day, (gateway, { day }) => gateway.zReportPdf(day)),
    operation("tax-mappings", "Get All TaxMappings", {}, ({ taxMappings }) => taxMappings),
    operation("tax-mapping", "Get Specific Tax Mapping", id, (gateway, { id }) => gateway.taxMapping(id)),
    operation(
      "add-tax-mapping",
      "Add Tax Mapping; connector mappings keeps them as the book says",
      taxFields,
      (gateway, { destinationTaxId, taxCode, taxName }) => gateway.addTaxMapping({ taxCode, taxName, destinationTaxId })
    ),
    operation(
      "update-tax-mapping",
      "Update Tax Mapping; a code in use means another tax from then on",
      { ...id, ...taxFields },
      (gateway, { destinationTaxId, id, taxCode, taxName }) =>
        Effect.flatMap(gateway.taxMapping(id), (mapping) =>
          Effect.as(gateway.updateTaxMapping({ ...mapping, id, taxCode, taxName, destinationTaxId }), { updated: id })
        )
    ),
    operation("delete-tax-mapping", "Delete Tax Mapping", id, (gateway, { id }) =>
      Effect.as(gateway.deleteTaxMapping(id), { deleted: id })
    ),
    operation(
      "supported-currencies",
      "Supported Currencies of the device",
      {},
      ({ supportedCurrencies }) => supportedCurrencies
    ),
    operation("currency-mappings", "Get All CurrencyMappings", {}, ({ currencyMappings }) => currencyMappings),
    operation("currency-mapping", "Get Specific Currency Mapping", id, (gateway, { id }) =>
      gateway.currencyMapping(id)
    ),
    operation(
      "add-currency-mapping",
      "Add Currency Mapping; connector mappings keeps them as the book says",
      currencyFields,
      (gateway, { destinationCurrency, sourceCurrency }) =>
        gateway.addCurrencyMapping({ sourceCurrency, destinationCurrency })
    ),
    operation(
      "update-currency-mapping",
      "Update Currency Mapping",
      { ...id, ...currencyFields },
      (gateway, { destinationCurrency, id, sourceCurrency }) =>
        Effect.flatMap(gateway.currencyMapping(id), (mapping) =>
          Effect.as(gateway.updateCurrencyMapping({ ...mapping, id, sourceCurrency, destinationCurrency }), {
            updated: id
          })
        )
    ),
    operation("delete-currency-mapping", "Delete Currency Mapping", id, (gateway, { id }) =>
      Effect.as(gateway.deleteCurrencyMapping(id), { deleted: id })
    )
  ]
)
