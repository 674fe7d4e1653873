import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "../proof/what-is-stated.ts"

describe("a sample of altered exports of every known format", () => {
  it.effect(
    "sends nothing that another statement of the export contradicts, everything else as stated, and every good document",
    () =>
      Effect.gen(function* () {
        const { contradicted, goodRefused, outcomes, wrong } = yield* run(10, 7)
        assert.deepStrictEqual(
          [...wrong].map(([what, { text, why }]) => `${what}: ${why}\n${text}`),
          []
        )
        assert.deepStrictEqual(goodRefused, [])
        assert.isAbove(contradicted, 350)
        assert.isAbove(outcomes.get("no witness: sent as stated") ?? 0, 100)
      }),
    60_000
  )
})
