import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { atOnce, dump, stepByStep } from "../store/SchemaDump.ts"
import { beside, fresh } from "./Database.ts"

/** Dumps the schema that `create` leaves in a new PostgreSQL schema. */
const dumped = (create: typeof atOnce | typeof stepByStep) => {
  const { schema } = fresh()
  return beside(schema, (sql: PgClient.PgClient) =>
    Effect.andThen(sql`create schema ${sql.literal(schema)}`, Effect.andThen(create, dump)).pipe(
      Effect.provideService(SqlClient, sql)
    )
  )
}

describe("a new store in PostgreSQL", () => {
  it.live("has the same tables as a store that ran all migrations", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* dumped(atOnce), yield* dumped(stepByStep))
    })
  )
})
