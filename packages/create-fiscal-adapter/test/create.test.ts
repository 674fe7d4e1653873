import { create } from "create-fiscal-adapter/create"
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const inTemporaryFolder = (work: (folder: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), "create-"))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("a new adapter", () => {
  it("has its own name everywhere, and no name of the template", () =>
    inTemporaryFolder((within) => {
      create("corner-shop", within)
      const files = readdirSync(within, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      for (const { name, parentPath } of files)
        assert.notMatch(name + readFileSync(join(parentPath, name), "utf8"), /acme/i)
      assert.isTrue(files.some(({ name }) => name === ".gitignore"))
    }))

  it("does not overwrite a file, and needs a name that an option can have", () =>
    inTemporaryFolder((within) => {
      create("corner-shop", within)
      assert.throws(() => create("corner-shop", within), /There is something at .* already; nothing was written/)
      assert.throws(() => create("Corner Shop", within), /is not a name of an adapter/)
    }))
})
