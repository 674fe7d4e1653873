import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fuzz } from "../proof/Mutation.ts"

describe("2000 damaged files", () => {
  it.effect(
    "end in readings or a question, every fault with its position",
    () =>
      Effect.gen(function* () {
        const seeds = Array.from({ length: 2000 }, (_, i) => 500_001 + i)
        const fuzzed = yield* Effect.forEach(seeds, fuzz)
        const troubles = fuzzed.flatMap(({ trouble }, i) =>
          trouble === undefined ? [] : [`seed ${seeds[i]!}: ${trouble}`]
        )
        assert.deepStrictEqual(troubles, [])
        assert.isAbove(fuzzed.filter(({ outcome }) => outcome === "read").length, 200)
      }),
    180_000
  )
})
