/** What can be seen of a file's columns by their names and their cells: the ground of a proposed column map. */
import type { WholeMap } from "../columns/ColumnMap.ts"
import { columnNames } from "../columns/Header.ts"
import type { DecimalMark } from "../values/NumberForm.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import { type Meaning, meaningOf } from "../columns/Synonyms.ts"

/** What was seen of one column. */
export interface Seen {
  readonly name: string
  /** Its place among columns of the same name, counted from 1, where there are several. */
  readonly nth: number | undefined
  readonly meaning: Meaning | undefined
  /** Where it is not the one of all other columns. */
  readonly decimalMark?: DecimalMark | undefined
  readonly examples: Set<string>
  blank: number
}

/** The columns of a header, before any row has been looked at. */
export const columnsSeen = (cells: ReadonlyArray<string>): ReadonlyArray<Seen> => {
  const hasLineAmount = cells.some((cell) => meaningOf(cell) === "lineAmount")
  return columnNames(cells).map(({ column, nth }) => {
    const meaning = isReasonColumn(column) ? undefined : meaningOf(column)
    return {
      name: column,
      nth: cells.filter((cell) => cell === column).length > 1 ? nth : undefined,
      // the only amount of a line is the line's amount, whatever it is called
      meaning: meaning === "lineTotal" && !hasLineAmount ? "lineAmount" : meaning,
      examples: new Set(),
      blank: 0
    }
  })
}

/** How a column map names the column. */
export const reference = ({ decimalMark, name, nth }: Seen) =>
  nth === undefined && decimalMark === undefined
    ? name
    : { column: name, ...(nth !== undefined && { nth }), ...(decimalMark !== undefined && { decimalMark }) }

/** The first column of each meaning; the rest is only listed. */
export const firstOf = (columns: ReadonlyArray<Seen>, meaning: Meaning) =>
  columns.find((column) => column.meaning === meaning)

/** The columns of a line's tax; where none names it, the percent tells taxes apart. */
export const taxOf = (columns: ReadonlyArray<Seen>): { readonly [part: string]: Seen } => {
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

/** The column map that the names propose. */
export const mapOf = (columns: ReadonlyArray<Seen>): WholeMap => {
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

/** What stands among the rows of lines. */
export interface Furniture {
  rows: number
  /** Rows with one cell, and what three of them say. */
  groups: number
  readonly groupNames: Array<string>
  totals: number
}

/** Takes a row as cells without blanks around them. */
export const look = (row: ReadonlyArray<string>, columns: ReadonlyArray<Seen>, furniture: Furniture): void => {
  const filled = row.filter((cell) => cell !== "")
  furniture.rows++
  if (/^(sub-?total|total|grand total)\b/i.test(filled[0] ?? "")) furniture.totals++
  else if (filled.length === 1) {
    furniture.groups++
    if (furniture.groupNames.length < 3) furniture.groupNames.push(filled[0]!)
  }
  for (const [cell, column] of columns.entries()) {
    const text = row[cell] ?? ""
    if (text === "") column.blank++
    else if (column.examples.size < 12) column.examples.add(text)
  }
}

/** The layout that the rows speak for, and why. */
export const layoutOf = (columns: ReadonlyArray<Seen>, { groups, rows, totals }: Furniture) => {
  if (totals > 0 && groups > 0) {
    const because = `rows with one cell (${groups}) and total rows (${totals}) are among the others`
    return { name: "report", because }
  }
  const number = firstOf(columns, "number")
  if (number !== undefined && number.blank > 0) {
    return { name: "continuation", because: `"${number.name}" is blank in ${number.blank} of ${rows} rows` }
  }
  return { name: "rows", because: number === undefined ? "the usual" : `"${number.name}" is filled in every row` }
}
