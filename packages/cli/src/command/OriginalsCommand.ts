import { Readings } from "@fiscal-connector/core/adapter"
import { Originals } from "@fiscal-connector/core/session"
import { AccountFacts } from "@fiscal-connector/core/host/account"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { commandGroup } from "../output/Flags.ts"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as RunEffect from "../account/RunEffect.ts"
import * as Engine from "../account/Engine.ts"
import * as Format from "../adapter/Format.ts"
import { formats, names } from "../format/Formats.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as Remembered from "../import/Remembered.ts"
import * as InputFiles from "../import/InputFiles.ts"
import { report } from "../output/FindingReport.ts"
import { ExitError, notDone } from "../output/ExitError.ts"
import { importFlags } from "./import/ImportFlags.ts"
import { config } from "../account/AccountFlags.ts"
import { Call } from "../output/Call.ts"
import * as Output from "../output/Output.ts"

const { account, book, files } = importFlags

const registered = Effect.fnUntraced(function* (
  source: Format.FormatSource,
  given: Command.Command.Config.Infer<typeof shared>
) {
  const { adapter, extensions, reading } = source
  const { account: named, book, config, files } = given
  const input = yield* InputFiles.open(adapter.name, files, extensions)
  const bookFile = yield* BookOfExport.fileOf(files, book)
  const options = yield* Remembered.laid(source, bookFile, yield* Remembered.recalled(source, input, bookFile))
  const mappingBook = yield* BookOfExport.ofExport({ files, format: adapter.name, reading }, book)
  const { settings, store } = yield* ConfigAccount.choose(config, named, mappingBook.zone)
  const { destination } = yield* AccountFacts.read(settings, mappingBook.zone)
  const readings = Readings.from(adapter, input, options, mappingBook)
  const result = yield* Originals.register(readings, { ...destination, book: mappingBook }).pipe(
    Effect.provide(Engine.layer(store)),
    Effect.catchTags({
      AdapterError: AdapterAnswer.quit,
      OtherTaxpayer: ({ message }) => notDone(`N${message.slice(1)}.`)
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
}, Effect.scoped)

const shared = { files, book, account, config }

const importOriginals = async () => {
  const rows = await Promise.all(formats.filter(({ columns }) => columns !== undefined).map(Format.of))
  return Command.make(
    "import",
    {
      ...shared,
      format: Flag.Literals("format", [...names]).pipe(
        Flag.withDescription("the format of the files"),
        Flag.withDefault("csv")
      ),
      ...Object.fromEntries(rows.flatMap(({ flags }) => Object.entries(flags)))
    },
    Effect.fnUntraced(function* (given) {
      const row = formats.find(({ name }) => name === given.format)!
      yield* registered(yield* Format.sourceOf(yield* Effect.promise(() => Format.of(row)), given), given)
    })
  )
}

const importByAdapter = (own: Format.Format) =>
  Command.make(
    "import",
    { ...shared, ...own.flags },
    Effect.fnUntraced(function* (given) {
      yield* registered(yield* Format.sourceOf(own, given), given)
    })
  )

export const originalsWith = async (own: Format.Format | undefined) =>
  commandGroup("originals", "Register invoices that were fiscalised elsewhere, so that they can be credited here", [
    Command.withDescription(
      own === undefined ? await importOriginals() : importByAdapter(own),
      "Register invoices that were fiscalised elsewhere; nothing is sent"
    )
  ])
