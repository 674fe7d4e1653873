/** Mistakes planted in the engine, and the laws that catch them; a full run writes `mutants.md`. Arguments after `--`: parts of names. */
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { given } from "../Given.ts"
import { mutants } from "./Mutants.ts"
import { page, rows } from "./Planting.ts"

const { count, rest } = given("simulator-mutants")
const chosen = mutants.filter(({ name }) => rest.length === 0 || rest.some((part) => name.includes(part)))

describe("the laws of the simulator", () => {
  it(`catch each of ${chosen.length} planted mistakes within ${count} days`, () => {
    assert.isNotEmpty(chosen)
    const found = rows(chosen, count)
    if (chosen.length === mutants.length) writeFileSync(join(import.meta.dirname, "mutants.md"), page(found))
    assert.deepStrictEqual(
      found.flatMap(({ isCaught, mutant, told }) => (isCaught ? [] : [`${mutant.name}: ${told}`])),
      []
    )
  })
})
