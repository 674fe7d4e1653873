/**
 * Proves that docs/api matches the public surface of the packages, and that every public name has a
 * docstring (docs/decisions/010).
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { report } from "../../scripts/ApiReport.ts"

const root = join(import.meta.dirname, "../..")

describe("the public surface of the packages", () => {
  it("equals docs/api, and every name has a docstring (pnpm run api writes it)", () => {
    const { pages, undocumented } = report()
    assert.deepStrictEqual(undocumented, [])
    for (const [file, text] of pages) assert.strictEqual(readFileSync(join(root, file), "utf8"), text, file)
  })
})
