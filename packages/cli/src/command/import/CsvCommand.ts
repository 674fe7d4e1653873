/** Commands `import csv`, `plan csv` and `columns csv`. */
import * as AskedColumns from "@fiscal-connector/adapter-csv/AskedColumns"
import * as ColumnProposal from "@fiscal-connector/adapter-csv/ColumnProposal"
import { adapter, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as AdapterAnswer from "../../import/AdapterAnswer.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import { csvFlags, lay, optionsOf, withMap } from "./CsvFlags.ts"
import type { Remembering } from "../../import/Remembered.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"
import { namesOf } from "./Given.ts"
import * as Output from "../../output/Output.ts"

export const csv = {
  adapter,
  extensions: /\.(csv|tsv|txt)(\.gz)?$/i,
  ending: ".csv",
  reading: namesOf(csvFlags),
  remembering: { header: ColumnProposal.headerOf, lay } as Remembering<CsvOptions>,
  columns: {
    propose: (file: InputFile, { settings }: CsvOptions) => ColumnProposal.propose(file, settings),
    ask: AskedColumns.askedOf,
    withMap
  }
}

const command = (mode: "plan" | "import", description: string) =>
  Command.make(
    "csv",
    { ...importFlags, ...csvFlags },
    Effect.fnUntraced(function* (flags) {
      yield* ImportCommand.run(mode, { ...csv, options: yield* optionsOf(flags) }, flags)
    })
  ).pipe(Command.withDescription(description))

export const planCsv = command(
  "plan",
  "Read, translate and check CSV exports, up to the exact request bodies; send nothing"
)
export const importCsv = command("import", "Fiscalise the invoices and credit notes of CSV exports")

export const columnsCsv = Command.make(
  "csv",
  { file: Argument.String("file").pipe(Argument.withDescription("the exported file")), ...csvFlags },
  Effect.fnUntraced(function* ({ file, ...flags }) {
    const { settings } = yield* optionsOf(flags)
    const { files } = yield* InputFiles.open(adapter.name, [file], csv.extensions)
    const proposal = yield* ColumnProposal.propose(files[0]!, settings).pipe(Effect.catch(AdapterAnswer.quit))
    yield* Output.answer("column-map", { file, text: proposal }, proposal)
  }, Effect.scoped)
).pipe(Command.withDescription("Propose a column map for a CSV file, with its evidence, to be reviewed"))
