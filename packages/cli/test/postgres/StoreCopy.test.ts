import { assert, describe, it } from "../../../core/test/It.ts"
import * as SqliteStore from "../../../core/src/node/SqliteStore.ts"
import { SubmissionStore } from "../../../core/src/submission/SubmissionStore.ts"
import { invoice } from "../../../core/test/submission/PlannedDocuments.ts"
import { Duration, Effect, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { inject } from "vitest"
import { beside, fresh } from "../../../core/test/postgres/Database.ts"
import { connector, folderWith, lines } from "../RunningConnector.ts"

const fixture = join(import.meta.dirname, "../../../../fixtures/upgrade/4ab5620/store.sqlite")
const main = inject("command")

/** Returns a new schema, as named by `--store` and `--to`. */
const address = () => {
  const { schema, url } = fresh()
  const own = new URL(Redacted.value(url))
  const env = { FISCAL_CONNECTOR_STORE_PASSWORD: decodeURIComponent(own.password) }
  own.password = ""
  // An address cannot name a schema, so a configuration does.
  const configuration = JSON.stringify({ store: { url: own.href, schema }, accounts: {} })
  return { configuration, env, schema }
}

const withDatabase = Effect.fnUntraced(function* () {
  const folder = yield* folderWith()
  const { configuration, env, schema } = address()
  writeFileSync(join(folder, "database.json"), configuration)
  const run = (...args: ReadonlyArray<string>) => connector(args, { cwd: folder, env })
  return { env, folder, run, schema }
})

const movedTo = {
  file: (file: string) => {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      return db.prepare("select moved_to from fiscal_store").get()?.["moved_to"] as string | null
    } finally {
      db.close()
    }
  },
  /** Returns the schema's store; undefined if the schema has none. */
  schema: (schema: string) =>
    beside("public", (sql) =>
      Effect.gen(function* () {
        const found = yield* sql`select 1 from pg_tables where schemaname = ${schema} and tablename = 'fiscal_store'`
        if (found.length === 0) return undefined
        const [row] = yield* sql<{ moved_to: string | null }>`select moved_to from ${sql(schema)}.fiscal_store`
        return row?.moved_to
      })
    )
}

/** Makes documents in Sending Unknown, as the next claim would. */
const settle = (file: string) => {
  const db = new DatabaseSync(file)
  db.exec("update fiscal_submission set state = 'Unknown' where state = 'Sending'")
  db.close()
}

/** Returns all rows of a SQLite store, table by table. */
const contents = (file: string): Record<string, ReadonlyArray<unknown>> => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and name like 'fiscal%'").all()
    return Object.fromEntries(
      tables
        .map(({ name }) => String(name))
        .filter((name) => name !== "fiscal_migrations")
        .toSorted()
        .map((name) => {
          const rows = db.prepare(`select * from ${name}`).all()
          return [name, rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
        })
    )
  } finally {
    db.close()
  }
}

const plan = (file: string, count: number) =>
  SubmissionStore.use((store) =>
    store.plan(Array.from({ length: count }, (_, i) => invoice(`i${i}`, { number: `N-${i}` })))
  ).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: file }))))

