import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { judge, trialOf, type Verdict } from "../proof/Trial.ts"

const count = (verdicts: ReadonlyArray<Verdict>, is: Verdict["is"]) =>
  verdicts.filter((verdict) => verdict.is === is).length

describe("a sample of the corpus of files whose content is known", () => {
  it.effect(
    "makes no wrong guess: each file is read right, asked about with the right question, or refused with reason",
    () =>
      Effect.gen(function* () {
        const seeds = Array.from({ length: 500 }, (_, i) => 100_001 + i)
        const verdicts = yield* Effect.forEach(seeds, (seed) => judge(trialOf(seed)))
        const wrong = verdicts.flatMap((verdict, i) =>
          verdict.is === "wrong" ? [`seed ${seeds[i]!}: ${verdict.why}`] : []
        )
        assert.deepStrictEqual(wrong, [])
        assert.isAbove(count(verdicts, "read"), 150)
        assert.isAbove(count(verdicts, "asked"), 100)
      })
  )
})
