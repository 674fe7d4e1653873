/**
 * Decides the meaning of ambiguous column names by their values: `IVA` is a rate or an amount,
 * `Rabatt` a percent or an amount.
 */
import { type ColumnProfile, Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { normalize } from "../columns/Header.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import { type Equations, equationsOf, figure } from "./Equations.ts"
import { isDate, isRate, isWhole } from "./SampleColumns.ts"
import { firstOf, type SeenColumn } from "./SeenColumns.ts"

export const sampleSize = 50

const taxNames = new Set(
  "Tax|VAT|GST|Taxes|Steuer|MwSt|USt|TVA|Taxe|BTW|IVA|Impuesto|Imposto|Imposta".split("|").map(normalize)
)
const discountNames = new Set(
  "Discount|Rabatt|Nachlass|Remise|Réduction|Korting|Desconto|Descuento|Sconto".split("|").map(normalize)
)

const hundred = BigDecimal.make(100n, 0)

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
    if (isRefused(column.meaning, texts)) return { ...column, meaning: undefined }
    if (taxNames.has(name)) {
      const amounts = { of: amount, texts: rows.map((row) => row[amount] ?? "") }
      return { ...column, meaning: taxMeaning(texts, cell, amounts, equations) }
    }
    if (discountNames.has(name)) return { ...column, meaning: discountMeaning(texts, cell, equations.of(amount)) }
    return column
  })
  return ofLines(named, equations)
}

/** Fields that no date states. */
const words: ReadonlySet<FieldMeaning | undefined> = new Set<FieldMeaning>([
  "currency",
  "customerName",
  "description",
  "taxCode",
  "paymentMethod",
  "reason"
])

/** A name may mean another thing in another language: `Valuta` is a currency and a day. */
const isRefused = (meaning: FieldMeaning | undefined, texts: ReadonlyArray<string>): boolean =>
  words.has(meaning) &&
  (texts.every(isDate) || (meaning === "currency" && !texts.some((text) => /[\p{L}\p{Sc}]/u.test(text))))

const lineMeanings = { net: "lineNet", tax: "taxAmount", total: "lineTotal" } as const

const ofLines = (columns: ReadonlyArray<SeenColumn>, equations: Equations): ReadonlyArray<SeenColumn> => {
  const cellOf = (meaning: FieldMeaning) => columns.findIndex((column) => column.meaning === meaning)
  const [quantity, price] = [cellOf("quantity"), cellOf("unitPrice")]
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
    const scope = equations.scopeOf(cell)
    if ((meaning === "net" || meaning === "tax" || meaning === "total") && scope === "row")
      return { ...column, meaning: lineMeanings[meaning] }
    // the sums of the document tell its amount with tax from the one without
    if (meaning === "lineAmount" && scope === "document") return { ...column, meaning: undefined }
    return meaning === "taxAmount" && scope === "document" ? { ...column, meaning: "tax" } : column
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
  if (!figures.every(isRate)) return "taxAmount"
  if (!equations.areTaxes(cell, of)) return "taxPercent"
  // one rate over different amounts is a rate; amounts of money have two decimal places
  if (new Set(amounts).size > 1 && new Set(figures.map(Money.formatPlain)).size === 1) return "taxPercent"
  return texts.every((text) => /[.,]\d{2}$/.test(text)) ? "taxAmount" : "taxPercent"
}

const discountMeaning = (
  texts: ReadonlyArray<string>,
  cell: number,
  amounts: ReadonlyArray<ColumnProfile.Expression>
): FieldMeaning | undefined => {
  if (texts.every((text) => text.includes("%"))) return "discountPercent"
  const forms = new Set(amounts.flatMap(({ less }) => (less?.column === cell ? [less.as] : [])))
  if (forms.size === 1) return forms.has("amount") ? "discount" : "discountPercent"
  const figures = texts.map((text) => figure(text))
  const areMoney = texts.some((text) => /[.,]\d{2}$/.test(text))
  if (
    figures.some((one) => one !== undefined && BigDecimal.isGreaterThan(one, hundred)) ||
    (areMoney && figures.some((one) => one !== undefined && !isWhole(one)))
  )
    return "discount"
  // "5,00" may be both
  return areMoney ? undefined : "discountPercent"
}
