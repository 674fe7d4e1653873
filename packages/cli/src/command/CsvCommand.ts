/** `import csv` and `plan csv`. */
import { adapter } from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as MapFile from "@fiscal-connector/adapter-csv/MapFile"
import { Effect, FileSystem, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { report } from "../output/FindingReport.ts"
import { Quit } from "../Quit.ts"
import * as ImportCommand from "./ImportCommand.ts"
import { importFlags } from "./ImportFlags.ts"

const flags = {
  ...importFlags,
  columns: Flag.File("columns", { mustExist: true }).pipe(
    Flag.withDescription("the column map: which column of the export stands for what"),
    Flag.optional
  )
}

const loadColumns = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file))
  return yield* Effect.mapError(
    MapFile.load(file, text),
    ({ findings }) =>
      new Quit({
        code: 1,
        text: `The column map ${file} cannot be used:\n\n${report(findings.map((finding) => ({ finding, subject: undefined })))}`
      })
  )
})

const command = (mode: "plan" | "import", description: string) =>
  Command.make(
    "csv",
    flags,
    Effect.fnUntraced(function* (given) {
      const columns = Option.isNone(given.columns) ? undefined : yield* loadColumns(given.columns.value)
      yield* ImportCommand.run(
        mode,
        { adapter, extensions: /\.(csv|tsv|txt)(\.gz)?$/i, options: { ...(columns && { columns }) } },
        given
      )
    })
  ).pipe(Command.withDescription(description))

export const planCsv = command(
  "plan",
  "Read, translate and check CSV exports, up to the exact request bodies; send nothing"
)
export const importCsv = command("import", "Fiscalise the invoices and credit notes of CSV exports")
