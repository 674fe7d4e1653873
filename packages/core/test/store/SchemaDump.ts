/** Both ways to the schema of a store, on either engine, and a dump of the result. */
import { Effect } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as Migrations from "../../src/store/database/Migrations.ts"
import { migrations } from "../../src/store/database/migrations/Steps.ts"

interface Named {
  readonly name: string
}

/**
 * Returns the tables with their columns in order, keys and references; indexes and triggers as
 * written; the applied migrations.
 */
export const dump = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const steps = yield* sql`select migration_id, name from fiscal_migrations order by migration_id`
  const objects = yield* sql.onDialectOrElse({
    pg: () =>
      Effect.all([
        // a dropped column leaves a gap in the numbers of the columns
        sql`select table_name, row_number() over (partition by table_name order by ordinal_position) as place, column_name,
            data_type, is_nullable, column_default, is_identity, identity_generation
          from information_schema.columns where table_schema = current_schema() order by 1, 2`,
        sql`select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as is from pg_constraint
          where connamespace = current_schema()::regnamespace order by 1, 2`,
        sql`select tablename, indexname, replace(indexdef, current_schema(), '') as is from pg_indexes
          where schemaname = current_schema() order by 1, 2`,
        sql`select tgname, replace(pg_get_triggerdef(t.oid), current_schema(), '') as is from pg_trigger t
          join pg_class c on c.oid = t.tgrelid where c.relnamespace = current_schema()::regnamespace
          and not tgisinternal order by 1`,
        sql`select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace order by 1`
      ]),
    orElse: () =>
      Effect.gen(function* () {
        const tables = yield* sql<Named>`select name from sqlite_schema where type = 'table' order by name`
        const columns = yield* Effect.forEach(tables, ({ name }) =>
          Effect.all([
            Effect.succeed(name),
            sql`select * from pragma_table_info(${name})`,
            sql`select * from pragma_foreign_key_list(${name})`,
            sql`select name, "unique", origin, partial from pragma_index_list(${name}) order by name`
          ])
        )
        return [columns, yield* sql`select type, name, sql from sqlite_schema where type <> 'table' order by name`]
      })
  })
  return { objects, steps }
})

/** Creates a store in one step, as its first opening does. */
export const atOnce = Migrations.migrate(() => Effect.void)

/** Creates a store by all migrations, as if every version had opened it. */
export const stepByStep = Effect.gen(function* () {
  yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "fiscal_migrations" })
  yield* Migrations.guard(yield* SqlClient.SqlClient)
})

/** Applies the migrations up to this number. */
export const migrateUntil = (last: number) => {
  const steps = Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) <= last)
  return Migrator.make({})({ loader: Migrator.fromRecord(Object.fromEntries(steps)), table: "fiscal_migrations" })
}
