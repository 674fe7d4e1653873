import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, FileSystem, Layer, Stream } from "effect"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import type { AttemptOptions, FinishedAttempt } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import * as QueryPlans from "./QueryPlans.ts"
import { suite } from "./StoreConformance.ts"

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

const operations = new Set<string>()
const called = new Set<string>()

/** Records the names of the operations, and of those that are called. */
const recording = <A extends object>(part: A, path = ""): A =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]: [string, unknown]) => {
      const operation = `${path}${name}`
      if (typeof value === "object" && value !== null && !Effect.isEffect(value) && !Stream.isStream(value))
        return [name, recording(value, `${operation}.`)]
      operations.add(operation)
      const record = () => void called.add(operation)
      if (Effect.isEffect(value)) return [name, Effect.andThen(Effect.sync(record), value)]
      if (typeof value !== "function") return [name, value]
      const call: unknown = (...args: ReadonlyArray<unknown>) => {
        record()
        return Reflect.apply(value, part, args) as unknown
      }
      return [name, call]
    })
  ) as A

const watched = (store: Layer.Layer<SubmissionStore, StoreError>) =>
  Layer.fresh(
    Layer.provide(
      Layer.effect(
        SubmissionStore,
        Effect.map(SubmissionStore, (store) => recording(store))
      ),
      store
    )
  )

/** Streams of this process, which send no statement. */
const withoutStatement = new Set(["planned", "changes", "sourceChanges"])

describe("a store in a file", () => {
  for (const { check, name } of suite) {
    it.live(name, () =>
      inDirectory((directory) =>
        check(watched(SqliteStore.layer({ filename: `${directory}/store.db`, open: QueryPlans.opened })))
      )
    )
  }

  // the checks above read the plan of each statement that an operation sends (QueryPlans)
  it("has no operation that is never checked", () => {
    assert.deepStrictEqual(
      [...operations].filter((name) => !called.has(name) && !withoutStatement.has(name)),
      []
    )
  })
})

describe("a store in a file that is written on a separate thread", () => {
  for (const { check, name } of suite) {
    it.live(name, () =>
      inDirectory((directory) =>
        check(Layer.fresh(SqliteStore.layer({ filename: `${directory}/store.db`, thread: "own" })))
      )
    )
  }
})

describe("the file of a store", () => {
  it.live("is readable by its owner only, and so are the files next to it", () =>
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

  it.live("is refused and not changed if a newer version wrote it", () =>
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

  it.live("is refused with its name if it is not a database", () =>
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

  it.live("cannot be opened if its directory is missing, and the error says so", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const error = yield* refusal(`${directory}/nowhere/store.db`)
        assert.strictEqual(error.reason, "unavailable")
        assert.include(error.message, "nowhere")
      })
    )
  )

  it.live("loses only the running transaction in a power failure", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "kept")
        // A copy taken while a process has the store open equals the state after a power cut: the
        // file, and a log that ends anywhere.
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

/** Copies a store of an earlier version into a separate folder. */
const earlier = (directory: string) => {
  const filename = `${directory}/store.db`
  copyFileSync(join(import.meta.dirname, "../../../../fixtures/upgrade/4ab5620/store.sqlite"), filename)
  return filename
}
const reading = (filename: string) => Layer.fresh(SqliteStore.layerReading({ filename }))
const read = (filename: string) =>
  SubmissionStore.use((store) => Effect.map(store.list({ limit: 1000 }), (rows) => rows.length)).pipe(
    Effect.provide(reading(filename))
  )
const schemaOf = (filename: string) => {
  const db = new DatabaseSync(filename, { readOnly: true })
  const row = db.prepare("select max(migration_id) as schema from fiscal_migrations").get()
  db.close()
  return Number(row?.["schema"])
}
const execute = (filename: string, sql: string) => {
  const db = new DatabaseSync(filename)
  db.exec(sql)
  db.close()
}

describe("the hold cause person of an earlier version", () => {
  it.live("is read as an older copy, the strictest, before and after the upgrade", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const filename = earlier(directory)
        execute(filename, "update fiscal_submission set hold_cause = 'person' where state = 'Held'")
        const causes = SubmissionStore.use((store) =>
          Effect.map(store.list({ states: ["Held"] }), (rows) => [...new Set(rows.map(({ hold }) => hold?.cause))])
        )
        assert.deepStrictEqual(yield* Effect.provide(causes, reading(filename)), ["older-copy"])
        assert.deepStrictEqual(yield* Effect.provide(causes, openStore(filename)), ["older-copy"])
        const db = new DatabaseSync(filename, { readOnly: true })
        const left = db.prepare("select count(*) as n from fiscal_submission where hold_cause = 'person'").get()
        db.close()
        assert.strictEqual(Number(left?.["n"]), 0)
      })
    )
  )
})

