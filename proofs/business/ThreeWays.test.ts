import { assert, describe, it } from "vitest"
import { given } from "../Given.ts"
import { length, play } from "./ThreeWays.ts"

const { count, seeds } = given("three-ways")

// a failure that settled while the source had nothing new to read, and a note on an invoice that
// was edited while its request was open
const found = [5, 60]

describe("documents, an export file and a live source of one firm's books", () => {
  it(`have one report after each of ${length} changes, in ${count} histories`, async () => {
    const disagreements: Array<string> = []
    for (const seed of new Set([...found, ...seeds])) disagreements.push(...(await play(seed)).disagreements)
    console.log(`${count} histories of ${length} changes: ${disagreements.length} disagreements`)
    assert.deepStrictEqual(disagreements.slice(0, 3), [])
  })
})
