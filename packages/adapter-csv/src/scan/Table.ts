/**
 * Rows of cells that are no text file, as a sheet of a workbook: what a cell is stands beside what it says. They are read as CSV is, by the
 * same laws and questions; a row's number is its line.
 */
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import { Buffer } from "node:buffer"
import { EVIDENCE, NOT_TEXT, NUMBER, ROW_END, TROUBLE } from "./ByteClass.ts"

/** A table of a file of an export; `bytes` are what `Writer` writes. */
export interface Table extends InputFile {
  readonly table: {
    readonly sheet: string
    /**
     * What is found where a cell is not what it says: by the reason that was written with it, and `date` (a date where text belongs), `format`
     * (a number in a format of its own where text belongs), `hidden` (a document of which some rows are passed over).
     */
    readonly troubles: Readonly<Record<string, FindingCode>>
    /** About the table as a whole. */
    readonly findings: ReadonlyArray<Finding>
    /** Why the row with that number cannot be the header. */
    readonly headerTrouble: (line: number) => { readonly problem: string; readonly fix: string } | undefined
    /** Rows that are passed over by the person's word. */
    readonly passed: ((line: number) => boolean) | undefined
    /** Whether a cell of the same column above is merged over the cell; `cell` is counted from 0. */
    readonly covered?: ((line: number, cell: number) => boolean) | undefined
  }
}

/** Whether the file is rows of cells that were read already, and no text. */
export const isTable = (file: InputFile): file is Table => "table" in file

/** What a cell is: a text, a number with a decimal point, the same in a format of its own, a date as 2026-01-31, or one that cannot be taken. */
export type CellKind = "text" | "number" | "formatted" | "date" | "trouble"

const cellEnd = 0xff
const longest = 1 << 20

/** Writes rows of cells in the order of their numbers and columns, both counted from 1. Fails by its return value, never by throwing. */
export class Writer {
  private buffer = Buffer.allocUnsafe(1 << 16)
  private length = 0
  private rowStart = 0
  private row = 1
  private column = 1
  private filled = 0
  private inRow = false

  /** Begins the row with that number; false where it is not after the last one. */
  begin(row: number): boolean {
    if (row < this.row) return false
    this.reserve(row - this.row)
    this.buffer.fill(ROW_END, this.length, this.length + row - this.row)
    this.length += row - this.row
    this.row = row
    this.column = 1
    this.filled = this.rowStart = this.length
    this.inRow = true
    return true
  }

  /** `before` and `after`: evidence. False where the column is not after the last one. */
  cell(column: number, kind: CellKind, text: string, ...evidence: ReadonlyArray<string>): boolean {
    if (!this.open(column, kind)) return false
    this.text(text)
    return this.close(evidence)
  }

  /** A text whose UTF-8 is at hand. */
  bytes(column: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.open(column, "text")) return false
    this.reserve(to - from)
    this.buffer.set(bytes.subarray(from, to), this.length)
    this.length += to - from
    return this.close([])
  }

  /** Ends the row; false where it is longer than a record may be. Blank cells at its end are left out. */
  end(): boolean {
    this.length = this.filled
    this.reserve(1)
    this.buffer[this.length++] = ROW_END
    this.row++
    this.inRow = false
    return this.length - this.rowStart < longest
  }

  /** What was written since the last time. */
  take(): Uint8Array {
    const taken = Buffer.from(this.buffer.subarray(0, this.length))
    this.length = this.filled = this.rowStart = 0
    return taken
  }

  /** How many bytes there are to take, of rows that have ended. */
  get size(): number {
    return this.inRow ? 0 : this.length
  }

  private open(column: number, kind: CellKind): boolean {
    if (column < this.column) return false
    this.reserve(column - this.column + 2)
    while (this.column < column) {
      this.buffer[this.length++] = cellEnd
      this.column++
    }
    if (kind === "number" || kind === "formatted") this.buffer[this.length++] = NUMBER
    if (kind === "date" || kind === "formatted") this.buffer[this.length++] = NOT_TEXT
    if (kind === "trouble") this.buffer[this.length++] = TROUBLE
    return true
  }

  private close(evidence: ReadonlyArray<string>): boolean {
    for (const part of evidence) {
      this.reserve(1)
      this.buffer[this.length++] = EVIDENCE
      this.text(part)
    }
    this.filled = this.length
    return this.length - this.rowStart < longest
  }

  private text(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.buffer.write(text, this.length, "utf8")
  }

  private reserve(size: number): void {
    if (this.length + size <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.length + size, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}
