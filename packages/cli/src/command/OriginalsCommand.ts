/**
 * Command `connector originals import FILE`: registers invoices fiscalized elsewhere, for credit
 * notes to refer to.
 */
import * as Readings from "@fiscal-connector/core/source/Readings"
import * as Originals from "@fiscal-connector/core/connector/Originals"
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as RunEffect from "../account/RunEffect.ts"
import * as Engine from "../account/Engine.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as Remembered from "../import/Remembered.ts"
import * as InputFiles from "../import/InputFiles.ts"
import { report } from "../output/FindingReport.ts"
import { ExitError } from "../output/ExitError.ts"
import { csv } from "./import/CsvCommand.ts"
import { csvFlags, optionsOf, xlsxFlags } from "./import/CsvFlags.ts"
import * as OwnAdapterCommand from "./import/OwnAdapterCommand.ts"
import type { Source } from "./import/ImportCommand.ts"
import { adapters as kitAdapters } from "./import/KitAdapterCommand.ts"
import { importFlags } from "./import/ImportFlags.ts"
import { xeroLike } from "./import/XeroLikeCommand.ts"
import { xlsx } from "./import/XlsxCommand.ts"
import { config } from "../account/AccountFlags.ts"
import { Call } from "../output/Call.ts"
import * as Output from "../output/Output.ts"

const { account, book, files } = importFlags

const registered = <Options>(
  { adapter, extensions, options: flagged, reading, remembering }: Source<Options>,
  given: Pick<Command.Command.Config.Infer<typeof shared>, keyof typeof shared>
) =>
  Effect.gen(function* () {
    const { account: named, book, config, files } = given
    const input = yield* InputFiles.open(adapter.name, files, extensions)
    const bookFile = yield* BookOfExport.fileOf(files, book)
    const options = yield* Remembered.laid(adapter.name, remembering, input, bookFile, flagged)
    const mappingBook = yield* BookOfExport.ofExport({ files, format: adapter.name, reading }, book)
    const { settings, store } = yield* ConfigAccount.choose(config, named, mappingBook.zone)
    const { destination } = yield* AccountFacts.read(settings, mappingBook.zone)
    const readings = Readings.from(adapter, input, options, mappingBook)
    const result = yield* Originals.register(readings, { ...destination, book: mappingBook }).pipe(
      Effect.provide(Engine.layer(store)),
      Effect.catchTags({
        AdapterError: AdapterAnswer.quit,
        OtherTaxpayer: ({ message }) => new ExitError({ code: 1, text: `N${message.slice(1)}.` })
      })
    )
    yield* RunEffect.changed
    const { differing, findings, fiscalisedHere, held, known, passedOver, registered, taken } = result
    const listed = [
      ["Documents of the same sale are held here", held],
      ["Registered before with another day, currency or total, and not changed", differing],
      ["Fiscalised here as well: one sale may have two receipts", fiscalisedHere],
      ["Numbers of other documents, not registered", taken]
    ] as const
    const call = yield* Call
    yield* Output.answer(
      "originals",
      result,
      [
        `${registered} registered, ${known} known before, ${passedOver} no invoices`,
        ...listed.flatMap(([what, numbers]) => (numbers.length === 0 ? [] : [`${what}: ${numbers.join(", ")}`])),
        ...(findings.length === 0
          ? []
          : [
              `\nNot registered:\n\n${report(
                findings.map(({ finding, number }) => ({ finding, subject: number })),
                call
              )}`
            ])
      ].join("\n")
    )
    if (listed.some(([, numbers]) => numbers.length > 0) || findings.length > 0)
      return yield* new ExitError({ code: 2, text: "" })
  }).pipe(Effect.scoped)

const shared = { files, book, account, config }

const description = "Register invoices that were fiscalised elsewhere; nothing is sent"

const importOriginals = Command.make(
  "import",
  {
    ...shared,
    format: Flag.Literals("format", ["csv", "xlsx", "xero-like", "quickbooks-like", "odoo-like", "erpnext-like"]).pipe(
      Flag.withDescription("the format of the files"),
      Flag.withDefault("csv" as const)
    ),
    ...csvFlags,
    ...xlsxFlags
  },
  Effect.fnUntraced(function* ({ format, ...given }) {
    const options = yield* optionsOf(given)
    switch (format) {
      case "csv":
        return yield* registered({ ...csv, options }, given)
      case "xlsx":
        return yield* registered({ ...xlsx, options }, given)
      case "xero-like":
        return yield* registered({ ...xeroLike, options: {} }, given)
      default:
        return yield* registered(yield* kitAdapters[format].source({}), given)
    }
  })
).pipe(Command.withDescription(description))

const importByAdapter = ({ flags, source }: OwnAdapterCommand.Ready) =>
  Command.make(
    "import",
    { ...shared, adapter: OwnAdapterCommand.adapterFlag, ...flags },
    Effect.fnUntraced(function* (given) {
      yield* registered(yield* source(given), given)
    })
  ).pipe(Command.withDescription(description))

/** Builds the command, with a custom adapter if the call names one. */
export const originalsWith = (ready: OwnAdapterCommand.Ready | undefined) =>
  Command.make("originals").pipe(
    Command.withDescription("Register invoices that were fiscalised elsewhere, so that they can be credited here"),
    Command.withSubcommands([ready === undefined ? importOriginals : importByAdapter(ready)])
  )
