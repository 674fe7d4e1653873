/**
 * Columns of a file with an unknown header, as questions for the operator: which line has the
 * names, and which column states each field. Every choice is a part of a column map.
 */
import { type Adapter, StatedAmounts, StatedWords } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import type { ColumnMap } from "../columns/ColumnMap.ts"
import type * as Settings from "../columns/Settings.ts"
import { nameless as placed, normalize } from "../columns/Header.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import { records } from "../detect/HeaderSearch.ts"
import { unreadable } from "../detect/Questions.ts"
import { fieldOf, isBuyerNumber, statesDue } from "../detect/UnreadColumns.ts"
import { delimiterSetting } from "../scan/Dialect.ts"
import { amountIn } from "./Equations.ts"
import { type Examined, examine } from "./ExaminedColumns.ts"
import { type Guess, invoicesOf, likelyHeader, type OpenedSample } from "./HeaderGuess.ts"
import * as SampleColumns from "./SampleColumns.ts"
import { columnsSeen, fieldId, layoutOf, reference, type SeenColumn } from "./SeenColumns.ts"
import { becauseOfName, showsInvoices, shownBy, type ShownField, sumsIn } from "./ValueFields.ts"

interface FieldTexts {
  readonly words: string
  readonly fits: (column: FilledColumn) => boolean
  /** Tests more closely for a field that every document needs. `dates`: column of the dates. */
  readonly states?: (column: FilledColumn, dates: SampleColumns.SampleColumn | undefined) => boolean
  /** Left out: the field is not asked for if no column shows it. */
  readonly missing?: { readonly question: string; readonly none: string | null }
}

interface FilledColumn extends SampleColumns.SampleColumn {
  readonly filled: ReadonlyArray<string>
}

const isFigure = (text: string): boolean => amountIn(text) !== undefined

const withUnit = /^\d[\d.,]* ?\p{L}{1,6}\.?$/u

const areFigures = ({ filled }: FilledColumn): boolean => filled.every(isFigure)

/** Taxes and kinds have few spellings: a column with more values names something else. */
const mostSpellings = 12

const areFew = ({ filled, texts }: FilledColumn): boolean =>
  new Set(texts).size <= mostSpellings && !filled.some(SampleColumns.isDate)

/** A percent; an amount of money, which differs by row, is never the name of a tax. */
const isRate = (text: string): boolean => /^\d{1,2}(?:[.,]\d{1,3})? ?%?$/.test(text)

const mayBeTax = (column: FilledColumn): boolean =>
  column.texts[0] !== "" && areFew(column) && (!areFigures(column) || column.filled.every(isRate))

const areTexts = ({ filled }: FilledColumn): boolean => !filled.every(isFigure) && !filled.some(SampleColumns.isDate)

const someHave =
  (pattern: RegExp) =>
  ({ filled }: FilledColumn) =>
    filled.some((text) => pattern.test(text))

/** Returns a value that names how something is paid, if at least half of the values do. */
const methodIn = ({ filled }: FilledColumn): string | undefined => {
  const methods = filled.filter(StatedAmounts.isMethodOfPayment)
  return methods.length * 2 >= filled.length ? methods[0] : undefined
}

const mayBeDay = ({ filled }: FilledColumn): boolean =>
  filled.every((text) => SampleColumns.isDate(text) || /\d/.test(text))

const areDays = ({ filled }: FilledColumn): boolean => filled.every(SampleColumns.isDate)

/** The rows of one number have one date. A number is neither a day nor an amount of money. */
const areNumbers = (column: FilledColumn, dates: SampleColumns.SampleColumn | undefined): boolean =>
  !areDays(column) &&
  !column.filled.every((text) => isFigure(text) && SampleColumns.hasCents(text)) &&
  (dates === undefined || SampleColumns.isOfDocument(column, dates))

/** Columns that are tried as the number: each costs the equations of the sample. */
const mostNumbering = 4

const digits = /\d(?:[ .-]?\d){7,}/

const buyerNumberOf = ({ filled }: FilledColumn): "customerTin" | "customerVat" | undefined => {
  const lengths = new Set(filled.map((text) => (isBuyerNumber(text) ? text.replaceAll(/\D/g, "").length : 0)))
  return lengths.size > 1 ? undefined : lengths.has(10) ? "customerTin" : lengths.has(9) ? "customerVat" : undefined
}

