/**
 * Decides the meaning of ambiguous column names by their values: `IVA` is a rate or an amount,
 * `Rabatt` a percent or an amount.
 */
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal } from "effect"
import { normalize } from "../columns/Header.ts"
import type { Meaning } from "../columns/Synonyms.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { firstOf, type Seen } from "./SeenColumns.ts"

/** Number of rows for the decision. */
export const sampleSize = 50

const taxNames = new Set(
  ["Tax", "VAT", "GST", "Taxes", "MwSt", "USt", "TVA", "Taxe", "BTW", "IVA", "Impuesto", "Imposto", "Imposta"].map(
    normalize
  )
)
const discountNames = new Set(
  ["Discount", "Rabatt", "Nachlass", "Remise", "Réduction", "Korting", "Desconto", "Descuento", "Sconto"].map(normalize)
)

const zero = Money.zero
const hundred = BigDecimal.make(100n, 0)
/** Largest tax percent of any country. */
const highestRate = BigDecimal.make(40n, 0)

/**
 * Reads the figure of a cell by its form: a comma before one or two last digits is a decimal mark.
 */
export const figure = (text: string): Money.Money | undefined => {
  const mark = /,\d{1,2}\s*%?$|,\d{4,}\s*%?$/.test(text) ? "comma" : "point"
  const read = NumberForm.readPercent(text, mark)
  return BigDecimal.isBigDecimal(read) ? BigDecimal.abs(read) : undefined
}

/** Returns the columns with the meanings that the values allow. `rows`: cells of some rows. */
export const readByValues = (
  columns: ReadonlyArray<Seen>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<Seen> => {
  const at = (meaning: Meaning) => {
    const column = firstOf(columns, meaning)
    return column === undefined ? -1 : columns.indexOf(column)
  }
  const amount = at("lineAmount")
  const [quantity, price] = [at("quantity"), at("unitPrice")]
  return columns.map((column, cell) => {
    const name = normalize(column.name)
    const texts = rows.map((row) => row[cell] ?? "").filter((text) => text !== "")
    if (texts.length === 0) return column
    if (taxNames.has(name)) return { ...column, meaning: taxMeaning(texts, rows, cell, amount) }
    if (discountNames.has(name))
      return { ...column, meaning: discountMeaning(texts, rows, { cell, amount, quantity, price }) }
    return column
  })
}

const taxMeaning = (
  texts: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  cell: number,
  amount: number
): Meaning => {
  const figures = texts.map(figure)
  if (figures.some((one) => one === undefined)) return "taxCode"
  if (texts.every((text) => text.includes("%"))) return "taxPercent"
  const known = figures as ReadonlyArray<Money.Money>
  const isRate = (rate: Money.Money) =>
    BigDecimal.isLessThanOrEqualTo(rate, highestRate) &&
    BigDecimal.normalize(BigDecimal.multiply(rate, BigDecimal.make(2n, 0))).scale <= 0
  if (!known.every(isRate)) return "taxAmount"
  const pairs = rows.flatMap((row) => {
    const [tax, of] = [figure(row[cell] ?? ""), figure(row[amount] ?? "")]
    return tax === undefined || of === undefined || BigDecimal.isZero(of) ? [] : [{ tax, of }]
  })
  const isAmount = pairs.length > 0 && pairs.every(({ of, tax }) => isTaxOf(tax, of))
  if (!isAmount) return "taxPercent"
  // one rate over different amounts is a rate; amounts of money have two decimal places
  const amounts = new Set(pairs.map(({ of }) => Money.formatAmount(of)))
  const rates = new Set(known.map(Money.formatPlain))
  if (amounts.size > 1 && rates.size === 1) return "taxPercent"
  return texts.every((text) => /[.,]\d{2}$/.test(text)) ? "taxAmount" : "taxPercent"
}

/** Tests for a whole or half percent of the amount, added to it or included in it. */
const isTaxOf = (tax: Money.Money, of: Money.Money): boolean =>
  [of, BigDecimal.subtract(of, tax)].some((net) => {
    if (!BigDecimal.isPositive(net)) return false
    const twice = Money.quotient(BigDecimal.multiply(tax, BigDecimal.make(200n, 0)), net, 6)
    const nearest = Money.round(twice, 0)
    if (BigDecimal.isGreaterThan(nearest, BigDecimal.make(80n, 0))) return false
    const due = Money.quotient(BigDecimal.multiply(net, nearest), BigDecimal.make(200n, 0), 2)
    return Money.within(due, tax, Money.cent)
  })

const discountMeaning = (
  texts: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  at: { readonly cell: number; readonly amount: number; readonly quantity: number; readonly price: number }
): Meaning => {
  if (texts.every((text) => text.includes("%"))) return "discountPercent"
  const samples = rows.flatMap((row) => {
    const [off, amount, quantity, price] = [at.cell, at.amount, at.quantity, at.price].map((cell) =>
      figure(row[cell] ?? "")
    )
    return off === undefined ||
      amount === undefined ||
      quantity === undefined ||
      price === undefined ||
      BigDecimal.isZero(off)
      ? []
      : [{ off, amount, product: BigDecimal.multiply(quantity, price) }]
  })
  const isAmount = samples.every(({ amount, off, product }) =>
    Money.within(BigDecimal.subtract(product, off), amount, Money.cent)
  )
  const isPercent = samples.every(({ amount, off, product }) =>
    Money.within(
      BigDecimal.subtract(product, Money.quotient(BigDecimal.multiply(product, off), hundred, 6)),
      amount,
      Money.cent
    )
  )
  if (samples.length > 0 && isAmount !== isPercent) return isAmount ? "discount" : "discountPercent"
  const figures = texts.map(figure)
  return figures.some((one) => one !== undefined && BigDecimal.isGreaterThan(one, hundred)) ||
    (texts.some((text) => /[.,]\d{2}$/.test(text)) && figures.some((one) => one !== undefined && !isWhole(one)))
    ? "discount"
    : "discountPercent"
}

const isWhole = (figure: Money.Money): boolean =>
  BigDecimal.equals(figure, zero) || BigDecimal.normalize(figure).scale <= 0
