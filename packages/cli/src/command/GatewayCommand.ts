/** `connector gateway`: one subcommand per operation of the gateway (interface.md, Endpoints). */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import { CurrencyCode, RequestId, TaxCode } from "@fiscal-connector/core/document/Identifiers"
import * as WireCodec from "@fiscal-connector/core/document/WireCodec"
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import type { GatewayError } from "@fiscal-connector/core/gateway/GatewayError"
import { LocalDateTime } from "@fiscal-connector/core/gateway/LocalDateTime"
import { Console, Effect, FileSystem, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Answer from "../output/Answer.ts"
import { Quit } from "../Quit.ts"

const flags = {
  config: Flag.File("config", { mustExist: true }).pipe(Flag.withDescription("the configuration with the account")),
  account: Flag.String("account").pipe(
    Flag.withDescription("which account of the configuration, where it has several"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("print the answer as JSON"), Flag.withDefault(false))
}

type Given = { readonly config: string; readonly account: Option.Option<string>; readonly json: boolean }

const asQuit = (error: GatewayError) => new Quit({ code: 1, text: error.message })

/** Runs one operation of the account and prints what it answers. */
const answer = <A, R>(
  given: Given,
  call: (gateway: GatewayOperations) => Effect.Effect<A, GatewayError | Quit, R>,
  show: (value: A) => unknown = (value) => value
) =>
  Effect.gen(function* () {
    const { operations } = yield* ConfigAccount.gateway(given.config, given.account)
    const value = show(
      yield* call(operations).pipe(Effect.catchTag("GatewayError", (error) => Effect.fail(asQuit(error))))
    )
    yield* Console.log(given.json ? Answer.toJson(value) : Answer.toText(value))
  }).pipe(Effect.scoped)

/** Bytes go into a file of their own, for their owner only. */
const download = (
  given: Given & { readonly out: string },
  call: (gateway: GatewayOperations) => Effect.Effect<Uint8Array, GatewayError>
) =>
  answer(given, (gateway) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const bytes = yield* call(gateway)
      yield* fs
        .writeFile(given.out, bytes, { mode: 0o600 })
        .pipe(Effect.mapError(({ message }) => new Quit({ code: 1, text: message })))
      return { file: given.out, bytes: bytes.length }
    })
  )

const id = Argument.Int("id").pipe(Argument.withDescription("the mapping's Id"))
const out = Flag.Path("out").pipe(Flag.withDescription("the file to write"))
const day = Argument.Int("day").pipe(Argument.withDescription("the fiscal day's number"))

const submit = (name: string, kind: DocumentKind) =>
  Command.make(
    name,
    {
      ...flags,
      file: Argument.File("file", { mustExist: true }).pipe(Argument.withDescription("the request body as JSON"))
    },
    (given) =>
      answer(given, (gateway) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const text = yield* fs
            .readFileString(given.file)
            .pipe(Effect.mapError(({ message }) => new Quit({ code: 1, text: message })))
          const document = WireCodec.decode(kind, text)
          if (Result.isFailure(document))
            return yield* new Quit({ code: 1, text: `${given.file}: ${document.failure}` })
          return { requestId: yield* gateway.submit(document.success) }
        })
      )
  ).pipe(Command.withDescription(`Submit one ${kind}, once, without the store: for trying things out`))

const profile = Command.make("profile", flags, (given) => answer(given, ({ profile }) => profile)).pipe(
  Command.withDescription("Get Profile: whose credentials these are")
)
const fiscalDevice = Command.make("fiscaldevice", flags, (given) =>
  answer(given, ({ fiscalDevice }) => fiscalDevice)
).pipe(Command.withDescription("Get Fiscal Device: the device of the account, its flags and taxes"))
const subscription = Command.make("subscription", flags, (given) =>
  answer(given, ({ subscription }) => subscription)
).pipe(Command.withDescription("Subscription: the device's billing"))
const status = Command.make(
  "status",
  { ...flags, ids: Argument.String("request-id").pipe(Argument.atLeast(1)) },
  (given) => answer(given, (gateway) => gateway.status(given.ids.map((text) => RequestId.make(text))))
).pipe(Command.withDescription("Check Status: what became of requests"))
const downloadPdf = Command.make(
  "download-pdf",
  { ...flags, name: Argument.String("name").pipe(Argument.withDescription("FiscalInvoicePdf of a status")), out },
  (given) => download(given, (gateway) => gateway.downloadPdf(given.name))
).pipe(Command.withDescription("Download PDF of a fiscalised document"))

