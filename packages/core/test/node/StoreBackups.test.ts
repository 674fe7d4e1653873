/** Backups of a folder: the newest are kept, and only files made here are deleted. */
import { assert, describe, it } from "../It.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { lock } from "../../src/file/SystemLock.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as StoreBackups from "../../src/node/StoreBackups.ts"
import * as StoreFile from "../../src/node/StoreFile.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "backups-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Creates an empty store with the name, and the folder for its backups. */
const storeIn = (path: string, name = "books.db") =>
  Effect.map(Effect.scoped(Layer.build(Layer.fresh(SqliteStore.layer({ filename: join(path, name) })))), () => ({
    file: join(path, name),
    into: join(path, "backups")
  }))

const visible = (into: string) =>
  readdirSync(into)
    .filter((name) => !name.startsWith("."))
    .toSorted()

/** Makes one backup a minute. */
const backups = (file: string, into: string, keep: number, times: number) =>
  Effect.forEach(Array.from({ length: times }), () =>
    Effect.tap(StoreBackups.make(file, into, keep), () => TestClock.adjust("1 minute"))
  )

const begin = TestClock.setTime(Date.UTC(2026, 10, 24, 18))

describe("backups of a store in a folder", () => {
  it.effect("are named after the store and the time, for their owner only, and the newest are kept", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    const made = yield* backups(file, into, 3, 5)
    assert.deepStrictEqual(
      made.map(({ kept, removed }) => [kept, removed.length]),
      [
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 1],
        [3, 1]
      ]
    )
    const names = visible(into)
    assert.match(names[0]!, /^books-[0-9a-f]{8}-20261124T180200Z\.db$/)
    assert.deepStrictEqual(
      names.map((name) => name.slice(15)),
      ["20261124T180200Z.db", "20261124T180300Z.db", "20261124T180400Z.db"]
    )
    assert.deepStrictEqual([statSync(into).mode & 0o777, statSync(join(into, names[0]!)).mode & 0o777], [0o700, 0o600])
    // Each backup is a valid store.
    yield* Effect.scoped(Layer.build(Layer.fresh(SqliteStore.layerReading({ filename: join(into, names[0]!) }))))
  })

  it.effect("are the only deleted files, whatever names other files have", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    const [first] = yield* backups(file, into, 9, 1)
    const name = (seconds: string) => join(into, first!.file.slice(into.length + 1).replace("180000", seconds))
    // A manual copy, a database and a text with similar names, a backup with another time, and a
    // backup of another store.
    yield* StoreFile.copy(file, name("170000"))
    new DatabaseSync(name("170001")).exec("create table song (title text)")
    writeFileSync(name("170002"), "notes\n".repeat(100))
    copyFileSync(first!.file, name("170003"))
    copyFileSync(first!.file, join(into, "before the audit.db"))
    mkdirSync(name("170004"))
    const other = yield* storeIn(join(into, ".."), "other.db")
    yield* backups(other.file, into, 1, 1)
    const before = visible(into)
    const made = yield* backups(file, into, 1, 3)
    assert.deepStrictEqual(
      made.map(({ removed }) => removed.length),
      [1, 1, 1]
    )
    const kept = before.filter((one) => join(into, one) !== first!.file)
    assert.deepStrictEqual(
      visible(into).filter((one) => before.includes(one)),
      kept
    )
    assert.lengthOf(visible(into), kept.length + 1)
  })

  it.effect("do not count if they are incomplete, and leftovers of a crash are removed", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    const [first, second, third] = yield* backups(file, into, 9, 3)
    // Killed during the copy of the newest backup: an empty file with its name exists, and a
    // partial copy.
    truncateSync(third!.file, 0)
    writeFileSync(`${third!.file}.part`, readFileSync(first!.file).subarray(0, 8192))
    // The end of the file was lost on disk.
    truncateSync(second!.file, statSync(second!.file).size - 4096)
    const made = yield* backups(file, into, 2, 1)
    assert.deepStrictEqual([made[0]!.kept, made[0]!.removed], [2, []])
    assert.isTrue(existsSync(first!.file), "the only good one from before")
    assert.deepStrictEqual(
      visible(into),
      [first!.file, second!.file, made[0]!.file].map((one) => one.slice(into.length + 1))
    )
  })

  it.effect("are unchanged if the new backup cannot be made", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    yield* backups(file, into, 1, 1)
    const before = visible(into)
    // The copy of the store is damaged.
    const whole = readFileSync(file)
    const damaged = Buffer.from(whole)
    damaged.fill(0xff, 4096 * 3, 4096 * 6)
    writeFileSync(file, damaged)
    const error = yield* Effect.flip(StoreBackups.make(file, into, 1))
    assert.strictEqual(error._tag, "StoreError")
    assert.deepStrictEqual(visible(into), before)
    writeFileSync(file, whole)
    // Another process makes a backup.
    const held = lock(
      join(
        into,
        readdirSync(into).find((name) => name.endsWith("-lock"))!
      )
    )
    const busy = yield* Effect.flip(StoreBackups.make(file, into, 1))
    held.close()
    assert.strictEqual(busy._tag, "BackupUnderWay")
    assert.deepStrictEqual(visible(into), before)
  })

  it.effect("are kept in the order of creation, even if the clock goes back", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    yield* backups(file, into, 2, 2)
    yield* TestClock.setTime(Date.UTC(2020, 0, 1))
    const [late] = yield* backups(file, into, 2, 1)
    assert.include(visible(into), late!.file.slice(into.length + 1))
    assert.match(late!.file, /20261124T180101Z\.db$/)
  })

  it.effect("do not mark manual copies, nor a store restored from a backup", function* () {
    yield* begin
    const { file, into } = yield* storeIn(yield* folder)
    const [made] = yield* backups(file, into, 1, 1)
    renameSync(made!.file, file)
    yield* StoreFile.copy(file, join(into, "by hand.db"))
    assert.deepStrictEqual(StoreFile.markOf(readFileSync(join(into, "by hand.db"))), { program: 0, version: 0 })
  })
})
