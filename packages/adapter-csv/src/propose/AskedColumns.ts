/**
 * Columns of a file with an unknown header, as questions for the operator: which line has the
 * names, and which column states each field. Every choice is a part of a column map.
 */
import type {
  AdapterError,
  AskedColumns,
  AskedHeader,
  ColumnChoice,
  InputFile
} from "@fiscal-connector/core/source/Adapter"
import * as StatedWords from "@fiscal-connector/core/source/StatedWords"
import { Effect } from "effect"
import type { CsvOptions } from "../columns/CsvOptions.ts"
import { nameless as placed, normalize } from "../columns/Header.ts"
import type { Meaning } from "../columns/Synonyms.ts"
import { records } from "../detect/HeaderSearch.ts"
import { unreadable } from "../detect/Questions.ts"
import { delimiterSetting } from "../scan/Dialect.ts"
import { type Examined, examine } from "./ExaminedColumns.ts"
import { type Guess, invoicesOf, likelyHeader, type Opened } from "./HeaderGuess.ts"
import { examplesOf, quoted } from "./ProposalLines.ts"
import { type Column, columnsIn, isDate } from "./SampleColumns.ts"
import { columnsSeen, layoutOf, reference, type Seen } from "./SeenColumns.ts"
import { becauseOfName, isText, showsInvoices, shownBy, type ShownField } from "./ValueFields.ts"

interface FieldToAsk {
  /** Name of the field in an answer. */
  readonly name: string
  readonly question: string
  /** Answer that no column states the field; null if every document needs the field. */
  readonly none?: string | null
  /** Tests whether an open column may state the field; left out: asked if values show the field. */
  readonly fits?: "always" | ((column: Column) => boolean)
}

const notStated = "none: the file does not state it"

const areFigures = ({ figures }: Column): boolean => figures !== undefined

/** Taxes have few spellings: a column with more values names something else. */
const mostTaxes = 12

const mayBeTax = ({ texts }: Column): boolean =>
  texts[0] !== "" && !texts.some(isDate) && new Set(texts).size <= mostTaxes

/** Fields in the order of asking. */
const fieldsToAsk = {
  number: { name: "number", question: "Which column is the number of the invoice?", none: null, fits: "always" },
  date: { name: "date", question: "Which column is the date of the invoice?", none: null, fits: "always" },
  description: {
    name: "description",
    question: "Which column describes the item or the service?",
    none: "none: the file does not describe what was sold",
    fits: "always"
  },
  quantity: {
    name: "quantity",
    question: "Which column is the quantity?",
    none: "none: the file states no quantity",
    fits: areFigures
  },
  unitPrice: {
    name: "price",
    question: "Which column is the price of one piece?",
    fits: areFigures
  },
  lineAmount: {
    name: "amount",
    question: "Which column is the amount of the row, quantity × price?",
    fits: areFigures
  },
  taxCode: {
    name: "tax",
    question: "Which column states the tax of the row, as a code, a name or a percent?",
    none: "none: the file states no tax for a row",
    fits: mayBeTax
  },
  customerName: {
    name: "buyer",
    question: "Which column is the name of the buyer?",
    fits: isText
  },
  currency: {
    name: "currency",
    question: "Which column is the currency?"
  },
  kind: {
    name: "kind",
    question: "Which column states whether a document is an invoice or a credit note?"
  },
  status: {
    name: "state",
    question: "Which column is the state of the document, as paid or cancelled?"
  },
  original: {
    name: "original",
    question: "Which column has the number of the invoice that a credit note corrects?"
  },
  total: {
    name: "total",
    question: "Which column is the total of the invoice with tax?"
  },
  discount: {
    name: "discount",
    question: "Which column is the discount of the row, as an amount?"
  },
  discountPercent: {
    name: "discount percent",
    question: "Which column is the discount of the row in percent?"
  },
  net: {
    name: "net",
    question: "Which column is the amount of the invoice without tax?"
  },
  tax: {
    name: "total tax",
    question: "Which column is the tax of the whole invoice?"
  },
  lineTotal: {
    name: "amount with tax",
    question: "Which column is the amount of the row with tax?"
  }
} as const satisfies { readonly [Field in Meaning]?: FieldToAsk }

