import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { counted, shown } from "../Counts.ts"
import { given } from "../Given.ts"
import { mutation } from "./Mutation.ts"

const { count, extent, seeds } = given("xlsx-damaged")

describe("a sample of damaged workbooks", () => {
  it.effect("is refused, or gives the same documents as before", function* () {
    const found = yield* Effect.forEach(seeds, mutation)
    yield* shown(counted(found.map(({ outcome }) => outcome)))
    assert.deepStrictEqual(
      found.flatMap(({ trouble }, i) => (trouble === undefined ? [] : [`seed ${seeds[i]!}: ${trouble}`])),
      []
    )
    if (extent !== "part") assert.isAbove(found.filter(({ outcome }) => outcome === "refused").length, count / 3)
  })
})
