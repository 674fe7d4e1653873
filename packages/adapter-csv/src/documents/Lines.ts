/** The lines of a document: one from every row that has something in a line's columns. */
import type { Money } from "@fiscal-connector/core/document/Money"
import type { SourceLine, SourceTax } from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal } from "effect"
import { type Cells, filledCell } from "../columns/Binding.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import * as IdentifierForm from "../values/IdentifierForm.ts"
import { type Cell, Notes } from "./Notes.ts"
import * as NumberForm from "../values/NumberForm.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

type Writable<A> = { -readonly [Key in keyof A]: A[Key] }

export class Lines {
  readonly lines: Array<SourceLine> = []
  /** The row of each line. */
  readonly rows: Array<Row.Row> = []
  private readonly how: Interpretation
  private readonly notes: Notes

  constructor(how: Interpretation, notes: Notes) {
    this.how = how
    this.notes = notes
  }

  take(record: Scanner, row: Row.Row): void {
    const { line: cells, taxes } = this.how.binding
    const index = this.lines.length
    const found = this.notes.findings.length
    const line: Writable<SourceLine> = { taxes: [] }
    const description = filledCell(record, cells.description)
    if (description >= 0) line.description = this.text(record, row, description, index, "description")
    const productCode = filledCell(record, cells.productCode)
    if (productCode >= 0) {
      const text = record.cell(productCode).trim()
      const plain = Notes.isOrdinary(text, record.flags[productCode]!) && IdentifierForm.isPlain(text)
      line.productCode = plain ? text : this.notes.identifier(this.cell(record, row, productCode, index, "productCode"))
    }
    const quantity = this.number(record, row, cells.quantity, index, "quantity")
    if (quantity !== undefined) line.quantity = quantity
    const unitAmount = this.number(record, row, cells.unitPrice, index, "unitAmount")
    if (unitAmount !== undefined) line.unitAmount = unitAmount
    const lineAmount = this.number(record, row, cells.lineAmount, index, "lineAmount")
    if (lineAmount !== undefined) line.lineAmount = lineAmount
    const amount = this.number(record, row, cells.discount, index, "discount")
    const percent = this.number(record, row, cells.discountPercent, index, "discount", NumberForm.readPercent)
    if (amount !== undefined && !BigDecimal.isZero(amount)) line.discount = { amount }
    else if (percent !== undefined && !BigDecimal.isZero(percent)) line.discount = { percent }
    const empty =
      line.description === undefined &&
      productCode < 0 &&
      quantity === undefined &&
      unitAmount === undefined &&
      lineAmount === undefined &&
      line.discount === undefined
    // a row of another child table beside the lines, or of the document alone
    if (empty && this.notes.findings.length === found) return
    const stated: Array<SourceTax> = []
    for (const tax of taxes) {
      const code = filledCell(record, tax.code)
      if (code < 0) continue
      const percent = this.number(record, row, tax.percent, index, "taxes", NumberForm.readPercent)
      const amount = this.number(record, row, tax.amount, index, "taxes")
      stated.push({
        code: this.text(record, row, code, index, "taxes"),
        ...(percent !== undefined && { percent }),
        ...(amount !== undefined && { amount })
      })
    }
    line.taxes = stated
    this.lines.push(line)
    this.rows.push(row)
  }

  /** Leaves out lines, counted from 0. */
  remove(lines: ReadonlySet<number>): void {
    const kept = this.lines.flatMap((line, i) => (lines.has(i) ? [] : [{ line, row: this.rows[i]! }]))
    this.lines.splice(0, this.lines.length, ...kept.map(({ line }) => line))
    this.rows.splice(0, this.rows.length, ...kept.map(({ row }) => row))
  }

  private number(
    record: Scanner,
    row: Row.Row,
    cells: Cells,
    index: number,
    field: string,
    read = NumberForm.read
  ): Money | undefined {
    const cell = filledCell(record, cells)
    if (cell < 0) return undefined
    const mark = this.how.decimalMarks[cell]!
    return (
      NumberForm.plainAt(record.bytes, record.starts[cell]!, record.ends[cell]!, mark) ??
      this.notes.number(this.cell(record, row, cell, index, field), mark, read)
    )
  }

  private text(record: Scanner, row: Row.Row, cell: number, index: number, field: string): string {
    const text = record.cell(cell)
    return Notes.isOrdinary(text, record.flags[cell]!)
      ? text.trim()
      : this.notes.text(this.cell(record, row, cell, index, field))
  }

  private cell(record: Scanner, row: Row.Row, cell: number, index: number, field: string): Cell {
    return {
      text: record.cell(cell),
      column: this.how.origin.header[cell] ?? "",
      path: ["lines", index, field],
      at: () => Row.where(row, cell)
    }
  }
}