const zReports = Command.make(
  "z-reports",
  {
    ...flags,
    sinceDay: Flag.Int("since-day").pipe(Flag.optional),
    sinceDate: Flag.String("since-date").pipe(
      Flag.withSchema(LocalDateTime),
      Flag.withDescription("date-time without offset"),
      Flag.optional
    ),
    size: Flag.Int("size").pipe(Flag.optional),
    page: Flag.Int("page").pipe(Flag.optional),
    order: Flag.Literals("order", ["asc", "desc"]).pipe(Flag.optional)
  },
  ({ order, page, sinceDate, sinceDay, size, ...given }) =>
    answer(given, (gateway) =>
      gateway.zReports({
        order: Option.getOrUndefined(order),
        page: Option.getOrUndefined(page),
        sinceDate: Option.getOrUndefined(sinceDate),
        sinceDay: Option.getOrUndefined(sinceDay),
        size: Option.getOrUndefined(size)
      })
    )
).pipe(Command.withDescription("Get Z-Reports: a page of day-close reports (experimental)"))
const zReport = Command.make("z-report", { ...flags, day }, (given) =>
  answer(given, (gateway) => gateway.zReport(given.day))
).pipe(Command.withDescription("Get Specific Z-Report, with its summaries (experimental)"))
const zReportPdf = Command.make("z-report-pdf", { ...flags, day, out }, (given) =>
  download(given, (gateway) => gateway.zReportPdf(given.day))
).pipe(Command.withDescription("Download Z-report As PDF"))

const taxFields = {
  code: Argument.String("tax-code").pipe(Argument.withDescription("the account's own tax code")),
  name: Argument.String("tax-name"),
  device: Argument.Int("device-tax").pipe(Argument.withDescription("DestinationTaxId: the device's tax"))
}
const taxMappings = Command.make("tax-mappings", flags, (given) =>
  answer(given, ({ taxMappings }) => taxMappings)
).pipe(Command.withDescription("Get All TaxMappings"))
const taxMapping = Command.make("tax-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => gateway.taxMapping(given.id))
).pipe(Command.withDescription("Get Specific Tax Mapping"))
const addTaxMapping = Command.make("add-tax-mapping", { ...flags, ...taxFields }, ({ code, device, name, ...given }) =>
  answer(given, (gateway) =>
    gateway.addTaxMapping({ taxCode: TaxCode.make(code), taxName: name, destinationTaxId: device })
  )
).pipe(Command.withDescription("Add Tax Mapping"))
const updateTaxMapping = Command.make(
  "update-tax-mapping",
  { ...flags, id, ...taxFields },
  ({ code, device, id, name, ...given }) =>
    answer(given, (gateway) =>
      Effect.flatMap(gateway.taxMapping(id), (mapping) =>
        Effect.as(
          gateway.updateTaxMapping({
            ...mapping,
            taxCode: TaxCode.make(code),
            taxName: name,
            destinationTaxId: device
          }),
          { updated: id }
        )
      )
    )
).pipe(Command.withDescription("Update Tax Mapping; a code in use means another tax from then on"))
const deleteTaxMapping = Command.make("delete-tax-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => Effect.as(gateway.deleteTaxMapping(given.id), { deleted: given.id }))
).pipe(Command.withDescription("Delete Tax Mapping"))

const currencyFields = {
  source: Argument.String("source-currency").pipe(Argument.withDescription("the account's own currency code")),
  destination: Argument.String("destination-currency").pipe(Argument.withDescription("the device's currency"))
}
const supportedCurrencies = Command.make("supported-currencies", flags, (given) =>
  answer(given, ({ supportedCurrencies }) => supportedCurrencies)
).pipe(Command.withDescription("Supported Currencies of the device"))
const currencyMappings = Command.make("currency-mappings", flags, (given) =>
  answer(given, ({ currencyMappings }) => currencyMappings)
).pipe(Command.withDescription("Get All CurrencyMappings"))
const currencyMapping = Command.make("currency-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => gateway.currencyMapping(given.id))
).pipe(Command.withDescription("Get Specific Currency Mapping"))
const addCurrencyMapping = Command.make(
  "add-currency-mapping",
  { ...flags, ...currencyFields },
  ({ destination, source, ...given }) =>
    answer(given, (gateway) =>
      gateway.addCurrencyMapping({ sourceCurrency: CurrencyCode.make(source), destinationCurrency: destination })
    )
).pipe(Command.withDescription("Add Currency Mapping"))
const updateCurrencyMapping = Command.make(
  "update-currency-mapping",
  { ...flags, id, ...currencyFields },
  ({ destination, id, source, ...given }) =>
    answer(given, (gateway) =>
      Effect.flatMap(gateway.currencyMapping(id), (mapping) =>
        Effect.as(
          gateway.updateCurrencyMapping({
            ...mapping,
            sourceCurrency: CurrencyCode.make(source),
            destinationCurrency: destination
          }),
          { updated: id }
        )
      )
    )
).pipe(Command.withDescription("Update Currency Mapping"))
const deleteCurrencyMapping = Command.make("delete-currency-mapping", { ...flags, id }, (given) =>
  answer(given, (gateway) => Effect.as(gateway.deleteCurrencyMapping(given.id), { deleted: given.id }))
).pipe(Command.withDescription("Delete Currency Mapping"))

const test = Command.make("test", flags, (given) => answer(given, ({ test }) => test)).pipe(
  Command.withDescription("Test: a signed call that changes nothing")
)

export const gateway = Command.make("gateway").pipe(
  Command.withDescription("The gateway's operations, one by one, as tables or JSON"),
  Command.withSubcommands([
    profile,
    fiscalDevice,
    subscription,
    submit("submit-invoice", "invoice"),
    submit("submit-credit-note", "credit-note"),
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
    deleteCurrencyMapping,
    test
  ])
)
