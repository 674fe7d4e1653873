import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import * as StoreWitnessFile from "../../src/configuration/StoreWitnessFile.ts"

const store = { id: "a", attempts: 3, lanes: ["live/1001"], at: "2026-01-10T13:00:00.000Z" }

const inFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const witness = yield* StoreWitnessFile.make(join(folder, "accounts.json"))
  return { file: join(folder, "accounts.stores.json"), folder, fs, witness }
})

describe("the file that says how far a store has come", () => {
  it.live("keeps the latest word about each store", () =>
    Effect.gen(function* () {
      const { folder, fs, witness } = yield* inFolder
      const other = { ...store, id: "b" }
      for (const one of [store, other, { ...store, attempts: 4 }]) {
        assert.strictEqual(yield* witness.write(one), "written")
      }
      assert.deepStrictEqual(yield* witness.read, [other, { ...store, attempts: 4 }])
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["accounts.stores.json"])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("leaves nothing beside it where it cannot be written", () =>
    Effect.gen(function* () {
      const { file, folder, fs, witness } = yield* inFolder
      yield* fs.makeDirectory(file)
      assert.strictEqual(yield* witness.write(store), "unwritten")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["accounts.stores.json"])
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
