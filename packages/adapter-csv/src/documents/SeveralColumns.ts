import { BigDecimal } from "effect"
import type { Use } from "../columns/Binding.ts"
import { type Interpretation, readAt } from "../detect/Interpretation.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Row from "../scan/Row.ts"
import { isFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { Notes } from "./Notes.ts"

/**
 * Reports every field with two disagreeing columns in the row. `index`: line of the row, from 0.
 * Returns `two states` if two status columns disagree.
 */
export const check = (
  how: Interpretation,
  record: Scanner,
  row: Row.Row,
  index: number,
  notes: Notes
): "one state" | "two states" => {
  let states: "one state" | "two states" = "one state"
  for (const field of how.binding.several) {
    const [first, ...others] = field.cells.filter((cell) => isFilled(record, cell) && record.cell(cell).trim() !== "")
    if (first === undefined) continue
    const other = others.find((cell) => !isSame(how, field, record, first, cell))
    if (other === undefined) continue
    const details = [first, other].map(
      (cell) => `${Row.quoted(record.cell(cell).trim())} in ${Row.quoted(how.origin.header[cell] ?? "")}`
    )
    notes.report(CsvFinding.CSV_COLUMNS_DISAGREE, {
      path: field.path(index),
      detail: details.join(", "),
      at: Row.where(row, other)
    })
    if (field.states === "status") states = "two states"
  }
  return states
}

const isSame = (how: Interpretation, { states }: Use, record: Scanner, a: number, b: number): boolean => {
  const [one, two] = [a, b].map((cell) => record.cell(cell).trim()) as [string, string]
  if (one === two) return true
  if (states === "text") return false
  if (states === "status") {
    const [state, other] = [how.vocabulary.status(one), how.vocabulary.status(two)]
    return state !== undefined && state === other
  }
  if (states === "date") {
    const [day, other] = [how.readDate(one), how.readDate(two)]
    return day !== undefined && String(day) === String(other)
  }
  const read = states === "percent" ? NumberForm.readPercent : NumberForm.read
  const [left, right] = [a, b].map((cell) => readAt(how, record, cell, read))
  return BigDecimal.isBigDecimal(left) && BigDecimal.isBigDecimal(right) && BigDecimal.equals(left, right)
}
