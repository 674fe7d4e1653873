/** Proves that a contradicted document is not sent, unless a stated total proves its amounts. */
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { given } from "../Given.ts"
import { alterations, type System } from "./JoinedAlterations.ts"
import { adapters, book as text, run } from "./JoinedTrial.ts"

const { count, extent, seed } = given("joined-stated")

describe("a statement of a joined export", () => {
  it.live.each(Object.keys(adapters) as Array<System>)("of %s is never overruled in silence", (system) =>
    Effect.gen(function* () {
      const book = yield* BookFile.load("proof.book.json", text)
      const { against, contradicted, free, unsent } = yield* run(system, alterations(system, seed, count), book)
      const told = (counts: ReadonlyMap<string, number>) => Array.from(counts, ([word, n]) => `${n} ${word}`).join(", ")
      yield* Console.log(`${system}: contradicted: ${told(contradicted)}; not contradicted: ${told(free)}`)
      assert.deepStrictEqual(Array.from(against), [])
      assert.strictEqual(unsent, 0)
      if (extent === "part") return
      assert.isAbove(contradicted.get("refused") ?? 0, (2 / 3) * count)
      assert.deepStrictEqual(Array.from(free.keys()), ["as-altered"])
    })
  )
})
