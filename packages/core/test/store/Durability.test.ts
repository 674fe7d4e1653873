import { assert, describe, it } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, FileSystem, Layer } from "effect"
import { DatabaseSync } from "node:sqlite"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"

const inFile = <A, E>(use: (filename: string) => Effect.Effect<A, E>) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "fiscal-store-" })).pipe(
    Effect.flatMap((directory) => use(`${directory}/store.db`)),
    Effect.scoped,
    Effect.provide(NodeFileSystem.layer)
  )

/** Replaces a method of every connection while the scope is open. */
const instead = <K extends "exec" | "prepare">(method: K, make: (original: DatabaseSync[K]) => DatabaseSync[K]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = DatabaseSync.prototype[method]
      DatabaseSync.prototype[method] = make(original)
      return original
    }),
    (original) => Effect.sync(() => (DatabaseSync.prototype[method] = original))
  )

const planned = (filename: string) =>
  SubmissionStore.use((store) => store.plan([invoice("i1")])).pipe(
    Effect.provide(Layer.fresh(SqliteStore.layer({ filename })))
  )

describe("a commit of the store", () => {
  it.live("is on the disk before anything is sent: every writing connection is fully synchronous", () =>
    inFile((filename) =>
      Effect.gen(function* () {
        const found = new Map<DatabaseSync, unknown>()
        yield* instead(
          "prepare",
          (original) =>
            function (this: DatabaseSync, sql) {
              if (sql === "COMMIT") found.set(this, original.call(this, "pragma synchronous").get()?.["synchronous"])
              return original.call(this, sql)
            }
        )
        yield* planned(filename)
        assert.isAbove(found.size, 0)
        assert.deepStrictEqual(new Set(found.values()), new Set([2]))
      }).pipe(Effect.scoped)
    )
  )

  it.live("is not made in a database that refuses this setting: the store does not open", () =>
    inFile((filename) =>
      Effect.gen(function* () {
        yield* instead(
          "exec",
          (original) =>
            function (this: DatabaseSync, sql) {
              return original.call(this, sql.replace(/pragma synchronous = \w+/, "pragma synchronous = off"))
            }
        )
        const error = yield* Effect.flip(planned(filename))
        assert.strictEqual(error._tag, "StoreError")
        assert.include(error.message, "synchronous is 0 and not full")
      }).pipe(Effect.scoped)
    )
  )
})