const asking = {
  number: {
    words: "the number of the invoice",
    fits: someHave(/\d/),
    states: areNumbers,
    missing: { question: "Which column is the number of the invoice?", none: null }
  },
  date: {
    words: "the date of the invoice",
    fits: mayBeDay,
    states: areDays,
    missing: { question: "Which column is the date of the invoice?", none: null }
  },
  description: {
    words: "the item or the service",
    fits: () => true,
    missing: {
      question: "Which column describes the item or the service?",
      none: "none: the file does not describe what was sold"
    }
  },
  quantity: {
    words: "the quantity",
    fits: ({ filled }) => filled.every((text) => isFigure(text) || withUnit.test(text)),
    missing: { question: "Which column is the quantity?", none: "none: the file states no quantity" }
  },
  unitPrice: {
    words: "the price of one piece",
    fits: areFigures,
    missing: { question: "Which column is the price of one piece?", none: "none: the file does not state it" }
  },
  lineAmount: {
    words: "the amount of the row, quantity × price",
    fits: areFigures,
    missing: {
      question: "Which column is the amount of the row, quantity × price?",
      none: "none: the file does not state it"
    }
  },
  taxCode: {
    words: "the tax of the row, as a code, a name or a percent",
    fits: mayBeTax,
    missing: {
      question: "Which column states the tax of the row, as a code, a name or a percent?",
      none: "none: the file states no tax for a row"
    }
  },
  taxPercent: { words: "the percent of the row's tax", fits: areFigures },
  taxAmount: { words: "the amount of the row's tax", fits: areFigures },
  customerName: {
    words: "the name of the buyer",
    fits: areTexts,
    missing: { question: "Which column is the name of the buyer?", none: "none: the file does not state it" }
  },
  customerTin: { words: "the buyer's TIN", fits: someHave(digits) },
  customerVat: { words: "the buyer's VAT number", fits: someHave(digits) },
  currency: { words: "the currency", fits: areFew },
  kind: { words: "the kind: invoice or credit note", fits: areFew },
  status: { words: "the state of the document, as paid or cancelled", fits: areFew },
  cancelled: {
    words: "a mark or a day of documents that were cancelled",
    fits: (column) => areFew(column) || column.filled.every(SampleColumns.isDate)
  },
  original: { words: "the number of the invoice that a credit note corrects", fits: someHave(/\d/) },
  reason: { words: "the reason of a credit note", fits: areTexts },
  paymentMethod: { words: "how the document was paid", fits: areFew },
  total: { words: "the total of the invoice with tax", fits: areFigures },
  net: { words: "the amount of the invoice without tax", fits: areFigures },
  tax: { words: "the tax of the whole invoice", fits: areFigures },
  lineTotal: { words: "the amount of the row with tax", fits: areFigures },
  discount: { words: "the discount of the row, as an amount", fits: areFigures },
  discountPercent: { words: "the discount of the row in percent", fits: areFigures },
  documentDiscount: { words: "a discount of the whole invoice, as an amount", fits: areFigures },
  shipping: { words: "the shipping of the invoice", fits: areFigures },
  fee: { words: "another charge of the invoice, as a fee or a tip", fits: areFigures },
  rounding: { words: "the rounding of the invoice's total", fits: areFigures },
  productCode: { words: "the HS code of the item", fits: someHave(/\d/) }
} as const satisfies { readonly [Field in FieldMeaning]?: FieldTexts }

/** Words of fields that only the name of a column shows. */
const wordsByName = {
  account: "the account of the row",
  adjustment: "an adjustment of the invoice's total",
  amounts: "whether the amounts include tax",
  city: "the buyer's city",
  customerEmail: "the buyer's email address",
  customerId: "the buyer's id in the accounting system",
  customerPhone: "the buyer's telephone number",
  customerTradeName: "the buyer's trade name",
  houseNo: "the house number of the buyer",
  id: "the id of the document in the accounting system",
  lineGross: "the amount of the row with tax",
  lineNet: "the amount of the row without tax",
  linesTotal: "the sum of the rows",
  province: "the buyer's province",
  reference: "the buyer's reference, as an order number",
  street: "the buyer's street"
} as const satisfies { readonly [Field in FieldMeaning]?: string }

