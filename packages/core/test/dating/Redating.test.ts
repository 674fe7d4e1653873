import { assert, describe, it } from "@effect/vitest"
import * as FreeSeconds from "../../src/dating/FreeSeconds.ts"
import { type Moved, reassign } from "../../src/dating/Redating.ts"

/** Returns the same random numbers every time. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

describe("receipt dates on a replacement device", () => {
  it("are all different and in the former order, after the mark and on their day, or unchanged", () => {
    let changed = 0
    for (let seed = 1; seed <= 500; seed++) {
      const draw = generator(seed)
      const below = (limit: number) => Math.floor(draw() * limit)
      const mark = below(30)
      const taken = Array.from({ length: below(10) }, () => below(40))
      const seconds = [...new Set(Array.from({ length: 1 + below(12) }, () => below(40)))].toSorted((a, b) => a - b)
      const moved = seconds.map((second): Moved => {
        const dated = draw() < 0.2 ? "stated" : "assigned"
        return { second, dated, mark, endOfDay: second < 20 ? 19 : 45 }
      })
      const found = reassign(moved, FreeSeconds.make(taken))
      const given: Array<number> = []
      for (const [at, second] of found.entries()) {
        const { dated, endOfDay, second: own } = moved[at]!
        // At or before an earlier-sent document: no free second was left, so the document is late.
        const isLate = own <= Math.max(mark, given.at(-1) ?? 0) || taken.includes(own)
        if (second === own && (dated === "stated" || isLate)) continue
        if (second !== own) changed++
        assert.isAbove(second, Math.max(mark, own - 1, given.at(-1) ?? 0), `seed ${seed}`)
        assert.isAtMost(second, endOfDay, `seed ${seed}`)
        assert.isFalse(taken.includes(second), `seed ${seed}`)
        given.push(second)
      }
      const stated = new Set(moved.filter(({ dated }) => dated === "stated").map(({ second }) => second))
      assert.deepStrictEqual(
        given.filter((second) => stated.has(second)),
        [],
        `seed ${seed}`
      )
    }
    assert.isAbove(changed, 500)
  })
})
