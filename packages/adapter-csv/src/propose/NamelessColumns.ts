/** Probable fields of a file without a header, by its cells alone. Used only for proposals. */
import * as Money from "@fiscal-connector/core/document/Money"
import { isCurrencyCode } from "@fiscal-connector/core/source/StatedWords"
import { BigDecimal } from "effect"
import { nameless } from "../columns/Header.ts"
import type { Meaning } from "../columns/Synonyms.ts"
import * as DateForm from "../values/DateForm.ts"
import type { Seen } from "./SeenColumns.ts"
import { type Equations, equationsOf, factorsOf, figure } from "./Equations.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

export interface Column {
  readonly cell: number
  readonly texts: ReadonlyArray<string>
  /** Figures of the cells; undefined if a cell is blank or not a figure. */
  readonly figures: ReadonlyArray<Money.Money> | undefined
}

export const { isDate } = DateForm

export const namesTax = /%|\b(?:vat|gst|tax|exempt|zero|standard|std|iva|tva|btw|mwst|ust)\b/i
export const letters = /\p{L}/u

export const columnsIn = (rows: Rows, width: number): ReadonlyArray<Column> =>
  Array.from({ length: width }, (_, cell) => {
    const texts = rows.map((row) => row[cell] ?? "")
    const figures = texts.map((text) => (letters.test(text) ? undefined : figure(text)))
    return {
      cell,
      texts,
      figures: figures.some((one) => one === undefined) ? undefined : (figures as Array<Money.Money>)
    }
  })

export const isFilled = ({ texts }: Column): boolean => texts.every((text) => text !== "")
const isWhole = (amount: Money.Money): boolean => BigDecimal.normalize(amount).scale <= 0

interface Product {
  readonly quantity: Column
  readonly price: Column
  readonly amount: Column
}

/**
 * Finds columns with quantity × price = amount in every row. The quantity is the factor with whole
 * numbers, otherwise the first factor.
 */
export const productIn = (columns: ReadonlyArray<Column>, equations: Equations): Product | undefined => {
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
  columns: ReadonlyArray<Column>,
  { amount }: Pick<Product, "amount">,
  equations: Equations
): ReadonlyMap<number, Meaning> => {
  const found = new Map<number, Meaning>()
  const rest = columns.filter(({ figures }) => figures !== undefined)
  const isAmount = (cell: number) => equations.isSame(cell, amount.cell)
  const isRate = ({ figures }: Column) =>
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
  const isWhole = ({ cell }: Column) =>
    equations
      .of(cell)
      .some(({ plus = [] }) => plus.some(isAmount) && plus.some((other) => equations.isSame(other, only.taxes.cell)))
  const whole = rest.find(isWhole)
  if (whole !== undefined) found.set(whole.cell, "lineTotal")
  return found
}

/** Returns true if the column is constant within each document number. */
export const isOfDocument = (numbers: Column, { texts }: Column): boolean => {
  const byNumber = new Map<string, string>()
  return texts.every((text, row) => {
    const number = numbers.texts[row]!
    const known = byNumber.get(number) ?? text
    byNumber.set(number, known)
    return known === text
  })
}

/**
 * Returns the columns of rows without a header; undefined if the cells do not show a document
 * number, a date, and line amounts.
 */
export const columnsOf = (rows: Rows): ReadonlyArray<Seen> | undefined => {
  const width = Math.max(...rows.map((row) => row.length))
  if (rows.length < 2 || width < 4) return undefined
  const columns = columnsIn(rows, width)
  const meanings = new Map<number, Meaning>()
  const open = () => columns.filter(({ cell }) => !meanings.has(cell))
  const mean = (meaning: Meaning, is: (column: Column) => boolean): Column | undefined => {
    const column = open().find(is)
    if (column !== undefined) meanings.set(column.cell, meaning)
    return column
  }
  const date = mean("date", (column) => isFilled(column) && column.texts.every(isDate))
  mean("currency", (column) => isFilled(column) && column.texts.every(isCurrencyCode))
  const equations = equationsOf(rows, undefined)
  const product = productIn(open(), equations)
  if (date === undefined || product === undefined) return undefined
  for (const [meaning, { cell }] of [
    ["quantity", product.quantity],
    ["unitPrice", product.price],
    ["lineAmount", product.amount]
  ] as const)
    meanings.set(cell, meaning)
  const isNumber = (column: Column) =>
    isFilled(column) && column.texts.every((text) => /\d/.test(text) && !isDate(text))
  const marked = mean(
    "number",
    (column) => isNumber(column) && column.texts.some((text) => /[\p{L}#/-]|^0\d/u.test(text))
  )
  for (const [cell, meaning] of taxesIn(open(), product, equations)) meanings.set(cell, meaning)
  const number =
    marked ?? mean("number", (column) => isNumber(column) && column.texts.every((text) => /^\d+$/.test(text)))
  if (number === undefined) return undefined
  if (![...meanings.values()].includes("taxCode"))
    mean("taxCode", (column) => isFilled(column) && column.texts.every((text) => namesTax.test(text)))
  const isText = (column: Column) => isFilled(column) && column.texts.some((text) => letters.test(text))
  const description = mean("description", (column) => isText(column) && !isOfDocument(number, column))
  // a single text column describes the sold item
  if (description !== undefined || open().filter(isText).length > 1)
    mean("customerName", (column) => isText(column) && isOfDocument(number, column))
  if (description === undefined) mean("description", isText)
  return columns.map(({ cell, texts }): Seen => ({
    name: nameless(cell),
    nth: undefined,
    meaning: meanings.get(cell),
    examples: new Set(texts.filter((text) => text !== "").slice(0, 12)),
    blank: texts.filter((text) => text === "").length
  }))
}
