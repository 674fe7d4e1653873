/** Four worker processes that get their lanes from an engine. */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { given } from "../Given.ts"
import { proven } from "./ProvenWorkers.ts"

const { count, extent, seed } = given("workers-engines")

describe("four workers with lanes assigned by an engine", () => {
  // pg-boss takes a minute to hand on the work of a frozen worker, so a sample skips the freeze.
  const all = ["kill", "end", "freeze"] as const
  const engines = [
    { through: "pg-boss", fates: extent === "full" ? all : (["kill", "end"] as const) },
    { through: "cluster", fates: all }
  ] as const
  for (const { fates, through } of engines) {
    it.live(`lose nothing, send nothing twice and keep the order with ${through}: ${fates.join(", ")}`, function* () {
      const { ending } = yield* proven({ through, fates, count, seed })
      assert.strictEqual(ending?.unknown, 0)
      // The ended worker waits for its answers under way, and leaves the rest of its lanes to
      // others. On a busy machine, the small sample ends before the check.
      if (extent === "full") assert.isAbove(ending?.left ?? 0, 0)
    })
  }
})
