import { assert, describe, it } from "../It.ts"
import { Effect, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { make } from "../../src/node/SqliteClient.ts"
import { watched } from "./WatchedDatabase.ts"

const rows = (beforeCommit: () => void) =>
  Effect.gen(function* () {
    const sql = yield* make({ filename: ":memory:", open: watched(beforeCommit) })
    yield* sql`create table t (n int)`
    const committed = yield* Effect.exit(sql.withTransaction(sql`insert into t values (1)`))
    return [committed._tag, (yield* sql`select * from t`).length]
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

describe("a database that another process opens", () => {
  it.effect("shows every commit to the other process", function* () {
    let commits = 0
    assert.deepStrictEqual(yield* rows(() => void commits++), ["Success", 1])
    assert.strictEqual(commits, 1)
  })

  it.effect("keeps nothing of a transaction with a failed commit", function* () {
    const broken = () => {
      throw new Error("the power is gone")
    }
    assert.deepStrictEqual(yield* rows(broken), ["Failure", 0])
  })
})

describe("a result that is read row by row", () => {
  for (const thread of ["same", "own"] as const)
    it.live(`holds nothing of the database back after its reader has left, thread: ${thread}`, () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "rows-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
        )
        const filename = join(folder, "fruit.db")
        const sql = yield* make({ filename, thread })
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`create table fruit (id integer primary key)`
            yield* sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000)
              insert into fruit select n from numbers`
          })
        )
        assert.strictEqual((yield* Stream.runCollect(Stream.take(sql`select * from fruit`.stream, 2))).length, 2)
        const other = new DatabaseSync(filename)
        other.exec("delete from fruit where id > 10")
        other.close()
        assert.deepStrictEqual(yield* sql`select count(*) from fruit`.values, [[10]])
        yield* sql.withTransaction(sql`insert into fruit values (11)`)
        assert.deepStrictEqual(yield* sql`select count(*) from fruit`.values, [[11]])
      }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
    )
})
