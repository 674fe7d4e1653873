/**
 * Probable fields of columns whose names are unknown, by the values of the first rows. Used only
 * for proposals: a field is proposed if exactly one column has such values.
 */
import * as StatedWords from "@fiscal-connector/core/source/StatedWords"
import { BigDecimal } from "effect"
import type { Meaning } from "../columns/Synonyms.ts"
import {
  type Column,
  columnsIn,
  isDate,
  isFilled,
  isOfDocument,
  letters,
  namesTax,
  productIn,
  taxesIn
} from "./NamelessColumns.ts"
import type { Seen } from "./SeenColumns.ts"

export interface ShownField {
  readonly meaning: Meaning
  /** Evidence, as a sentence about the values. */
  readonly because: string
}

/** Returns the column if it is the only one. */
const only = (columns: ReadonlyArray<Column>): Column | undefined => (columns.length === 1 ? columns[0] : undefined)

const filledTexts = ({ texts }: Column): ReadonlyArray<string> => texts.filter((text) => text !== "")

/** Tests the filled cells. A field of a document may be blank on its further rows. */
const areAll = (column: Column, is: (text: string) => boolean): boolean =>
  column.texts[0] !== "" && filledTexts(column).every(is)

const areDates = (column: Column): boolean => areAll(column, isDate)

const areFigures = (column: Column): boolean => column.figures !== undefined

const isWhole = (column: Column): boolean =>
  column.figures?.every((figure) => BigDecimal.normalize(figure).scale <= 0) ?? true

export const isText = (column: Column): boolean =>
  areAll(column, (text) => !isDate(text)) && filledTexts(column).some((text) => /\p{L}{3}/u.test(text))

const areWords = (column: Column, is: (text: string) => boolean): boolean =>
  areAll(column, (text) => letters.test(text) && is(text))

/** Values of document numbers have digits, and a letter, a hyphen or a leading zero marks them. */
const areMarked = (column: Column): boolean => filledTexts(column).some((text) => /[\p{L}#/-]|^0\d/u.test(text))

/** Returns the fields by cell. `columns`: the fields of known names stay. */
export const shownBy = (
  columns: ReadonlyArray<Seen>,
  sample: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<number, ShownField> => {
  const shown = new Map<number, ShownField>()
  if (sample.length === 0) return shown
  const all = columnsIn(sample, columns.length)
  const named = (meaning: Meaning) => all.find(({ cell }) => columns[cell]!.meaning === meaning)
  const open = () =>
    all.filter((column) => {
      const { meaning, name } = columns[column.cell]!
      return name !== "" && meaning === undefined && !shown.has(column.cell) && filledTexts(column).length > 0
    })
  const found = (meaning: Meaning) => named(meaning) ?? all.find(({ cell }) => shown.get(cell)?.meaning === meaning)
  const take = (meaning: Meaning, column: Column | undefined, because: string) => {
    if (column !== undefined && found(meaning) === undefined) shown.set(column.cell, { meaning, because })
  }
  take("date", only(open().filter(areDates)), "every value is a date")
  take(
    "currency",
    only(open().filter((column) => areAll(column, StatedWords.isCurrencyCode))),
    "every value is the code of a currency"
  )
  take(
    "kind",
    only(open().filter((column) => areWords(column, (text) => StatedWords.kindOf(text) !== undefined))),
    "every value is a kind of document"
  )
  take(
    "status",
    only(open().filter((column) => areWords(column, (text) => StatedWords.stateOf(text) !== undefined))),
    "every value is a state of a document"
  )
  const product = productIn(
    all.filter((column) => {
      const { meaning } = columns[column.cell]!
      const isOpen = open().includes(column)
      return isOpen || meaning === "quantity" || meaning === "unitPrice" || meaning === "lineAmount"
    })
  )
  const factors = product && {
    quantity: product.quantity,
    unitPrice: product.price,
    lineAmount: product.amount
  }
  const isSame = ([meaning, column]: readonly [string, Column]) => (named(meaning as Meaning) ?? column) === column
  if (factors !== undefined && Object.entries(factors).every(isSame))
    for (const [meaning, column] of Object.entries(factors))
      if (named(meaning as Meaning) === undefined)
        take(meaning as Meaning, column, "quantity × price = amount in every row")
  const isNumber = (column: Column) => {
    const date = found("date")
    return (
      areAll(column, (text) => /\d/.test(text) && !isDate(text)) &&
      isWhole(column) &&
      (date === undefined || isOfDocument(column, date))
    )
  }
  const numbers = "every value has digits, and the rows of one value have one date"
  const marked = open().filter((column) => isNumber(column) && areMarked(column))
  take("number", only(marked), numbers)
  const amount = found("lineAmount")
  if (amount !== undefined && areFigures(amount) && found("taxCode") === undefined && found("taxPercent") === undefined)
    for (const [cell, meaning] of taxesIn(open(), { amount }))
      take(meaning, all[cell], taxTexts[meaning] ?? "every value fits the amounts")
  if (marked.length === 0) take("number", only(open().filter((column) => isNumber(column))), numbers)
  if (found("taxPercent") === undefined)
    take(
      "taxCode",
      only(open().filter((column) => areAll(column, (text) => namesTax.test(text)))),
      "every value names a tax or a percent"
    )
  const number = found("number")
  const texts = open().filter(isText)
  if (number !== undefined && isFilled(number)) {
    const description = only(texts.filter((column) => !isOfDocument(number, column)))
    take("description", description, "the value differs within one invoice")
    // without the text of the lines, a text of each document could be either of them
    if (found("description") !== undefined)
      take("customerName", only(open().filter(isText)), "the rows of one invoice have the same value")
  }
  take("description", only(open().filter(isText)), "it is the only column of texts")
  return shown
}

const taxTexts: { readonly [Field in Meaning]?: string } = {
  taxCode: "every value is a percent",
  taxAmount: "the percent of the amount gives this value in every row",
  lineTotal: "amount + tax = this value in every row"
}
