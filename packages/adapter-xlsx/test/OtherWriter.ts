/** Writes the same sheets with a foreign writer: SheetJS, whose files are among the most common. */
import * as SheetJs from "../../../tools/workbooks/index.ts"
import { letters, serial, type Cell, type SheetSpec, type Variant } from "./WorkbookParts.ts"

const cellOf = (cell: Exclude<Cell, undefined>, { dates }: Variant): SheetJs.CellObject | undefined => {
  if ("text" in cell) return { t: "s", v: cell.text }
  if ("runs" in cell) return { t: "s", v: cell.runs.join("") }
  if ("number" in cell) return { t: "n", v: Number(cell.number), ...(cell.format && { z: cell.format }) }
  if ("date" in cell) {
    return {
      t: "n",
      v: Number(serial(cell.date, dates)),
      z: cell.date.includes("T") ? "yyyy-mm-dd hh:mm:ss" : "yyyy-mm-dd"
    }
  }
  if ("boolean" in cell) return { t: "b", v: cell.boolean }
  if ("error" in cell) return { t: "e", v: errors[cell.error] ?? 0x2a }
  if ("formula" in cell && cell.value !== undefined) {
    return cell.type === "str"
      ? { t: "s", v: cell.value, f: cell.formula }
      : { t: "n", v: Number(cell.value), f: cell.formula }
  }
  return undefined
}

const errors: { readonly [text: string]: number } = { "#DIV/0!": 0x07, "#REF!": 0x17, "#N/A": 0x2a }

/**
 * Returns the workbook. Cells that SheetJS cannot write, such as formulas without a value, are
 * omitted.
 */
export const workbook = (sheets: ReadonlyArray<SheetSpec>, variant: Variant): Buffer => {
  const book = SheetJs.utils.book_new()
  for (const { hiddenRows = [], merged = [], name, rows } of sheets) {
    const sheet: SheetJs.WorkSheet = {}
    let width = 1
    for (const [row, cells] of rows.entries()) {
      for (const [column, cell] of cells.entries()) {
        const written = cell === undefined ? undefined : cellOf(cell, variant)
        if (written !== undefined) sheet[`${letters(column + 1)}${row + 1}`] = written
        width = Math.max(width, column + 1)
      }
    }
    sheet["!ref"] = `A1:${letters(width)}${Math.max(rows.length, 1)}`
    sheet["!rows"] = rows.map((_, i) => ({ hidden: hiddenRows.includes(i + 1) }))
    if (merged.length > 0) sheet["!merges"] = merged.map((ref) => SheetJs.utils.decode_range(ref))
    SheetJs.utils.book_append_sheet(book, sheet, name)
  }
  book.Workbook = {
    WBProps: { date1904: variant.dates === "1904" },
    Sheets: sheets.map(({ state }) => ({ Hidden: state === undefined ? 0 : state === "hidden" ? 1 : 2 }))
  }
  return SheetJs.write(book, {
    type: "buffer",
    bookType: "xlsx",
    bookSST: variant.strings === "shared",
    compression: true
  })
}
