/** Every table that a run of tests left in its database, searched for what is planted (leak/LeakScan.ts). */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { saw, sentence, taken } from "../leak/Leaks.ts"
import { expression } from "../leak/Planted.ts"

/**
 * The database looks for rows that have something of it; which column it is in, and whether it may be there, is decided here. In every schema, or
 * in one while others come and go.
 */
export const look = Effect.fnUntraced(function* (sql: PgClient.PgClient, schema?: string) {
  const tables = yield* sql<{
    schema: string
    name: string
  }>`select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') and ${schema === undefined ? sql`true` : sql`schemaname = ${schema}`}`
  for (const { name, schema } of tables) {
    const rows = yield* sql<{
      row: Readonly<Record<string, unknown>>
    }>`select to_jsonb(t) as row from ${sql(`${schema}.${name}`)} t
      where t::text ~ ${expression}`
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        if (value !== null) saw("table", typeof value === "string" ? value : JSON.stringify(value), `${name}.${column}`)
  }
  return tables.length
})

/** Fails where something came out. */
export const fail = (): void => {
  const leaks = taken()
  if (leaks.length > 0) throw new Error(`${leaks.length} leaks\n${leaks.map(sentence).join("\n")}`)
}
