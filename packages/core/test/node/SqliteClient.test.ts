import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
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
  it.effect("shows every commit to the other process", () =>
    Effect.gen(function* () {
      let commits = 0
      assert.deepStrictEqual(yield* rows(() => void commits++), ["Success", 1])
      assert.strictEqual(commits, 1)
    })
  )

  it.effect("keeps nothing of a transaction with a failed commit", () =>
    Effect.gen(function* () {
      const broken = () => {
        throw new Error("the power is gone")
      }
      assert.deepStrictEqual(yield* rows(broken), ["Failure", 0])
    })
  )
})
