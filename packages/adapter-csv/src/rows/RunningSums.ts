/** What the rows of a file come to so far, so that a row that is called a total can be held against them. */
import type { Interpretation } from "../detect/Interpretation.ts"
import { filledCell } from "../columns/Binding.ts"
import { countFilled, firstFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { isPageFooter, isTotalName } from "./TotalRows.ts"
import { BigDecimal } from "effect"

/** Sums are whole millionths, exact up to nine thousand million. */
const places = 6
const powers = Array.from({ length: places + 1 }, (_, scale) => 10 ** (places - scale))

export class RunningSums {
  private readonly how: Interpretation
  /** Of all rows, since the last total, and of the document; NaN where a row does not say its amount. */
  private all = 0
  private since = 0
  private ofDocument = 0
  private key = ""

  constructor(how: Interpretation) {
    this.how = how
  }

  /** Adds a row that was taken as a line. */
  take(record: Scanner, key: string): void {
    const amount = this.amount(record) ?? 0
    this.all += amount
    this.since += amount
    if (key !== "" && key !== this.key) {
      this.key = key
      this.ofDocument = 0
    }
    this.ofDocument += amount
  }

  /** `unsure`: its name says that it is a total, and its amount does not. */
  role(record: Scanner): "line" | "total" | "unsure" {
    const first = firstFilled(record)
    // most rows begin with a number, or with what is no letter of these names
    const letter = record.bytes[record.starts[first]!]! | 0x20
    if (!initials.has(letter)) return "line"
    const text = record.cell(first).trim()
    if (isPageFooter(text) && countFilled(record) <= 2) return "total"
    if (!isTotalName(text)) return "line"
    const { line } = this.how.binding
    // what is sold has a number of pieces and a price
    if (filledCell(record, line.quantity) >= 0 && filledCell(record, line.unitPrice) >= 0) return "line"
    const amount = this.amount(record)
    const comesOut = amount !== undefined && [this.all, this.since, this.ofDocument].includes(amount)
    if (comesOut) this.since = 0
    return comesOut ? "total" : "unsure"
  }

  private amount(record: Scanner): number | undefined {
    const cell = filledCell(record, this.how.binding.line.lineAmount)
    if (cell < 0) return undefined
    const mark = this.how.decimalMarks[cell]!
    const plain = NumberForm.plainAt(record.bytes, record.starts[cell]!, record.ends[cell]!, mark)
    const amount = plain ?? NumberForm.read(record.cell(cell), mark)
    if (!BigDecimal.isBigDecimal(amount)) return amount === undefined ? undefined : Number.NaN
    const power = powers[amount.scale]
    return power === undefined ? Number.NaN : Number(amount.value) * power
  }
}

const initials = new Set([..."stgnpibacz"].map((letter) => letter.charCodeAt(0)))
