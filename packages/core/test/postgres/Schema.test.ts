import type { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "../It.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Fact } from "../../src/submission/ledger/AcceptedUnknown.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import * as StoreCopy from "../../src/store/StoreCopy.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
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
  it.live("has the same tables as a store that ran all migrations", function* () {
    assert.deepStrictEqual(yield* dumped(atOnce), yield* dumped(stepByStep))
  })
})

/** Accepts a fact as unknown in the store. */
const accept = (fact: Fact) => SubmissionStore.use((store) => store.acceptUnknown("shop", fact, "the portal shows it"))

describe("a store moved from SQLite to PostgreSQL", () => {
  it.live("numbers every new row after the moved ones", function* () {
    const filename = join(mkdtempSync(join(tmpdir(), "moved-")), "store.db")
    const config = fresh()
    yield* accept("taxes").pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename }))))
    yield* beside(config.schema, (target) =>
      Effect.gen(function* () {
        yield* target`create schema ${target.literal(config.schema)}`
        yield* StoreCopy.move(yield* SqlClient, target, { from: "a file", to: "a schema" })
      }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    )
    yield* accept("vat").pipe(Effect.provide(Layer.fresh(PgStore.layer(config))))
    const ids = yield* beside(config.schema, (sql) => sql`select id from fiscal_accepted_unknown order by id`)
    assert.lengthOf(ids, 2)
  })
})
