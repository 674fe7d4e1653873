/**
 * Collects the values of unread amount columns; core compares the values with the total to be sent.
 */
import * as Money from "@fiscal-connector/core/document/Money"
import type { SourceAmount } from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal } from "effect"
import { type Interpretation, markOf, readAt } from "../detect/Interpretation.ts"
import type { CsvLines } from "./Lines.ts"
import type * as Row from "../scan/Row.ts"
import { isFilled } from "../scan/RowShape.ts"
import { NotText, NumberCell, type Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"

interface ColumnAmounts {
  readonly values: Array<Money.Money>
  sum: Money.Money
  rows: number
  readonly row: Row.Row
  /** Last cell as in the file, and its value. */
  raw: string
  last: Money.Money
}

/** An amount, and its first cell. */
export interface ColumnAmount {
  readonly amount: SourceAmount
  readonly row: Row.Row
  readonly cell: number
}

/** Cells without a number after which a column without any number is a column of texts. */
const mostTexts = 8

/** Limit of different values: a column with more values does not state one total. */
const mostValues = 8

/**
 * Returns the amounts of a document's rows: one value if the rows repeat it and no quantity shows
 * that it is the amount of a row. Undefined for a single row, or if no question is open.
 */
export const rowAmounts = ({ rowAmounts: of }: Interpretation, { lines, rows }: CsvLines): ColumnAmount | undefined => {
  if (of === undefined || lines.length < 2) return undefined
  const amounts = lines.map(({ lineAmount, quantity, unitPrice }) => ({
    amount: lineAmount ?? unitPrice ?? Money.zero,
    isOfRow:
      quantity !== undefined &&
      unitPrice !== undefined &&
      lineAmount !== undefined &&
      BigDecimal.equals(BigDecimal.multiply(quantity, unitPrice), lineAmount)
  }))
  const [first] = amounts
  const other = amounts.find(({ amount, isOfRow }) => isOfRow || !BigDecimal.equals(amount, first!.amount))
  const { answers, cell, name } = of
  const stated = { name, values: [first!.amount] }
  const amount: SourceAmount = other === undefined ? { ...stated, of: "repeated", answers } : { ...stated, of: "rows" }
  return { amount, row: rows[0]!, cell }
}

export class UnreadAmounts {
  private readonly how: Interpretation
  private readonly stated: Array<ColumnAmounts | undefined>

  constructor(how: Interpretation) {
    this.how = how
    this.stated = how.amounts.map(() => undefined)
  }

  take(record: Scanner, row: Row.Row): void {
    const { amounts } = this.how
    for (let i = 0; i < amounts.length; i++) {
      const column = amounts[i]!
      const { cell } = column
      if (column.holds === "texts" || !isFilled(record, cell)) continue
      const known = this.stated[i]
      if (known !== undefined && record.isCell(cell, known.raw)) {
        this.add(known, known.last)
        continue
      }
      const value = this.valueOf(record, cell)
      if (value === undefined) continue
      if (typeof value === "string") {
        // a column of texts costs a few failed reads
        if (column.texts++ === mostTexts) column.holds = "texts"
        continue
      }
      column.texts = Number.NEGATIVE_INFINITY
      if (known === undefined)
        this.stated[i] = { values: [value], sum: value, rows: 1, row, raw: record.rawCell(cell), last: value }
      else {
        known.raw = record.rawCell(cell)
        known.last = value
        this.add(known, value)
        if (known.values.length < mostValues) known.values.push(value)
      }
    }
  }

  /** Returns the amounts for core, each with its cell. `total`: the document's own total. */
  of(total: "stated" | "unstated"): ReadonlyArray<ColumnAmount> {
    return this.how.amounts.flatMap(({ answers, cell, changes, name }, i) => {
      const stated = this.stated[i]
      if (stated === undefined) return []
      const { row, rows, sum, values } = stated
      const amount = { name, values: rows > 1 ? [...values, sum] : values, answers }
      return [{ amount: total === "stated" ? amount : { ...amount, changes }, row, cell }]
    })
  }

  private add(stated: ColumnAmounts, value: Money.Money): void {
    stated.sum = BigDecimal.sum(stated.sum, value)
    stated.rows++
  }

  private valueOf(record: Scanner, cell: number): NumberForm.ParsedNumber {
    const flags = record.flags[cell]!
    if ((flags & NotText) !== 0 && (flags & NumberCell) === 0) return "is a date"
    const read = readAt(this.how, record, cell, NumberForm.readPercent)
    // nothing has settled the decimal mark of a column that is not read
    return typeof read === "string"
      ? NumberForm.readPercent(record.cell(cell), otherOf(markOf(this.how, cell, flags)), this.how.moneySigns)
      : read
  }
}

const otherOf = (mark: NumberForm.DecimalMark): NumberForm.DecimalMark => (mark === "point" ? "comma" : "point")
