/**
 * Every unread number that could change an unwitnessed total is asked, all in one list. A witness
 * is a column that the total was not computed from and that equals it in every document.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import type { Answer } from "../finding/Answer.ts"
import * as Finding from "../finding/Finding.ts"
import type { SourceAmount, SourceDocument, SourceLine } from "../source/SourceDocument.ts"
import { AmountFinding, figuresOf, isAmong, isApart, isLabel, isPayment } from "../source/StatedAmounts.ts"
import type { Translated } from "./Translated.ts"

interface UnwitnessedColumn {
  readonly name: string
  readonly is: "payment" | "label" | "number"
  readonly answers: ReadonlyArray<Answer>
  readonly changes: ReadonlyArray<Answer>
  readonly samples: Array<string>
  documents: number
  agreeing: number
  /** `could`: a value differs from every figure of its document, and is not an identifier. */
  change: "could" | "cannot"
  readonly small: Set<string>
  /** Values that count rows or documents: 1, 2, 3. */
  order: "counts" | "other"
  last: Money.Money
}

/** `numbers`: unread numbers could change the total. `rows`: its rows repeat one amount. */
export type OpenTotal = "numbers" | "rows"

interface FileTotals {
  readonly columns: Map<string, UnwitnessedColumn>
  documents: number
  /** Documents without a stated total, with a number that could change it. */
  open: number
  readonly examples: Array<string>
  /** Columns whose amount each row of a document repeats; `rows` as soon as the rows differ. */
  readonly repeated: Map<string, SourceAmount | "rows">
}

export interface UnreadNumbers {
  readonly file: string
  readonly finding: Finding.Finding
  readonly documents: number
  readonly examples: ReadonlyArray<string>
}

/** Documents that show a count of rows or documents, or values that show a repeated figure. */
const fewestInOrder = 3

const mostColumns = 20

const hundred = BigDecimal.make(100n, 0)
const one = BigDecimal.make(1n, 0)

const isStated = ({ totals }: SourceDocument): boolean =>
  totals.total !== undefined || (totals.net !== undefined && totals.tax !== undefined)

const figuresWith = (source: SourceDocument, { document, taxes }: Translated): ReadonlyArray<Money.Money> => {
  const { subTotal, total, totalTax } = document.payload
  const percents = Array.from(taxes.values(), ({ percent }) => percent ?? Money.zero)
  return [subTotal, total, totalTax, ...percents, ...source.lines.flatMap(productsOf), ...figuresOf(source)]
}

const productsOf = ({ lineAmount, quantity, unitPrice }: SourceLine): ReadonlyArray<Money.Money> => {
  if (quantity === undefined || unitPrice === undefined) return []
  const product = BigDecimal.multiply(quantity, unitPrice)
  if (lineAmount === undefined || BigDecimal.isZero(product)) return [product]
  const off = BigDecimal.subtract(product, lineAmount)
  return [product, off, Money.quotient(BigDecimal.multiply(off, hundred), product, 2)]
}

/** Whole numbers up to 100 are equal by chance, as a discount of 10 and a quantity of 10. */
const isSmall = (value: Money.Money): boolean =>
  BigDecimal.normalize(value).scale <= 0 && BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(value), hundred)

export class UnwitnessedTotals {
  private readonly files = new Map<string, FileTotals>()

  take(source: SourceDocument, translated: Translated | undefined): ReadonlyArray<OpenTotal> {
    const { amounts = [] } = source
    if (amounts.length === 0 || translated?.completeness !== "complete" || isStated(source)) return []
    const { file: name } = source.where([])
    const file = this.files.get(name) ?? {
      columns: new Map<string, UnwitnessedColumn>(),
      documents: 0,
      open: 0,
      examples: [],
      repeated: new Map<string, SourceAmount | "rows">()
    }
    this.files.set(name, file)
    file.documents++
    const { total } = translated.document.payload
    const figures = figuresWith(source, translated)
    const about = new Set<OpenTotal>()
    for (const amount of amounts) {
      if (amount.of !== undefined) {
        const known = amount.of === "rows" ? amount.of : (file.repeated.get(amount.name) ?? amount)
        file.repeated.set(amount.name, known)
        if (known !== "rows") about.add("rows")
        continue
      }
      const column = file.columns.get(amount.name) ?? columnOf(amount)
      file.columns.set(amount.name, column)
      const { values } = amount
      count(column, values)
      if (isAmong(total, values)) column.agreeing++
      if (column.is === "payment" || isRepeated(values.at(-1)!, figures)) continue
      const stated = values.filter((value) => !BigDecimal.isZero(value) && !isIdentifier(value, total, column))
      const isNew = stated.some((value) => !isAmong(value, figures))
      for (const value of stated) if (isSmall(value)) column.small.add(Money.formatPlain(value))
      if (isNew) column.change = "could"
      if (isNew || stated.some(isSmall)) about.add("numbers")
    }
    if (about.size === 0) return []
    file.open++
    if (file.examples.length < 3) file.examples.push(source.number || source.id)
    return [...about]
  }

