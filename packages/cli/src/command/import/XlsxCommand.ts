/** Commands `import xlsx`, `plan xlsx` and `columns xlsx`. */
import { adapter, askedOf, headerOf, propose, type XlsxOptions } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as AdapterAnswer from "../../import/AdapterAnswer.ts"
import * as Output from "../../output/Output.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import { lay, optionsOf, withMap, xlsxFlags } from "./CsvFlags.ts"
import type { Remembering } from "../../import/Remembered.ts"
import { namesOf } from "./Given.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"

export const xlsx = {
  adapter,
  extensions: /\.xls[xm]$/i,
  ending: ".xlsx",
  reading: namesOf(xlsxFlags),
  remembering: { header: headerOf, lay } as Remembering<XlsxOptions>,
  columns: {
    propose: (file: InputFile, { settings }: XlsxOptions) => propose(file, settings),
    ask: askedOf,
    withMap
  }
}

const command = (mode: "plan" | "import", description: string) =>
  Command.make(
    "xlsx",
    { ...importFlags, ...xlsxFlags },
    Effect.fnUntraced(function* (flags) {
      yield* ImportCommand.run(mode, { ...xlsx, options: yield* optionsOf(flags) }, flags)
    })
  ).pipe(Command.withDescription(description))

export const planXlsx = command(
  "plan",
  "Read, translate and check Excel workbooks, up to the exact request bodies; send nothing"
)
export const importXlsx = command("import", "Fiscalise the invoices and credit notes of Excel workbooks")

export const columnsXlsx = Command.make(
  "xlsx",
  { file: Argument.String("file").pipe(Argument.withDescription("the workbook")), ...xlsxFlags },
  Effect.fnUntraced(function* ({ file, ...flags }) {
    const { settings } = yield* optionsOf(flags)
    const { files } = yield* InputFiles.open(adapter.name, [file], xlsx.extensions)
    const proposal = yield* propose(files[0]!, settings).pipe(Effect.catch(AdapterAnswer.quit))
    yield* Output.answer("column-map", { file, text: proposal }, proposal)
  }, Effect.scoped)
).pipe(Command.withDescription("Propose a column map for a sheet of a workbook, with its evidence, to be reviewed"))
