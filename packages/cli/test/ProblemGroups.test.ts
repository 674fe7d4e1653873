import { assert, describe, it } from "@effect/vitest"
import * as Call from "../src/output/Call.ts"
import { ProblemGroups, type Reported } from "../src/import/ProblemGroups.ts"

const declined = (number: string, text: string): Reported => ({ number, state: "Declined", text, cause: null })

const reportOf = (rows: ReadonlyArray<Reported>) => {
  const groups = new ProblemGroups()
  for (const row of rows) groups.add(row)
  return groups.report(Call.make(["import", "csv", "x.csv"])).split("\n")
}

describe("the documents to look at", () => {
  it("are grouped by their text, with five numbers of each group", () => {
    const rows = ["A", "B", "C", "D", "E", "F", "G"].map((number) => declined(number, `${number} is not taken`))
    assert.deepStrictEqual(reportOf(rows).slice(0, 3), [
      "To look at:",
      "  7 documents  Declined: is not taken",
      "    A, B, C, D, E and 2 more"
    ])
  })

  it("are counted from the hundred and first text on", () => {
    const rows = Array.from({ length: 103 }, (_, n) => declined(`N-${n}`, `problem ${n}`))
    const lines = reportOf(rows)
    assert.include(lines, "  N-99  Declined: problem 99")
    assert.notInclude(lines, "  N-100  Declined: problem 100")
    assert.include(lines, "  … and 3 more")
  })
})
