import { assert, describe, it } from "@effect/vitest"
import { strike } from "./CrashMatrix.ts"
import { format, sample } from "./CrashPoint.ts"
import { Effect } from "effect"

// a sample of what `scripts/crash-matrix.ts` runs in full
const chosen = sample(12, Number(process.env["CRASH_SEED"] ?? 20_260_110))

describe("a submitting process", () => {
  for (const [n, point] of chosen.entries()) {
    const thread = n % 2 === 0 ? "same" : "own"
    it.live(`loses nothing and sends nothing twice, its store on ${thread} thread: ${format(point)}`, () =>
      Effect.map(strike(point, { thread }), ({ problems }) => assert.deepStrictEqual(problems, []))
    )
  }
})
