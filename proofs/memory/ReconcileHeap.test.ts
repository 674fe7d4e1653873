import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const heapOf = (documents: number, keeps: "nothing" | "rows" = "nothing"): number => {
  const flags = ["--expose-gc", "--single-threaded-gc", join(import.meta.dirname, "ReconcileHeap.ts")]
  const out = execFileSync(process.execPath, [...flags, "--documents", String(documents), "--keeps", keeps])
  const { agree, differences, mib } = JSON.parse(String(out))
  assert.deepStrictEqual([differences, agree], [0, 30])
  return mib
}

describe("the account of a month", () => {
  it("keeps less than 40 MiB more for 100 000 documents than for 10 000", () => {
    const few = heapOf(9990)
    assert.isBelow(heapOf(99_990) - few, 40)
    // the measurement notices a caller that keeps each row
    assert.isAbove(heapOf(99_990, "rows") - few, 64)
  })
})
