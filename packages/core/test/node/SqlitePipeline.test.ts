import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql/SqlClient"
import { SafeIntegers } from "effect/sql/SqlClient"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SqlError } from "effect/sql/SqlError"
import { DatabaseSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { make } from "../../src/node/SqliteClient.ts"
import { inTransaction } from "../../src/store/database/Statements.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "fiscal-thread-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Records the worker of each message sent. */
const watched = Effect.acquireRelease(
  Effect.sync(() => {
    const original = Worker.prototype.postMessage
    const messages: Array<Worker> = []
    Worker.prototype.postMessage = function (...args) {
      messages.push(this)
      return original.apply(this, args)
    }
    return { messages, original }
  }),
  ({ original }) => Effect.sync(() => (Worker.prototype.postMessage = original))
)

/** Runs with a client on a separate thread, with a table of fruit. */
const onThread = <A, E>(use: (sql: SqlClient, filename: string) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function* () {
    const filename = join(yield* folder, "fruit.db")
    const sql = yield* make({ filename, thread: "own" })
    yield* sql.withTransaction(sql`create table fruit (id integer primary key, name text)`)
    return yield* use(sql, filename)
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

describe("a database connection on a separate thread", () => {
  it.live("returns rows as they were written, for every type of value", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const read = Effect.gen(function* () {
          const rows = yield* Effect.provideService(sql`select * from kinds order by rowid`, SafeIntegers, true)
          assert.deepStrictEqual(rows, [
            { a: 1n, b: 2.5, c: "é", d: new Uint8Array([1, 2]), e: null },
            { a: 9007199254740993n, b: null, c: null, d: null, e: null }
          ])
          assert.deepStrictEqual(yield* sql`select c, a from kinds where b = ${2.5}`.values, [["é", 1]])
        })
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`create table kinds (a integer, b real, c text, d blob, e integer)`
            yield* sql`insert into kinds values (${1}, ${2.5}, ${"é"}, ${new Uint8Array([1, 2])}, ${null})`
            yield* sql`insert into kinds (a) values (${9007199254740993n})`
            yield* read
          })
        )
        yield* read
      })
    )
  )

  it.live("reads outside a transaction without waiting for one, and sees each commit", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const [isWritten, mayCommit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const writer = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`insert into fruit values (1, 'fig')`
              yield* Deferred.succeed(isWritten, undefined)
              yield* Deferred.await(mayCommit)
            })
          )
        )
        yield* Deferred.await(isWritten)
        assert.deepStrictEqual(yield* sql`select name from fruit`.values, [])
        yield* Deferred.succeed(mayCommit, undefined)
        yield* Fiber.join(writer)
        assert.deepStrictEqual(yield* sql`select name from fruit`.values, [["fig"]])
        const refused = yield* Effect.flip(sql`insert into fruit values (2, 'pear')`)
        assert.match(String(refused.reason.cause), /readonly database/)
      })
    )
  )

  it.live("sends the writes of a transaction in one message with its commit", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const { messages } = yield* watched
        yield* sql.withTransaction(
          inTransaction(sql)((own) =>
            Effect.gen(function* () {
              for (const id of [1, 2, 3]) yield* own`insert into fruit ${own.insert({ id, name: "fig" })}`
              yield* own`update fruit set name = 'plum' where id = ${2}`
            })
          )
        )
        assert.strictEqual(messages.length, 1)
        assert.deepStrictEqual(yield* sql`select name from fruit order by id`.values, [["fig"], ["plum"], ["fig"]])
      })
    )
  )

  it.live("keeps nothing of a transaction with a failed statement that was not awaited, and works afterwards", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const insert = (id: number) =>
          inTransaction(sql)((own) => own`insert into fruit ${own.insert({ id, name: "fig" })}`)
        const twice = yield* Effect.exit(sql.withTransaction(Effect.andThen(insert(1), insert(1))))
        assert.strictEqual(twice._tag, "Failure")
        const broken = yield* Effect.exit(
          sql.withTransaction(Effect.andThen(insert(2), Effect.fail("changed my mind")))
        )
        assert.strictEqual(broken._tag, "Failure")
        yield* sql.withTransaction(insert(3))
        assert.deepStrictEqual(yield* sql`select id from fruit`.values, [[3]])
      })
    )
  )

  it.live("fails statements that were sent ahead when their transaction is rolled back, so that no caller hangs", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const kept: Array<Effect.Effect<unknown, SqlError>> = []
        const broken = inTransaction(sql)((own) =>
          Effect.gen(function* () {
            kept.push(yield* own.ahead`select id from fruit`)
            return yield* Effect.fail("changed my mind")
          })
        )
        assert.strictEqual((yield* Effect.exit(sql.withTransaction(broken)))._tag, "Failure")
        const [answer] = kept
        const failed = yield* Effect.flip(answer!)
        assert.include(String(failed.reason.cause), "the transaction was rolled back")
      })
    )
  )

  it.live("undoes only the changes after a savepoint", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const inner = sql.withTransaction(
          Effect.andThen(sql`insert into fruit values (2, 'pear')`, sql`insert into fruit values (2, 'pear')`)
        )
        yield* sql.withTransaction(Effect.andThen(sql`insert into fruit values (1, 'fig')`, Effect.exit(inner)))
        assert.deepStrictEqual(yield* sql`select id from fruit`.values, [[1]])
      })
    )
  )

  it.live("fails with a retryable error while another process locks the database", () =>
    onThread((sql, filename) =>
      Effect.gen(function* () {
        const other = new DatabaseSync(filename)
        other.exec("begin immediate")
        const refused = yield* Effect.flip(sql.withTransaction(sql`insert into fruit values (1, 'fig')`))
        assert.strictEqual(refused.isRetryable, true)
        other.exec("rollback")
        other.close()
        yield* sql.withTransaction(sql`insert into fruit values (1, 'fig')`)
        assert.deepStrictEqual(yield* sql`select id from fruit`.values, [[1]])
      })
    )
  )

  it.live("fails instead of hanging after its thread has died: running calls and later calls", () =>
    onThread((sql) =>
      Effect.gen(function* () {
        const { messages } = yield* watched
        yield* sql.withTransaction(sql`select 1`)
        yield* Effect.sync(() => void messages[0]!.terminate())
        const before = yield* Effect.flip(sql.withTransaction(sql`select 2`))
        const after = yield* Effect.flip(sql.withTransaction(sql`insert into fruit values (1, 'fig')`))
        for (const error of [before, after]) {
          assert.match(String(error.reason.cause), /thread of the store has ended/)
          assert.strictEqual(error.isRetryable, false)
        }
      })
    )
  )

  it.live("reports why a database cannot be opened", () =>
    Effect.gen(function* () {
      const missing = join(yield* folder, "no", "such.db")
      const error = yield* Effect.flip(make({ filename: missing, thread: "own" }))
      assert.match(String(error.reason.cause), /ENOENT|unable to open/)
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )

  it.live("closes its file with its scope", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "fruit.db")
      yield* Effect.scoped(
        Effect.flatMap(make({ filename, thread: "own" }), (sql) =>
          sql.withTransaction(sql`create table fruit (id integer primary key)`)
        )
      )
      // The last connection to close removes the log.
      const db = new DatabaseSync(filename)
      db.exec("pragma locking_mode = exclusive; begin exclusive; rollback")
      db.close()
    }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
  )
})
