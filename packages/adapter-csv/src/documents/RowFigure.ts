import type { Finding, Money } from "@fiscal-connector/core/adapter"
import { type BoundCells, filledCell } from "../columns/Binding.ts"
import { type Interpretation, markOf } from "../detect/Interpretation.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { Notes } from "./Notes.ts"

export interface FigureReading {
  readonly how: Interpretation
  readonly notes: Notes
}

export const figureIn = (
  { how, notes }: FigureReading,
  record: Scanner,
  row: Row.Row,
  cells: BoundCells,
  path: Finding.Path,
  read: NumberForm.Reader = NumberForm.read
): Money.Money | undefined => {
  const cell = filledCell(record, cells)
  if (cell < 0) return undefined
  const flags = record.flags[cell]!
  const mark = markOf(how, cell, flags)
  const text = record.cell(cell)
  const column = how.origin.header[cell] ?? ""
  return (
    NumberForm.plain(text, mark) ??
    notes.number({ text, column, path, at: () => Row.where(row, cell), flags }, mark, read)
  )
}
