/**
 * Proves that the seeds that once failed hold every law, and that a seed gives the same day in
 * every process.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { run } from "../simulated/day/Day.ts"
import { unexplained } from "../simulated/laws/KnownViolations.ts"
import { type Regression, regressions } from "../simulated/Regressions.ts"
import { of, type Scenario } from "../simulated/Scenario.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"

const { count, extent, seed: first } = given("simulator-regressions")

/** Days that take half of the total time: only a full run has them. */
const long = new Set([9, 5005, 10_227, 30_018, 80_218])

const main = fileURLToPath(new URL("../simulated/main.ts", import.meta.url))
/** Returns the hashes of days, computed in a process of their own. */
const hashesOf = (...args: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [main, ...args, "--hashes", "--no-shrink"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /^\d+ \d+$/.test(line))

const unknownViolations = (scenario: Scenario) => unexplained(run(scenario))

const story = ({ because, limits, seed }: Regression) => {
  const also = limits?.also === undefined ? "" : ` with ${limits.also.join(", ")}`
  return `${seed}${also} satisfies every law: ${because}`
}

describe("a seed", () => {
  it("gives the same result in two processes, whatever ran there before, and another than the next seed", () => {
    const hashes = hashesOf("--seeds", "2", "--from", "7", "--documents", "6")
    assert.lengthOf(new Set(hashes.map((line) => line.split(" ")[1])), 2)
    assert.deepStrictEqual(
      [8, 7].map((seed) => `${seed} ${run(of(seed, { documents: 6 })).hash}`),
      hashes.toReversed()
    )
  })

  it("gives the same result if an error names the store's file", () => {
    assert.deepStrictEqual(hashesOf("--seeds", "1", "--from", "300005"), [`300005 ${run(of(300_005)).hash}`])
  })

  const drawn = new Set(
    make(first)
      .shuffled(regressions.filter(({ seed }) => !long.has(seed)))
      .slice(0, count)
  )
  for (const one of regressions) {
    it.skipIf(extent !== "full" && !drawn.has(one))(story(one), () => {
      assert.deepStrictEqual(unknownViolations(of(one.seed, one.limits)), [])
    })
  }
})
