/** A sample of `pnpm proof:stated`. */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { keepsLaw, outcomeOf } from "../proof/StatedTrial.ts"
import { bookWith } from "../proof/TaxTypes.ts"
import { alterations, kinds } from "../proof/XeroAlterations.ts"

describe("a generated document altered in one statement", () => {
  it.live.each(kinds)(
    "of its %s is refused, proven by a stated total, or sent as stated where nothing contradicts it",
    (kind) =>
      Effect.gen(function* () {
        const book = yield* BookFile.load("proof.book.json", bookWith({ rounding: "as-inclusive" }))
        const made = alterations(kind, 77, 40)
        const outcomes = yield* Effect.forEach(made, (alteration) => outcomeOf(alteration, book))
        const judged = outcomes.filter((outcome) => outcome !== undefined)
        assert.isAbove(judged.length, 30)
        const against = made.flatMap((alteration, i) => {
          const outcome = outcomes[i]
          return outcome === undefined || keepsLaw(alteration, outcome) ? [] : [`${alteration.what}: ${outcome}`]
        })
        assert.deepStrictEqual(against, [])
      })
  )
})
