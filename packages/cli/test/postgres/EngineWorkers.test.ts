/** A sample of `pnpm proof:workers --through pg-boss` and `--through cluster`; in a file of its own, since they mostly wait. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { proven } from "./ProvenWorkers.ts"

describe("four workers to whom an engine hands out lanes", () => {
  // pg-boss takes a minute to hand on what a frozen worker had: the proof does that, too
  const engines = [
    { through: "pg-boss", fates: ["kill", "end"] },
    { through: "cluster", fates: ["kill", "end", "freeze"] }
  ] as const
  for (const { fates, through } of engines) {
    it.live(
      `lose nothing, send nothing twice and break no order through ${through}: ${fates.join(", ")}`,
      () =>
        Effect.gen(function* () {
          const { ending } = yield* proven({ through, fates })
          assert.strictEqual(ending?.unknown, 0)
          // the answers under way are waited for; what else its lanes have is for others
          assert.isBelow(ending?.millis ?? Infinity, 10_000)
        }),
      240_000
    )
  }
})
