/**
 * Rows of a report outside the lines: a row with a single cell names the group of the rows below,
 * and total rows close a group. A total must equal the sum of the rows above; otherwise rows are
 * missing or changed, and it is unknown which.
 */
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal } from "effect"
import { type Binding, filledCell } from "../columns/Binding.ts"
import { type Interpretation, markOf } from "../detect/Interpretation.ts"
import * as NumberForm from "../values/NumberForm.ts"
import * as Row from "../scan/Row.ts"
import { countFilled, firstFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"

export type RowRole =
  | { readonly is: "line" }
  | { readonly is: "group" }
  | { readonly is: "outside" }
  /** `problem`: sums that differ. */
  | { readonly is: "total"; readonly problem: string | undefined }

const line: RowRole = { is: "line" }
const group: RowRole = { is: "group" }
const outside: RowRole = { is: "outside" }

const totalOfGroup = /^(sub-?total|total for|total)\b/i
const totalOfAll = /^(grand total|total)$/i

export class ReportRows {
  /** Group row of the next rows. */
  group: Row.Row | undefined = undefined
  private readonly how: Interpretation
  private inGroup: Money.Money = Money.zero
  private inAll: Money.Money = Money.zero
  private finished = false

  constructor(how: Interpretation) {
    this.how = how
  }

  /** Returns the role of a row, and adds the amounts of lines to the sums. */
  role(record: Scanner): RowRole {
    const first = firstFilled(record)
    const text = record.cell(first).trim()
    if (totalOfGroup.test(text) && this.isOutsideRow(record)) return this.total(record, text)
    if (countFilled(record) === 1 && this.isOutsideRow(record)) {
      if (this.finished) return outside
      this.group = Row.of(record, this.how.origin)
      this.inGroup = Money.zero
      return group
    }
    const amount = this.amount(record)
    if (amount !== undefined) {
      this.inGroup = BigDecimal.sum(this.inGroup, amount)
      this.inAll = BigDecimal.sum(this.inAll, amount)
    }
    return line
  }

  /** Returns true for a row with an empty number column. */
  private isOutsideRow(record: Scanner): boolean {
    return filledCell(record, numberCells(this.how.binding)) < 0
  }

  private total(record: Scanner, text: string): RowRole {
    const stated = this.amount(record)
    const ofAll = totalOfAll.test(text)
    const sum = ofAll ? this.inAll : this.inGroup
    if (ofAll) this.finished = true
    else {
      this.group = undefined
      this.inGroup = Money.zero
    }
    const comesOut = stated === undefined || BigDecimal.equals(stated, sum)
    return {
      is: "total",
      problem: comesOut
        ? undefined
        : `rows come to ${Money.formatAmount(sum)}, "${text}" says ${Money.formatAmount(stated)}`
    }
  }

  private amount(record: Scanner): Money.Money | undefined {
    const cell = filledCell(record, this.how.binding.line.lineAmount)
    if (cell < 0) return undefined
    const amount = NumberForm.read(record.cell(cell), markOf(this.how, cell, record.flags[cell]!), this.how.moneySigns)
    return BigDecimal.isBigDecimal(amount) ? amount : undefined
  }
}

const numberCells = (binding: Binding) => binding.document.find(({ field }) => field === "number")?.cells ?? []
