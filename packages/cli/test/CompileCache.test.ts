import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { folder } from "../src/CompileCache.ts"

const user = process.getuid?.() ?? 0
const inHome = (use: (home: string) => void) => () => {
  const home = mkdtempSync(join(tmpdir(), "connector-home-"))
  try {
    use(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
const of = (home: string, env: Record<string, string> = {}, as: number = user) => folder({ env, home, user: as })

// slow: starts the command as a process, several times
describe.skipIf(process.getuid === undefined)("the folder for compiled code", () => {
  it(
    "is created in the user's cache folder, accessible to its owner only",
    inHome((home) => {
      assert.strictEqual(of(home), join(home, ".cache/fiscal-connector/compiled"))
      assert.strictEqual(statSync(of(home)!).mode & 0o777, 0o700)
      const elsewhere = join(home, "elsewhere")
      assert.strictEqual(of(home, { XDG_CACHE_HOME: elsewhere }), join(elsewhere, "fiscal-connector/compiled"))
    })
  )

  it(
    "is not used if other users may write into it or read it",
    inHome((home) => {
      const made = of(home)!
      for (const mode of [0o702, 0o720, 0o777, 0o750]) {
        chmodSync(made, mode)
        assert.isUndefined(of(home), mode.toString(8))
      }
      chmodSync(made, 0o700)
      assert.strictEqual(of(home), made)
    })
  )

  it(
    "is not used if other users may replace it",
    inHome((home) => {
      const made = of(home)!
      for (const above of [home, join(home, ".cache"), join(home, ".cache/fiscal-connector")]) {
        const { mode } = statSync(above)
        chmodSync(above, 0o777)
        assert.isUndefined(of(home), above)
        // Like the system's temporary directory: each file belongs to its creator.
        chmodSync(above, 0o1777)
        assert.strictEqual(of(home), made)
        chmodSync(above, mode)
      }
    })
  )

  it(
    "is not used if it belongs to another user",
    inHome((home) => {
      assert.isString(of(home))
      assert.isUndefined(of(home, {}, user + 1))
    })
  )

  it(
    "is judged by the target of a symbolic link",
    inHome((home) => {
      const open = join(home, "open")
      mkdirSync(open, { mode: 0o777 })
      chmodSync(open, 0o777)
      mkdirSync(join(home, ".cache/fiscal-connector"), { recursive: true })
      mkdirSync(join(open, "planted"), { mode: 0o700 })
      symlinkSync(join(open, "planted"), join(home, ".cache/fiscal-connector/compiled"))
      assert.isUndefined(of(home))
    })
  )

  it(
    "is used by the command, and nothing stays in the temporary directory",
    inHome((home) => {
      const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...env } = process.env
      const temporary = join(home, "tmp")
      mkdirSync(temporary)
      const main = join(import.meta.dirname, "../src/main.ts")
      const run = () =>
        spawnSync(process.execPath, [main, "why", "--help"], { env: { ...env, HOME: home, TMPDIR: temporary } })
      assert.strictEqual(run().status, 0)
      const made = join(home, ".cache/fiscal-connector/compiled")
      assert.isAbove(readdirSync(made).length, 0)
      assert.deepStrictEqual(readdirSync(temporary), [])
      rmSync(made, { recursive: true })
      mkdirSync(made, { mode: 0o777 })
      chmodSync(made, 0o777)
      assert.strictEqual(run().status, 0)
      assert.deepStrictEqual(readdirSync(made), [])
      assert.isFalse(existsSync(join(temporary, "node-compile-cache")))
    })
  )
})
