/** A sample of `pnpm proof:joined`: what the export contradicts is not sent, unless a stated total proves it. */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { alterations, type System } from "../proof/JoinedAlterations.ts"
import { adapters, book as text, run } from "../proof/JoinedTrial.ts"

describe("what an export states", () => {
  it.live.each(Object.keys(adapters) as Array<System>)("of %s is never overruled in silence", (system) =>
    Effect.gen(function* () {
      const book = yield* BookFile.load("proof.book.json", text)
      const { against, contradicted, free, unsent } = yield* run(system, alterations(system, 7, 60), book)
      assert.deepStrictEqual(Array.from(against), [])
      assert.isAbove(contradicted.get("refused") ?? 0, 40)
      assert.deepStrictEqual([Array.from(free.keys()), unsent], [["as-altered"], 0])
    })
  )
})