  asked(): ReadonlyArray<UnreadNumbers> {
    return Array.from(this.files, ([file, { examples, open: documents }]) =>
      (["rows", "numbers"] as const).flatMap((about) => {
        const finding = documents === 0 ? undefined : this.findingOf(file, about)
        return finding === undefined ? [] : [{ file, finding, documents, examples }]
      })
    ).flat()
  }

  findingOf(name: string, about: OpenTotal): Finding.Finding | undefined {
    const file = this.files.get(name)
    if (file === undefined) return undefined
    const columns = [...file.columns.values()]
    if (columns.some((column) => isWitness(column, file))) return undefined
    const isCount = ({ documents, order }: UnwitnessedColumn) => order === "counts" && documents >= fewestInOrder
    if (about === "rows") {
      const repeated = [...file.repeated.values()].filter((one) => one !== "rows")
      return repeated.length === 0 ? undefined : repeats(repeated)
    }
    // three different numbers show that a column repeats a figure
    const isByChance = ({ small }: UnwitnessedColumn) => small.size > 0 && small.size < fewestInOrder
    const couldChange = (column: UnwitnessedColumn) => column.change === "could" || isByChance(column)
    const asked = columns.filter((column) => couldChange(column) && !isCount(column)).slice(0, mostColumns)
    if (asked.length === 0) return undefined
    const names = asked.map((column) => `"${column.name.slice(0, 60)}" ${column.samples.join(", ")}`).join("; ")
    return Finding.make(AmountFinding.TOTAL_UNWITNESSED, {
      message: `no column states the total, and these numbers are not read: ${names}`,
      answers: [...listed("unread", asked), ...asked.flatMap(({ changes }) => changes)]
    })
  }
}

/** Every document in which a witness differs is refused (AMOUNT_CONTRADICTS). */
const isWitness = ({ agreeing, name }: UnwitnessedColumn, { documents }: FileTotals): boolean =>
  agreeing > 0 && (agreeing === documents || (!isApart(name) && agreeing * 2 >= documents))

const isRepeated = (value: Money.Money, figures: ReadonlyArray<Money.Money>): boolean =>
  !isSmall(value) && isAmong(value, figures)

const columnOf = ({ answers = [], changes = [], name }: SourceAmount): UnwitnessedColumn => ({
  name,
  is: isPayment(name) ? "payment" : isLabel(name) ? "label" : "number",
  answers,
  changes,
  samples: [],
  documents: 0,
  agreeing: 0,
  change: "cannot",
  small: new Set(),
  order: "counts",
  last: Money.zero
})

/** A charge is smaller than this many times the total. */
const farAbove = hundred

const isIdentifier = (value: Money.Money, total: Money.Money, { is }: Pick<UnwitnessedColumn, "is">): boolean =>
  value.scale <= 0 &&
  (is === "label" ||
    BigDecimal.isGreaterThan(value, BigDecimal.multiply(BigDecimal.max(BigDecimal.abs(total), one), farAbove)))

const count = (column: UnwitnessedColumn, values: ReadonlyArray<Money.Money>): void => {
  column.documents++
  for (const value of values.filter((each) => !BigDecimal.isZero(each))) {
    const text = Money.formatPlain(value)
    if (column.samples.length < 3 && !column.samples.includes(text)) column.samples.push(text)
  }
  // the last of several values is their sum
  const own = values.length > 2 ? values.slice(0, -1) : values.slice(0, 1)
  const isWhole = own.every(({ scale }) => scale <= 0)
  const isOfRows = own.every((value, i) => BigDecimal.equals(value, BigDecimal.make(BigInt(i + 1), 0)))
  const isNext = column.documents === 1 || BigDecimal.equals(own[0]!, BigDecimal.sum(column.last, one))
  if (!isWhole || !(isOfRows || (own.length === 1 && isNext))) column.order = "other"
  column.last = own.at(-1) ?? Money.zero
}

const repeats = (amounts: ReadonlyArray<SourceAmount>): Finding.Finding => {
  const names = amounts.map(({ name, values: [value = Money.zero] }) => `"${name}", as ${Money.formatAmount(value)}`)
  return Finding.make(AmountFinding.AMOUNT_REPEATED, {
    message: `every row of a document states the same amount in ${names.join(", and in ")}`,
    answers: listed("rowAmounts", amounts)
  })
}

const listed = (
  field: "unread" | "rowAmounts",
  columns: ReadonlyArray<Pick<SourceAmount, "answers">>
): ReadonlyArray<Answer> => {
  const names = columns.flatMap(({ answers = [] }) =>
    answers.flatMap((answer) => ("map" in answer && Array.isArray(answer.map[field]) ? answer.map[field] : []))
  )
  return names.length === 0 ? [] : [{ map: { version: 1, [field]: [...new Set(names)] } }]
}
