import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make } from "../../src/node/SqliteHolder.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "holder-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const module = JSON.stringify(join(import.meta.dirname, "../../src/node/SqliteHolder.ts"))

/** Starts a process that holds lanes of the store, and prints its name. */
const worker = (store: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly name: string; readonly child: ReturnType<typeof spawn> }>((resume) => {
      const child = spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { Effect } from "effect"
           const { make } = await import(${module})
           Effect.runFork(Effect.scoped(Effect.flatMap(make(${JSON.stringify(store)}), ({ name }) =>
             Effect.andThen(Effect.sync(() => console.log(name)), Effect.sleep("1 hour")))))`
        ],
        { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] }
      )
      child.stdout.setEncoding("utf8").once("data", (text: string) => {
        resume(Effect.succeed({ name: text.trim(), child }))
      })
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

const killed = (child: ReturnType<typeof spawn>) =>
  Effect.callback<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

describe("the holder of a lane in a store file", () => {
  it.live("is presumed dead after its process is killed, not earlier, and not during a pause", function* () {
    const store = join(yield* folder, "store.db")
    const own = yield* make(store)
    const { child, name } = yield* worker(store)
    assert.isFalse(yield* own.presumedDead(name))
    child.kill("SIGSTOP")
    assert.isFalse(yield* own.presumedDead(name))
    yield* killed(child)
    assert.isTrue(yield* own.presumedDead(name))
    // The remaining file is removed, and the process is still reported dead.
    assert.lengthOf(readdirSync(join(store, "..")), 1)
    assert.isTrue(yield* own.presumedDead(name))
  })

  it.live("is distinguished from others of the same process, and leaves no files", function* () {
    const path = yield* folder
    const store = join(path, "store.db")
    yield* Effect.gen(function* () {
      const one = yield* make(store)
      const two = yield* make(store)
      assert.notStrictEqual(one.name, two.name)
      assert.isFalse(yield* one.presumedDead(two.name))
      assert.isFalse(yield* one.presumedDead(one.name))
      assert.isTrue(existsSync(`${store}.worker-${one.name.slice(-8)}`))
    }).pipe(Effect.scoped)
    assert.deepStrictEqual(readdirSync(path), [])
  })

  it.live("of another kind is never presumed dead", function* () {
    const own = yield* make(join(yield* folder, "store.db"))
    for (const name of ["worker/17", "session/till/17/0a1b2c3d", "till/17/0a1b2c3d", "lock/till/17/../../x"])
      assert.isFalse(yield* own.presumedDead(name), name)
  })
})
