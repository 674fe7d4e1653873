/** Running sums of a file's rows, for comparison with a row that has the name of a total. */
import { type Interpretation, markOf } from "../detect/Interpretation.ts"
import { cellsOfDocument, filledCell } from "../columns/Binding.ts"
import { countFilled, firstFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { beginsAlike, isTotalName, pageOf } from "./TotalRows.ts"
import { BigDecimal } from "effect"

/** Decimal places of the sums: whole millionths, exact up to nine thousand million. */
const places = 6
const powers = Array.from({ length: places + 1 }, (_, scale) => 10 ** (places - scale))

/** Rows above a row without a name that can be their sum. */
const fewestRows = 3

export class RunningSums {
  private readonly how: Interpretation
  /**
   * Sums of all rows, since the last total, and of the document; NaN after an unreadable amount.
   */
  private all = 0
  private since = 0
  /** Rows with an amount. */
  private rows = 0
  private ofDocument = 0
  private key = ""
  /** Last page that ended, and the number of pages. */
  private page: number | undefined = undefined
  private pages: number | undefined = undefined

  private readonly numberCells: ReadonlyArray<number>

  constructor(how: Interpretation) {
    this.how = how
    this.numberCells = cellsOfDocument(how.binding, "number")
  }

  /** Adds a row that was accepted as a line. */
  take(record: Scanner, key: string): void {
    const [described = -1] = this.how.binding.line.description
    // a total among the lines of a document is settled in the document
    const amount = this.isNamedTotal(record, described) ? 0 : (this.amount(record) ?? 0)
    this.all += amount
    if (amount !== 0) this.rows++
    this.since += amount
    if (key !== "" && key !== this.key) {
      this.key = key
      this.ofDocument = 0
    }
    this.ofDocument += amount
  }

  /**
   * Returns the role of a row. `unsure`: a row with the name of a total, and an amount that fits no
   * sum.
   */
  role(record: Scanner): "line" | "total" | "unsure" {
    const first = firstFilled(record)
    if (!mayBeTotal(record, first)) return this.isSumWithoutName(record) ? "unsure" : "line"
    const footer = pageOf(record.cell(first).trim())
    if (footer !== undefined && countFilled(record) <= 2) return this.turn(footer)
    if (!this.isNamedTotal(record, first)) return "line"
    const amount = this.amount(record)
    const comesOut = amount !== undefined && [this.all, this.since, this.ofDocument].includes(amount)
    if (comesOut) this.since = 0
    return comesOut ? "total" : "unsure"
  }

  /**
   * Tests for a row that sums the rows above it, in any language: without a number, quantity and
   * price. A sum alone never settles that a row is not a line.
   */
  private isSumWithoutName(record: Scanner): boolean {
    const { line } = this.how.binding
    if (this.rows < fewestRows || filledCell(record, this.numberCells) >= 0) return false
    if (filledCell(record, line.quantity) >= 0 || filledCell(record, line.unitPrice) >= 0) return false
    const amount = this.amount(record)
    return amount !== undefined && amount !== 0 && amount === this.all
  }

  /** Checks a page footer: page numbers ascend, up to the number of pages. */
  private turn({ of, page }: { readonly page: number; readonly of: number | undefined }): "total" | "unsure" {
    const follows = this.page === undefined || page === this.page || page === this.page + 1
    if (!follows || (of !== undefined && (page > of || of !== (this.pages ?? of)))) return "unsure"
    this.page = page
    this.pages = of ?? this.pages
    return "total"
  }

  private isNamedTotal(record: Scanner, cell: number): boolean {
    if (!mayBeTotal(record, cell) || !isTotalName(record.cell(cell).trim())) return false
    const { line } = this.how.binding
    // a sold item has a quantity and a price
    return filledCell(record, line.quantity) < 0 || filledCell(record, line.unitPrice) < 0
  }

  private amount(record: Scanner): number | undefined {
    const cell = filledCell(record, this.how.binding.line.lineAmount)
    if (cell < 0) return undefined
    const mark = markOf(this.how, cell, record.flags[cell]!)
    const plain = plainMillionths(record.bytes, record.starts[cell]!, record.ends[cell]!, mark)
    if (plain !== undefined) return plain
    const amount = NumberForm.read(record.cell(cell), mark, this.how.moneySigns)
    if (!BigDecimal.isBigDecimal(amount)) return amount === undefined ? undefined : Number.NaN
    const power = powers[amount.scale]
    return power === undefined ? Number.NaN : Number(amount.value) * power
  }
}

/** Returns true if the cell begins like a known name of a total. */
const mayBeTotal = ({ bytes, count, ends, starts }: Scanner, cell: number): boolean => {
  if (cell < 0 || cell >= count) return false
  const from = starts[cell]!
  const length = ends[cell]! - from
  return length > 2 && beginsAlike(bytes[from]!, bytes[from + 1]!, bytes[from + 2]!, length)
}

/** Reads plain digits as millionths, without creating a decimal; undefined for any other cell. */
const plainMillionths = (
  bytes: Uint8Array,
  from: number,
  to: number,
  mark: NumberForm.DecimalMark
): number | undefined => {
  const point = mark === "point" ? 0x2e : 0x2c
  const negative = bytes[from] === 0x2d
  let value = 0
  let scale = -1
  if (to - from > 15) return undefined
  for (let i = negative ? from + 1 : from; i < to; i++) {
    const code = bytes[i]!
    if (code >= 0x30 && code <= 0x39) {
      value = value * 10 + code - 0x30
      if (scale >= 0) scale++
    } else if (code === point && scale < 0) scale = 0
    else return undefined
  }
  const power = powers[Math.max(scale, 0)]
  return power === undefined ? undefined : (negative ? -value : value) * power
}
