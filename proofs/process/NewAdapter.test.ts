/** Tests the adapter that `create` generates, as its author first runs it. */
import { create } from "create-fiscal-adapter/create"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

describe("a new adapter", () => {
  it("passes its own suite as generated, with known mistakes and the round trip to receipts", () => {
    const within = mkdtempSync(join(tmpdir(), "create-"))
    try {
      create("corner-shop", within)
      const folder = join(within, "fiscal-adapter-corner-shop")
      // `npm install` would create this folder.
      const installed = join(import.meta.dirname, "../../packages/create-fiscal-adapter/node_modules")
      symlinkSync(installed, join(folder, "node_modules"))
      const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", "src/adapter.test.ts"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NODE_OPTIONS: "" }
      })
      assert.strictEqual(status, 0, stdout)
      assert.match(stdout, /# pass 68\n# fail 0\n/)
    } finally {
      rmSync(within, { recursive: true, force: true })
    }
  })
})
