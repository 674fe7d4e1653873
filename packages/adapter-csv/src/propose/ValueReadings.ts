/**
 * Decides the meaning of ambiguous column names by their values: `IVA` is a rate or an amount,
 * `Rabatt` a percent or an amount.
 */
import * as Money from "@fiscal-connector/core/document/Money"
import { BigDecimal } from "effect"
import { normalize } from "../columns/Header.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import type { Expression } from "@fiscal-connector/core/profile/ColumnProfile"
import { type Equations, equationsOf, figure } from "./Equations.ts"
import { firstOf, type SeenColumn } from "./SeenColumns.ts"

/** Number of rows for the decision. */
export const sampleSize = 50

const taxNames = new Set(
  [
    "Tax",
    "VAT",
    "GST",
    "Taxes",
    "Steuer",
    "MwSt",
    "USt",
    "TVA",
    "Taxe",
    "BTW",
    "IVA",
    "Impuesto",
    "Imposto",
    "Imposta"
  ].map(normalize)
)
const discountNames = new Set(
  ["Discount", "Rabatt", "Nachlass", "Remise", "Réduction", "Korting", "Desconto", "Descuento", "Sconto"].map(normalize)
)

const zero = Money.zero
const hundred = BigDecimal.make(100n, 0)
/** Largest tax percent of any country. */
const highestRate = BigDecimal.make(40n, 0)

/** Returns the name without a percent in figures, as in `VAT 15.5%`. */
const withoutPercent = (name: string): string =>
  name.includes("%") && /\d/.test(name) ? name.replaceAll(/[\d.,%]/g, "") : name

/** Returns the columns with the meanings that the values allow. `rows`: cells of some rows. */
export const readByValues = (
  columns: ReadonlyArray<SeenColumn>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<SeenColumn> => {
  const at = (meaning: FieldMeaning) => {
    const column = firstOf(columns, meaning)
    return column === undefined ? -1 : columns.indexOf(column)
  }
  const amount = at("lineAmount")
  const number = at("number")
  const equations = equationsOf(rows, number < 0 ? undefined : number)
  const named = columns.map((column, cell) => {
    const name = normalize(withoutPercent(column.name))
    const texts = rows.map((row) => row[cell] ?? "").filter((text) => text !== "")
    if (texts.length === 0) return column
    if (taxNames.has(name)) {
      const amounts = { of: amount, texts: rows.map((row) => row[amount] ?? "") }
      return { ...column, meaning: taxMeaning(texts, cell, amounts, equations) }
    }
    if (discountNames.has(name)) return { ...column, meaning: discountMeaning(texts, cell, equations.of(amount)) }
    return column
  })
  return ofLines(named, equations)
}

/** Fields of lines, for columns of documents' fields that differ within a document. */
const lineMeanings = { net: "lineNet", tax: "taxAmount", total: "lineTotal" } as const

/** Returns the columns with the amounts of lines that the values show. */
const ofLines = (columns: ReadonlyArray<SeenColumn>, equations: Equations): ReadonlyArray<SeenColumn> => {
  const cellOf = (meaning: FieldMeaning) => columns.findIndex((column) => column.meaning === meaning)
  const [quantity, price] = [cellOf("quantity"), cellOf("unitPrice")]
  /** Tests for quantity × price, without a tax or with an added tax. */
  const isProduct = (cell: number, tax: "untaxed" | "taxed") =>
    equations
      .of(cell)
      .some(
        (one) =>
          one.of !== undefined &&
          "product" in one.of &&
          one.of.product.every((factor) => equations.isSame(factor, quantity) || equations.isSame(factor, price)) &&
          (tax === "untaxed" ? one.tax === undefined : one.tax?.is === "added")
      )
  const differing = columns.map((column, cell): SeenColumn => {
    const { meaning } = column
    const isOfLine =
      (meaning === "net" || meaning === "tax" || meaning === "total") && equations.scopeOf(cell) === "row"
    return isOfLine ? { ...column, meaning: lineMeanings[meaning] } : column
  })
  const find = (meaning: FieldMeaning) => differing.findIndex((column) => column.meaning === meaning)
  const amount = find("lineAmount")
  // an amount that is not quantity × price has another basis than the price
  const isOther = amount >= 0 && !isProduct(amount, "untaxed")
  const own =
    amount >= 0 && !isOther
      ? amount
      : (["lineNet", "lineTotal"] as const)
          .map(find)
          .find((cell) => cell >= 0 && (amount < 0 || isProduct(cell, "untaxed")))
  return differing.map((column, cell): SeenColumn => {
    if (cell === own) return { ...column, meaning: "lineAmount" }
    if (cell !== amount || !isOther) return column
    if (isProduct(amount, "taxed")) return { ...column, meaning: "lineTotal" }
    return own === undefined ? column : { ...column, meaning: "lineNet" }
  })
}

const taxMeaning = (
  texts: ReadonlyArray<string>,
  cell: number,
  { of, texts: amounts }: { readonly of: number; readonly texts: ReadonlyArray<string> },
  equations: Equations
): FieldMeaning => {
  const figures = texts.flatMap((text) => figure(text) ?? [])
  if (figures.length < texts.length) return "taxCode"
  if (texts.every((text) => text.includes("%"))) return "taxPercent"
  const isRate = (rate: Money.Money) =>
    BigDecimal.isLessThanOrEqualTo(rate, highestRate) &&
    BigDecimal.normalize(BigDecimal.multiply(rate, BigDecimal.make(2n, 0))).scale <= 0
  if (!figures.every(isRate)) return "taxAmount"
  if (!equations.areTaxes(cell, of)) return "taxPercent"
  // one rate over different amounts is a rate; amounts of money have two decimal places
  if (new Set(amounts).size > 1 && new Set(figures.map(Money.formatPlain)).size === 1) return "taxPercent"
  return texts.every((text) => /[.,]\d{2}$/.test(text)) ? "taxAmount" : "taxPercent"
}

const discountMeaning = (
  texts: ReadonlyArray<string>,
  cell: number,
  /** Expressions of the line amount, by the values. */
  amounts: ReadonlyArray<Expression>
): FieldMeaning | undefined => {
  if (texts.every((text) => text.includes("%"))) return "discountPercent"
  const forms = new Set(amounts.flatMap(({ less }) => (less?.column === cell ? [less.as] : [])))
  if (forms.size === 1) return forms.has("amount") ? "discount" : "discountPercent"
  const figures = texts.map(figure)
  const areMoney = texts.some((text) => /[.,]\d{2}$/.test(text))
  if (
    figures.some((one) => one !== undefined && BigDecimal.isGreaterThan(one, hundred)) ||
    (areMoney && figures.some((one) => one !== undefined && !isWhole(one)))
  )
    return "discount"
  // "5,00" may be both
  return areMoney ? undefined : "discountPercent"
}

const isWhole = (figure: Money.Money): boolean =>
  BigDecimal.equals(figure, zero) || BigDecimal.normalize(figure).scale <= 0
