/**
 * Proves that the seeds that once failed hold every law, and that a seed gives the same day in
 * every process.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { run } from "../../packages/simulator/src/day/Day.ts"
import { unexplained } from "../../packages/simulator/src/laws/KnownViolations.ts"
import { regressions } from "../../packages/simulator/src/Regressions.ts"
import { of, type Scenario } from "../../packages/simulator/src/Scenario.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"

const { count, extent, seed: first } = given("simulator-regressions")

/** Days that take half of the total time: only a full run has them. */
const long = new Set([9, 10_227, 30_018, 80_218])

const main = fileURLToPath(new URL("../../packages/simulator/src/main.ts", import.meta.url))
const hashes = () =>
  execFileSync(process.execPath, [main, "--seeds", "2", "--from", "7", "--documents", "6", "--hashes", "--no-shrink"], {
    encoding: "utf8"
  })
    .split("\n")
    .filter((line) => /^\d+ \d+$/.test(line))

const unknownViolations = (scenario: Scenario) => unexplained(run(scenario))

describe("a seed", () => {
  it("gives the same result in two processes, whatever ran there before, and another than the next seed", () => {
    const [first, second] = [hashes(), hashes()]
    assert.lengthOf(first, 2)
    assert.lengthOf(new Set(first.map((line) => line.split(" ")[1])), 2)
    assert.deepStrictEqual(second, first)
    assert.deepStrictEqual(
      [7, 8].map((seed) => `${seed} ${run(of(seed, { documents: 6 })).hash}`),
      first
    )
  })

  it("gives the same result if an error names the store's file", () => {
    const hash = () => {
      const lines = execFileSync(process.execPath, [
        main,
        "--seeds",
        "1",
        "--from",
        "300005",
        "--hashes",
        "--no-shrink"
      ])
      return String(lines).split("\n")[0]
    }
    assert.strictEqual(hash(), hash())
  })

  const drawn = new Set(
    make(first)
      .shuffled(regressions.filter(({ seed }) => !long.has(seed)))
      .slice(0, count)
      .map(({ seed }) => seed)
  )
  for (const { because, limits, seed } of regressions) {
    it.skipIf(extent !== "full" && !drawn.has(seed))(`${seed} satisfies every law: ${because}`, () => {
      assert.deepStrictEqual(unknownViolations(of(seed, limits)), [])
    })
  }
})
