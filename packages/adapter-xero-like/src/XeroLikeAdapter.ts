/**
 * Adapter for Xero-shaped JSON exports: API answers, SDK dumps, JSON lines of loaders, flat rows.
 */
import {
  type Adapter,
  AdapterError,
  ExportUnreadable,
  type Input,
  type InputFile,
  type Reading
} from "@fiscal-connector/core/source/Adapter"
import * as BookDrafting from "@fiscal-connector/core/source/BookDrafting"
import * as Decompression from "@fiscal-connector/core/source/Decompression"
import { mapConcat } from "@fiscal-connector/core/source/MapConcat"
import { Effect, Stream } from "effect"
import { Joins } from "./joins/Joins.ts"
import { type BrokenPiece, JsonSplitter, type Piece } from "./json/JsonSplitter.ts"
import { Readings } from "./documents/Readings.ts"
import { type Record, recordsOf } from "./records/Records.ts"
import { writeRefused } from "./documents/RefusedFile.ts"
import type { XeroLikeOptions } from "./options/XeroLikeOptions.ts"

const name = "xero-like"

const decompressed = Decompression.decompressed(name)

const failure = (file: InputFile, splitter: JsonSplitter): AdapterError | undefined => {
  if (splitter.failure === undefined) return undefined
  const { extent, line, problem } = splitter.failure
  return new AdapterError({
    adapter: name,
    reason: new ExportUnreadable({
      file: file.name,
      problem: `line ${line}: ${problem}`,
      fix:
        extent === "damaged"
          ? "Export the file again, or correct it there"
          : "Give JSON as the API answers it (Accept: application/json); CSV files are read by the csv adapter"
    })
  })
}

/** Returns the records of a file as texts. Memory holds one record at a time. */
const piecesOf = (file: InputFile): Stream.Stream<Piece | BrokenPiece, AdapterError> =>
  Stream.suspend(() => {
    const splitter = new JsonSplitter()
    const sound = (pieces: ReadonlyArray<Piece | BrokenPiece>) => {
      const error = failure(file, splitter)
      return error === undefined ? Effect.succeed(pieces) : Effect.fail(error)
    }
    const pushed = decompressed(file).bytes.pipe(
      Decompression.inPieces,
      Stream.mapEffect((chunk) => sound(splitter.push(chunk))),
      mapConcat((pieces) => pieces)
    )
    const finished = Stream.suspend(() => Stream.fromIterableEffect(sound(splitter.finish())))
    return Stream.concat(pushed, finished)
  })

const recordsIn = (file: InputFile) =>
  mapConcat((piece: Piece | BrokenPiece) => recordsOf(piece, file.name))(piecesOf(file))

/**
 * Gathers the records that documents are joined with, in a pass before the documents are read. They
 * may be in any file, before or after the documents.
 */
const survey = ({ files }: Input): Effect.Effect<Joins, AdapterError> =>
  Effect.suspend(() => {
    const joins = new Joins()
    const inFile = (file: InputFile) =>
      Effect.map(
        Stream.runForEachArray(recordsIn(file), (records) =>
          Effect.sync(() => records.forEach((record) => joins.add(record)))
        ),
        () => joins.endRows()
      )
    return Effect.as(Effect.forEach(files, inFile, { discard: true }), joins)
  })

const read = (input: Input, options: XeroLikeOptions): Stream.Stream<Reading, AdapterError> =>
  Stream.unwrap(
    Effect.map(survey(input), (joins) => {
      const readings = new Readings({ joins, options })
      const inFile = (file: InputFile) =>
        Stream.concat(
          mapConcat((record: Record) => readings.next(record))(recordsIn(file)),
          Stream.suspend(() => Stream.fromIterable(readings.flush()))
        )
      return Stream.flatMap(Stream.fromIterable(input.files), inFile)
    })
  )

const contactFields = ["TaxNumber", "CompanyNumber", "AccountNumber", "ContactNumber"] as const
const unread = { settings: { unmapped: "unread" } }

/**
 * Reads the files of one export, including contact, tax-rate and payment files in any order. Reads
 * every file twice.
 */
export const adapter: Adapter<XeroLikeOptions> &
  Required<Pick<Adapter<XeroLikeOptions>, "writeRefused" | "draftBook">> = {
  name,
  fields: [
    { states: "buyer-tin", setting: "tin", fields: contactFields, none: unread },
    { states: "buyer-vat-number", setting: "vatNumber", fields: contactFields },
    { states: "product-code", setting: "productCode", fields: ["item-code"], none: unread },
    { states: "payment-method", setting: "paymentMethod", fields: ["paying-account"] }
  ],
  read,
  writeRefused,
  draftBook: (input, options) => BookDrafting.draft(read(input, options))
}
