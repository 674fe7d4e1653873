/**
 * Simulates histories of documents about which the gateway states any text: while it works, at
 * failures, and beside receipts. Corrections wait from the second job on.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofRun, run } from "../simulated/Histories.ts"
import { given } from "../Given.ts"

const { count, seed } = given("histories")

describe("documents about which the gateway says anything", () => {
  it(`get one receipt each: ${count} histories, from seed ${seed}`, () => {
    const results = Array.from({ length: Math.ceil(count / ofRun) }, (_, i) => run(seed + i))
    const told = (of: "doubled" | "stranded" | "problems") => results.flatMap((result) => result[of])
    assert.isAtLeast(
      results.reduce((sum, { histories }) => sum + histories, 0),
      count
    )
    // The figures of all, with the first stories.
    const figures = [told("doubled").length, told("stranded").length, told("problems").length]
    const stories = [...told("doubled"), ...told("stranded"), ...told("problems")].slice(0, 5)
    assert.deepStrictEqual({ figures, stories }, { figures: [0, 0, 0], stories: [] })
  })
})
