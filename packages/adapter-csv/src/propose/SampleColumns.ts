/** Columns of the first rows as texts and figures, and the equations that proposals rest on. */
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal } from "effect"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import * as DateForm from "../values/DateForm.ts"
import { type Equations, factorsOf, figure } from "./Equations.ts"

type SampleRows = ReadonlyArray<ReadonlyArray<string>>

export interface SampleColumn {
  readonly cell: number
  readonly texts: ReadonlyArray<string>
  /** Figures of the cells; undefined if a cell is blank or not a figure. */
  readonly figures: ReadonlyArray<Money.Money> | undefined
}

export const { isDate } = DateForm

export const namesTax = /%|\b(?:vat|gst|tax|exempt|zero|standard|std|iva|tva|btw|mwst|ust)\b/i
export const letters = /\p{L}/u

export const columnsIn = (rows: SampleRows, width: number): ReadonlyArray<SampleColumn> =>
  Array.from({ length: width }, (_, cell) => {
    const texts = rows.map((row) => row[cell] ?? "")
    const figures = texts.map((text) => (letters.test(text) ? undefined : figure(text)))
    return {
      cell,
      texts,
      figures: figures.some((one) => one === undefined) ? undefined : (figures as Array<Money.Money>)
    }
  })

export const isFilled = ({ texts }: SampleColumn): boolean => texts.every((text) => text !== "")
const isWhole = (amount: Money.Money): boolean => BigDecimal.normalize(amount).scale <= 0

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
      return { amount, quantity: isOther ? other : one, price: isOther ? one : other }
    }
  return undefined
}

/** Highest percent that is taken for a tax rate. */
const highestRate = BigDecimal.make(40n, 0)

/** Finds the tax columns next to the product: percent, tax amount, and amount with tax. */
export const taxesIn = (
  columns: ReadonlyArray<SampleColumn>,
  { amount }: Pick<ProductColumns, "amount">,
  equations: Equations
): ReadonlyMap<number, FieldMeaning> => {
  const found = new Map<number, FieldMeaning>()
  const rest = columns.filter(({ figures }) => figures !== undefined)
  const isAmount = (cell: number) => equations.isSame(cell, amount.cell)
  const isRate = ({ figures }: SampleColumn) =>
    figures!.every((rate) => BigDecimal.isLessThanOrEqualTo(rate, highestRate)) &&
    new Set(figures!.map(Money.formatPlain)).size <= 3
  const rates = rest.filter(isRate)
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
  const isWhole = ({ cell }: SampleColumn) =>
    equations
      .of(cell)
      .some(({ plus = [] }) => plus.some(isAmount) && plus.some((other) => equations.isSame(other, only.taxes.cell)))
  const whole = rest.find(isWhole)
  if (whole !== undefined) found.set(whole.cell, "lineTotal")
  return found
}

/** Returns true if the column is constant within each document number. */
export const isOfDocument = (numbers: SampleColumn, { texts }: SampleColumn): boolean => {
  const byNumber = new Map<string, string>()
  return texts.every((text, row) => {
    const number = numbers.texts[row]!
    const known = byNumber.get(number) ?? text
    byNumber.set(number, known)
    return known === text
  })
}
