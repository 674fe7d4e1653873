/**
 * Simulates invoices whose books change after the receipt, with prepared credit notes and notes of
 * the source, on two machines that may die anywhere.
 */
import { assert, describe, it } from "@effect/vitest"
import { ofRun, run } from "../simulated/Credits.ts"
import { given } from "../Given.ts"

const { count, extent, seed } = given("credits")

describe("invoices whose books change after the receipt", () => {
  it(`are credited once, by a decision, or are an item: ${count} invoices, from seed ${seed}`, () => {
    const results = Array.from({ length: Math.ceil(count / ofRun) }, (_, i) => run(seed + i))
    const broken = results.flatMap((result) => result.broken)
    assert.deepStrictEqual([broken.length, broken.slice(0, 5)], [0, []])
    const made = { here: 0, single: 0, source: 0, answers: 0, surplus: 0 }
    for (const result of results)
      for (const what of ["here", "single", "source", "answers", "surplus"] as const) made[what] += result.made[what]
    console.log(JSON.stringify(made))
    if (extent !== "part") for (const [what, times] of Object.entries(made)) assert.isAbove(times, 0, what)
  })
})
