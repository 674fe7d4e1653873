import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import * as Survey from "../detect/Survey.ts"
import { amountIn } from "./Equations.ts"
import { isDate } from "./SampleColumns.ts"
import { columnsSeen, look, type OutsideRows, type SeenColumn } from "./SeenColumns.ts"
import { readByValues, sampleSize } from "./ValueReadings.ts"

export interface Examined {
  readonly columns: ReadonlyArray<SeenColumn>
  readonly sample: ReadonlyArray<ReadonlyArray<string>>
  readonly outside: OutsideRows
}

/** Reads the file once. `cells`: names of the columns. */
export const examine = (
  cells: ReadonlyArray<string>,
  rows: Survey.SurveyRows
): Effect.Effect<Examined, Adapter.AdapterError> =>
  Effect.gen(function* () {
    const sample: Array<ReadonlyArray<string>> = []
    const seen = columnsSeen(cells)
    const outside: OutsideRows = { rows: 0, groups: 0, groupNames: [], totals: 0, begins: new Set() }
    yield* Survey.rows(rows, (row) => {
      if (sample.length < sampleSize) sample.push(row)
      look(row, seen, outside)
    })
    if (sample.length === outside.rows && isUnlike(sample)) {
      const last = sample.pop()!
      for (const [cell, { examples }] of seen.entries())
        if (!sample.some((row) => row[cell] === last[cell])) examples.delete(last[cell] ?? "")
    }
    return { columns: readByValues(seen, sample), sample, outside }
  })

const filledIn = (row: ReadonlyArray<string>): ReadonlyArray<number> =>
  row.flatMap((text, cell) => (text === "" ? [] : [cell]))

/**
 * Tests for a last row of sums under any name: one text and figures, at most half of the cells, and
 * no other row has these cells. It shows nothing of the columns.
 */
const isUnlike = (sample: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const last = sample.at(-1) ?? []
  const own = filledIn(last)
  const others = sample.slice(0, -1).map(filledIn)
  const texts = own.filter((cell) => amountIn(last[cell]!) === undefined)
  return (
    own.length > texts.length &&
    texts.length === 1 &&
    texts.every((cell) => !isDate(last[cell]!)) &&
    others.length > 0 &&
    others.every((cells) => own.length * 2 <= cells.length && cells.join() !== own.join())
  )
}
