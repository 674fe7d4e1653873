/**
 * Plants mistakes in the engine, and records the laws that catch them. A full run writes
 * `mutants.md`; a partial run writes only its rows. Arguments after `--`: parts of names.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { given } from "../Given.ts"
import { mutants } from "./Mutants.ts"
import { page, rows } from "./Planting.ts"

const { count, extent, rest } = given("simulator-mutants")
const chosen = mutants.filter(({ name }) => rest.length === 0 || rest.some((part) => name.includes(part)))

describe("the laws of the simulator", () => {
  it(`catch each of ${chosen.length} planted mistakes within ${count} days`, () => {
    assert.isNotEmpty(chosen)
    const found = rows(chosen, count)
    const file = join(import.meta.dirname, "mutants.md")
    if (extent === "full") writeFileSync(file, page(found, readFileSync(file, "utf8")))
    assert.deepStrictEqual(
      found.flatMap(({ isCaught, mutant, outcome }) => (isCaught ? [] : [`${mutant.name}: ${outcome}`])),
      []
    )
  })
})
