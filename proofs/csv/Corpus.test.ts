import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { counted, shown } from "../Counts.ts"
import { given } from "../Given.ts"
import { judge, trialOf, type Verdict } from "./Trial.ts"

const { count, extent, seeds } = given("csv-corpus")

const countOf = (verdicts: ReadonlyArray<Verdict>, is: Verdict["is"]) =>
  verdicts.filter((verdict) => verdict.is === is).length

describe("a sample of corpus files with known content", () => {
  it.effect(
    "contains no wrong guess: each file is read correctly, asked about with the right question, or refused with a reason",
    function* () {
      const verdicts = yield* Effect.forEach(seeds, (seed) => judge(trialOf(seed)))
      const wrong = verdicts.flatMap((verdict, i) =>
        verdict.is === "wrong"
          ? [`seed ${seeds[i]!}: ${verdict.why}\n  ${JSON.stringify(trialOf(seeds[i]!).style)}`]
          : []
      )
      yield* shown(
        counted(
          verdicts.map((verdict) => ("about" in verdict ? `${verdict.is} (${verdict.about.join(", ")})` : verdict.is))
        )
      )
      assert.deepStrictEqual(wrong, [])
      if (extent === "part") return
      assert.isAbove(countOf(verdicts, "read"), 0.3 * count)
      assert.isAbove(countOf(verdicts, "asked"), 0.2 * count)
    }
  )
})
