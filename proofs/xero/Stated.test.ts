import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import { keepsLaw, outcomeOf } from "./StatedTrial.ts"
import { bookWith } from "./TaxTypes.ts"
import { alterations, kinds } from "./XeroAlterations.ts"

const { count, extent, seed } = given("xero-stated")

describe("a generated document altered in one statement", () => {
  it.live.each(kinds)(
    "of its %s is refused, proven by a stated total, or sent as stated if nothing contradicts it",
    (kind) =>
      Effect.gen(function* () {
        const book = yield* BookFile.load("proof.book.json", bookWith({ rounding: "as-inclusive" }))
        const trials = yield* Effect.forEach(alterations(kind, seed, count), (alteration) =>
          Effect.map(outcomeOf(alteration, book), (outcome) => ({ alteration, outcome }))
        )
        const judged = trials.flatMap(({ alteration, outcome }) =>
          outcome === undefined ? [] : [{ alteration, outcome }]
        )
        const against = judged.flatMap(({ alteration, outcome }) =>
          keepsLaw(alteration, outcome) ? [] : [`${alteration.what}: ${outcome}`]
        )
        const told = judged.map(
          ({ alteration: { witness }, outcome }) =>
            `${witness === undefined ? "not contradicted" : "contradicted"}: ${outcome}`
        )
        yield* Console.log(`${kind}\n${counted(told)}`)
        assert.deepStrictEqual(against, [])
        if (extent !== "part") assert.isAbove(judged.length, 0.75 * count)
      })
  )
})