/** Words of the fields, by id. Other fields have only a name. */
export const fieldWords: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(wordsByName),
  ...Object.entries(asking).map(([meaning, { words }]) => [fieldId(meaning as FieldMeaning), words])
])

const charges: ReadonlySet<string> = new Set(["shipping", "fee", "rounding", "discount", "documentDiscount"])

/** Returns the columns as questions. Fails as `ColumnProposal.propose` does. */
export const askedOf = (
  input: Adapter.InputFile,
  { columns: map, settings: given }: Pick<CsvOptions, "columns" | "settings"> = {}
): Effect.Effect<Adapter.AskedColumns, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const settings = { ...map?.settings, ...given }
    const what = yield* invoicesOf(input, settings)
    const guess = likelyHeader(what)
    if (guess === undefined)
      return yield* unreadable(
        what.file.name,
        "the rows have fewer than three cells, and an invoice needs a number, a date and an amount",
        "Export it again with these columns"
      )
    if (isHeaderAsked(guess, settings)) return { header: headerOf(what, guess), columns: [], fields: [] }
    const examined = yield* examinedOf(what, guess)
    return { header: undefined, ...columnsAsked(examined, baseOf(guess), map) }
  })

const isHeaderAsked = ({ known, names }: Guess, { headerLine }: Settings.Settings): boolean =>
  headerLine === undefined && known <= 1 && names !== "shown"

/** Examines the columns below the names. Fails if no row has a value. */
export const examinedOf = (what: OpenedSample, guess: Guess): Effect.Effect<Examined, Adapter.AdapterError> => {
  const { cells, line } = guess.record
  return Effect.filterOrElse(
    examine(cells, { ...what, header: { ...guess, line } }),
    ({ columns }) => columns.some(({ examples }) => examples.size > 0),
    () => unreadable(what.file.name, `no row below line ${line} has a value`, "Export it again with its rows")
  )
}

const baseOf = ({ delimiter, record: { line } }: Guess) => ({
  settings: { headerLine: line, ...delimiterSetting(delimiter) }
})

/** Returns the columns that are proposed as not used and not asked about, as `unread` has them. */
export const unusedOf = (examined: Examined, guess: Guess, settings: Settings.Settings): ReadonlySet<string> =>
  new Set(
    isHeaderAsked(guess, settings)
      ? []
      : columnsAsked(examined, baseOf(guess)).columns.flatMap(({ proposal, unused }) =>
          proposal === notUsed ? [JSON.stringify(unused)] : []
        )
  )

const mostLines = 6

