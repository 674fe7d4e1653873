/** Four processes on one store, and what befalls some of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { given } from "../Given.ts"
import { leaseSeconds, proven } from "./ProvenWorkers.ts"

const { count, extent, seed } = given("workers")

describe("four workers on one store", () => {
  it.live(
    "lose nothing, send nothing twice and break no order when one is killed, one told to stop, and one frozen past its lease",
    () =>
      Effect.gen(function* () {
        const { ending, takeoverMillis } = yield* proven({
          through: "work",
          fates: ["kill", "end", "freeze"],
          count,
          seed
        })
        assert.strictEqual(ending?.unknown, 0)
        // the answers under way are waited for; what else its lanes have is for others
        assert.isAbove(ending?.left ?? 0, 0)
        // what a database session is for: without it, a lane waits for the end of its lease
        assert.isBelow(takeoverMillis ?? Infinity, leaseSeconds * 1000)
      })
  )

  it.live.skipIf(extent !== "full")("work in peace, for the throughput", () =>
    proven({ through: "work", fates: [], count, seed })
  )
})
