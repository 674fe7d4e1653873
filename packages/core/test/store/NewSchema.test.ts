import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import * as Migrations from "../../src/store/database/Migrations.ts"

interface Named {
  readonly name: string
}

/**
 * Returns the tables with their columns in order, keys and references; indexes and triggers as
 * written.
 */
const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<Named>`select name from sqlite_schema where type = 'table' order by name`
  const columns = yield* Effect.forEach(tables, ({ name }) =>
    Effect.all([
      Effect.succeed(name),
      sql`select * from pragma_table_info(${name})`,
      sql`select * from pragma_foreign_key_list(${name})`,
      sql`select * from pragma_index_list(${name})`
    ])
  )
  const others = yield* sql`select type, name, sql from sqlite_schema where type <> 'table' order by name`
  const steps = yield* sql`select migration_id, name from fiscal_migrations order by migration_id`
  return { columns, others, steps }
})

const inMemory = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(SqliteClient.layer({ filename: ":memory:" })))

describe("a new store", () => {
  it.effect("has the same tables as a store that ran all migrations", () =>
    Effect.gen(function* () {
      const atOnce = yield* inMemory(
        Effect.andThen(
          Migrations.migrate(() => Effect.void),
          schema
        )
      )
      const loader = Migrator.fromRecord(Migrations.migrations)
      const stepByStep = yield* inMemory(
        Effect.gen(function* () {
          yield* Migrator.make({})({ loader, table: "fiscal_migrations" })
          yield* Migrations.guard(yield* SqlClient.SqlClient)
          return yield* schema
        })
      )
      assert.deepStrictEqual(atOnce, stepByStep)
    })
  )
})
