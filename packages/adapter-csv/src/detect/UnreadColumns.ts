import { StatedAmounts, StatedWords } from "@fiscal-connector/core/adapter"
import { bound, cellsOfDocument, numeric, percents } from "../columns/Binding.ts"
import type { DocumentField } from "../columns/Field.ts"
import { type ColumnMap, cellsIn } from "../columns/ColumnMap.ts"
import { columnAt, indexOf, nameless, normalize } from "../columns/Header.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { AmountColumn, ColumnTreatment, Interpretation, WordColumn } from "./Interpretation.ts"

const dateNames = new Set(
  "Invoice Date|InvoiceDate|Date|DateString|Date (UTC)|Date Issued|Issue Date|Document Date".split("|").map(normalize)
)

export const datesBeside = ({ binding, cells }: FoundHeader): ReadonlyArray<number> => {
  const own = new Set(cellsOfDocument(binding, "date"))
  const isBeside = (name: string, cell: number) =>
    dateNames.has(normalize(name)) && !own.has(cell) && !binding.passed.has(cell)
  return cells.flatMap((name, cell) => (isBeside(name, cell) ? [cell] : []))
}

const dueNames = new Set(
  "Due Date|DueDate|Date Due|Due|Payment Due Date|Due Date (UTC)|invoice_date_due|Invoice Due Date|Fälligkeitsdatum|Fällig am|Date d'échéance|Échéance|Vervaldatum|Data de Vencimento|Vencimiento|Fecha de vencimiento|Scadenza"
    .split("|")
    .map(normalize)
)

export const statesDue = (name: string): boolean => dueNames.has(normalize(name))

export const dueColumn = ({ binding, cells }: FoundHeader): number | undefined => {
  const read = bound(binding)
  const cell = cells.findIndex((name, cell) => statesDue(name) && !read.has(cell) && !binding.passed.has(cell))
  return cell < 0 ? undefined : cell
}

export const fieldOf: { readonly [Subject in StatedWords.Subject]?: DocumentField | "productCode" } = {
  kind: "kind",
  credited: "kind",
  status: "status",
  docstatus: "status",
  unissued: "cancelled",
  original: "original",
  currency: "currency",
  "buyer-number": "customerTin",
  "buyer-name": "customerName",
  "item-code": "productCode"
}

/**
 * The form of a buyer's number raises a question, and never answers it: a telephone number has it,
 * too.
 */
const areBuyerNumbers = (values: ReadonlyArray<string>): boolean => values.length > 0 && values.every(isBuyerNumber)

export const isBuyerNumber = (text: string): boolean => /^\d(?:[ ./-]?\d){8,9}$/.test(text.trim())

const isNamed = (
  { map }: Pick<FoundHeader, "map">,
  present: ReadonlySet<string>,
  field: keyof typeof map.columns
): boolean => {
  const names = [map.columns[field]].flat()
  return names.some((name) => typeof name === "string" && name.split("|").some((one) => present.has(normalize(one))))
}

const harmlessIn = ({ harmless = {} }: FoundHeader["map"]): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(harmless).flatMap(([reason, names]) =>
      names.split("|").map((name) => [normalize(name), reason] as const)
    )
  )

/**
 * Returns the columns that are recognized by their name, or else by their values: kinds or states
 * of documents, currencies, numbers of buyers. `sample`: first rows.
 */
