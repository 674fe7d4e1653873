import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import * as StoreWitnessFile from "../../src/configuration/StoreWitnessFile.ts"

const store = { id: "a", attempts: 3, lanes: ["live/1001"], at: "2026-01-10T13:00:00.000Z", accepted: null, newest: [] }

const inFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const witness = yield* StoreWitnessFile.make(join(folder, "accounts.json"))
  return { file: join(folder, "accounts.stores.json"), folder, fs, witness }
})

const module = JSON.stringify(join(import.meta.dirname, "../../src/configuration/StoreWitnessFile.ts"))

/**
 * Starts a process that repeatedly records the progress of separate stores, and of a store shared
 * by all.
 */
const writing = (file: string, own: string, times: number) =>
  Effect.callback<number | null>((resume) => {
    const child = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { Effect } from "effect"
         import * as NodeServices from "@effect/platform-node/NodeServices"
         const { at } = await import(${module})
         const store = ${JSON.stringify(store)}
         await Effect.runPromise(Effect.gen(function* () {
           const witness = yield* at(${JSON.stringify(file)})
           for (let i = 0; i < ${times}; i++) {
             const said = [yield* witness.write({ ...store, id: "${own}" + i }),
               yield* witness.write({ ...store, id: "shared", lanes: ["live/${own}" + i] })]
             if (said.includes("unwritten")) throw new Error("unwritten")
           }
         }).pipe(Effect.provide(NodeServices.layer)))`
      ],
      { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] }
    )
    child.once("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

// slow: several processes write one file at once
describe("the file with the progress of each store", () => {
  it.live("keeps the latest state of each store", () =>
    Effect.gen(function* () {
      const { folder, fs, witness } = yield* inFolder
      const other = { ...store, id: "b" }
      for (const one of [store, other, { ...store, attempts: 4 }]) {
        assert.strictEqual(yield* witness.write(one), "written")
      }
      assert.deepStrictEqual(yield* witness.read, [other, { ...store, attempts: 4 }])
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["accounts.stores.json", "accounts.stores.json.lock"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("leaves no temporary file if it cannot be written", () =>
    Effect.gen(function* () {
      const { file, folder, fs, witness } = yield* inFolder
      yield* fs.makeDirectory(file)
      assert.strictEqual(yield* witness.write(store), "unwritten")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["accounts.stores.json", "accounts.stores.json.lock"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("loses no state when several processes write at once, and works after a killed writer", () =>
    Effect.gen(function* () {
      const { file, fs, witness } = yield* inFolder
      const times = 60
      const killed = Effect.timeoutOption(writing(file, "killed", 1_000_000), "900 millis")
      const codes = Effect.all([writing(file, "a", times), writing(file, "b", times)], { concurrency: 2 })
      const [ended] = yield* Effect.all([codes, killed], { concurrency: 2 })
      assert.deepStrictEqual(ended, [0, 0])
      assert.strictEqual(yield* witness.write({ ...store, id: "last" }), "written")
      const kept = new Map((yield* witness.read).map(({ id, lanes }) => [id, lanes]))
      for (const own of ["a", "b"]) {
        for (let i = 0; i < times; i++) {
          assert.isTrue(kept.has(`${own}${i}`), `${own}${i}`)
          assert.include(kept.get("shared") ?? [], `live/${own}${i}`)
        }
      }
      assert.isTrue(kept.has("last"))
      assert.strictEqual((yield* fs.stat(`${file}.lock`)).mode & 0o777, 0o600)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
