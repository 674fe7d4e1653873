/**
 * Writes an export again, with each document's receipt in added columns of its first row. Other
 * bytes stay, except an apostrophe before a text that is a formula.
 */
import { type Adapter, FormulaText, Instant, MapConcat } from "@fiscal-connector/core/adapter"
import type { ImportedDocument } from "@fiscal-connector/core/session"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import { receiptColumns } from "../columns/ReasonColumns.ts"
import * as Detection from "../detect/Detection.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import * as ByteSource from "../scan/ByteSource.ts"
import { decode, isWide, scanned } from "../scan/Encoding.ts"
import * as Row from "../scan/Row.ts"
import { Quoted, Scanner } from "../scan/Scanner.ts"
import type { Table } from "../scan/Table.ts"
import { quoted } from "./RefusedRows.ts"
import { asText, type RefusedRow } from "./RefusedTable.ts"

type ImportedDocuments<E, R> = Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>

type Receipts = ReadonlyMap<number, ReadonlyArray<string>>

const receiptsOf = <E, R>(
  { name }: Adapter.InputFile,
  documents: ImportedDocuments<E, R>
): Effect.Effect<Receipts, E, R> =>
  Stream.runFold(
    documents,
    () => new Map<number, ReadonlyArray<string>>(),
    (receipts, page) => {
      for (const { day, proof, receiptDate, source, state, verificationCode } of page) {
        if (source.line === undefined || source.file !== name) continue
        const date = receiptDate === null || receiptDate === "at-submission" ? day : Instant.format(receiptDate)
        const number = proof?.invoiceNumber ?? ""
        const cells = [String(number), verificationCode ?? "", proof?.qrCodeUrl ?? "", state, date ?? ""]
        receipts.set(source.line, cells.map(FormulaText.neutralized))
      }
      return receipts
    }
  )

const addedTo = (
  { line, raw }: Pick<Row.Row, "line" | "raw">,
  { headerLine, head }: { readonly headerLine: number; readonly head: string | undefined },
  receipts: Receipts
): ReadonlyArray<string> | undefined =>
  line === headerLine || raw === head ? receiptColumns : line < headerLine ? undefined : receipts.get(line)

class ReceiptWriter {
  private readonly how: Interpretation
  private readonly receipts: Receipts
  private readonly scanner: Scanner
  private readonly transcoded: (chunk?: Uint8Array) => Uint8Array
  private head: string | undefined = undefined
  /** Scanned bytes from `from` on that are not written yet. */
  private pending = Buffer.alloc(0)
  private from = 0
  /** Bytes up to here belong to complete records. */
  private known = 0
  private toSkip: number
  private insertions: Array<{ readonly at: number; readonly text: string }> = []

  constructor(how: Interpretation, receipts: Receipts) {
    this.how = how
    this.receipts = receipts
    this.scanner = new Scanner({ ...how.origin, ...how.start }, (record) => this.take(record))
    const { encoding } = how.origin
    this.transcoded =
      scanned(encoding) === encoding ? (chunk = new Uint8Array()) => chunk : ByteSource.transcoder(encoding)
    this.toSkip = how.start.offset
  }

  start(): Uint8Array {
    const { encoding } = this.how.origin
    // other encodings of several bytes are written as UTF-8, which needs its mark to be recognized
    const isConverted = scanned(encoding) !== encoding && !isWide(encoding)
    return isConverted ? Buffer.from("\uFEFF") : new Uint8Array()
  }

  write(chunk: Uint8Array): Uint8Array {
    const mark = chunk.subarray(0, this.toSkip)
    this.toSkip -= mark.length
    return Buffer.concat([mark, this.taken(this.transcoded(chunk.subarray(mark.length)))])
  }

  finish(): Uint8Array {
    const rest = this.taken(this.transcoded())
    this.scanner.finish()
    return Buffer.concat([rest, this.drain(this.from + this.pending.length)])
  }

  private taken(bytes: Uint8Array): Uint8Array {
    this.pending = Buffer.concat([this.pending, bytes])
    this.scanner.write(bytes)
    return this.drain(this.known)
  }