export const wordColumns = (
  header: FoundHeader,
  sample: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<WordColumn> => {
  const { binding, cells, map } = header
  const read = bound(binding)
  const present = new Set(cells.map(normalize))
  const harmless = harmlessIn(map)
  const settled = new Set(
    Object.entries(map.settled ?? {}).flatMap(([name, by]) =>
      by.some((other) => present.has(normalize(other))) ? [normalize(name)] : []
    )
  )
  const hasBuyers = binding.document.some(({ field }) => field === "customerName")
  const subjectBy = (cell: number) => {
    const values = sample.flatMap((row) => row[cell] || [])
    return (
      StatedWords.subjectOfValues(values) ??
      (hasBuyers && areBuyerNumbers(values) ? ("buyer-number" as const) : undefined)
    )
  }
  return cells.flatMap((name, cell) => {
    const subject =
      read.has(cell) || isReasonColumn(name)
        ? undefined
        : (map.words?.[name] ??
          StatedWords.subjectOf(name) ??
          StatedWords.unmappedSubjectOf(name) ??
          (name === "" || harmless.has(normalize(name)) ? undefined : subjectBy(cell)))
    if (subject === undefined || binding.passed.has(cell) || settled.has(normalize(name))) return []
    const field = fieldOf[subject]
    const fields =
      field === "customerTin" ? (["customerTin", "customerVat"] as const) : field === undefined ? [] : [field]
    const answers = [
      ...fields.flatMap((one) =>
        isNamed(header, present, one) ? [] : [{ map: { version: 1, columns: { [one]: columnAt(cells, cell) } } }]
      ),
      { map: { version: 1, unread: [columnAt(cells, cell)] } }
    ]
    return [{ cell, name, subject, answers }]
  })
}

/**
 * Returns the code in `Total (EUR)` or `Amount EUR`: in brackets, or at the end of a name that is
 * not all capitals.
 */
const codeInName = (name: string): string | undefined =>
  /[([]([A-Z]{3})[)\]]/.exec(name)?.[1] ?? (/\p{Ll}/u.test(name) ? /\s([A-Z]{3})$/.exec(name)?.[1] : undefined)

export const currencyColumns = ({ binding, cells }: FoundHeader): Interpretation["currencies"] => {
  const rates = new Set(percents(binding))
  return numeric(binding).flatMap((cell) => {
    const name = (cells[cell] ?? "").slice(0, 200).trim()
    const code = codeInName(name)
    return code !== undefined && !rates.has(cell) && StatedWords.isCurrencyCode(code) ? [{ cell, name, code }] : []
  })
}

export const rowAmountsIn = ({ binding, cells, layout, map }: FoundHeader): Interpretation["rowAmounts"] => {
  const { discount, lineAmount, unitPrice } = binding.line
  const [amount] = lineAmount.length > 0 ? lineAmount : unitPrice
  return (
    [
      [amount, "amount"],
      [discount[0], "discount"]
    ] as const
  ).flatMap(([cell, of]) => {
    const name = cells[cell ?? -1]
    if (layout !== "" || cell === undefined || name === undefined) return []
    if (map.rowAmounts?.some((other) => normalize(other) === normalize(name))) return []
    return [{ of, cell, name, answers: [{ map: { version: 1, rowAmounts: [name] } }] }]
  })
}

const changes = ["discountPercent", "discount", "documentDiscount", "shipping"] as const
type ChangeWord = (typeof changes)[number]

export const amountColumns = (header: FoundHeader, words: ReadonlyArray<WordColumn>): ReadonlyArray<AmountColumn> => {
  const { binding, cells } = header
  const read = new Set([...bound(binding), ...datesBeside(header), ...words.map(({ cell }) => cell)])
  const present = new Set(cells.map(normalize))
  const open = new Set((["total", ...changes] as const).filter((field) => !isNamed(header, present, field)))
  return cells.flatMap((name, cell) => {
    if (name === "" || read.has(cell) || isReasonColumn(name) || binding.passed.has(cell)) return []
    const column = columnAt(cells, cell)
    const field = StatedAmounts.statesDiscount(name) ? "documentDiscount" : "total"
    const reading = (other: "total" | ChangeWord) =>
      open.has(other) ? [{ map: { version: 1, columns: { [other]: column } } }] : []
    const answers = [...reading(field), { map: { version: 1, unread: [column] } }]
    return [{ cell, name, answers, changes: changes.flatMap(reading), holds: "amounts" as const, texts: 0 }]
  })
}

/**
 * Returns the treatment of every column, by the same rule for all layouts: a column that is neither
 * read, compared, answered nor documented is named. `answered`: `unread` of the operator's map.
 */
export const treatments = (
  header: FoundHeader,
  words: ReadonlyArray<WordColumn>,
  answered: ColumnMap["unread"] = []
): ReadonlyArray<ColumnTreatment> => {
  const { binding, cells, map } = header
  const read = bound(binding)
  const due = dueColumn(header)
  const held = new Set([
    ...datesBeside(header),
    ...words.map(({ cell }) => cell),
    ...(due === undefined ? [] : [due]),
    ...binding.taxes.flatMap(({ taxable }) => taxable)
  ])
  const byOperator = cellsIn(indexOf(cells), answered)
  const harmless = harmlessIn(map)
  return cells.map((text, cell): ColumnTreatment => {
    const name = text.trim() === "" ? nameless(cell) : text
    const key = normalize(text)
    if (read.has(cell)) return { cell, name, treatment: "read" }
    if (isReasonColumn(text)) return { cell, name, treatment: "harmless", reason: "the connector has written it" }
    if (byOperator.has(cell))
      return { cell, name, treatment: "answered", reason: "the column map lists it under `unread`" }
    if (held.has(cell)) return { cell, name, treatment: "held", reason: "it is compared with what is read" }
    const reason = harmless.get(key)
    return reason === undefined ? { cell, name, treatment: "named" } : { cell, name, treatment: "harmless", reason }
  })
}
