/** Plain aligned columns, as wide as their contents and no wider than their limit. */
import stringWidth from "string-width"
import { fit, padEnd, padStart, printable } from "./Terminal.ts"

export interface Column<Row> {
  readonly title: string
  readonly align?: "left" | "right"
  /** In columns of the terminal. */
  readonly limit?: number
  value(row: Row): string
}

/** The rows under their titles; cells are made printable. */
export const table = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): string => {
  const cells = rows.map((row) => columns.map(({ limit, value }) => fit(printable(value(row)), limit ?? 60)))
  const widths = columns.map(({ title }, i) =>
    cells.reduce((width, row) => Math.max(width, stringWidth(row[i]!)), stringWidth(title))
  )
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, i) => (columns[i]!.align === "right" ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!)))
      .join("  ")
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...cells.map(line)].join("\n")
}
