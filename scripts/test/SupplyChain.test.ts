/** Checks the packages' shipped content and their build tools. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as SupplyChain from "../SupplyChain.ts"

const root = join(import.meta.dirname, "../..")

describe("dependencies", () => {
  it("have licenses that allow redistribution, and docs/licenses.md lists them", () => {
    const components = SupplyChain.thirdParty()
    assert.isAbove(components.length, 30)
    assert.deepStrictEqual(SupplyChain.refused(components), [])
    assert.strictEqual(readFileSync(join(root, "docs/licenses.md"), "utf8"), SupplyChain.licensesPage())
  })

  it("with another license are refused", () => {
    const [one] = SupplyChain.thirdParty()
    const refused = (license: string) => SupplyChain.refused([{ ...one!, license }]).length
    for (const license of ["GPL-3.0", "unknown", "UNLICENSED", "MIT AND GPL-2.0"])
      assert.strictEqual(refused(license), 1, license)
    for (const license of ["(MIT OR GPL-2.0)", "Apache-2.0"]) assert.strictEqual(refused(license), 0, license)
  })

  it("are in the bill of materials of each package, which is reproducible", () => {
    for (const folder of SupplyChain.published()) {
      const text = SupplyChain.billOf(folder)
      assert.strictEqual(SupplyChain.billOf(folder), text)
      const bill = JSON.parse(text) as {
        readonly components: ReadonlyArray<{ readonly purl: string }>
        readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
      }
      const refs = new Set(bill.dependencies.map(({ ref }) => ref))
      assert.deepStrictEqual(
        bill.dependencies.flatMap(({ dependsOn }) => dependsOn.filter((ref) => !refs.has(ref))),
        []
      )
      assert.strictEqual(refs.size, bill.components.length + 1)
    }
  })
})

describe("workflows", () => {
  it("refer to every action by its commit", () => {
    const folder = join(root, ".github/workflows")
    const used = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/uses: (\S+)/g)].map(([, action]) => `${name}: ${action}`)
    )
    assert.isAbove(used.length, 0)
    assert.deepStrictEqual(
      used.filter((action) => !/@[0-9a-f]{40}$/.test(action)),
      []
    )
  })
})
