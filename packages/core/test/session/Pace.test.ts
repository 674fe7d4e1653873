import { assert, describe, it } from "@effect/vitest"
import * as Pace from "../../src/session/Pace.ts"

describe("the pace of an import", () => {
  it("is that of the last 20 seconds, whatever was before", () => {
    const pace = Pace.make()
    assert.isNull(pace(0, 0, 100))
    assert.isNull(pace(1_000, 5, 100), "too short to be measured")
    // a pause of ten minutes does not count
    assert.isNull(pace(600_000, 5, 100))
    assert.deepStrictEqual(pace(610_000, 25, 100), { perSecond: 2, secondsLeft: 37.5 })
    assert.deepStrictEqual(pace(625_000, 40, 100), { perSecond: 1, secondsLeft: 60 })
  })
})
