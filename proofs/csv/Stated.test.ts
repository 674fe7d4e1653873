import { assert, describe, it } from "../../packages/core/test/It.ts"
import { shown } from "../Counts.ts"
import { given } from "../Given.ts"
import { report, run } from "./StatedTally.ts"

const { count, extent, seed } = given("csv-stated")

describe("a sample of altered exports of every known format", () => {
  it.effect(
    "sends nothing that contradicts another statement, the rest as stated, and every valid document",
    function* () {
      const tally = yield* run(count, seed)
      const { contradicted, goodRefused, outcomes, wrong } = tally
      yield* shown(report(tally))
      assert.deepStrictEqual(
        [...wrong].map(([what, { text, why }]) => `${what}: ${why}\n${text}`),
        []
      )
      assert.deepStrictEqual(goodRefused, [])
      if (extent === "part") return
      assert.isAbove(contradicted, 35 * count)
      assert.isAbove(outcomes.get("no witness: sent as stated") ?? 0, 10 * count)
    }
  )
})
