import { type Adapter, type Answer, BookDrafting } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import * as ByteSource from "./scan/ByteSource.ts"
import type { Settings } from "./columns/Settings.ts"
import type { CsvOptions } from "./columns/CsvOptions.ts"
import * as Detection from "./detect/Detection.ts"
import { DocumentReader } from "./documents/DocumentReader.ts"
import type { LateRow } from "./documents/OpenDocuments.ts"
import { together, unreadable } from "./detect/Questions.ts"
import * as RefusedRows from "./documents/RefusedRows.ts"
import type { ColumnName } from "./scan/Row.ts"

export type { CsvOptions } from "./columns/CsvOptions.ts"
export { together } from "./detect/Questions.ts"

/** Adds the book's currencies: their spellings may appear next to figures. */
export const under = (options: CsvOptions, { currencies }: Adapter.BookSpellings): CsvOptions => ({
  currencies,
  ...options
})

/**
 * Converts an answer to options: settings and layout are separate options, parts of a column map
 * become the option `columns`.
 */
export const optionsOf = (answer: Answer.Answer): CsvOptions | undefined => {
  if ("settings" in answer) return { settings: answer.settings as Settings }
  if ("layout" in answer) return { layout: answer.layout }
  return "map" in answer ? { columns: { version: 1, ...answer.map } } : undefined
}

/**
 * Adapter for CSV. Every file is examined as a whole before the first reading, so that a question
 * stops the run before anything is sent. Fails with `ReadingAmbiguous` if the operator has to
 * choose a reading, and with `ExportUnreadable` if no reading is possible.
 */
export const adapter: Adapter.Adapter<CsvOptions> = {
  name: "csv",
  read: (input, options) =>
    Stream.unwrap(
      Effect.map(filesToRead(input, options), (files) => {
        const place = { order: 0 }
        return Stream.fromIterable(files).pipe(
          Stream.flatMap((file) => Stream.concat(Stream.fromIterable(file.findings), readings(file, place)))
        )
      })
    ),
  writeRefused: RefusedRows.write,
  draftBook: (input, options) => BookDrafting.draft(adapter.read(input, options)),
  optionsOf,
  under
}

/**
 * Returns every file with its settings. No file is read before all settings are known, and all open
 * questions are asked at once.
 */
const filesToRead = (
  input: Adapter.Input,
  options: CsvOptions
): Effect.Effect<ReadonlyArray<FileToRead>, Adapter.AdapterError> =>
  Effect.map(
    together(
      input.files
        .map(ByteSource.decompressed)
        .map((file) => Effect.map(Detection.detect(file, options), (detected) => ({ file, ...detected })))
    ),
    (files) => {
      const columns = columnsOfAll(files.map(({ how }) => how.origin.columns))
      return files.map(({ how, ...file }) => ({ ...file, how: { ...how, origin: { ...how.origin, columns } } }))
    }
  )

const columnsOfAll = (headers: ReadonlyArray<ReadonlyArray<ColumnName>>): ReadonlyArray<ColumnName> => [
  ...new Map(headers.flat().map((name) => [`${name.nth} ${name.column}`, name])).values()
]

interface FileToRead extends Detection.Detected {
  readonly file: Adapter.InputFile
}

/** `place`: number of documents in the files before. */
const readings = (
  { file, how, joining }: FileToRead,
  place: { order: number }
): Stream.Stream<Adapter.Reading, Adapter.AdapterError> =>
  Stream.suspend(() => {
    const reader = new DocumentReader(how, place.order, joining)
    const take = (chunk: Uint8Array | "end"): ReadonlyArray<Adapter.Reading> => {
      if (chunk !== "end") return reader.write(chunk)
      const last = reader.finish()
      place.order = reader.order
      return last
    }
    return ByteSource.scannable(file, how.origin.encoding, how.start.offset).pipe(
      ByteSource.inPieces,
      Stream.concat(Stream.succeed("end" as const)),
      Stream.mapAccumArrayEffect(
        () => reader,
        (reader, chunks) => {
          const found = chunks.flatMap(take)
          if (reader.late !== undefined) return tooFarApart(file, reader.late)
          if (reader.otherHeader !== undefined) return anotherTable(file, reader.otherHeader)
          return Effect.succeed([reader, found] as const)
        }
      )
    )
  })

const anotherTable = (file: Adapter.InputFile, line: number) =>
  Effect.fail(
    unreadable(
      file.name,
      `line ${line} is the header again, with its columns in another order: every cell below it means something else`,
      "Split the file there, or export it again"
    )
  )

const tooFarApart = (file: Adapter.InputFile, { key, line }: LateRow) =>
  Effect.fail(
    unreadable(
      file.name,
      `line ${line} belongs to document "${key}", whose other rows are more than ${Detection.window} rows before it`,
      "Have the file read twice, which joins rows wherever they are",
      [{ settings: { grouping: "two-pass" } }]
    )
  )
