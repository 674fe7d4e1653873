import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import { caseOf, faults, judge, points } from "./OneReport.ts"
import { strike } from "./KilledProcess.ts"

const { extent, seed, seeds } = given("one-report")

describe("the README's job, the Effect example and the command", () => {
  it.live("report the same for every document, and success only if every input is fiscalised", function* () {
    const outcomes = yield* Effect.forEach(seeds, (seed) => judge(caseOf(seed)), { concurrency: 6 })
    const failed = outcomes.filter(({ problems }) => problems.length > 0)
    console.log(counted(outcomes.map(({ says }) => says)))
    assert.deepStrictEqual(
      failed.map(({ of, problems }) => `${JSON.stringify(of)}\n${problems.join("\n")}`),
      []
    )
    if (extent !== "part") assert.strictEqual(new Set(outcomes.map(({ of }) => of.fault)).size, faults.length)
  })

  it.live("and a killed process of the command accept an import as a whole or not at all", function* () {
    const all = Array.from({ length: points }, (_, n) => n)
    const struck = extent === "full" ? all : [all[(seed * 17 + 58) % points]!]
    const found = yield* Effect.forEach(struck, (point) => strike(point, extent === "full" ? 210 : 3), {
      concurrency: 2
    })
    console.log(counted(found.map(({ says }) => says)))
    assert.deepStrictEqual(
      found.flatMap(({ problems }) => problems),
      []
    )
  })
})
