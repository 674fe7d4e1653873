import { Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { type Interpretation, markOf, readAt } from "../detect/Interpretation.ts"
import * as CurrencySign from "../values/CurrencySign.ts"
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
  raw: string
  last: Money.Money
  readonly signs: Set<string>
}

export interface ColumnAmount {
  readonly amount: SourceDocument.SourceAmount
  readonly row: Row.Row
  readonly cell: number
}

/** Cells without a number after which a column without any number is a column of texts. */
const mostTexts = 8

/** Limit of different values: a column with more values does not state one total. */
const mostValues = 8

/**
 * One value if the rows repeat it and no quantity shows that it is the amount of a row. Empty for a
 * single row, or if no question is open.
 */
export const rowAmounts = (
  { rowAmounts: open }: Interpretation,
  { lines, rows }: CsvLines
): ReadonlyArray<ColumnAmount> =>
  (lines.length < 2 ? [] : open).flatMap(({ answers, cell, name, of }): ReadonlyArray<ColumnAmount> => {
    const amounts = lines.map(({ discount, lineAmount, quantity, unitPrice }) => {
      const off = discount !== undefined && "amount" in discount ? discount.amount : Money.zero
      const product = quantity && unitPrice && BigDecimal.multiply(quantity, unitPrice)
      const due = product && (of === "amount" ? product : BigDecimal.subtract(product, off))
      return {
        amount: of === "amount" ? (lineAmount ?? unitPrice ?? Money.zero) : off,
        isOfRow: due !== undefined && lineAmount !== undefined && BigDecimal.equals(due, lineAmount)
      }
    })
    if (of === "discount" && amounts.every(({ amount }) => BigDecimal.isZero(amount))) return []
    const { amount: first } = amounts[0]!
    const isOther = amounts.some(({ amount, isOfRow }) => isOfRow || !BigDecimal.equals(amount, first))
    const stated = { name, values: [first] }
    return [
      { amount: isOther ? { ...stated, of: "rows" } : { ...stated, of: "repeated", answers }, row: rows[0]!, cell }
    ]
  })

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
      const raw = record.rawCell(cell)
      const sign = NumberForm.moneySign(record.cell(cell, raw), this.how.moneySigns)
      if (known === undefined)
        this.stated[i] = { values: [value], sum: value, rows: 1, row, raw, last: value, signs: new Set(sign && [sign]) }
      else {
        known.raw = raw
        known.last = value
        if (sign !== undefined) known.signs.add(sign)
        this.add(known, value)
        if (known.values.length < mostValues) known.values.push(value)
      }
    }
  }

  /** `total`: the document's own total. `currency`: the document's currency. */
  of(total: "stated" | "unstated", currency: string | undefined): ReadonlyArray<ColumnAmount> {
    return this.how.amounts.flatMap(({ answers, cell, changes, name }, i) => {
      const stated = this.stated[i]
      if (stated === undefined) return []
      const { row, rows, signs, sum, values } = stated
      const other = [...signs].find(
        (sign) => currency !== undefined && CurrencySign.contradicts(sign, currency, this.how.moneySigns.codeOf)
      )
      const amount = {
        name,
        values: rows > 1 ? [...values, sum] : values,
        ...(other !== undefined && { currency: other }),
        answers
      }
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
    if (typeof read !== "string") return read
    const text = record.cell(cell)
    const mark = markOf(this.how, cell, flags)
    // nothing has settled the decimal mark of a column that is not read
    const other = NumberForm.readPercent(text, otherOf(mark), this.how.moneySigns)
    return typeof other === "string" ? NumberForm.amongWords(text, mark, this.how.moneySigns) : other
  }
}

const otherOf = (mark: NumberForm.DecimalMark): NumberForm.DecimalMark => (mark === "point" ? "comma" : "point")
