import type { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { taken } from "../leak/Leaks.ts"
import { buyer, key } from "../leak/Planted.ts"
import { beside, fresh } from "./Database.ts"
import * as LeakingTables from "./LeakingTables.ts"

describe("the search for leaks in PostgreSQL tables at the end of a run", () => {
  it.live("finds a buyer in a wrong column, and a key in any column; a payload may contain buyers", function* () {
    const { schema } = fresh()
    const leaks = yield* beside(
      schema,
      Effect.fnUntraced(function* (sql: PgClient.PgClient) {
        yield* sql`create schema ${sql(schema)}`
        yield* sql`create table ${sql(`${schema}.fiscal_payload`)} (buyer text, body text)`
        yield* sql`create table ${sql(`${schema}.fiscal_alert`)} (one bigint, told text)`
        yield* sql`insert into ${sql(`${schema}.fiscal_payload`)} values (${buyer}, ${`{"key":"${key}"}`})`
        yield* sql`insert into ${sql(`${schema}.fiscal_alert`)} values (1, ${`1 held: ${buyer}`})`
        assert.isAbove(yield* LeakingTables.look(sql, schema), 1)
        const leaks = taken()
        // Removed so that the planted texts do not fail the run itself.
        yield* sql`drop schema ${sql(schema)} cascade`
        return leaks
      })
    )
    assert.sameMembers(
      leaks.map(({ text, where }) => `${text} ${where}`),
      [`${buyer} fiscal_alert.told`, `${key} fiscal_payload.body`]
    )
  })
})
