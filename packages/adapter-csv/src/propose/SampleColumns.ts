/** Columns of the first rows as texts and figures, and the equations that proposals rest on. */
import { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import * as DateForm from "../values/DateForm.ts"
import { amountIn, type Equations, factorsOf, usualMark } from "./Equations.ts"

type SampleRows = ReadonlyArray<ReadonlyArray<string>>

export interface SampleColumn {
  readonly cell: number
  readonly texts: ReadonlyArray<string>
  readonly figures: ReadonlyArray<Money.Money> | undefined
}

export const { isDate } = DateForm

export const namesTax = /%|\b(?:vat|gst|tax|exempt|zero|standard|std|iva|tva|btw|mwst|ust)\b/i
export const letters = /\p{L}/u

export const columnsIn = (rows: SampleRows, width: number): ReadonlyArray<SampleColumn> => {
  const usual = usualMark(rows)
  return Array.from({ length: width }, (_, cell) => {
    const texts = rows.map((row) => row[cell] ?? "")
    const figures = texts.map((text) => amountIn(text, usual))
    return {
      cell,
      texts,
      figures: figures.some((one) => one === undefined) ? undefined : (figures as Array<Money.Money>)
    }
  })
}

export const isFilled = ({ texts }: SampleColumn): boolean => texts.every((text) => text !== "")
export const isWhole = (figure: Money.Money): boolean => BigDecimal.normalize(figure).scale <= 0

const highestRate = BigDecimal.make(40n, 0)

const isTaxPercent = (figure: Money.Money): boolean => BigDecimal.isLessThanOrEqualTo(figure, highestRate)

export const isRate = (figure: Money.Money): boolean =>
  isTaxPercent(figure) && isWhole(BigDecimal.multiply(figure, BigDecimal.make(2n, 0)))

interface ProductColumns {
  readonly quantity: SampleColumn
  readonly price: SampleColumn
  readonly amount: SampleColumn
}

/**
 * Finds columns with quantity × price = amount in every row. The quantity is the factor with whole
 * numbers, otherwise the first factor.
 */
export const productIn = (columns: ReadonlyArray<SampleColumn>, equations: Equations): ProductColumns | undefined => {
  for (const amount of columns.toReversed())
    for (const expression of amount.figures === undefined ? [] : equations.of(amount.cell)) {
      const [one, other] = (factorsOf(expression) ?? []).map((factor) => columns.find(({ cell }) => cell === factor))
      if (one?.figures === undefined || other?.figures === undefined) continue
      const isOther = !one.figures.every(isWhole) && other.figures.every(isWhole)
      // of equal columns, the sums of the document come last
      const first = columns.find(({ cell }) => equations.isSame(cell, amount.cell)) ?? amount
      return { amount: first, quantity: isOther ? other : one, price: isOther ? one : other }
    }
  return undefined
}

export const taxesIn = (
  columns: ReadonlyArray<SampleColumn>,
  { amount }: Pick<ProductColumns, "amount">,
  equations: Equations
): ReadonlyMap<number, FieldMeaning> => {
  const found = new Map<number, FieldMeaning>()
  const rest = columns.filter(({ figures }) => figures !== undefined)
  const isAmount = (cell: number) => equations.isSame(cell, amount.cell)
  const rates = rest.filter(
    ({ figures }) => figures!.every(isTaxPercent) && new Set(figures!.map(Money.formatPlain)).size <= 3
  )
  const taxed = rest.flatMap((taxes) =>
    equations.of(taxes.cell).flatMap(({ of, tax }) => {
      const isTax =
        tax?.is === "alone" && tax.percent.by === "column" && of !== undefined && "column" in of && isAmount(of.column)
      const percents = isTax ? rates.find(({ cell }) => cell === (tax.percent as { column: number }).column) : undefined
      return percents === undefined || percents === taxes ? [] : [{ percents, taxes }]
    })
  )
  const [only] = taxed
  if (only === undefined) {
    if (rates.length === 1) found.set(rates[0]!.cell, "taxCode")
    return found
  }
  found.set(only.percents.cell, "taxCode")
  found.set(only.taxes.cell, "taxAmount")
  const whole = rest.find(({ cell }) =>
    equations
      .of(cell)
      .some(({ plus = [] }) => plus.some(isAmount) && plus.some((other) => equations.isSame(other, only.taxes.cell)))
  )
  if (whole !== undefined) found.set(whole.cell, "lineTotal")
  return found
}

/** True for a text that ends in cents. */
export const hasCents = (text: string): boolean => /[.,]\d{2}\D*$/.test(text)

export const isOfDocument = (numbers: SampleColumn, { texts }: SampleColumn): boolean => {
  const byNumber = new Map<string, string>()
  return texts.every((text, row) => {
    const number = numbers.texts[row]!
    const known = byNumber.get(number) ?? text
    byNumber.set(number, known)
    return known === text
  })
}
