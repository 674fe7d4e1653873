import type { OutcomeRecord } from "@fiscal-connector/core/host"
import { plainScreen, type ScreenShape, toned } from "./Screen.ts"
import { columnsOf, fit, padEnd, padStart, printable } from "./Terminal.ts"

export interface Column<Row> {
  readonly title: string
  readonly align?: "left" | "right"
  readonly limit?: number
  /**
   * `always`: shown at any screen width. Other columns are dropped from the last one on if the
   * screen has no room.
   */
  readonly keep?: "always"
  value(row: Row): string
  tone?(row: Row): OutcomeRecord.StateTone | undefined
}

const gap = 2
/** Minimum width of a text column. Below it, another column is dropped instead. */
const narrowest = 10

const widthOf = (widths: ReadonlyArray<number>) => widths.reduce((sum, width) => sum + width + gap, -gap)

/**
 * Drops empty columns, then cuts texts from the widest on, then drops whole columns. Undefined for
 * a dropped column.
 */
const fitted = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  natural: ReadonlyArray<number>,
  empty: ReadonlyArray<"empty" | "filled">,
  room: number | undefined
): ReadonlyArray<number | undefined> => {
  const widths: Array<number | undefined> = [...natural]
  if (room === undefined) return widths
  const taken = () => widthOf(widths.filter((width) => width !== undefined))
  columns.forEach((_, i) => {
    if (empty[i] === "empty" && taken() > room) widths[i] = undefined
  })
  while (taken() > room) {
    const cuttable = columns.flatMap(({ limit }, i) =>
      limit !== undefined && widths[i] !== undefined && widths[i] > narrowest ? [i] : []
    )
    const widest = cuttable.toSorted((a, b) => widths[b]! - widths[a]!)[0]
    if (widest !== undefined) {
      widths[widest] = Math.max(narrowest, widths[widest]! - (taken() - room))
      continue
    }
    const last = columns.findLastIndex(({ keep }, i) => keep !== "always" && widths[i] !== undefined)
    if (last === -1) break
    widths[last] = undefined
    // the remaining columns may have room again
    columns.forEach((_, i) => {
      if (widths[i] !== undefined) widths[i] = natural[i]
    })
  }
  return widths
}

/**
 * Renders the rows under their titles. Makes cells printable. Names dropped columns below the
 * table.
 */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  screen: ScreenShape = plainScreen
): string => {
  // a reader of a pipe has no screen width
  const cells = rows.map((row) =>
    columns.map(({ limit, value }) =>
      screen.width === undefined ? printable(value(row)) : fit(printable(value(row)), limit ?? 60)
    )
  )
  const natural = columns.map(({ title }, i) =>
    cells.reduce((width, row) => Math.max(width, columnsOf(row[i]!)), columnsOf(title))
  )
  const empty = columns.map((_, i) => (cells.every((row) => row[i] === "") ? ("empty" as const) : ("filled" as const)))
  const widths = fitted(columns, natural, empty, screen.width)
  const line = (texts: ReadonlyArray<string>, row?: Row) =>
    texts
      .flatMap((text, i) => {
        const width = widths[i]
        if (width === undefined) return []
        const cut = fit(text, width)
        const padded = columns[i]!.align === "right" ? padStart(cut, width) : padEnd(cut, width)
        return [row === undefined ? padded : toned(padded, columns[i]!.tone?.(row), screen)]
      })
      .join(" ".repeat(gap))
      .trimEnd()
  const gone = columns.flatMap(({ title }, i) =>
    widths[i] === undefined && cells.some((row) => row[i] !== "") ? [title] : []
  )
  return [
    line(columns.map(({ title }) => title)),
    ...cells.map((texts, i) => line(texts, rows[i])),
    ...(gone.length === 0 ? [] : [`(no room for: ${gone.join(", ")}; --json has them)`])
  ].join("\n")
}
