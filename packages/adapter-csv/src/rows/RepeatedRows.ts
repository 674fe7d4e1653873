/**
 * Equal rows in one document are a duplicate by mistake, or two equal lines. Only the document's
 * totals can decide; otherwise the operator decides.
 */
import { Money as MoneyOf, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import * as Row from "../scan/Row.ts"

export interface RowRepeats {
  readonly lines: ReadonlySet<number>
  /**
   * `meant`: the totals fit only with all lines. `mistaken`: the totals fit only without the
   * repeated lines.
   */
  readonly verdict: "meant" | "mistaken" | "undecided"
  readonly detail: string
}

export const judge = (
  lines: ReadonlyArray<SourceDocument.SourceLine>,
  rows: ReadonlyArray<Row.Row>,
  charges: ReadonlyArray<SourceDocument.SourceCharge>,
  totals: RowTotals
): RowRepeats | undefined => {
  const repeated = repeatedOf(rows)
  if (repeated.size === 0) return undefined
  const all = worthOf(lines)?.sum
  const distinct = worthOf(lines.filter((_, i) => !repeated.has(i)))?.sum
  const stated = statedSums(totals)
  if (all === undefined || distinct === undefined || stated.length === 0) {
    return { lines: repeated, verdict: "undecided", detail: "no totals to compare with" }
  }
  const comesOut = (lines: MoneyOf.Money) => {
    const sums = [lines, ...(charges.length > 0 ? [BigDecimal.sum(lines, chargesOf(charges))] : [])]
    return sums.some((sum) => stated.some((total) => BigDecimal.equals(BigDecimal.abs(sum), BigDecimal.abs(total))))
  }
  const detail =
    `all lines ${MoneyOf.formatAmount(all)}, without repeated rows ${MoneyOf.formatAmount(distinct)}, ` +
    `stated ${stated.map(MoneyOf.formatAmount).join(" or ")}`
  const [withAll, withoutRepeats] = [comesOut(all), comesOut(distinct)]
  const verdict = withAll === withoutRepeats ? "undecided" : withAll ? "meant" : "mistaken"
  return { lines: repeated, verdict, detail }
}

/** Rows up to which pairwise comparison is faster than a set of texts. */
const few = 20
const none: ReadonlySet<number> = new Set()

const repeatedOf = (rows: ReadonlyArray<Row.Row>): ReadonlySet<number> => {
  if (rows.length < 2) return none
  let repeated: Set<number> | undefined
  // further lines of one row are no repetition of its first line
  let further = 0
  const texts = rows.map((row, i) => {
    further = rows[i - 1] === row ? further + 1 : 0
    return further === 0 ? Row.comparedText(row) : `${further}\0${Row.comparedText(row)}`
  })
  const seen = rows.length > few ? new Set<string>() : undefined
  for (let i = 0; i < texts.length; i++) {
    // for a few rows, pairwise comparison is faster
    if (seen === undefined ? isAmongFirst(texts, i) : seen.has(texts[i]!)) (repeated ??= new Set()).add(i)
    seen?.add(texts[i]!)
  }
  return repeated ?? none
}

const isAmongFirst = (rows: ReadonlyArray<string>, count: number): boolean => {
  const row = rows[count]
  for (let i = 0; i < count; i++) if (rows[i] === row) return true
  return false
}

const statedSums = ({ net, tax, total }: RowTotals): ReadonlyArray<MoneyOf.Money> =>
  [total, net, total !== undefined && tax !== undefined ? BigDecimal.subtract(total, tax) : undefined].filter(
    (sum) => sum !== undefined
  )

export type RowTotals = SourceDocument.SourceDocument["totals"]

export const worthOf = (lines: ReadonlyArray<SourceDocument.SourceLine>) => {
  let [sum, tolerance] = [MoneyOf.zero, MoneyOf.zero]
  for (const { discount, lineAmount, quantity, unitPrice } of lines) {
    if (lineAmount !== undefined) {
      sum = BigDecimal.sum(sum, lineAmount)
      continue
    }
    if (quantity === undefined || unitPrice === undefined) {
      // a text line without figures
      if (quantity === undefined && unitPrice === undefined) continue
      return undefined
    }
    const product = BigDecimal.multiply(quantity, unitPrice)
    const size =
      discount === undefined
        ? MoneyOf.zero
        : "amount" in discount
          ? BigDecimal.abs(discount.amount)
          : BigDecimal.multiply(BigDecimal.multiply(BigDecimal.abs(product), discount.percent), MoneyOf.cent)
    sum = BigDecimal.sum(
      sum,
      BigDecimal.isNegative(product) ? BigDecimal.sum(product, size) : BigDecimal.subtract(product, size)
    )
    if (BigDecimal.normalize(sum).scale > 2) tolerance = BigDecimal.sum(tolerance, halfCent)
  }
  return { sum, tolerance }
}

const halfCent = BigDecimal.make(5n, 3)

export const chargesOf = (charges: ReadonlyArray<SourceDocument.SourceCharge>): MoneyOf.Money =>
  BigDecimal.sumAll(
    charges.map(({ amount, kind }) => (kind === "discount" ? BigDecimal.negate(BigDecimal.abs(amount)) : amount))
  )
