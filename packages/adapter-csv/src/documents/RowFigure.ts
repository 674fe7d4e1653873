/** Reads a figure of one row, and reports the place of a cell that is not a figure. */
import type { Path } from "@fiscal-connector/core/finding/Finding"
import type { Money } from "@fiscal-connector/core/document/Money"
import { type BoundCells, filledCell } from "../columns/Binding.ts"
import { type Interpretation, markOf } from "../detect/Interpretation.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"
import * as NumberForm from "../values/NumberForm.ts"
import type { Notes } from "./Notes.ts"

/** Settings for a table's figures, and the target of their findings. */
export interface FigureReading {
  readonly how: Interpretation
  readonly notes: Notes
}

/**
 * Returns the figure of the first filled cell; undefined for blank cells, and, with a finding, if
 * the cell is not a figure.
 */
export const figureIn = (
  { how, notes }: FigureReading,
  record: Scanner,
  row: Row.Row,
  cells: BoundCells,
  path: Path,
  read: NumberForm.Reader = NumberForm.read
): Money | undefined => {
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
