/**
 * Probable fields of columns whose names are unknown, by the values of the first rows. Used only
 * for proposals: a field is proposed if exactly one column has such values.
 */
import { type ColumnProfile, Money, StatedWords } from "@fiscal-connector/core/adapter"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import {
  type SampleColumn,
  columnsIn,
  hasCents,
  isDate,
  isFilled,
  isOfDocument,
  isRate,
  isWhole,
  letters,
  namesTax,
  productIn,
  taxesIn
} from "./SampleColumns.ts"
import { BigDecimal } from "effect"
import { amountIn, documentsOf, type Equations, equationsOf } from "./Equations.ts"
import type { SeenColumn } from "./SeenColumns.ts"

export const becauseOfName = "its name states it"

export interface ShownField {
  readonly meaning: FieldMeaning
  readonly because: string
}

const only = (columns: ReadonlyArray<SampleColumn>): SampleColumn | undefined =>
  columns.length === 1 ? columns[0] : undefined

const filledTexts = ({ texts }: SampleColumn): ReadonlyArray<string> => texts.filter((text) => text !== "")

/** Tests the filled cells. A field of a document may be blank on its further rows. */
const areAll = (column: SampleColumn, is: (text: string) => boolean): boolean =>
  column.texts[0] !== "" && filledTexts(column).every(is)

const areDates = (column: SampleColumn): boolean => areAll(column, isDate)

const areFigures = (column: SampleColumn): boolean => column.figures !== undefined

const areWhole = ({ figures }: SampleColumn): boolean => figures?.every(isWhole) ?? true

export const isText = (column: SampleColumn): boolean =>
  areAll(column, (text) => !isDate(text)) && filledTexts(column).some((text) => /\p{L}{3}/u.test(text))

const areWords = (column: SampleColumn, is: (text: string) => boolean): boolean =>
  areAll(column, (text) => letters.test(text) && is(text))

