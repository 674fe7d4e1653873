import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { given } from "../Given.ts"
import { type Counts, noCounts, report, world } from "./DeviceComparison.ts"

const { count, extent, seeds } = given("device")
const batch = 40

describe("preflight compared with the device", () => {
  let counts: Counts
  beforeAll(async () => {
    counts = noCounts()
    await Effect.runPromise(Effect.forEach(seeds, (seed) => world(seed, batch, counts), { discard: true }))
    process.stdout.write(`${report(counts)}\n`)
  })

  const isRefusal = (problem: string) => problem.includes(" was refused under ")

  it("accepts no document that the device marks or rejects", () => {
    assert.deepStrictEqual(
      counts.problems.filter((problem) => !isRefusal(problem)),
      []
    )
  })

  it("refuses only with codes that the device knows", () => {
    assert.deepStrictEqual(counts.problems.filter(isRefusal), [])
  })

  it("has checked every document of the sample, and most were fiscalised", () => {
    assert.strictEqual(counts.documents, seeds.length * 2 * batch)
    if (extent !== "part") assert.isAbove(counts.clean, 31 * count)
  })

  for (const code of ["RCPT025", "RCPT032", "RCPT035", "RCPT043", "RCPT047", "RCPT048", "PRECISION_EXCEEDED"]) {
    it.skipIf(extent === "part")(`refuses documents with ${code} that the device marks with it`, () => {
      assert.isAbove(counts.confirmed.get(code) ?? 0, 0)
    })
  }
})
