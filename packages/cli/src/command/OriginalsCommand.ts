/** `connector originals import FILE`: registers invoices that were fiscalised elsewhere, so that credit notes can name them. */
import * as Originals from "@fiscal-connector/core/connector/Originals"
import { destination } from "@fiscal-connector/core/import/ImportPlan"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as ConfigAccount from "../account/ConfigAccount.ts"
import * as Engine from "../account/Engine.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import * as AdapterAnswer from "../import/AdapterAnswer.ts"
import * as InputFiles from "../import/InputFiles.ts"
import { report } from "../output/FindingReport.ts"
import { Quit } from "../Quit.ts"
import { csv } from "./CsvCommand.ts"
import { csvFlags, optionsOf } from "./CsvFlags.ts"
import { importFlags } from "./ImportFlags.ts"
import { xeroLike } from "./XeroLikeCommand.ts"

const { account, book, files } = importFlags

const importOriginals = Command.make(
  "import",
  {
    files,
    book,
    account,
    config: Flag.File("config", { mustExist: true }).pipe(Flag.withDescription("the configuration with the account")),
    format: Flag.Literals("format", ["csv", "xero-like"]).pipe(
      Flag.withDescription("what the files are"),
      Flag.withDefault("csv" as const)
    ),
    ...csvFlags
  },
  ({ account: named, book, config, files, format, ...flags }) =>
    Effect.gen(function* () {
      const options = yield* optionsOf(flags)
      const { extensions } = format === "csv" ? csv : xeroLike
      const input = yield* InputFiles.open(format, files, extensions)
      const mappingBook = yield* BookOfExport.load(files, book)
      const connected = yield* ConfigAccount.connect(config, named)
      const { submitting, device, store } = connected
      const pin = destination(submitting.account, device, submitting.environment)
      const readings = format === "csv" ? csv.adapter.read(input, options) : xeroLike.adapter.read(input, {})
      const result = yield* Effect.gen(function* () {
        yield* SubmissionStore.use((store) => store.pin(pin))
        return yield* Originals.register(readings, { ...pin, book: mappingBook })
      }).pipe(Effect.provide(Engine.layer(store)), Effect.catchTag("AdapterError", AdapterAnswer.quit("people")))
      const { findings, known, passedOver, registered, taken } = result
      yield* Console.log(`${registered} registered, ${known} known before, ${passedOver} no invoices`)
      if (taken.length > 0) yield* Console.log(`Numbers of other documents, not registered: ${taken.join(", ")}`)
      if (findings.length > 0) {
        yield* Console.log(
          `\nNot registered:\n\n${report(findings.map(({ finding, number }) => ({ finding, subject: number })))}`
        )
      }
      if (taken.length + findings.length > 0) return yield* new Quit({ code: 2, text: "" })
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Register invoices that were fiscalised elsewhere; nothing is sent"))

export const originals = Command.make("originals").pipe(
  Command.withDescription("Invoices that were fiscalised elsewhere and may be credited here"),
  Command.withSubcommands([importOriginals])
)
