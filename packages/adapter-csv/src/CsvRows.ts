/**
 * Rows of a CSV file, for an adapter built with the kit that knows the meaning of its columns: `for
 * await (const row of rows(file, CsvRows.of(file, { columns: ["Number", "Price"] })))`.
 */
import { type Adapter, MapConcat } from "@fiscal-connector/core/adapter"
import { PlacedRow } from "@fiscal-connector/adapter-kit"
import { Effect, Stream } from "effect"
import { columnNames } from "./columns/Header.ts"
import * as Settings from "./columns/Settings.ts"
import * as Opening from "./detect/Opening.ts"
import { ambiguous, unreadable } from "./detect/Questions.ts"
import * as ByteSource from "./scan/ByteSource.ts"
import { isEmpty, fits } from "./scan/RowShape.ts"
import { Scanner } from "./scan/Scanner.ts"

/** Facts that the adapter's author knows about the files. */
export interface CsvRowsSettings extends Pick<Settings.Settings, "delimiter" | "encoding" | "quotes" | "shortRows"> {
  /** The first row with all of these columns is the header; rows before it are titles. */
  readonly columns: readonly [string, ...ReadonlyArray<string>]
}

const problems = {
  "unterminated-quote": "a quote is opened and never closed",
  "text-after-quote": "there is text behind a closing quote",
  "record-too-long": "the row is longer than a row may be"
} as const

class FileReader {
  trouble: { readonly line: number; readonly text: string } | undefined = undefined
  header: ReadonlyArray<string> | undefined = undefined
  private asWritten: ReadonlyArray<string> = []
  private readonly settings: CsvRowsSettings
  private readonly scanner: Scanner
  private rows: Array<PlacedRow> = []

  constructor(settings: CsvRowsSettings, options: ConstructorParameters<typeof Scanner>[0]) {
    this.settings = settings
    this.scanner = new Scanner(options, (record) => this.take(record))
  }

  write(bytes: Uint8Array): ReadonlyArray<PlacedRow> {
    this.scanner.write(bytes)
    return this.drain()
  }

  finish(): ReadonlyArray<PlacedRow> {
    this.scanner.finish()
    return this.drain()
  }

  private drain(): ReadonlyArray<PlacedRow> {
    const { rows } = this
    this.rows = []
    return rows
  }

  private take(record: Scanner): void {
    if (this.trouble !== undefined || record.blank) return
    if (record.fault !== undefined) return this.refuse(record, problems[record.fault])
    if (isEmpty(record)) return
    const cells = record.cells().map((cell) => cell.trim())
    if (this.header === undefined) {
      if (!this.settings.columns.every((column) => cells.includes(column))) return
      this.header = named(cells)
      this.asWritten = cells
      return
    }
    const { header } = this
    const short = this.settings.shortRows === "pad" ? "allowed" : "refused"
    if (!fits(record, { named: header.length, widest: Infinity, short }))
      return this.refuse(record, `it has ${record.count} cells, and the header has ${header.length}`)
    if (cells.some((cell) => /[\0\ufffd]/.test(cell)))
      return this.refuse(record, "a character is not in the file's encoding")
    // repeated header: exports joined in one file
    if (this.asWritten.every((name, i) => name === cells[i])) return
    const row = Object.fromEntries(header.map((name, i) => [name, cells[i] === "" ? null : cells[i]]))
    this.rows.push(new PlacedRow(record.line, row))
  }

  private refuse(record: Scanner, text: string): void {
    this.trouble = { line: record.line, text }
  }
}

/**
 * Names the columns: the second column of a name is `Name#2`, a column without a name is `#` and
 * its position.
 */
const named = (cells: ReadonlyArray<string>): ReadonlyArray<string> =>
  columnNames(cells).map(({ column, nth }, i) => {
    if (column === "") return `#${i + 1}`
    return nth === 1 ? column : `${column}#${nth}`
  })

/**
 * Returns every row below the header, each cell as text, an empty cell as null. Fails with
 * `AdapterError` at the first unreadable row: its document is unknown, so no document of the file
 * can be sent. Encoding and a `sep=` line are detected if not stated; the default delimiter is a
 * comma.
 */
export const of = (
  file: Adapter.InputFile,
  settings: CsvRowsSettings
): Stream.Stream<PlacedRow, Adapter.AdapterError> => {
  const unpacked = ByteSource.decompressed(file)
  return Stream.unwrap(
    Effect.gen(function* () {
      const opening = yield* Opening.of(unpacked, settings).pipe(
        Effect.catchTag("Ambiguity", ({ question }) => Effect.fail(ambiguous([question])))
      )
      const { encoding, start } = opening
      const delimiter = Settings.delimiter(settings) ?? opening.delimiter ?? ","
      const dialect = { delimiter, quotes: settings.quotes ?? "doubled" }
      const reader = new FileReader(settings, { dialect, encoding, ...start })
      const sound = (rows: ReadonlyArray<PlacedRow>) => {
        const { trouble } = reader
        if (trouble === undefined) return Effect.succeed(rows)
        return Effect.fail(
          unreadable(
            file.name,
            `line ${trouble.line}: ${trouble.text}`,
            "Correct it there, or export the file again: it is not clear which document the row belongs to"
          )
        )
      }
      const nothing = () =>
        unreadable(
          file.name,
          `no row names the columns ${settings.columns.map((column) => `"${column}"`).join(", ")}`,
          "Give the export with its header; state its delimiter if it is not a comma"
        )
      return ByteSource.scannable(unpacked, encoding, start.offset).pipe(
        ByteSource.inPieces,
        Stream.mapEffect((chunk) => sound(reader.write(chunk))),
        Stream.concat(
          Stream.fromEffect(
            Effect.suspend(() => sound(reader.finish())).pipe(
              Effect.filterOrFail(() => reader.header !== undefined, nothing)
            )
          )
        ),
        MapConcat.mapConcat((rows) => rows)
      )
    })
  )
}
