import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { DatabaseSync } from "node:sqlite"
import { make, type SqliteDatabase } from "../../src/node/SqliteClient.ts"

/** A database in memory that is told of every COMMIT before it is made, and may refuse it. */
const watched = (beforeCommit: () => void) => {
  const db = new DatabaseSync(":memory:")
  return (): SqliteDatabase => ({
    exec: (sql) => db.exec(sql),
    close: () => db.close(),
    get isTransaction() {
      return db.isTransaction
    },
    prepare: (sql) => {
      const statement = db.prepare(sql)
      if (sql !== "COMMIT") return statement
      return Object.assign(Object.create(statement), {
        setReadBigInts: () => {},
        setReturnArrays: () => {},
        all: () => {
          beforeCommit()
          return statement.all()
        }
      })
    }
  })
}

const rows = (beforeCommit: () => void) =>
  Effect.gen(function* () {
    const sql = yield* make({ filename: ":memory:", open: watched(beforeCommit) })
    yield* sql`create table t (n int)`
    const committed = yield* Effect.exit(sql.withTransaction(sql`insert into t values (1)`))
    return [committed._tag, (yield* sql`select * from t`).length]
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

describe("a database somebody else opens", () => {
  it.effect("shows every commit to whoever opened it", () =>
    Effect.gen(function* () {
      let commits = 0
      assert.deepStrictEqual(yield* rows(() => void commits++), ["Success", 1])
      assert.strictEqual(commits, 1)
    })
  )

  it.effect("keeps nothing of a transaction whose commit was broken", () =>
    Effect.gen(function* () {
      const broken = () => {
        throw new Error("the power is gone")
      }
      assert.deepStrictEqual(yield* rows(broken), ["Failure", 0])
    })
  )
})