/** Values of document numbers have digits, and a letter, a hyphen or a leading zero marks them. */
const areMarked = (column: SampleColumn): boolean => filledTexts(column).some((text) => /[\p{L}#/-]|^0\d/u.test(text))

/** Tests for percents in fewer values than rows. Amounts of a short file can be small, too. */
const areRates = ({ figures = [], texts }: SampleColumn): boolean =>
  !texts.every((text) => /[.,]\d{2}$/.test(text)) &&
  new Set(figures.map(Money.formatPlain)).size < figures.length &&
  figures.every(isRate)

const namesOthers = (number: SampleColumn, column: SampleColumn): boolean => {
  const numbers = new Set(number.texts)
  const filled = column.texts.flatMap((text, row) => (text === "" ? [] : [{ text, own: number.texts[row] }]))
  return filled.length > 0 && filled.every(({ own, text }) => text !== own && numbers.has(text))
}

/** Returns the fields by cell. `columns`: the fields of known names stay. */
export const shownBy = (
  columns: ReadonlyArray<SeenColumn>,
  sample: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyMap<number, ShownField> => {
  const shown = new Map<number, ShownField>()
  if (sample.length === 0) return shown
  const all = columnsIn(sample, columns.length)
  const equations = equationsOf(sample, undefined)
  const named = (meaning: FieldMeaning) => all.find(({ cell }) => columns[cell]!.meaning === meaning)
  const open = () =>
    all.filter((column) => {
      const { line, meaning, name } = columns[column.cell]!
      const isOpen = name !== "" && line === "own" && meaning === undefined && !shown.has(column.cell)
      // a running balance is never a field of a document
      return isOpen && filledTexts(column).length > 0 && !equations.isRunning(column.cell)
    })
  const found = (meaning: FieldMeaning) =>
    named(meaning) ?? all.find(({ cell }) => shown.get(cell)?.meaning === meaning)
  const take = (meaning: FieldMeaning, column: SampleColumn | undefined, because: string) => {
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
    }),
    equations
  )
  const factors = product && {
    quantity: product.quantity,
    unitPrice: product.price,
    lineAmount: product.amount
  }
  const isSame = ([meaning, column]: readonly [string, SampleColumn]) =>
    (named(meaning as FieldMeaning) ?? column) === column
  if (factors !== undefined && Object.entries(factors).every(isSame))
    for (const [meaning, column] of Object.entries(factors))
      if (named(meaning as FieldMeaning) === undefined)
        take(meaning as FieldMeaning, column, "quantity × price = amount in every row")
  if (product === undefined) takeReduced(open(), equations, take)
  const isNumber = (column: SampleColumn) => {
    const date = found("date")
    return (
      areAll(column, (text) => /\d/.test(text) && !isDate(text)) &&
      areWhole(column) &&
      (date === undefined || isOfDocument(column, date))
    )
  }
  const numbers = "every value has digits, and the rows of one value have one date"
  const marked = open().filter((column) => isNumber(column) && areMarked(column))
  take("number", only(marked), numbers)
  const amount = found("lineAmount")
  if (
    amount !== undefined &&
    areFigures(amount) &&
    found("taxCode") === undefined &&
    found("taxPercent") === undefined
  ) {
    const taxes = taxesIn(open(), { amount }, equations)
    const isProved = [...taxes.values()].includes("taxAmount")
    for (const [cell, meaning] of taxes)
      if (isProved || meaning !== "taxCode" || areRates(all[cell]!))
        take(meaning, all[cell], taxTexts[meaning] ?? "every value fits the amounts")
  }
  if (marked.length === 0) take("number", only(open().filter((column) => isNumber(column))), numbers)
  if (found("taxPercent") === undefined)
    take(
      "taxCode",
      only(open().filter((column) => areAll(column, (text) => namesTax.test(text)))),
      "every value names a tax or a percent"
    )
  const number = found("number")
  if (number !== undefined)
    take(
      "original",
      only(open().filter((column) => namesOthers(number, column))),
      "every value is the number of another row"
    )
  if (number !== undefined && amount !== undefined && areFigures(amount)) {
    const ofNumber = equationsOf(sample, number.cell)
    const again = all.filter((column) => columns[column.cell]!.meaning === "lineAmount" && column !== amount)
    takeTaxed([...open(), ...again], { amount, found }, ofNumber, take)
    takeSums(open, { amount, found }, ofNumber, take)
  }
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

export const showsInvoices = (
  columns: ReadonlyArray<SeenColumn>,
  sample: ReadonlyArray<ReadonlyArray<string>>
): boolean =>
  sample.length > 1 &&
  (["number", "date", "lineAmount"] as const).every((field) => columns.some(({ meaning }) => meaning === field))

type Take = (meaning: FieldMeaning, column: SampleColumn | undefined, because: string) => void

const takeReduced = (columns: ReadonlyArray<SampleColumn>, equations: Equations, take: Take): void => {
  for (const amount of columns) {
    const { less, of, tax } = equations.settled(amount.cell, "row") ?? {}
    if (of === undefined || !("product" in of) || (less === undefined && tax?.is !== "added")) continue
    const at = (cell: number) => columns.find((column) => column.cell === cell)
    const [one, other] = of.product.map(at)
    if (one === undefined || other === undefined) continue
    const isOther = !areWhole(one) && areWhole(other)
    const formula = `quantity × price${less === undefined ? "" : " − discount"}${tax === undefined ? "" : " + tax"}`
    const because = `${formula} = amount in every row`
    take("quantity", isOther ? other : one, because)
    take("unitPrice", isOther ? one : other, because)
    take(tax === undefined ? "lineAmount" : "lineTotal", amount, because)
    if (less !== undefined) take(less.as === "amount" ? "discount" : "discountPercent", at(less.column), because)
    return
  }
}

type Found = (meaning: FieldMeaning) => SampleColumn | undefined

/**
 * Takes a row's tax and its amount with tax: the one is a usual percent, the other their sum.
 * `columns`: open ones, and further ones with the name of the amount.
 */
const takeTaxed = (
  columns: ReadonlyArray<SampleColumn>,
  { amount, found }: { readonly amount: SampleColumn; readonly found: Found },
  equations: Equations,
  take: Take
): void => {
  const among = (meaning: FieldMeaning) => {
    const known = found(meaning)
    return known === undefined ? columns : [known]
  }
  const isAmount = (cell: number) => equations.isSame(cell, amount.cell)
  const isOfAmount = ({ cell }: SampleColumn, is: "alone" | "added") =>
    equations
      .of(cell)
      .some(({ of, tax }) => tax?.is === is && of !== undefined && "column" in of && isAmount(of.column))
  const isSum = (whole: SampleColumn, tax: SampleColumn) =>
    (isOfAmount(whole, "added") && isOfAmount(tax, "alone")) ||
    equations
      .of(whole.cell)
      .some(({ plus = [] }) => plus.some(isAmount) && plus.some((cell) => equations.isSame(cell, tax.cell)))
  for (const whole of among("lineTotal").filter(({ cell }) => equations.scopeOf(cell) === "row")) {
    const tax = among("taxAmount").find(
      (one) => one !== whole && equations.areTaxes(one.cell, amount.cell) && isSum(whole, one)
    )
    if (tax === undefined) continue
    take("taxAmount", tax, taxTexts.taxAmount!)
    take("lineTotal", whole, taxTexts.lineTotal!)
    return
  }
}

const takeSums = (
  open: () => ReadonlyArray<SampleColumn>,
  { amount, found }: { readonly amount: SampleColumn; readonly found: Found },
  equations: Equations,
  take: Take
): void => {
  const [tax, whole] = [found("taxAmount"), found("lineTotal")]
  const because = "the value is the sum of a column of the invoice's rows, or with its tax"
  const isOf = ({ of }: ColumnProfile.Expression, other: SampleColumn | undefined) =>
    other !== undefined && of !== undefined && "column" in of && equations.isSame(of.column, other.cell)
  const isPlain = ({ plus, tax: taxed }: ColumnProfile.Expression) => taxed === undefined && plus === undefined
  for (const column of open()) {
    const sum = equations.settled(column.cell, "document")
    if (sum?.of === undefined || !("column" in sum.of) || sum.less !== undefined) continue
    if (isOf(sum, amount)) take(isPlain(sum) ? "net" : "total", column, because)
    else if (isPlain(sum)) take(isOf(sum, tax) ? "tax" : "total", column, because)
  }
  // too few documents settle no equation: no document breaks it
  const isTotal = ({ cell }: SampleColumn) =>
    equations.scopeOf(cell) !== "row" &&
    equations
      .of(cell)
      .some(
        (one) =>
          one.less === undefined && one.tax?.is !== "alone" && (isOf(one, amount) || (isOf(one, whole) && isPlain(one)))
      )
  take("total", only(open().filter(isTotal)), because)
}

/**
 * Returns the cells whose values are sums of a column of rows, with or without tax, in every
 * document, or come near the sum of the largest column of rows. `number`: cell of the document
 * numbers.
 */
export const sumsIn = (
  sample: ReadonlyArray<ReadonlyArray<string>>,
  number: number,
  width: number
): ReadonlySet<number> => {
  // one document alone may have a charge of the same amount
  if (new Set(sample.map((row) => row[number])).size < 2) return new Set()
  const equations = equationsOf(sample, number)
  const isSum = ({ less, of, tax }: ColumnProfile.Expression) =>
    of !== undefined && less === undefined && tax?.is !== "alone"
  const isLarge = largeIn(sample, number, (cell) => equations.scopeOf(cell) === "row")
  return new Set(
    Array.from({ length: width }, (_, cell) => cell).filter(
      (cell) => equations.scopeOf(cell) !== "row" && (equations.of(cell).some(isSum) || isLarge(cell))
    )
  )
}

const halfCent = BigDecimal.make(5n, 3)

/**
 * Tests if a column is at least the rows of the document, by the column of rows with the largest
 * sum. A row and the value may each be half a cent off, and at most one document in ten
 * may state less. Taxes and charges may keep a total from being an exact sum.
 */
const largeIn = (
  sample: ReadonlyArray<ReadonlyArray<string>>,
  number: number,
  isOfRows: (cell: number) => boolean
): ((cell: number) => boolean) => {
  const figures = sample.map((row) => row.map(amountIn))
  const keys = documentsOf(sample, number)
  const documents = [...Map.groupBy(figures, (_, i) => keys[i]!).values()]
  const sumIn = (rows: ReadonlyArray<ReadonlyArray<Money.Money | undefined>>, cell: number) =>
    BigDecimal.sumAll(rows.flatMap((row) => (row[cell] === undefined ? [] : [BigDecimal.abs(row[cell])])))
  const ofMoney = (sample[0] ?? []).flatMap((_, cell) =>
    isOfRows(cell) && sample.some((row) => hasCents(row[cell] ?? "")) ? [cell] : []
  )
  const [main] = ofMoney.toSorted((a, b) => BigDecimal.Order(sumIn(figures, b), sumIn(figures, a)))
  if (main === undefined) return () => false
  return (cell) => {
    const isLess = (rows: ReadonlyArray<ReadonlyArray<Money.Money | undefined>>) => {
      const value = rows.find((row) => row[cell] !== undefined)?.[cell]
      const sum = sumIn(rows, main)
      if (value === undefined) return !BigDecimal.isZero(sum)
      const slack = BigDecimal.multiply(halfCent, BigDecimal.make(BigInt(rows.length + 1), 0))
      return BigDecimal.isLessThan(BigDecimal.sum(BigDecimal.abs(value), slack), sum)
    }
    return documents.filter(isLess).length * 10 <= documents.length
  }
}

const taxTexts: { readonly [Field in FieldMeaning]?: string } = {
  taxCode: "every value is a percent",
  taxAmount: "the percent of the amount gives this value in every row",
  lineTotal: "amount + tax = this value in every row"
}
