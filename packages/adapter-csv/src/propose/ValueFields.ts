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
import { amountIn, documentsOf, type Equations, equationsOf, usualMark } from "./Equations.ts"
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

const areSomeTexts = (column: SampleColumn): boolean =>
  areAll(column, (text) => !isDate(text)) && filledTexts(column).some((text) => /\p{L}{3}/u.test(text))

const areWords = (column: SampleColumn, is: (text: string) => boolean): boolean =>
  areAll(column, (text) => letters.test(text) && is(text))

/** Values of document numbers have digits, and a letter, a hyphen or a leading zero marks them. */
const areMarked = (column: SampleColumn): boolean => filledTexts(column).some((text) => /[\p{L}#/-]|^0\d/u.test(text))

/** Tests for few texts that differ between rows with and without an original, as a kind does. */
const tellsNotes = ({ texts }: SampleColumn, originals: SampleColumn): boolean => {
  const [notes, others] = [true, false].map(
    (isNote) => new Set(texts.filter((_, row) => (originals.texts[row] !== "") === isNote))
  )
  return texts.length > 2 && notes!.size === 1 && others!.size === 1 && notes!.isDisjointFrom(others!)
}

/** Numbers differ in their figures: `INV-10` and `INV-11`, and `CN-1` for credit notes. */
const areOfOneForm = (column: SampleColumn): boolean => {
  const values = new Set(filledTexts(column))
  const forms = new Set(Array.from(values, (text) => text.replaceAll(/\d+/g, "0")))
  return forms.size * 2 <= values.size
}

/** Tests for names of taxes: few texts, and some have a percent. */
const areTaxNames = (column: SampleColumn): boolean => {
  const values = new Set(filledTexts(column))
  return (
    values.size <= mostTaxNames &&
    areWords(column, (text) => !isDate(text)) &&
    Array.from(values).some((text) => /\d ?%/.test(text)) &&
    values.size < filledTexts(column).length
  )
}
const mostTaxNames = 6

/** Tests for percents in fewer values than rows. Amounts of a short file can be small, too. */
const areRates = ({ figures = [], texts }: SampleColumn): boolean =>
  !texts.every((text) => /[.,]\d{2}$/.test(text)) &&
  new Set(figures.map(Money.formatPlain)).size < figures.length &&
  figures.every(isRate)

/** Tests for percents that the names of taxes tell apart: at least two. */
const areRatesOf = ({ figures = [], texts }: SampleColumn, codes: SampleColumn): boolean => {
  const pairs = new Set(codes.texts.map((code, row) => `${code} ${texts[row]}`))
  return (
    figures.length > 0 && figures.every(isRate) && new Set(texts).size > 1 && pairs.size === new Set(codes.texts).size
  )
}

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
  if (found("lineAmount") === undefined) {
    const isFactor = ({ cell }: SampleColumn) => ofProduct.has(columns[cell]!.meaning)
    takeReduced({ all: all.filter(isFactor), found, open: open() }, equations, take)
  }
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
  take("number", only(marked) ?? only(marked.filter(areOfOneForm)), numbers)
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
  if (found("taxPercent") === undefined)
    take("taxCode", only(open().filter(areTaxNames)), "a few values are repeated, and some name a percent")
  const codes = found("taxCode")
  if (codes !== undefined)
    take(
      "taxPercent",
      only(open().filter((column) => areRatesOf(column, codes))),
      "each name of a tax has one percent here"
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
    const taxes = open().filter((column) => isTaxOf(column, amount, ofNumber))
    if (found("taxCode") !== undefined) take("taxAmount", only(taxes), taxTexts.taxAmount!)
    takeSums(open, { amount, found }, ofNumber, take)
  }
  const originals = found("original")
  const isText = (column: SampleColumn) =>
    areSomeTexts(column) && (originals === undefined || !tellsNotes(column, originals))
  const texts = open().filter(isText)
  if (number !== undefined && isFilled(number)) {
    const description = only(texts.filter((column) => !isOfDocument(number, column)))
    take("description", description, "the value differs within one invoice")
    // without the text of the lines, a text of each document could be either of them
    const buyer = found("description") === undefined ? undefined : only(open().filter(isText))
    if (buyer !== undefined && isOfDocument(number, buyer))
      take("customerName", buyer, "the rows of one invoice have the same value")
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

const ofProduct: ReadonlySet<FieldMeaning | undefined> = new Set<FieldMeaning>([
  "quantity",
  "unitPrice",
  "discount",
  "discountPercent"
])

interface Known {
  /** Columns with known names that may be a part of the product. */
  readonly all: ReadonlyArray<SampleColumn>
  readonly found: Found
  readonly open: ReadonlyArray<SampleColumn>
}

/**
 * Takes an amount that is quantity × price, less a discount or with tax. Without a known quantity
 * or price, only a settled equation shows it. The row's amount is the one without tax, if there are
 * several.
 */
const takeReduced = ({ all, found, open }: Known, equations: Equations, take: Take): void => {
  const [quantity, price] = [found("quantity"), found("unitPrice")]
  const at = (cell: number) => [...open, ...all].find((column) => column.cell === cell)
  const shown = open.flatMap((amount) => {
    const settled = equations.settled(amount.cell, "row")
    const equal = quantity === undefined && price === undefined ? [settled] : equations.of(amount.cell)
    return equal.flatMap((equation) => {
      const { less, of, tax } = equation ?? {}
      if (of === undefined || !("product" in of) || (tax !== undefined && tax.is !== "added")) return []
      const [one, other] = of.product.map(at)
      const isKnown = [quantity, price].every((known) => known === undefined || known === one || known === other)
      if (one === undefined || other === undefined || !isKnown) return []
      const isOther = quantity === other || (quantity !== one && price !== other && !areWhole(one) && areWhole(other))
      const isFirst = price === one || isOther
      return [{ amount, less, tax, quantity: isFirst ? other : one, price: isFirst ? one : other }]
    })
  })
  const [only, another] = [shown.filter(({ tax }) => tax === undefined), shown].find((some) => some.length > 0) ?? []
  if (only === undefined || (another !== undefined && another.amount !== only.amount)) return
  const { amount, less, tax } = only
  const formula = `quantity × price${less === undefined ? "" : " − discount"}${tax === undefined ? "" : " + tax"}`
  const because = `${formula} = amount in every row`
  take("quantity", only.quantity, because)
  take("unitPrice", only.price, because)
  take(tax === undefined ? "lineAmount" : "lineTotal", amount, because)
  if (less !== undefined) take(less.as === "amount" ? "discount" : "discountPercent", at(less.column), because)
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

/** Tests for usual percents of the amount in every row, at least two of them above 0. */
const isTaxOf = (column: SampleColumn, amount: SampleColumn, equations: Equations): boolean =>
  column.figures !== undefined &&
  column.figures.filter((figure) => !BigDecimal.isZero(figure)).length > 1 &&
  equations.scopeOf(column.cell) !== "document" &&
  equations.areTaxes(column.cell, amount.cell)

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
    !equations.areTaxes(cell, amount.cell) &&
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
  const usual = usualMark(sample)
  const figures = sample.map((row) => row.map((text) => amountIn(text, usual)))
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
