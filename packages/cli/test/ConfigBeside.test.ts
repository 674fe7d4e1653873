import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { found } from "../src/account/ConfigBeside.ts"

describe("the configuration of a call that names none", () => {
  const cwd = mkdtempSync(join(tmpdir(), "beside-"))
  for (const folder of ["a", "b", "c", "d"]) {
    mkdirSync(join(cwd, folder))
    writeFileSync(join(cwd, folder, "sales.csv"), "")
  }
  writeFileSync(join(cwd, "a/accounts.json"), "{}")
  writeFileSync(join(cwd, "b/accounts.json"), "{}")
  symlinkSync("gone.json", join(cwd, "d/accounts.json"))
  const of = (...files: ReadonlyArray<string>) => found(["import", "csv", ...files], {}, cwd)

  it("is beside its file, or in its folder", () => {
    assert.strictEqual(of("a/sales.csv"), "a/accounts.json")
    assert.strictEqual(of("./a/sales.csv", "a"), "a/accounts.json")
    assert.strictEqual(of("b/"), "b/accounts.json")
    assert.isUndefined(of("c/sales.csv"))
    assert.isUndefined(of())
  })

  it("is not taken if the files have different ones, or only some have one", () => {
    assert.isUndefined(of("a/sales.csv", "b/sales.csv"))
    assert.isUndefined(of("a/sales.csv", "c/sales.csv"))
    assert.isUndefined(of("c/sales.csv", "a/sales.csv"))
  })

  it("is a file that cannot be read, so that another is not taken in its place", () => {
    assert.strictEqual(of("d/sales.csv"), "d/accounts.json")
  })

  it("is the one of the working folder for files without one", () => {
    writeFileSync(join(cwd, "accounts.json"), "{}")
    assert.strictEqual(of("c/sales.csv"), "accounts.json")
    assert.strictEqual(of(), "accounts.json")
    assert.isUndefined(of("c/sales.csv", "a/sales.csv"))
  })
})
