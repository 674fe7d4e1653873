/**
 * Searches all tables that a test run left in its database for planted texts (leak/LeakScan.ts).
 */
import type { PgClient } from "@effect/sql-pg"
import { Array as Arr, Effect } from "effect"
import { saw, sentence, taken } from "../leak/Leaks.ts"

/**
 * Searches all schemas, or one schema while others are created and removed; returns the number of
 * tables.
 */
export const look = Effect.fnUntraced(function* (sql: PgClient.PgClient, schema?: string) {
  const tables = yield* sql<{
    schema: string
    name: string
  }>`select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') and ${schema === undefined ? sql`true` : sql`schemaname = ${schema}`}`
  // A run leaves thousands of tables, nearly all of them empty.
  for (const some of Arr.chunksOf(tables, 100)) {
    const each = some.map(
      ({ name, schema }) => sql`select ${name}::text as name, to_jsonb(t) as row from ${sql(`${schema}.${name}`)} t`
    )
    const rows = yield* sql<{
      name: string
      row: Readonly<Record<string, unknown>>
    }>`${sql.join(" union all ", false)(each)}`
    for (const { name, row } of rows)
      for (const [column, value] of Object.entries(row))
        if (value !== null) saw("table", typeof value === "string" ? value : JSON.stringify(value), `${name}.${column}`)
  }
  return tables.length
})

/** Throws if a leak was found. */
export const fail = (): void => {
  const leaks = taken()
  if (leaks.length > 0) throw new Error(`${leaks.length} leaks\n${leaks.map(sentence).join("\n")}`)
}
