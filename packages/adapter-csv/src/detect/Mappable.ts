/** Test if any column map can yield a document: a map cannot add what the rows do not state. */
import { delimiters } from "../scan/Dialect.ts"
import * as DateForm from "../values/DateForm.ts"
import { isFigure } from "./FileStructure.ts"
import { type FileHead, records } from "./HeaderSearch.ts"

/** Records that are looked at: an export without a date in so many rows has no column of dates. */
const most = 200

/** Days as spreadsheets count them also have five digits. */
const serial = /^\d{5}(?:\.\d+)?$/

const isDate = (cell: string): boolean => DateForm.isDate(cell) || DateForm.isYearless(cell) || serial.test(cell)

export const lacked = (head: FileHead): string | undefined => {
  const tried = (head.delimiter === undefined ? delimiters : [head.delimiter]).map((delimiter) => {
    const rows = records(head, delimiter, most).map(({ cells }) => cells)
    // the reading of a header alone says that no row is below it
    if (rows.length < 2) return []
    const has = (is: (cell: string) => boolean) => rows.some((cells) => cells.length > 2 && cells.some(is))
    return [
      ...(has(isDate) ? [] : ["a date"]),
      ...(has((cell) => !DateForm.isDate(cell) && isFigure(cell)) ? [] : ["an amount"])
    ]
  })
  const least = tried.toSorted((a, b) => a.length - b.length)[0]!
  return least.length === 0 ? undefined : least.join(" and ")
}