describe("a store opened read-only", () => {
  it.live("is not changed, and leaves no file next to it", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "i1", "i2")
        const before = yield* fs.readFile(filename)
        assert.strictEqual(yield* read(filename), 2)
        assert.deepStrictEqual(yield* fs.readFile(filename), before)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["store.db"])
      })
    )
  )

  it.live("is not created, and an empty file does not become a store", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const missing = yield* Effect.flip(read(`${directory}/nothing.db`))
        assert.deepStrictEqual([missing.reason, missing.text.includes("nothing.db")], ["foreign", true])
        yield* fs.writeFileString(`${directory}/empty.db`, "")
        const empty = yield* Effect.flip(read(`${directory}/empty.db`))
        assert.strictEqual(empty.reason, "foreign")
        assert.include(empty.message, "empty")
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["empty.db"])
        assert.strictEqual(Number((yield* fs.stat(`${directory}/empty.db`)).size), 0)
      })
    )
  )

  it.live("refuses every change", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "i1")
        const error = yield* SubmissionStore.use((store) => Effect.flip(store.plan([invoice("i2")]))).pipe(
          Effect.provide(reading(filename))
        )
        assert.strictEqual(error.reason, "unavailable")
        assert.strictEqual(yield* read(filename), 1)
      })
    )
  )

  it.live("shows commits of another process that is still open, without its files", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        const seen = yield* SubmissionStore.use((store) =>
          Effect.andThen(store.plan([invoice("i1")]), read(filename))
        ).pipe(Effect.provide(openStore(filename)))
        assert.strictEqual(seen, 1)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["store.db"])
      })
    )
  )

  it.live("can be read in a read-only folder", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = `${directory}/store.db`
        yield* planned(filename, "i1")
        yield* fs.chmod(filename, 0o400)
        yield* fs.chmod(directory, 0o500)
        const seen = yield* Effect.ensuring(read(filename), Effect.orDie(fs.chmod(directory, 0o700)))
        assert.strictEqual(seen, 1)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["store.db"])
      })
    )
  )

  it.live("can be read without an upgrade if an earlier version wrote it", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = earlier(directory)
        const before = yield* fs.readFile(filename)
        assert.strictEqual(yield* read(filename), 74)
        assert.deepStrictEqual(yield* fs.readFile(filename), before)
        assert.deepStrictEqual(yield* fs.readDirectory(directory), ["store.db"])
      })
    )
  )
})

describe("a file that is not a store", () => {
  for (const [access, use] of [
    ["reading", (filename: string) => Effect.asVoid(read(filename))],
    ["writing", (filename: string) => Effect.asVoid(listed(filename))]
  ] as const) {
    for (const [what, statement] of [
      ["a trigger", "create trigger quiet after insert on fiscal_attempt begin delete from fiscal_attempt; end"],
      [
        "a trigger in the place of our own",
        "drop trigger fiscal_attempt_of_this_version; create trigger fiscal_attempt_of_this_version before insert on fiscal_attempt begin select raise(ignore); end"
      ],
      ["a view", "create view fiscal_seen as select 1"],
      [
        "a view in the place of a table",
        "alter table fiscal_lane rename to lanes; create view fiscal_lane as select * from lanes"
      ]
    ] as const) {
      it.live(`is refused for ${access} as foreign if a store has ${what}`, () =>
        inDirectory((directory) =>
          Effect.gen(function* () {
            const filename = `${directory}/store.db`
            yield* listed(filename)
            yield* use(filename)
            execute(filename, statement)
            assert.strictEqual((yield* Effect.flip(use(filename))).reason, "foreign")
          })
        )
      )
    }

    it.live(`is not changed by ${access} if it is another program's database`, () =>
      inDirectory((directory, fs) =>
        Effect.gen(function* () {
          const filename = `${directory}/other.db`
          execute(filename, "create table song (title text); insert into song values ('a')")
          const before = yield* fs.readFile(filename)
          const error = yield* Effect.flip(use(filename))
          assert.strictEqual(error.reason, "foreign")
          assert.include(error.message, "another program")
          assert.deepStrictEqual(yield* fs.readFile(filename), before)
          assert.deepStrictEqual(yield* fs.readDirectory(directory), ["other.db"])
        })
      )
    )
  }
})

