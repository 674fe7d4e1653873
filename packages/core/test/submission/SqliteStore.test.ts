import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { DatabaseSync } from "node:sqlite"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../../src/testing/PlannedDocuments.ts"
import { suite } from "../../src/testing/StoreConformance.ts"

const directory = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "fiscal-store-" }))
const inDirectory = <A, E>(use: (directory: string, fs: FileSystem.FileSystem) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    return yield* use(yield* directory, yield* FileSystem.FileSystem)
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

const openStore = (filename: string) => Layer.fresh(SqliteStore.layer({ filename }))
const planned = (filename: string, ...ids: ReadonlyArray<string>) =>
  SubmissionStore.use((store) => store.plan(ids.map((id) => invoice(id)))).pipe(Effect.provide(openStore(filename)))
const listed = (filename: string) =>
  SubmissionStore.use((store) => Effect.map(store.list({}), (rows) => rows.map(({ id }) => id))).pipe(
    Effect.provide(openStore(filename))
  )
const refusal = (filename: string) => Effect.flip(listed(filename))

describe("the store in a file", () => {
  for (const { check, name } of suite) {
    it.live(name, () => inDirectory((directory) => check(openStore(`${directory}/store.db`))))
  }
})

describe("the file of the store", () => {
  it.live("is readable by its owner alone, and so are the files beside it", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        const modes = yield* SubmissionStore.use((store) =>
          Effect.andThen(
            store.plan([invoice("i1")]),
            Effect.forEach(["", "-wal", "-shm"], (suffix) => fs.stat(`${filename}${suffix}`))
          )
        ).pipe(Effect.provide(openStore(filename)))
        assert.deepStrictEqual(
          modes.map(({ mode }) => mode & 0o777),
          [0o600, 0o600, 0o600]
        )
      })
    )
  )

  it.live("is refused, and left alone, when a newer version wrote it", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "i1")
        const db = new DatabaseSync(filename)
        db.exec("insert into fiscal_migrations (migration_id, name) values (999, 'of_the_future')")
        db.close()
        const error = yield* refusal(filename)
        assert.strictEqual(error.reason, "newer-version")
        assert.include(error.message, "schema 999")
        assert.include(error.message, filename)
      })
    )
  )

  it.live("is refused when it is no database, with its name", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/notes.txt`
        yield* fs.writeFileString(filename, "not a database at all, but long enough to have a header ".repeat(20))
        const error = yield* refusal(filename)
        assert.strictEqual(error.reason, "corrupt")
        assert.include(error.message, filename)
      })
    )
  )

  it.live("cannot be opened where its directory is missing, and says so", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const error = yield* refusal(`${directory}/nowhere/store.db`)
        assert.strictEqual(error.reason, "unavailable")
        assert.include(error.message, "nowhere")
      })
    )
  )

  it.live("loses only the transaction that was being written when the power went", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "kept")
        // a copy taken while a process has it open is what a cut leaves behind: the file, and a log that ends anywhere
        const { db, wal } = yield* SubmissionStore.use((store) =>
          Effect.gen(function* () {
            yield* store.plan([invoice("i1")])
            yield* store.plan([invoice("i2")])
            return { db: yield* fs.readFile(filename), wal: yield* fs.readFile(`${filename}-wal`) }
          })
        ).pipe(Effect.provide(openStore(filename)))
        const survivors = new Set<string>()
        for (let cut = 0; cut <= wal.length; cut += Math.ceil(wal.length / 40)) {
          const copy = `${directory}/cut-${cut}.db`
          yield* fs.writeFile(copy, db)
          yield* fs.writeFile(`${copy}-wal`, wal.slice(0, cut))
          survivors.add((yield* listed(copy)).join(" "))
        }
        assert.deepStrictEqual([...survivors].toSorted(), ["kept", "kept i1", "kept i1 i2"].slice(0, survivors.size))
        assert.isTrue(survivors.has("kept"))
      })
    )
  )
})