const headerOf = (what: OpenedSample, { delimiter, record }: Guess): Adapter.AskedHeader => {
  const all = records(what, delimiter)
    .filter(({ cells }) => cells.length > 0)
    .map((one) => ({ ...one, cells: one.cells.map(inOneLine) }))
  const first = all.slice(0, mostLines)
  const isAmong = record.line === 0 || first.some(({ line }) => line === record.line)
  const sample = all.map(({ cells }) => cells)
  const columns = columnsSeen(Array.from({ length: Math.max(...all.map(({ count }) => count)) }, (_, i) => placed(i)))
  const shown = shownBy(columns, sample)
  const isNameless = showsInvoices(
    columns.map((one, cell) => ({ ...one, meaning: shown.get(cell)?.meaning })),
    sample
  )
  return {
    lines: isAmong ? first : [...first.slice(1), record],
    proposal: record.line > 0 ? record.line : isNameless ? 0 : null
  }
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

/** Ids of answers that name no column. */
const noColumns: ReadonlySet<string> = new Set(["none", "stop"])
/** Id of the answer that a column is not used. */
export const notUsed = "unused"

/** Returns the part of a column map that leaves the column unread. */
export const unread = (column: SeenColumn) => ({ unread: [reference(column)] })

const idOf = ({ name, nth }: SeenColumn): string => {
  const place = nth ?? (noColumns.has(name) ? 1 : undefined)
  return place === undefined ? inOneLine(name) : `${inOneLine(name)} (${place})`
}

/** A map cannot name a column without a name. */
const canBeNamed = ({ name }: SeenColumn): boolean => normalize(name) !== ""

/** Fields whose values are words. The name above unknown words may mean another thing. */
const words = { kind: StatedWords.kindOf, status: StatedWords.stateOf } as const

const doubtedOf = ({ examples, meaning }: SeenColumn): keyof typeof words | undefined =>
  (meaning === "kind" || meaning === "status") && ![...examples].some((text) => words[meaning](text) !== undefined)
    ? meaning
    : undefined

const saleFieldOf = (
  name: string,
  { filled }: FilledColumn
): { readonly [Field in FieldMeaning]?: string } | undefined => {
  const named = StatedWords.subjectOf(name)
  const subject = named ?? StatedWords.subjectOfValues(filled)
  const field = subject && fieldOf[subject]
  return field === "kind" || field === "status" || field === "cancelled"
    ? { [field]: named === undefined ? "some values state it" : becauseOfName }
    : undefined
}

const paymentOf = (values: FilledColumn): { readonly [Field in FieldMeaning]?: string } | undefined => {
  const method = methodIn(values)
  return method === undefined ? undefined : { paymentMethod: `${JSON.stringify(method)} is how something is paid` }
}

const changeOf = (name: string, values: FilledColumn): { readonly [Field in FieldMeaning]?: string } => {
  const isNumber = areFigures(values) && values.filled.some((text) => /[1-9]/.test(text))
  if (!isNumber || StatedAmounts.isLabel(name) || StatedAmounts.isPayment(name)) return {}
  const because = "no column states the total, and this number may change it"
  return { discount: because, documentDiscount: because, shipping: because, fee: because, rounding: because }
}

const buyerFieldsOf = ({ filled }: FilledColumn): { readonly [Field in FieldMeaning]?: string } | undefined => {
  const because = "every value has 9 or 10 digits"
  return filled.every(isBuyerNumber) ? { customerTin: because, customerVat: because } : undefined
}

/** Returns true for a column that the map reads as another field, or leaves unread. */
const isOther = (map: ColumnMap | undefined, field: FieldMeaning, column: SeenColumn): boolean => {
  const own = JSON.stringify(reference(column))
  const { [field as "number"]: _, ...others } = map?.columns ?? {}
  return [others, map?.unread].some((part) => JSON.stringify(part)?.includes(own) === true)
}

/** Returns the field that the map reads from a column: an answer names it. */
const answeredBy = (map: ColumnMap | undefined): ((column: SeenColumn) => FieldMeaning | undefined) => {
  const { taxes: [tax] = [], ...columns } = map?.columns ?? {}
  const ofTax = Object.entries(tax ?? {}).map(([part, one]) => [`tax.${part}`, one] as const)
  const read = new Map([...Object.entries(columns), ...ofTax].map(([id, one]) => [JSON.stringify(one), id]))
  const fields = new Map((Object.keys(asking) as Array<keyof typeof asking>).map((field) => [fieldId(field), field]))
  return (column) => fields.get(read.get(JSON.stringify(reference(column))) ?? "")
}

/** Fields of texts and days. No equation contradicts a wrong column, and no digits do. */
const ofTexts: ReadonlySet<string> = new Set<FieldMeaning>([
  "number",
  "date",
  "description",
  "customerName",
  "currency",
  "kind",
  "status",
  "cancelled",
  "original",
  "reason",
  "paymentMethod",
  "productCode"
])

const statedBy = ({ meaning, name }: SeenColumn): FieldMeaning | "due" | undefined => {
  const subject = StatedWords.subjectOf(name)
  return meaning ?? (statesDue(name) ? "due" : subject && fieldOf[subject])
}

/**
 * Returns the fields of texts that a column states by its name and its values. No other column is
 * offered as this field if its own name states another one.
 */
const statedIn = (
  usable: ReadonlyArray<UsableColumn>,
  byName: ReadonlyArray<FieldMeaning | undefined>,
  dates: SampleColumns.SampleColumn | undefined,
  map: ColumnMap | undefined
): ReadonlySet<FieldMeaning> => {
  const isStated = ({ column, values }: UsableColumn, meaning: FieldMeaning) => {
    const { fits, states }: FieldTexts = asking[meaning as keyof typeof asking]
    return fits(values) && states?.(values, dates) !== false && !isOther(map, meaning, column)
  }
  return new Set(
    usable.flatMap((one) => {
      const meaning = byName[one.cell]
      return meaning !== undefined && ofTexts.has(meaning) && isStated(one, meaning) ? [meaning] : []
    })
  )
}

/** The total beside the lines as a charge would double the sale. */
const allowedFor = (values: FilledColumn, isSum: boolean): ReadonlyArray<FieldMeaning> =>
  (Object.keys(asking) as Array<keyof typeof asking>).filter(
    (field) => asking[field].fits(values) && !(isSum && charges.has(field))
  )

interface UsableColumn {
  readonly column: SeenColumn
  readonly cell: number
  readonly values: FilledColumn
}

/** Columns that may state a missing field: open ones first, and for a needed field all others. */
const columnsFor = (
  usable: ReadonlyArray<UsableColumn>,
  { fits, missing, states }: FieldTexts,
  dates: SampleColumns.SampleColumn | undefined,
  isOpen: (one: UsableColumn) => boolean
): ReadonlyArray<UsableColumn> => {
  const fitting = usable.filter(({ values }) => fits(values))
  const stating = states === undefined ? [] : fitting.filter(({ values }) => states(values, dates))
  const among = stating.length > 0 ? stating : fitting
  const likely = among.filter(isOpen)
  return missing?.none === null ? [...likely, ...among.filter((one) => !likely.includes(one))] : likely
}

/** Until the number is known, each column that can state it shows totals. */
const totalsIn = (
  usable: ReadonlyArray<UsableColumn>,
  numbers: UsableColumn | undefined,
  dates: SampleColumns.SampleColumn | undefined,
  sample: ReadonlyArray<ReadonlyArray<string>>
): ReadonlySet<number> => {
  const isNumbering = ({ values }: UsableColumn) =>
    asking.number.fits(values) &&
    areNumbers(values, dates) &&
    values.texts.filter(Boolean).length * 4 >= sample.length * 3
  const numbering = numbers === undefined ? usable.filter(isNumbering).slice(0, mostNumbering) : [numbers]
  const width = Math.max(0, ...sample.map((row) => row.length))
  return new Set(numbering.flatMap(({ cell }) => [...sumsIn(sample, cell, width)]))
}

const columnsAsked = (
  { columns: seen, outside, sample }: Examined,
  base: { readonly settings: Readonly<Record<string, string | number>> },
  map: ColumnMap | undefined = undefined
): Pick<Adapter.AskedColumns, "columns" | "fields"> => {
  const answered = seen.map(answeredBy(map))
  const doubted = seen.map((column, cell) => (answered[cell] === undefined ? doubtedOf(column) : undefined))
  const byName = seen.map(({ meaning }, cell) => (doubted[cell] === undefined ? meaning : undefined))
  const columns = seen.map((column, cell) => ({ ...column, meaning: answered[cell] ?? byName[cell] }))
  const shown = shownBy(columns, sample)
  const values = SampleColumns.columnsIn(sample, columns.length)
  const usable = columns.flatMap((column, cell) =>
    // a further line is read as the first one is
    canBeNamed(column) && column.line === "own" && column.examples.size > 0
      ? [{ column, cell, values: { ...values[cell]!, filled: [...column.examples] } }]
      : []
  )
  const named = (meaning: FieldMeaning) => usable.find(({ column }) => column.meaning === meaning)
  const isCoded = named("taxCode") !== undefined || [...shown.values()].some(({ meaning }) => meaning === "taxCode")
  const proposalOf = ({ cell, column, values }: UsableColumn): FieldMeaning | undefined => {
    const isNamed = column.meaning !== undefined && named(column.meaning)?.cell === cell
    const meaning = isNamed ? column.meaning : shown.get(cell)?.meaning
    // the texts of a buyer or an item may be ways to pay
    if (!isNamed && methodIn(values) !== undefined) return undefined
    // a name says that it is a buyer's number, and its digits say which of the two
    if (meaning === "customerTin" || meaning === "customerVat") return buyerNumberOf(values) ?? meaning
    // without a column for its name, the percent distinguishes taxes
    return meaning === "taxPercent" && !isCoded ? "taxCode" : meaning
  }
  const isShown = (meaning: FieldMeaning) =>
    usable.some((one) => proposalOf(one) === meaning && !isOther(map, meaning, one.column))
  const mapOf = (meaning: FieldMeaning, column: SeenColumn) => {
    const [, part] = fieldId(meaning).split(".")
    if (part !== undefined) return { columns: { taxes: [{ [part]: reference(column) }] } }
    const named = { columns: { [meaning]: reference(column) } }
    if (meaning !== "number") return named
    const { name: layout } = layoutOf(
      columns.map((one) => ({ ...one, meaning: one === column ? "number" : undefined })),
      outside
    )
    const isGrouped = layout === "report" && !isShown("customerName")
    return { ...base, layout, ...(isGrouped && { groups: "customerName" }), ...named }
  }
  const numbers = usable.find((one) => proposalOf(one) === "number")
  const dates = usable.find((one) => proposalOf(one) === "date")?.values
  const sums = totalsIn(usable, numbers, dates, sample)
  const stated = statedIn(usable, byName, dates, map)
  const isWitnessed = isShown("total") || (isShown("net") && isShown("tax"))
  /**
   * Returns what the form of the values, or a name of kinds and states may be. The form raises a
   * question, and is never its proposal: a column that is not used is never compared again.
   */
  const formOf = ({ cell, column, values }: UsableColumn): { readonly [Field in FieldMeaning]?: string } => {
    const known = saleFieldOf(column.name, values) ?? buyerFieldsOf(values)
    if (known !== undefined) return known
    const own = numbers?.values.texts ?? []
    const other = values.texts.find((text, row) => text !== "" && text !== own[row] && own.includes(text))
    if (other !== undefined && cell !== numbers?.cell)
      return { original: `${JSON.stringify(other)} is the number of another document` }
    return paymentOf(values) ?? (isWitnessed ? {} : changeOf(column.name, values))
  }
  const meaningsOf = ({ cell, column, values }: UsableColumn) => {
    const own = [column.meaning, doubted[cell], shown.get(cell)?.meaning].flatMap((meaning) => meaning ?? [])
    const named = statedBy(seen[cell]!)
    const isElsewhere = (meaning: FieldMeaning) =>
      named !== undefined && named !== meaning && !own.includes(meaning) && stated.has(meaning)
    const all = [...new Set([...allowedFor(values, sums.has(cell)), ...own])]
    return { offered: all.filter((one) => !isElsewhere(one)), elsewhere: all.filter(isElsewhere) }
  }
  const fields = Object.entries(asking).flatMap(([name, texts]: [string, FieldTexts]) => {
    const [field, { missing }] = [name as FieldMeaning, texts]
    if (missing === undefined || isShown(field)) return []
    const isOpen = (one: UsableColumn) => proposalOf(one) === undefined
    const all = columnsFor(usable, texts, dates, isOpen)
    return all.length === 0
      ? []
      : [{ field: fieldId(field), ...missing, columns: all.map(({ column }) => idOf(column)) }]
  })
  return {
    fields,
    columns: usable.map((one): Adapter.AskedColumn => {
      const { cell, column } = one
      const proposal = proposalOf(one)
      const form = proposal === undefined ? formOf(one) : {}
      const isAsked = doubted[cell] !== undefined || Object.keys(form).length > 0
      const { elsewhere, offered } = meaningsOf(one)
      const meaningOf = (meaning: FieldMeaning): Adapter.ColumnMeaning => ({
        id: fieldId(meaning),
        words: fieldWords[fieldId(meaning)] ?? meaning,
        evidence: [
          ...evidenceOf(meaning, answered[cell] === undefined ? column.meaning : undefined, shown.get(cell)),
          ...(form[meaning] === undefined ? [] : [form[meaning]])
        ],
        map: mapOf(meaning, column)
      })
      return {
        id: idOf(column),
        words: wordsOf(column),
        examples: [...column.examples].slice(0, 3),
        meanings: offered.map(meaningOf),
        elsewhere: elsewhere.map(meaningOf),
        unused: unread(column),
        // the name above unknown words may mean another thing
        proposal: proposal !== undefined ? fieldId(proposal) : isAsked ? null : notUsed
      }
    })
  }
}

const evidenceOf = (
  field: FieldMeaning,
  meaning: FieldMeaning | undefined,
  shown: ShownField | undefined
): ReadonlyArray<string> =>
  meaning === field || (field === "taxCode" && meaning === "taxPercent")
    ? [becauseOfName]
    : shown?.meaning === field
      ? [shown.because]
      : []

const nameless = /^#(\d+)$/

const wordsOf = (column: SeenColumn): string => {
  const place = nameless.exec(column.name)?.[1]
  return place === undefined ? JSON.stringify(idOf(column)) : `column ${place}`
}
