/**
 * Formats of exports for the page: the adapters of `import`, with options made from the operator's
 * answers.
 */
import type { adapter as csvAdapter, CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as ColumnProposal from "@fiscal-connector/adapter-csv/ColumnProposal"
import * as XlsxAdapter from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import * as MapFile from "@fiscal-connector/adapter-csv/MapFile"
import * as SourceRows from "@fiscal-connector/adapter-csv/SourceRows"
import { Settings } from "@fiscal-connector/adapter-csv/Settings"
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import { type Format, type ReadingAnswers, WorkplaceRefused } from "@fiscal-connector/ui/Workplace"
import { Effect, Schema, Stream } from "effect"
import type { OwnAdapter } from "../../adapter/AdapterModule.ts"
import { csv } from "./CsvCommand.ts"
import { adapters as kitAdapters } from "./KitAdapterCommand.ts"
import { xeroLike } from "./XeroLikeCommand.ts"
import { xlsx } from "./XlsxCommand.ts"

const refused = (text: string) => new WorkplaceRefused({ text })

/** Returns the options of a table: the settings, and the layout and the column map if given. */
const tableOptions = ({ columns, layout, settings }: ReadingAnswers): Effect.Effect<CsvOptions, WorkplaceRefused> =>
  Effect.gen(function* () {
    const decoded = yield* Effect.mapError(Schema.decodeEffect(Settings)(settings), ({ message }) => refused(message))
    const map =
      columns === undefined
        ? undefined
        : yield* Effect.mapError(MapFile.load("the column map", columns), ({ findings }) =>
            refused(findings.map(({ message }) => message).join("; "))
          )
    return { settings: decoded, ...(map && { columns: map }), ...(layout !== undefined && { layout }) }
  })

const table = (
  { adapter, ending, extensions }: Pick<typeof csv, "ending" | "extensions"> & { readonly adapter: typeof csvAdapter },
  title: string,
  { columnsOf, headerOf, propose }: Pick<typeof ColumnProposal, "columnsOf" | "headerOf" | "propose">
): Format => ({
  name: adapter.name,
  title,
  content: adapter.name === "xlsx" ? "workbook" : "text",
  columns: (file, said) =>
    Effect.flatMap(
      Effect.orElseSucceed(tableOptions({ ...said, columns: undefined }), (): CsvOptions => ({})),
      ({ settings }) => columnsOf(file, settings)
    ),
  header: (file, settings) =>
    Effect.flatMap(
      Effect.orElseSucceed(tableOptions({ settings, layout: undefined, columns: undefined }), (): CsvOptions => ({})),
      ({ settings }) => headerOf(file, settings)
    ),
  evidence: (file, said) =>
    Effect.flatMap(
      Effect.orElseSucceed(tableOptions({ ...said, columns: undefined }), (): CsvOptions => ({})),
      ({ settings }) => propose(file, settings)
    ),
  rows: (document) => Effect.sync(() => ({ _tag: "Table", ...SourceRows.of(document) })),
  endings: extensions,
  ending,
  adapter: adapter as Adapter<unknown>,
  options: tableOptions
})

/** Returns options with corrected cells, which the adapter of workbooks reads. */
const withCells: Format["withCells"] = (options, cells): XlsxAdapter.XlsxOptions => ({
  ...(options as CsvOptions),
  cells
})

/** Returns a JSON record in the form in which refused records are written. */
const record =
  ({ writeRefused }: Pick<Required<Adapter<never>>, "writeRefused">): Format["rows"] =>
  (reading) =>
    Effect.map(Stream.mkString(Stream.decodeText(writeRefused(Stream.succeed({ reading, findings: [] })))), (text) => ({
      _tag: "Text",
      text
    }))

/** Returns no header: JSON files have none, so answers apply to the whole format. */
const noHeader: Format["header"] = () => Effect.succeed([])

const kit = (adapter: OwnAdapter, title: string): Format => ({
  name: adapter.name,
  title,
  content: "json",
  header: noHeader,
  endings: /\.json(\.gz)?$/i,
  ending: adapter.extensions[0] ?? ".json",
  adapter: adapter as Adapter<unknown>,
  rows: record(adapter),
  options: ({ settings }) =>
    Effect.mapError(Schema.decodeEffect(adapter.options)(settings), ({ message }) => refused(message))
})

/** Formats of the page. The first suitable format is preferred. */
export const formats: ReadonlyArray<Format> = [
  table(csv, "CSV or text, with a header", ColumnProposal),
  { ...table(xlsx, "Excel workbook", XlsxAdapter), withCells },
  {
    name: xeroLike.adapter.name,
    title: "JSON, Xero-shaped",
    content: "json",
    header: noHeader,
    endings: xeroLike.extensions,
    ending: xeroLike.ending,
    adapter: xeroLike.adapter as Adapter<unknown>,
    rows: record(xeroLike.adapter),
    options: ({ settings }) => Effect.succeed(settings)
  },
  ...Object.values(kitAdapters).map(({ adapter, what }) => kit(adapter, `JSON, ${what.replace(" JSON", "")}`))
]
