/** A sample of `pnpm proof:workers`: four processes on one store, and what befalls some of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { proven } from "./ProvenWorkers.ts"

describe("four workers on one store", () => {
  it.live(
    "lose nothing, send nothing twice and break no order when one is killed, one told to stop, and one frozen past its lease",
    () =>
      Effect.gen(function* () {
        const { ending, takeoverMillis } = yield* proven({ through: "work", fates: ["kill", "end", "freeze"] })
        assert.strictEqual(ending?.unknown, 0)
        // what a database session is for: a lease would take four seconds
        assert.isBelow(takeoverMillis ?? Infinity, 3000)
      }),
    240_000
  )
})
