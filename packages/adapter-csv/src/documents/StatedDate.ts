import type { CivilDate, SourceDocument } from "@fiscal-connector/core/adapter"
import type { Interpretation } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Row from "../scan/Row.ts"
import * as SerialDay from "../values/SerialDay.ts"
import type { DocumentCells } from "./DocumentCells.ts"
import type { Notes } from "./Notes.ts"

/**
 * Returns the date; undefined if not stated or not readable. `first`: first row, whose other dates
 * are compared with the date.
 */
export const read = (
  how: Interpretation,
  cells: DocumentCells,
  notes: Notes,
  first: Row.Row
): SourceDocument.SourceDocument["date"] => {
  const text = cells.text("date")
  if (text === undefined) return undefined
  const date = how.readDate(text)
  if (date === undefined) {
    notes.report(...unreadable(text, cells))
    return undefined
  }
  checkOthers(how, notes, first, text)
  return typeof date === "string" ? date : day(how, cells, notes, text, date)
}

const unreadable = (text: string, cells: DocumentCells): Parameters<Notes["report"]> => {
  const [from1900, from1904] = (["1900", "1904"] as const).map((from) => SerialDay.read(text.trim(), from)?.day)
  const at = { path: ["date"], at: cells.place("date") }
  return from1900 === undefined
    ? [CsvFinding.CSV_DATE_UNREADABLE, { ...at, detail: Row.quoted(text) }]
    : [CsvFinding.CSV_DATE_SERIAL, { ...at, detail: `${Row.quoted(text)} is ${from1900}, or ${from1904}` }]
}

export const due = ({ due: cell, written }: Interpretation, first: Row.Row): CivilDate.CivilDate | undefined =>
  cell === undefined ? undefined : written(Row.cells(first)[cell] ?? "")?.day

/**
 * Settles a time with an offset: if documents have no time of day, or at midnight, only the day
 * counts, and the offset may change the day.
 */
const day = (
  { dates, settings, written }: Interpretation,
  cells: DocumentCells,
  notes: Notes,
  text: string,
  date: NonNullable<SourceDocument.SourceDocument["date"]>
): SourceDocument.SourceDocument["date"] => {
  const asWritten = written(text)
  if (settings.times === "instant" || asWritten?.clock === undefined) return date
  if (settings.times === "written-day") return asWritten.day
  if (dates !== "days" && asWritten.clock !== "00:00:00") return date
  const detail = Row.quoted(text)
  notes.report(CsvFinding.CSV_DATE_HAS_TIME, { path: ["date"], detail, at: cells.place("date") })
  return date
}

const checkOthers = ({ origin, otherDates, written }: Interpretation, notes: Notes, first: Row.Row, text: string) => {
  if (otherDates.length === 0) return
  const own = written(text)?.day
  const cells = Row.cells(first)
  for (const cell of otherDates) {
    const other = written(cells[cell] ?? "")?.day
    if (own === undefined || other === undefined || !isADayApart(own, other)) continue
    const answers = [{ map: { version: 1, unread: [origin.header[cell]] } }]
    const at = Row.where(first, cell)
    notes.report(CsvFinding.CSV_DATES_DIFFER, { path: ["date"], detail: `${own} and ${other}`, answers, at })
  }
}

const dayLength = 86_400_000

const isADayApart = (a: string, b: string): boolean => Math.abs(Date.parse(a) - Date.parse(b)) === dayLength