describe("a store of an earlier version", () => {
  it.live("is upgraded after a copy was made, for its owner only", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        const filename = earlier(directory)
        const schema = schemaOf(filename)
        assert.strictEqual((yield* listed(filename)).length, 74)
        const copies = (yield* fs.readDirectory(directory)).filter((name) => name !== "store.db")
        assert.deepStrictEqual(copies, [`store.db.before-v${schemaOf(filename)}`])
        assert.strictEqual(schemaOf(`${directory}/${copies[0]}`), schema)
        assert.strictEqual((yield* fs.stat(`${directory}/${copies[0]}`)).mode & 0o777, 0o600)
        assert.strictEqual(yield* read(`${directory}/${copies[0]}`), 74)
        yield* listed(filename)
        assert.lengthOf(yield* fs.readDirectory(directory), 2, "what is up to date is not copied again")
      })
    )
  )

  it.live("is unchanged if a step of the upgrade fails", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const filename = earlier(directory)
        const schema = schemaOf(filename)
        // The upgrade fails because the column already exists.
        execute(filename, "alter table fiscal_attempt add column written_by bigint")
        assert.include((yield* refusal(filename)).message, "written_by")
        assert.strictEqual(schemaOf(filename), schema)
      })
    )
  )

  it.live("is unchanged if the copy cannot be made", () =>
    inDirectory((directory, fs) =>
      Effect.gen(function* () {
        // The copy's name is too long for any file system.
        const filename = `${directory}/${"s".repeat(250)}`
        yield* fs.rename(earlier(directory), filename)
        const schema = schemaOf(filename)
        const error = yield* refusal(filename)
        assert.strictEqual(error.reason, "unavailable")
        assert.match(error.message, /before-v\d+ cannot be written/)
        assert.strictEqual(schemaOf(filename), schema)
      })
    )
  )

  it.live("accepts no further attempt from a running process of that version", () =>
    inDirectory((directory) =>
      Effect.gen(function* () {
        const filename = earlier(directory)
        const old = new DatabaseSync(filename)
        const begin = () =>
          old.exec(`insert into fiscal_attempt (submission, revision, account, lane, fence, receipt_at, receipt_text, repeats, begun_at)
            select seq, revision, account, lane, 1, receipt_at, receipt_text, 'first', since from fiscal_submission where state = 'Planned' limit 1`)
        old.exec("begin")
        begin()
        old.exec("rollback")
        yield* listed(filename)
        assert.throws(begin, /newer version/)
        old.close()
      })
    )
  )

  it.live(
    "accepts no writes from a process after a newer version upgraded the store, except results of past attempts",
    () =>
      inDirectory((directory) =>
        Effect.gen(function* () {
          const filename = `${directory}/store.db`
          yield* SubmissionStore.use((store) =>
            Effect.gen(function* () {
              yield* store.plan([invoice("i1"), invoice("i2")])
              const claim = yield* store.claim(invoice("i1").lane, "me", Duration.minutes(1), () => false)
              assert(claim._tag === "Claimed")
              const options: AttemptOptions = {
                accounts: [
                  { account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }
                ],
                lease: Duration.minutes(1),
                skew: Duration.minutes(1)
              }
              const begun = yield* store.beginAttempt(claim.lease, options)
              assert(begun._tag === "Begun")
              execute(filename, "insert into fiscal_migrations (migration_id, name) values (999, 'of_the_future')")
              const finished: FinishedAttempt = {
                attempt: begun.attempt,
                result: { _tag: "Accepted", requestId: RequestId.make("r1") },
                firstLook: Duration.seconds(6)
              }
              const refused: ReadonlyArray<Effect.Effect<void, StoreError>> = [
                Effect.asVoid(store.plan([invoice("i3")])),
                Effect.asVoid(store.claim(invoice("i1").lane, "me", Duration.minutes(1), () => false)),
                Effect.asVoid(store.beginAttempt(claim.lease, options, finished))
              ]
              for (const one of refused) assert.strictEqual((yield* Effect.flip(one)).reason, "newer-version")
              assert.strictEqual(yield* store.finishAttempt(finished), "Accepted")
              yield* store.release(claim.lease)
            })
          ).pipe(Effect.provide(openStore(filename)))
        })
      )
  )
})
