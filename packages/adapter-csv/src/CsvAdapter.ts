/** CSV exports as source documents: the adapter's port (core, source/Adapter). */
import type { Adapter, AdapterError, InputFile, Reading } from "@fiscal-connector/core/source/Adapter"
import { Effect, Stream } from "effect"
import type { ColumnMap } from "./ColumnMap.ts"
import * as Detection from "./Detection.ts"
import { DocumentReader } from "./DocumentReader.ts"
import type { Interpretation } from "./Interpretation.ts"
import * as RefusedRows from "./RefusedRows.ts"
import type { Settings } from "./Settings.ts"

export interface CsvOptions {
  /** Which column stands for what; without it the header must be one we know. */
  readonly columns?: ColumnMap
  /** What the person has settled; it goes before the column map's own settings. */
  readonly settings?: Settings
}

/**
 * Every file is looked at as a whole before the first reading comes, so that a question stops the run before anything is sent. Fails with
 * `ReadingAmbiguous` where the person must say which reading is right, and `ExportUnreadable` where there is none.
 */
export const adapter: Adapter<CsvOptions> = {
  name: "csv",
  read: (input, options) =>
    Stream.unwrap(
      Effect.map(
        Effect.forEach(input.files, (file) => Effect.map(Detection.interpret(file, options), (how) => ({ file, how }))),
        (files) => {
          const place = { order: 0 }
          return Stream.fromIterable(files).pipe(Stream.flatMap(({ file, how }) => readings(file, how, place)))
        }
      )
    ),
  writeRefused: RefusedRows.write
}

/** `place`: how many documents the files before it began. */
const readings = (
  file: InputFile,
  how: Interpretation,
  place: { order: number }
): Stream.Stream<Reading, AdapterError> =>
  Stream.suspend(() => {
    const reader = new DocumentReader(how, place.order)
    let toSkip = how.start.offset
    const take = (chunk: Uint8Array | "end"): ReadonlyArray<Reading> => {
      if (chunk === "end") {
        const last = reader.finish()
        place.order = reader.order
        return last
      }
      const own = chunk.subarray(toSkip)
      toSkip -= chunk.length - own.length
      return reader.write(own)
    }
    return file.bytes.pipe(
      Stream.concat(Stream.succeed("end" as const)),
      Stream.mapAccumArrayEffect(
        () => reader,
        (reader, chunks) => {
          const found = chunks.flatMap(take)
          return reader.late === undefined ? Effect.succeed([reader, found] as const) : tooFarApart(file, reader.late)
        }
      )
    )
  })

const tooFarApart = (file: InputFile, { key, line }: { readonly key: string; readonly line: number }) =>
  Effect.fail(
    Detection.unreadable(
      file.name,
      `line ${line} belongs to document "${key}", whose other rows stand more than 1000 rows before it`,
      "Say --grouping two-pass, which reads the file twice and joins rows wherever they stand"
    )
  )
