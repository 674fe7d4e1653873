/** Core and the page name no accounting system: a system is its package and one row. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "../../..")

describe("the sources of core and of the page", () => {
  it("name no accounting system", () => {
    const files = globSync(["core/src/**/*.ts", "ui/src/**/*.ts"], { cwd: packages })
    assert.isAbove(files.length, 400)
    const naming = files.filter((file) =>
      /xero|odoo|quickbooks|erpnext/i.test(readFileSync(join(packages, file), "utf8"))
    )
    assert.deepStrictEqual(naming, [])
  })
})
