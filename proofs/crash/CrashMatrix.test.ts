import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { given } from "../Given.ts"
import { strike } from "./CrashMatrix.ts"
import { format, points, sample } from "./CrashPoint.ts"

const { count, seed } = given("crash-matrix")
const chosen = count >= points.length ? points : sample(count, seed)

// Two victims at a time: a victim mostly waits.
describe.concurrent("a submitting process", () => {
  for (const [n, point] of chosen.entries()) {
    const thread = n % 2 === 0 ? "same" : "own"
    it.live(`loses nothing and sends nothing twice with its store on ${thread} thread: ${format(point)}`, () =>
      Effect.map(strike(point, { thread }), ({ problems }) => assert.deepStrictEqual(problems, []))
    )
  }
})
