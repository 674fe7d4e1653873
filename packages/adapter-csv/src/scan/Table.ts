/**
 * Rows of cells with a kind and a text, such as a sheet of a workbook. They are read by the same
 * rules and questions as CSV; a row's number is its line.
 */
import type { Adapter, Finding, FindingCode, Statement } from "@fiscal-connector/core/adapter"
import { Buffer } from "node:buffer"
import { EVIDENCE, NOT_TEXT, NUMBER, ROW_END, TROUBLE } from "./ByteClass.ts"

export { apply as correctedBytes, type CorrectedCell } from "./CorrectedCells.ts"

/** A number that is shown with words, or struck through; `column` from 0. */
export interface Look {
  readonly column: number
  readonly cell: string
  /** `undefined`: struck through. */
  readonly words: string | undefined
}

/** A table in a file of an export; `bytes` is the output of `Writer`. */
export interface Table extends Adapter.InputFile {
  readonly table: {
    readonly sheet: string
    /**
     * By the reason written with the cell, and for three cases: `date` (a date instead of text),
     * `format` (a number with a special format instead of text), `hidden` (a document with skipped
     * rows).
     */
    readonly troubles: Readonly<Record<string, FindingCode.FindingCode>>
    readonly findings: ReadonlyArray<Finding.Finding>
    /** Statements outside the rows that are not read, such as comments. */
    readonly statements?: ReadonlyArray<Statement.Statement>
    /** First number of each column that is shown with words, or struck through. */
    readonly looks?: ReadonlyArray<Look>
    /** Returns the reason why the row with this number cannot be the header. */
    readonly headerTrouble: (line: number) => { readonly text: string; readonly fix: string } | undefined
    /** Returns true for rows that the operator decided to skip. */
    readonly passed: ((line: number) => boolean) | undefined
    /**
     * True if a cell above in the same column is merged over the cell; `cell` is counted
     * from 0.
     */
    readonly covered?: ((line: number, cell: number) => boolean) | undefined
  }
}

/** True if the file is a table with cells that are already read, not a text file. */
export const isTable = (file: Adapter.InputFile): file is Table => "table" in file

/**
 * Kind of a cell: a text, a number with a decimal point, a number with a special format, a date as
 * 2026-01-31, or an unusable cell.
 */
export type CellKind = "text" | "number" | "formatted" | "date" | "trouble"

const cellEnd = 0xff
/** Maximum bytes of a record: 1 MiB, as in a CSV file. */
const longest = 1 << 20

/**
 * Writes rows of cells in the order of their numbers and columns, both counted from 1. Reports
 * failures by return value and never throws.
 */
export class Writer {
  private buffer = Buffer.allocUnsafe(1 << 16)
  private length = 0
  private rowStart = 0
  private row = 1
  private column = 1
  private filled = 0
  private inRow = false

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

  /** False if the column is not after the last column. */
  cell(column: number, kind: CellKind, text: string, ...evidence: ReadonlyArray<string>): boolean {
    if (!this.open(column, kind)) return false
    this.text(text)
    return this.close(evidence)
  }

  bytes(column: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (!this.open(column, "text")) return false
    this.reserve(to - from)
    this.buffer.set(bytes.subarray(from, to), this.length)
    this.length += to - from
    return this.close([])
  }

  /** Without trailing blank cells; false if the row is longer than a record may be. */
  end(): boolean {
    this.length = this.filled
    this.reserve(1)
    this.buffer[this.length++] = ROW_END
    this.row++
    this.inRow = false
    return this.length - this.rowStart < longest
  }

  take(): Uint8Array {
    const taken = Buffer.from(this.buffer.subarray(0, this.length))
    this.length = this.filled = this.rowStart = 0
    return taken
  }

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