  private take(record: Scanner): void {
    const { headerLine, origin } = this.how
    const raw = record.raw()
    this.known = record.offset + raw.length
    if (record.fault !== undefined || record.blank) return
    for (let cell = 0; cell < record.count; cell++) this.mark(record, cell)
    const { header } = origin
    const found = addedTo({ line: record.line, raw }, { headerLine, head: this.head }, this.receipts)
    if (record.line === headerLine) this.head = raw
    // a short row without a receipt stays short: filled, it could be read as another row
    if (found === undefined && (record.line < headerLine || record.count < header.length)) return
    const missing = Array.from({ length: Math.max(0, header.length - record.count) }, () => "")
    const cells = [...missing, ...(found ?? receiptColumns.map(() => ""))]
    const { delimiter } = origin.dialect
    const text = cells.map((cell) => `${delimiter}${quoted(cell, delimiter)}`).join("")
    const isLonger = record.count > header.length
    const quote = isLonger && (record.flags[header.length]! & Quoted) !== 0 ? 1 : 0
    const end = isLonger ? record.startOf(header.length) - quote - 1 : raw.length
    this.insertions.push({ at: record.offset + end, text })
  }

  /** Puts an apostrophe before each formula of a cell. */
  private mark(record: Scanner, cell: number): void {
    const raw = record.rawCell(cell)
    const text = decode(raw, this.how.origin.encoding)
    const marked = FormulaText.neutralized(text)
    if (marked === text) return
    let at = 0
    let byte = 0
    for (const unit of marked.split("")) {
      if (unit === text.charAt(at)) {
        at++
        continue
      }
      while (decode(raw.slice(0, byte), this.how.origin.encoding) !== text.slice(0, at)) byte++
      this.insertions.push({ at: record.offset + record.startOf(cell) + byte, text: unit })
    }
  }

  private drain(to: number): Uint8Array {
    const parts: Array<Uint8Array> = []
    const upTo = (place: number) => {
      const size = place - this.from
      parts.push(this.pending.subarray(0, size))
      this.pending = this.pending.subarray(size)
      this.from = place
    }
    for (const { at, text } of this.insertions.toSorted((a, b) => a.at - b.at)) {
      upTo(at)
      parts.push(this.encoded(text))
    }
    this.insertions = []
    if (to > this.from) upTo(to)
    const bytes = Buffer.concat(parts)
    const { encoding } = this.how.origin
    if (!isWide(encoding)) return bytes
    const wide = Buffer.from(bytes.toString("utf8"), "utf16le")
    return encoding === "utf-16le" ? wide : wide.swap16()
  }

  private encoded(text: string): Uint8Array {
    if (scanned(this.how.origin.encoding) === "utf-8") return Buffer.from(text)
    // the other encodings have ASCII in common
    return Buffer.from(text.replaceAll(/[^\n\r -~\t]/g, "?"), "latin1")
  }
}

/**
 * Returns the bytes of a text file, with its separators and line ends, in its encoding; in UTF-8 if
 * its encoding has characters of several bytes.
 */
export const write = <E, R>(
  packed: Adapter.InputFile,
  options: CsvOptions,
  documents: ImportedDocuments<E, R>
): Stream.Stream<Uint8Array, Adapter.AdapterError | E, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const file = ByteSource.decompressed(packed)
      const { how } = yield* Detection.detect(file, options)
      const writer = new ReceiptWriter(how, yield* receiptsOf(file, documents))
      return Stream.concat(
        Stream.concat(
          Stream.sync(() => writer.start()),
          Stream.map(file.bytes, (chunk) => writer.write(chunk))
        ),
        Stream.sync(() => writer.finish())
      )
    })
  )

/** Returns the rows of a table with typed cells, for a writer of another file format. */
export const rows = <E, R>(
  table: Table,
  options: CsvOptions,
  documents: ImportedDocuments<E, R>
): Effect.Effect<Stream.Stream<RefusedRow, Adapter.AdapterError>, Adapter.AdapterError | E, R> =>
  Effect.gen(function* () {
    const { how } = yield* Detection.detect(table, options)
    const receipts = yield* receiptsOf(table, documents)
    const { headerLine, origin } = how
    let found: Array<RefusedRow> = []
    const scanner = new Scanner({ ...origin, ...how.start }, (record) => {
      if (record.blank) return
      const row = Row.of(record, origin)
      const cells = Row.typedCells(row)
      const added = addedTo(row, { headerLine, head: undefined }, receipts)
      const { length } = origin.header
      const missing = Array.from({ length: Math.max(0, length - cells.length) }, () => asText(""))
      const all =
        added === undefined
          ? cells
          : [...cells.slice(0, length), ...missing, ...added.map(asText), ...cells.slice(length)]
      found.push({ sheet: origin.sheet, line: row.line, delimiter: origin.dialect.delimiter, cells: all })
    })
    const take = (chunk?: Uint8Array) => {
      found = []
      if (chunk === undefined) scanner.finish()
      else scanner.write(chunk)
      return found
    }
    return Stream.concat(
      Stream.map(table.bytes, (chunk) => take(chunk)),
      Stream.sync(() => take())
    ).pipe(MapConcat.mapConcat((rows) => rows))
  })
