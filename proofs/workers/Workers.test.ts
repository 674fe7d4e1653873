/** Four worker processes on one store, with kills, terminations and freezes. */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { given } from "../Given.ts"
import { leaseSeconds, proven } from "./ProvenWorkers.ts"

const { count, extent, seed } = given("workers")

describe("four workers on one store", () => {
  it.live(
    "lose nothing, send nothing twice and keep the order when one is killed, one stopped, and one frozen past its lease",
    function* () {
      const { ending, takeoverMillis } = yield* proven({
        through: "work",
        fates: ["kill", "end", "freeze"],
        count,
        seed
      })
      assert.strictEqual(ending?.unknown, 0)
      // The ended worker waits for its answers under way, and leaves the rest of its lanes to
      // others.
      assert.isAbove(ending?.left ?? 0, 0)
      // Purpose of the database session: without it, a lane waits for the end of its lease.
      assert.isBelow(takeoverMillis ?? Infinity, leaseSeconds * 1000)
    }
  )

  it.live.skipIf(extent !== "full")("run without troubles, to measure the throughput", () =>
    proven({ through: "work", fates: [], count, seed })
  )
})