type Asked = keyof typeof fieldsToAsk

const isAsked = (meaning: Meaning): meaning is Asked => meaning in fieldsToAsk

/** Fields that are asked only where values show them; by a name, they are among the others. */
const onlyShown: ReadonlySet<string> = new Set<Asked>(["discount", "discountPercent", "net", "tax"])

const taxParts = { taxPercent: "percent", taxAmount: "amount" } as const

/** Returns the columns as questions. Fails as `ColumnProposal.propose` does. */
export const askedOf = (
  input: InputFile,
  { columns: map, settings: given }: Pick<CsvOptions, "columns" | "settings"> = {}
): Effect.Effect<AskedColumns, AdapterError> =>
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
    if (settings.headerLine === undefined && guess.known <= 1)
      return { header: headerOf(what, guess), fields: [], others: undefined }
    const { cells, line } = guess.record
    const examined = yield* examine(cells, { ...what, header: { ...guess, line } })
    if (examined.columns.every(({ examples }) => examples.size === 0))
      return yield* unreadable(what.file.name, `no row below line ${line} has a value`, "Export it again with its rows")
    const isStarted = map !== undefined && map.columns?.number === undefined
    const base = { settings: { headerLine: line, ...delimiterSetting(guess.delimiter) } }
    return { header: undefined, ...fieldsOf(examined, base, isStarted) }
  })

/** Maximum number of lines to choose from. */
const mostLines = 6

