import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import * as Survey from "../detect/Survey.ts"
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
    const outside: OutsideRows = { rows: 0, groups: 0, groupNames: [], totals: 0 }
    yield* Survey.rows(rows, (row) => {
      if (sample.length < sampleSize) sample.push(row)
      look(row, seen, outside)
    })
    return { columns: readByValues(seen, sample), sample, outside }
  })
