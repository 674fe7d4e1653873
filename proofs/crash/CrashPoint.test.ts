import { assert, describe, it } from "@effect/vitest"
import { behaviors, format, isBeyond, points, policies, reach, sample } from "./CrashPoint.ts"

const names = (count: number, seed: number) => sample(count, seed).map(format)

describe("the crash matrix", () => {
  it("lists every point once, with every policy and behavior", () => {
    assert.strictEqual(new Set(points.map(format)).size, points.length)
    assert.strictEqual(new Set(points.map(({ behavior, policy }) => `${policy} ${behavior}`)).size, 15)
    for (const policy of policies) {
      for (const behavior of behaviors) {
        const { commits, polls, submits } = reach(policy, behavior)
        const own = points.filter((point) => point.policy === policy && point.behavior === behavior)
        assert.strictEqual(own.length, 2 * commits + 3 * (submits + polls))
      }
    }
  })

  it("is sampled by the seed only: the same points at any time and place", () => {
    assert.deepStrictEqual(names(5, 1), [
      "resend-same-id, dropped-before, killed before commit 6",
      "resend-same-id, accepted, killed before commit 26",
      "resend-new-id, slow, killed after commit 33",
      "hold, rejected, killed after commit 41",
      "hold, accepted, killed after submit 3"
    ])
    for (const seed of [1, 2, 20_260_110]) assert.deepStrictEqual(names(40, seed), names(40, seed))
    assert.notDeepEqual(names(40, 1), names(40, 2))
    assert.deepStrictEqual(names(40, 1).slice(0, 12), names(12, 1))
    assert.deepStrictEqual(names(points.length, 3).toSorted(), points.map(format).toSorted())
  })

  it("reports a run that got further than the matrix", () => {
    const [point] = points
    const extent = reach(point!.policy, point!.behavior)
    assert.isFalse(isBeyond(point!, extent))
    assert.isTrue(isBeyond(point!, { ...extent, commits: extent.commits + 1 }))
    assert.isTrue(isBeyond(point!, { ...extent, polls: extent.polls + 1 }))
  })
})