const headerOf = (what: Opened, { delimiter, record }: Guess): AskedHeader => {
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

/** Id of the answer that no column states the field. */
const noColumn = "none"

const idOf = ({ name, nth }: Seen): string => {
  const place = nth ?? (name === noColumn ? 1 : undefined)
  return place === undefined ? inOneLine(name) : `${inOneLine(name)} (${place})`
}

/** A map cannot name a column without a name. */
const canBeNamed = ({ name }: Seen): boolean => normalize(name) !== ""

/** Fields whose values are words. The name above unknown words may mean another thing. */
const words = { kind: StatedWords.kindOf, status: StatedWords.stateOf } as const

/** Returns the field of a name that no value of the column supports. */
const doubtedOf = ({ examples, meaning }: Seen): keyof typeof words | undefined =>
  (meaning === "kind" || meaning === "status") && ![...examples].some((text) => words[meaning](text) !== undefined)
    ? meaning
    : undefined

const fieldsOf = (
  { columns: seen, outside, sample }: Examined,
  base: { readonly settings: Readonly<Record<string, string | number>> },
  isStarted: boolean
): Pick<AskedColumns, "fields" | "others"> => {
  const doubted = new Map(seen.map((column, cell) => [cell, doubtedOf(column)]))
  const columns = seen.map((column, cell) =>
    doubted.get(cell) === undefined ? column : { ...column, meaning: undefined }
  )
  const shown = shownBy(columns, sample)
  const all = columnsIn(sample, columns.length)
  const usable = columns.flatMap((column, cell) => (canBeNamed(column) ? [{ column, cell }] : []))
  const named = (meaning: Meaning) => usable.find(({ column }) => column.meaning === meaning)
  const taxed = named("taxCode") ?? named("taxPercent")
  const knownOf = (field: Asked) => (field === "taxCode" ? taxed : named(field))
  const shownOf = (field: Meaning) => usable.find(({ cell }) => shown.get(cell)?.meaning === field)
  const open = usable.filter(
    ({ cell, column }) => column.meaning === undefined && column.examples.size > 0 && !shown.has(cell)
  )
  const isOpen = (field: Asked): boolean => {
    const { fits }: FieldToAsk = fieldsToAsk[field]
    return (
      knownOf(field) === undefined &&
      (fits === "always" ||
        [...doubted.values()].some((meaning) => meaning === field) ||
        shownOf(field) !== undefined ||
        (fits !== undefined && open.some(({ cell }) => fits(all[cell]!))))
    )
  }
  const fields = Object.keys(fieldsToAsk) as Array<Asked>
  const asked = fields.filter((field) => (knownOf(field) !== undefined && !onlyShown.has(field)) || isOpen(field))
  if (!isStarted && !asked.some(isOpen)) return { fields: [], others: undefined }
  const taxMap = (column: Seen) => {
    const parts = Object.entries(taxParts).flatMap(([meaning, part]) => {
      const other = named(meaning as Meaning) ?? shownOf(meaning as Meaning)
      return other === undefined || other.column === column ? [] : [{ part, column: other.column }]
    })
    const tax = Object.fromEntries(parts.map((one) => [one.part, reference(one.column)]))
    return { others: parts.map((one) => one.column), columns: { taxes: [{ code: reference(column), ...tax }] } }
  }
  const choiceOf = (field: Asked, { cell, column }: { readonly cell: number; readonly column: Seen }): ColumnChoice => {
    const tax = field === "taxCode" ? taxMap(column) : undefined
    const layout =
      field === "number" &&
      layoutOf(
        columns.map((one) => ({ ...one, meaning: one === column ? "number" : undefined })),
        outside
      ).name
    return {
      id: idOf(column),
      words: wordsOf(column),
      examples: [...column.examples].slice(0, 3),
      evidence: [
        ...evidenceOf(field, column.meaning ?? doubted.get(cell), shown.get(cell)),
        ...(tax?.others ?? []).map((other) => `together with ${wordsOf(other)} (${quoted([...other.examples])})`)
      ],
      columns: [column, ...(tax?.others ?? [])].map(idOf),
      map: { ...(layout && { ...base, layout }), columns: tax?.columns ?? { [field]: reference(column) } }
    }
  }
  const takenByTax = new Set(taxed === undefined ? [] : taxMap(taxed.column).others)
  const extras = usable.filter(({ column }) => {
    const { meaning } = column
    return (
      meaning !== undefined &&
      (!isAsked(meaning) || onlyShown.has(meaning)) &&
      !(meaning in taxParts) &&
      !takenByTax.has(column) &&
      named(meaning)?.column === column
    )
  })
  return {
    fields: asked.map((field) => {
      const { name, none = notStated, question }: FieldToAsk = fieldsToAsk[field]
      const proposed = knownOf(field) ?? shownOf(field)
      return {
        field: name,
        question,
        none,
        choices: usable.filter(({ column }) => column.examples.size > 0).map((one) => choiceOf(field, one)),
        proposal: proposed === undefined ? null : idOf(proposed.column)
      }
    }),
    others:
      extras.length === 0
        ? undefined
        : {
            columns: extras.map(({ column }) => idOf(column)),
            evidence: extras.map(({ column }) => `${column.meaning}: ${wordsOf(column)} (${examplesOf(column)})`),
            map: { columns: Object.fromEntries(extras.map(({ column }) => [column.meaning, reference(column)])) }
          }
  }
}

const evidenceOf = (
  field: Meaning,
  meaning: Meaning | undefined,
  shown: ShownField | undefined
): ReadonlyArray<string> => {
  const isNamed = meaning === field || (field === "taxCode" && meaning === "taxPercent")
  return isNamed ? [becauseOfName] : shown?.meaning === field ? [shown.because] : []
}

const nameless = /^#(\d+)$/

/** Returns the name in quotes, or the place of a column without a name. */
const wordsOf = (column: Seen): string => {
  const place = nameless.exec(column.name)?.[1]
  return place === undefined ? JSON.stringify(idOf(column)) : `column ${place}`
}