describe("connector store copy", () => {
  it.live(
    "moves a store of an earlier version to PostgreSQL and back, row by row, and closes the former store",
    function* () {
      const { folder, run, schema } = yield* withDatabase()
      const [old, back] = [join(folder, "store.db"), join(folder, "back.db")]
      copyFileSync(fixture, old)
      const refused = yield* run("store", "copy", "--from", old, "--to", "database.json")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, "nothing was moved: 1 document is being sent")
      settle(old)
      const before = yield* run("list", "--json", "--store", old)
      const there = yield* run("store", "copy", "--from", old, "--to", "database.json")
      assert.strictEqual(there.code, 0, there.err)
      assert.match(there.out, /was moved to 127.*schema fiscal_.*: \d+ documents, \d+ attempts, \d+ rows in all/)
      assert.deepStrictEqual(lines((yield* run("list", "--json", "--config", "database.json")).out), lines(before.out))
      // The old store can still be read, but no longer written.
      assert.strictEqual((yield* run("list", "--json", "--store", old)).out, before.out)
      const [document] = lines(before.out)
      const written = yield* run("withdraw", String(document!["id"]), "--because", "test", "--store", old)
      assert.strictEqual(written.code, 1)
      assert.include(written.err, `it was moved to`)
      assert.include(written.err, schema)
      const again = yield* run("store", "copy", "--from", old, "--to", "elsewhere.db")
      assert.include(again.err, "before")
      assert.strictEqual(again.code, 1)

      const returned = yield* run("store", "copy", "--from", "database.json", "--to", back)
      assert.strictEqual(returned.code, 0, returned.err)
      const kept = contents(old)
      const store = { ...(kept["fiscal_store"]![0] as object), moved_to: null, moved_at: null }
      assert.deepEqual(contents(back), { ...kept, fiscal_store: [store] })
      // Database counters continue after the copied numbers.
      yield* plan(back, 1)
    }
  )

  it.live("is refused while a worker holds a lane, or if the target is already a store", function* () {
    const { folder, run, schema } = yield* withDatabase()
    const file = join(folder, "store.db")
    yield* plan(file, 3)
    const held = Effect.gen(function* () {
      const store = yield* SubmissionStore
      const claim = yield* store.claim("test/1001", "a worker", Duration.minutes(2), () => false)
      assert(claim._tag === "Claimed")
      const refused = yield* run("store", "copy", "--from", file, "--to", "database.json")
      yield* store.release(claim.lease)
      return refused
    })
    const refused = yield* held.pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: file }))))
    assert.strictEqual(refused.code, 1)
    assert.include(refused.err, "nothing was moved: a worker holds the lane test/1001")
    assert.isUndefined(yield* movedTo.schema(schema))
    assert.isNull(movedTo.file(file))
    const other = join(folder, "other.db")
    yield* plan(other, 1)
    assert.strictEqual((yield* run("store", "copy", "--from", other, "--to", "database.json")).code, 0)
    const taken = yield* run("store", "copy", "--from", file, "--to", "database.json")
    assert.strictEqual(taken.code, 1)
    assert.include(taken.err, "already")
  })

  it.live(
    "interrupted between its commits leaves an unusable target, and completes when it is called again",
    function* () {
      const { folder, run, schema } = yield* withDatabase()
      const file = join(folder, "store.db")
      yield* plan(file, 3)
      const move = run("store", "copy", "--from", file, "--to", "database.json")
      assert.strictEqual((yield* move).code, 0)
      for (const closed of ["the old one is closed", "the old one is still the store"] as const) {
        yield* beside(schema, (sql) => sql`update fiscal_store set moved_to = ${`unfinished copy of ${file}`}`)
        if (closed === "the old one is still the store") {
          const db = new DatabaseSync(file)
          db.exec("update fiscal_store set moved_to = null")
          db.close()
        }
        const used = yield* run("withdraw", "i1", "--because", "test", "--config", "database.json")
        assert.strictEqual(used.code, 1)
        assert.include(used.err, `it is an unfinished copy of ${file}. Copying it again finishes it`)
        const again = yield* move
        assert.strictEqual(again.code, 0, again.err)
        assert.include(again.out, "3 documents")
        assert.isNull(yield* movedTo.schema(schema))
        assert.isNotNull(movedTo.file(file))
      }
    }
  )

  it.live("killed at any moment leaves at most one usable store, and continues when it is called again", function* () {
    const { env, folder, run, schema } = yield* withDatabase()
    const file = join(folder, "store.db")
    yield* plan(file, 1500)
    const ends: Array<string> = []
    for (let at = 500; at <= 1700 && !ends.includes("moved"); at += 100) {
      yield* Effect.callback<void>((resume) => {
        const child = spawn(process.execPath, [main, "store", "copy", "--from", file, "--to", "database.json"], {
          cwd: folder,
          env: { ...process.env, ...env },
          stdio: "ignore"
        })
        const timer = setTimeout(() => void child.kill("SIGKILL"), at)
        child.on("close", () => {
          clearTimeout(timer)
          resume(Effect.void)
        })
      })
      const there = yield* movedTo.schema(schema)
      const usable = [movedTo.file(file) === null, there === null].filter(Boolean)
      assert.isAtMost(usable.length, 1)
      ends.push(there === undefined ? "nothing" : there === null ? "moved" : "unfinished")
    }
    const last = yield* run("store", "copy", "--from", file, "--to", "database.json")
    if (!ends.includes("moved")) assert.strictEqual(last.code, 0, last.err)
    assert.isNull(yield* movedTo.schema(schema))
    assert.isNotNull(movedTo.file(file))
    const listed = yield* run("list", "--json", "--config", "database.json")
    assert.lengthOf(lines(listed.out), 1500)
  })
})
