import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { cases } from "./StatementCases.ts"

const { count, seed } = given("statements")

describe("a column or field under an unknown name", () => {
  it.live("is named, asked or refused, in every format, layout and written form", function* () {
    const all = yield* cases
    const drawn = Random.make(seed).shuffled(all).slice(0, count)
    const outcomes: Array<string> = []
    const silent: Array<string> = []
    const ofAdded = new Map<string, string>()
    for (const { change, form, name, outcome } of drawn) {
      const treatment = yield* outcome
      outcomes.push(`${change}: ${treatment}`)
      if (treatment === "silent") silent.push(`${change} ${name}, form ${form}`)
      if (change === "added" && !["named", "blank"].includes(treatment)) ofAdded.set(`${name}, form ${form}`, treatment)
    }
    yield* Console.log(`${drawn.length} of ${all.length} cases\n${counted(outcomes)}`)
    assert.deepStrictEqual(silent.slice(0, 60), [])
    // one more column or field has one treatment everywhere
    assert.deepStrictEqual([...ofAdded].slice(0, 40), [])
  })
})
