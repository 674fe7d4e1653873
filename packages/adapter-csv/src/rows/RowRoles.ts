/**
 * Rows outside the lines of documents: a row that has the name of a total, or sums the rows above
 * it; in a report, a row with a single cell, which names the group of the rows below.
 */
import { ColumnProfile, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { type BoundCells, cellsOfDocument, filledCell } from "../columns/Binding.ts"
import { type Interpretation, readAt } from "../detect/Interpretation.ts"
import * as Row from "../scan/Row.ts"
import { countFilled, firstFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"
import { beginsAlike, isTotalName, pageOf } from "./TotalRows.ts"

/**
 * `unsure`: a row with the name of a total, and an amount that fits no sum. `problem`: a total of a
 * report that differs from its rows.
 */
export type RowRole = "line" | "total" | "unsure" | "group" | "outside" | { readonly text: string }

const totalOfGroup = /^(sub-?total|total for|total)\b/i
const totalOfAll = /^(grand total|total)$/i

export class RowRoles {
  group: Row.Row | undefined = undefined
  private readonly how: Interpretation
  private readonly sums = new ColumnProfile.SumsAbove()
  /** Sums of the documents' totals: a footer may state only these. */
  private readonly totals = new ColumnProfile.SumsAbove()
  private last: string | undefined = undefined
  private page: number | undefined = undefined
  private pages: number | undefined = undefined
  private readonly numberCells: BoundCells
  private readonly totalCells: BoundCells
  private isFinished = false

  constructor(how: Interpretation) {
    this.how = how
    this.numberCells = cellsOfDocument(how.binding, "number")
    this.totalCells = cellsOfDocument(how.binding, "total")
  }

  take(record: Scanner, key: string): void {
    if (this.how.layout === "report") return
    const [described = -1] = this.how.binding.line.description
    // a total among the lines of a document is settled in the document
    this.sums.take(this.isNamedTotal(record, described) ? undefined : this.figure(record), key)
    if (key === "" || key === this.last) return
    this.last = key
    this.totals.take(this.figure(record, "documents"), key)
  }

  role(record: Scanner): RowRole {
    const first = firstFilled(record)
    if (this.how.layout === "report") return this.inReport(record, first)
    if (!mayBeTotal(record, first)) return this.isSumWithoutName(record) ? "unsure" : "line"
    const footer = pageOf(record.cell(first).trim())
    if (footer !== undefined && countFilled(record) <= 2) return this.turn(footer)
    if (!this.isNamedTotal(record, first)) return "line"
    const figure = this.figure(record)
    const total = this.figure(record, "documents")
    const isSum = figure === undefined ? total !== undefined && this.totals.isAny(total) : this.sums.isAny(figure)
    if (!isSum) return "unsure"
    this.sums.begin()
    this.totals.begin()
    return "total"
  }

  private inReport(record: Scanner, first: number): RowRole {
    const isOutside = filledCell(record, this.numberCells) < 0
    const text = isOutside ? record.cell(first).trim() : ""
    if (isOutside && totalOfGroup.test(text)) return this.totalOf(record, text)
    if (!isOutside || countFilled(record) > 1) {
      this.sums.take(this.figure(record))
      return "line"
    }
    if (this.isFinished) return "outside"
    this.group = Row.of(record, this.how.origin)
    this.sums.begin()
    return "group"
  }

  /** After a difference it is unknown which row is missing. */
  private totalOf(record: Scanner, text: string): RowRole {
    const stated = this.amount(record)
    const ofAll = totalOfAll.test(text)
    const sum = ColumnProfile.unscaled(ofAll ? this.sums.all : this.sums.since)
    if (ofAll) this.isFinished = true
    else {
      this.group = undefined
      this.sums.begin()
    }
    return stated === undefined || BigDecimal.equals(stated, sum)
      ? "total"
      : { text: `rows come to ${Money.formatAmount(sum)}, "${text}" says ${Money.formatAmount(stated)}` }
  }

  /**
   * In any language: without a number, quantity and price. A sum alone never settles that a row is
   * not a line.
   */
  private isSumWithoutName(record: Scanner): boolean {
    const { line } = this.how.binding
    if ([this.numberCells, line.quantity, line.unitPrice].some((cells) => filledCell(record, cells) >= 0)) return false
    const figure = this.figure(record)
    return figure !== undefined && figure !== 0n && this.sums.isAll(figure, "rows")
  }

  private turn({ of, page }: { readonly page: number; readonly of: number | undefined }): RowRole {
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

  private amount(record: Scanner, of: "rows" | "documents" = "rows"): Money.Money | undefined {
    const cell = filledCell(record, of === "rows" ? this.how.binding.line.lineAmount : this.totalCells)
    const read = cell < 0 ? undefined : readAt(this.how, record, cell)
    if (typeof read !== "string") return read
    const sums = of === "rows" ? this.sums : this.totals
    sums.lose()
    return undefined
  }

  private figure(record: Scanner, of?: "documents"): bigint | undefined {
    const amount = this.amount(record, of)
    return amount && ColumnProfile.scaled(amount)
  }
}

const mayBeTotal = ({ bytes, count, ends, starts }: Scanner, cell: number): boolean => {
  if (cell < 0 || cell >= count) return false
  const from = starts[cell]!
  const length = ends[cell]! - from
  return length > 2 && beginsAlike(bytes[from]!, bytes[from + 1]!, bytes[from + 2]!, length)
}
