/** Settles how a file is read: what the person said, else what the whole file allows in exactly one way, else a question. */
import { AdapterError, ExportUnreadable, type InputFile, ReadingAmbiguous } from "@fiscal-connector/core/source/Adapter"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { cellsOfDocument, numeric } from "./Binding.ts"
import * as ColumnEvidence from "./ColumnEvidence.ts"
import type { CsvOptions } from "./CsvAdapter.ts"
import { delimiterName } from "./Dialect.ts"
import { byteOrderMark } from "./Encoding.ts"
import { moneyFields } from "./Field.ts"
import { type FoundHeader, search } from "./HeaderSearch.ts"
import type { Interpretation } from "./Interpretation.ts"
import { Scanner } from "./Scanner.ts"
import * as Settings from "./Settings.ts"
import * as Vocabulary from "./Vocabulary.ts"

const headSize = 1 << 16

/** Fails with the question, the competing readings and the flag that settles it; nothing has been read as a document then. */
export const interpret = (file: InputFile, options: CsvOptions): Effect.Effect<Interpretation, AdapterError> =>
  Effect.gen(function* () {
    const settings: Settings.Settings = { ...options.columns?.settings, ...options.settings }
    const head = yield* headOf(file)
    const bom = byteOrderMark(head)
    const encoding = bom?.encoding ?? settings.encoding ?? (yield* encodingOf(file))
    const start = { offset: bom?.length ?? 0, line: 1 }
    const quotes = settings.quotes ?? "doubled"
    const found = search({
      head: head.subarray(start.offset),
      encoding,
      quotes,
      delimiter: Settings.delimiter(settings),
      headerLine: settings.headerLine,
      map: options.columns,
      start
    })
    const header = yield* oneHeader(file, found)
    const evidence = yield* gather(file, header, encoding, quotes, start)
    const dateOrder = settings.dates ?? (yield* dateOrderOf(file, evidence.dates))
    const decimalMark = settings.decimalMark ?? (yield* decimalMarkOf(file, evidence.numbers))
    return {
      origin: {
        file: file.name,
        dialect: { delimiter: header.delimiter, quotes },
        encoding,
        header: header.cells
      },
      start,
      headerLine: header.line,
      layout: header.map.layout ?? "rows",
      binding: header.binding,
      vocabulary: Vocabulary.make(header.map),
      decimalMark,
      dateOrder,
      utc: cellsOfDocument(header.binding, "date").some((cell) => /\(utc\)/i.test(header.cells[cell] ?? "")),
      settings: { ...header.map.settings, ...settings }
    }
  })

export const unreadable = (file: string, problem: string, fix: string) =>
  new AdapterError({ adapter: "csv", reason: new ExportUnreadable({ file, problem, fix }) })

const ambiguous = (file: string, question: string, readings: ReadingAmbiguous["readings"]) =>
  new AdapterError({ adapter: "csv", reason: new ReadingAmbiguous({ file, question, readings }) })

const headOf = (file: InputFile): Effect.Effect<Uint8Array, AdapterError> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return file.bytes.pipe(
      Stream.runForEachWhile((chunk) =>
        Effect.sync(() => {
          chunks.push(chunk)
          return (size += chunk.length) < headSize
        })
      ),
      Effect.map(() => Buffer.concat(chunks).subarray(0, headSize))
    )
  })

const encodingOf = (file: InputFile) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    return file.bytes.pipe(
      Stream.runForEach((chunk) => Effect.try(() => decoder.decode(chunk, { stream: true }))),
      Effect.match({ onSuccess: () => "utf-8" as const, onFailure: () => "windows-1252" as const })
    )
  })

const oneHeader = (file: InputFile, found: ReadonlyArray<FoundHeader>): Effect.Effect<FoundHeader, AdapterError> => {
  const [header, other] = found
  if (header === undefined) {
    return Effect.fail(
      unreadable(
        file.name,
        "no row among the first is a header we know",
        "Name the columns with --columns FILE; `connector columns csv FILE` proposes one"
      )
    )
  }
  if (other === undefined) return Effect.succeed(header)
  return Effect.fail(
    ambiguous(
      file.name,
      "the header can be read in more than one way",
      found.map(({ cells, delimiter, name }) => ({
        reading: `${name}, ${delimiterName(delimiter)}`,
        examples: cells.slice(0, 3),
        settledBy: `--delimiter ${delimiterName(delimiter)}`
      }))
    )
  )
}

const gather = (
  file: InputFile,
  header: FoundHeader,
  encoding: Interpretation["origin"]["encoding"],
  quotes: "doubled" | "backslash",
  start: Interpretation["start"]
) =>
  Effect.suspend(() => {
    const dates = new Map(
      cellsOfDocument(header.binding, "date").map((cell) => [cell, new ColumnEvidence.DateEvidence()])
    )
    const numbers = new Map(
      numeric(header.binding, moneyFields).map((cell) => [cell, new ColumnEvidence.DecimalEvidence()])
    )
    const columns = [...dates, ...numbers]
    const dialect = { delimiter: header.delimiter, quotes }
    const scanner = new Scanner({ dialect, encoding, ...start }, (record) => {
      if (record.line <= header.line || record.fault !== undefined) return
      for (const [cell, evidence] of columns) {
        if (cell < record.count && record.ends[cell]! > record.starts[cell]!) evidence.take(record.cell(cell))
      }
    })
    let first = true
    return file.bytes.pipe(
      Stream.runForEach((chunk) =>
        Effect.sync(() => {
          scanner.write(first ? chunk.subarray(start.offset) : chunk)
          first = false
        })
      ),
      Effect.map(() => {
        scanner.finish()
        return { dates: [...dates.values()], numbers: [...numbers.values()] }
      })
    )
  })

const dateOrderOf = (file: InputFile, evidence: ReadonlyArray<ColumnEvidence.DateEvidence>) => {
  const standing = standingInAll(evidence)
  const differing = evidence.flatMap(({ differing }) => differing).slice(0, 3)
  if (standing.length === 1 || differing.length === 0) return Effect.succeed(standing[0] ?? ("dmy" as const))
  return Effect.fail(
    ambiguous(file.name, "are dates written day first or month first?", [
      { reading: "day, month, year", examples: differing, settledBy: "--dates dmy" },
      { reading: "month, day, year", examples: differing, settledBy: "--dates mdy" }
    ])
  )
}

const decimalMarkOf = (file: InputFile, evidence: ReadonlyArray<ColumnEvidence.DecimalEvidence>) => {
  const standing = standingInAll(evidence)
  const differing = evidence.flatMap(({ differing }) => differing).slice(0, 3)
  if (standing.length === 1 || differing.length === 0) return Effect.succeed(standing[0] ?? ("point" as const))
  return Effect.fail(
    ambiguous(file.name, "is the decimal mark a point or a comma?", [
      { reading: "decimal point", examples: differing, settledBy: "--decimal-mark point" },
      { reading: "decimal comma", examples: differing, settledBy: "--decimal-mark comma" }
    ])
  )
}

const standingInAll = <Reading extends string>(evidence: ReadonlyArray<ColumnEvidence.Evidence<Reading>>) => {
  const [first, ...rest] = evidence.map(ColumnEvidence.standing)
  return (first ?? []).filter((reading) => rest.every((others) => others.includes(reading)))
}
