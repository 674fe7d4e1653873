/** Proves that each defense of docs/security.md names an existing test. */
import { assert, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

it("every defense of the threat model names tests that exist", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8")
  const [, table = ""] = text.split("## Defenses")
  const rows = table.split("\n").filter((row) => row.startsWith("| ") && !row.startsWith("| border"))
  assert.isAbove(rows.length, 10)
  for (const row of rows) {
    const tests = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
    assert.isAbove(tests.length, 0, row)
    for (const path of tests)
      assert.isTrue(existsSync(join(root, /^(proofs|scripts)\//.test(path) ? path : `packages/${path}`)), path)
  }
})
