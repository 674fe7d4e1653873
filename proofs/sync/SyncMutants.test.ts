/**
 * Mistakes planted in the pull, and the laws of the proof `sync` that find them; a full run writes
 * `mutants.md`. Arguments after `--`: parts of names.
 */
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { readFileSync, writeFileSync } from "node:fs"
import { given } from "../Given.ts"
import { mutants } from "./SyncMutants.ts"
import { page, rows } from "./SyncPlanting.ts"

// slow: each mistake runs the proof `sync` in a copy of the sources

const { count, rest } = given("sync-mutants")
const chosen = mutants.filter(({ name }) => rest.length === 0 || rest.some((part) => name.includes(part)))

describe("the laws of a live source", () => {
  it(`detect each of ${chosen.length} planted mistakes within ${count} trials`, () => {
    assert.isNotEmpty(chosen)
    const found = rows(chosen, count)
    const file = join(import.meta.dirname, "mutants.md")
    writeFileSync(file, page(found, readFileSync(file, "utf8")))
    assert.deepStrictEqual(
      found.flatMap(({ isFound, mutant, outcome }) => (isFound ? [] : [`${mutant.name}: ${outcome}`])),
      []
    )
  })
})
