import { assert, describe, it } from "@effect/vitest"
import { explore } from "../simulated/model/Explore.ts"
import { boundOf, limits, newLane, overlooking, small } from "../simulated/model/main.ts"
import { type Guard, guards, type World } from "../simulated/model/Protocol.ts"

describe("the protocol of sending", () => {
  it("gives no document two receipts, in any order of events", () => {
    const result = explore(small)
    assert.strictEqual(result._tag, "NeverReached")
    // A guard that forbids too much makes the world smaller: review every change of the figure.
    assert.strictEqual(result.states, 55_907)
  })

  it("gives no document two receipts if the operator overlooks a request that the gateway then refuses to repeat", () => {
    const result = explore(overlooking)
    assert.strictEqual(result._tag, "NeverReached")
    const isFound = ({ store }: World) => store.documents[0]!.is === "contradicted"
    const isSettled = ({ overlooked, store }: World) => overlooked.length > 0 && store.documents[0]!.is === "fiscalised"
    assert.deepStrictEqual(
      [isFound, isSettled].map((until) => explore(overlooking, { until })._tag),
      ["Reached", "Reached"]
    )
  })

  for (const guard of Object.keys(guards) as ReadonlyArray<Guard>) {
    it(`gives a document two receipts without the guard ${guard}`, () => {
      const result = explore(boundOf(guard), { without: [guard] })
      assert.strictEqual(result._tag, "Reached")
      if (result._tag === "Reached") assert.match(result.way.join("\n"), /gets a receipt[^]*gets a receipt/)
    })
  }

  it("gives no document two receipts in a lane that a recognized copy lacks, and holds what is imported again", () => {
    assert.strictEqual(explore(newLane)._tag, "NeverReached")
    assert.strictEqual(explore(newLane, { without: ["doubt"] })._tag, "Reached")
    const isFiscalized = (world: World) => world.acceptances > 0 && world.store.documents[0]!.is === "fiscalised"
    assert.strictEqual(explore(newLane, { until: isFiscalized })._tag, "Reached")
  })

  it("fiscalises a document, also after an older copy was accepted", () => {
    const isFiscalized = ({ store }: World) => store.documents[0]!.is === "fiscalised"
    const never = explore({ ...small, returns: 0 }, { until: isFiscalized })
    const again = explore(small, { until: (world) => world.store.isDoubtful && isFiscalized(world) })
    assert.deepStrictEqual([never._tag, again._tag], ["Reached", "Reached"])
  })

  for (const { because, bound } of limits) {
    it(`has a limit: ${because}`, () => {
      assert.strictEqual(explore(bound)._tag, "Reached")
    })
  }
})
