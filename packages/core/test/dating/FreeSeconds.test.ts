import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import * as FreeSeconds from "../../src/dating/FreeSeconds.ts"
import { int } from "../document/Numbers.ts"
import { seeded } from "../Property.ts"

describe("free seconds", () => {
  it("are all seconds except the taken ones", () => {
    const free = FreeSeconds.make([5, 6, 8])
    assert.deepStrictEqual([4, 5, 6, 7, 8, 9].map(free.from), [4, 7, 7, 7, 9, 9])
    free.take(7)
    assert.deepStrictEqual([4, 5, 8].map(free.from), [4, 9, 9])
  })

  it.prop(
    "equal the result of a search second by second",
    { taken: Arbitrary.array(int(0, 30), { maxLength: 20 }), asked: Arbitrary.array(int(-2, 34), { maxLength: 30 }) },
    ({ asked, taken }) => {
      const all = new Set(taken)
      const free = FreeSeconds.make(taken)
      for (const second of asked) {
        let expected = second
        while (all.has(expected)) expected++
        assert.strictEqual(free.from(second), expected)
        all.add(expected)
        free.take(expected)
      }
    },
    seeded()
  )
})
