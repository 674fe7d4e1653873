/** Facts about a file's columns by name and by cells: the basis of a proposed column map. */
import type { WholeMap } from "../columns/ColumnMap.ts"
import { columnsNamed, indexOf } from "../columns/Header.ts"
import type { DecimalMark } from "../values/NumberForm.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import { type NamedColumn, namedIn } from "../detect/Families.ts"

export interface SeenColumn {
  readonly name: string
  /** Position among columns of the same name, from 1; undefined for a unique name. */
  readonly nth: number | undefined
  readonly meaning: FieldMeaning | undefined
  readonly line: NamedColumn["line"]
  readonly decimalMark?: DecimalMark | undefined
  readonly examples: Set<string>
  blank: number
}

export const columnsSeen = (cells: ReadonlyArray<string>): ReadonlyArray<SeenColumn> => {
  const named = namedIn(cells)
  const hasLineAmount = named.some(({ meaning }) => meaning === "lineAmount")
  const places = indexOf(cells)
  return cells.map((column, cell) => {
    const { line, meaning: byName } = named[cell]!
    const meaning = isReasonColumn(column) ? undefined : byName
    // a column map compares names without case and punctuation
    const same = columnsNamed(places, column)
    return {
      name: column,
      nth: same.length > 1 ? same.indexOf(cell) + 1 : undefined,
      // the only amount of a line is the line amount, under any name
      meaning: meaning === "lineTotal" && !hasLineAmount ? "lineAmount" : meaning,
      line,
      examples: new Set(),
      blank: 0
    }
  })
}

export const reference = ({ decimalMark, name, nth }: SeenColumn) =>
  nth === undefined && decimalMark === undefined
    ? name
    : { column: name, ...(nth !== undefined && { nth }), ...(decimalMark !== undefined && { decimalMark }) }

export const fieldId = (meaning: FieldMeaning): string =>
  meaning.replace(/^tax(?=[A-Z])/, "tax.").replace(/\.[A-Z]/, (part) => part.toLowerCase())

export const firstOf = (columns: ReadonlyArray<SeenColumn>, meaning: FieldMeaning) =>
  columns.find((column) => column.meaning === meaning)

export const taxOf = (columns: ReadonlyArray<SeenColumn>): { readonly [part: string]: SeenColumn } => {
  const [code, percent, amount] = (["taxCode", "taxPercent", "taxAmount"] as const).map((meaning) =>
    firstOf(columns, meaning)
  )
  const named = code ?? percent
  return {
    ...(named && { code: named }),
    ...(code && percent && { percent }),
    ...(amount && { amount })
  }
}

export const mapOf = (columns: ReadonlyArray<SeenColumn>): WholeMap => {
  const { code, ...others } = taxOf(columns)
  const isTaxed = code !== undefined || Object.keys(others).length > 0
  const named = columns.flatMap((column) =>
    column.meaning === undefined ||
    (column.meaning.startsWith("tax") && column.meaning !== "tax") ||
    firstOf(columns, column.meaning) !== column
      ? []
      : [[column.meaning, reference(column)] as const]
  )
  const tax = isTaxed && {
    ...(code && { code: reference({ ...code, decimalMark: undefined }) }),
    ...Object.fromEntries(Object.entries(others).map(([part, column]) => [part, reference(column)]))
  }
  return { version: 1, columns: { ...Object.fromEntries(named), ...(tax && { taxes: [tax] }) } }
}

export interface OutsideRows {
  rows: number
  groups: number
  readonly groupNames: Array<string>
  totals: number
  /** Cells that begin a group or a total: none of them is the number of a document. */
  readonly begins: Set<number>
}

export const look = (row: ReadonlyArray<string>, columns: ReadonlyArray<SeenColumn>, outside: OutsideRows): void => {
  const filled = row.filter((cell) => cell !== "")
  const isTotal = /^(sub-?total|total|grand total)\b/i.test(filled[0] ?? "")
  outside.rows++
  if (isTotal || filled.length === 1) outside.begins.add(row.findIndex((cell) => cell !== ""))
  if (isTotal) outside.totals++
  else if (filled.length === 1) {
    outside.groups++
    if (outside.groupNames.length < 3) outside.groupNames.push(filled[0]!)
  }
  for (const [cell, column] of columns.entries()) {
    const text = row[cell] ?? ""
    if (text === "") column.blank++
    else if (column.examples.size < 12) column.examples.add(text)
  }
}

export const layoutOf = (columns: ReadonlyArray<SeenColumn>, { begins, groups, rows, totals }: OutsideRows) => {
  const number = firstOf(columns, "number")
  if (totals > 0 && groups > 0 && (number === undefined || !begins.has(columns.indexOf(number)))) {
    const because = `rows with one cell (${groups}) and total rows (${totals}) are among the others`
    return { name: "report", because }
  }
  if (number !== undefined && number.blank > 0) {
    return { name: "continuation", because: `"${number.name}" is blank in ${number.blank} of ${rows} rows` }
  }
  return { name: "rows", because: number === undefined ? "the usual" : `"${number.name}" is filled in every row` }
}
