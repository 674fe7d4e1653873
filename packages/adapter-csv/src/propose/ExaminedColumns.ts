/** Examines the rows below a probable header: values of each column, and the form of the rows. */
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import { Effect } from "effect"
import * as Survey from "../detect/Survey.ts"
import { columnsSeen, look, type OutsideRows, type SeenColumn } from "./SeenColumns.ts"
import { readByValues, sampleSize } from "./ValueReadings.ts"

export interface Examined {
  /** Columns with the field that their name has, decided by values if the name is ambiguous. */
  readonly columns: ReadonlyArray<SeenColumn>
  /** Cells of the first rows. */
  readonly sample: ReadonlyArray<ReadonlyArray<string>>
  readonly outside: OutsideRows
}

/** Reads the file once. `cells`: names of the columns. */
export const examine = (cells: ReadonlyArray<string>, rows: Survey.SurveyRows): Effect.Effect<Examined, AdapterError> =>
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
