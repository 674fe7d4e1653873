/** A schema newer than this version's is refused. */
import { Effect } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inOneLine } from "../../document/EscapedText.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { migrations } from "./migrations/Steps.ts"
import { create } from "./Schema.ts"

const table = "fiscal_migrations"

/**
 * Migrations of a store without tables: the first creates the schema, the others are only recorded.
 */
const inOneStep = Object.fromEntries(
  Object.keys(migrations).map((name, n) => [name, n === 0 ? create : Effect.void] as const)
)

export const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

type MigrationSql = (
  strings: TemplateStringsArray
) => Effect.Effect<ReadonlyArray<{ readonly id: number | bigint | null }>, SqlError>

const version = (sql: MigrationSql): Effect.Effect<number, SqlError> =>
  Effect.map(sql`select max(migration_id) as id from fiscal_migrations`, ([row]) => Number(row?.id ?? 0))

export const schemaOf = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const tables = yield* sql.onDialectOrElse({
      // to_regclass does not see tables that another process created while this transaction waited
      pg: () => sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'fiscal_migrations'`,
      orElse: () => sql`select 1 from sqlite_schema where type = 'table' and name = 'fiscal_migrations'`
    })
    return tables.length === 0 ? 0 : yield* version(sql)
  })

export const newer = (found: number) =>
  new StoreError({
    operation: "open",
    reason: "newer-version",
    text: `a newer version wrote it (schema ${found}; this version knows ${latest}). Update the program, or use another file`
  })

/** Prefix of `moved_to` in a copy that is not yet the store, followed by the source's place. */
export const unfinished = "unfinished copy of "

const moved = (to: string) =>
  new StoreError({
    operation: "open",
    reason: "moved",
    text: to.startsWith(unfinished)
      ? `it is an ${inOneLine(to)}. Copying it again finishes it`
      : `it was moved to ${inOneLine(to)}. Nothing is sent from here any more; name that one in the configuration`
  })

/**
 * Fails if a newer version of this library has upgraded the store, or if the store was moved, even
 * while this process has the store open. `record` ignores the version.
 */
export const stillOurs = (
  { moved_to, version }: { readonly moved_to: string | null; readonly version: Integer | null },
  which: "write" | "record"
): Effect.Effect<void, StoreError> => {
  if (moved_to !== null) return Effect.fail(moved(moved_to))
  const found = number(version ?? 0)
  return which === "write" && found > latest ? Effect.fail(newer(found)) : Effect.void
}

/**
 * Called in the transaction of an upgrade, before any change. A caller that makes a backup makes it
 * here.
 */
export type BeforeUpgrade = (from: number, to: number) => Effect.Effect<void, StoreError>

const overtaken = "a newer version of this program has upgraded the store: update this one"

/**
 * Installs a trigger that refuses attempts of programs of an earlier version. A program that was
 * running during the upgrade does not check the schema again, but its attempts lack this version
 * number.
 */
export const guard = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        yield* sql`create or replace function fiscal_refuse_attempt() returns trigger language plpgsql as
          $$ begin raise exception ${sql.literal(`'${overtaken}'`)}; end $$`
        yield* sql`drop trigger if exists fiscal_attempt_of_this_version on fiscal_attempt`
        yield* sql`create trigger fiscal_attempt_of_this_version before insert on fiscal_attempt for each row
          when (new.written_by is distinct from ${sql.literal(String(latest))}) execute function fiscal_refuse_attempt()`
      }),
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`drop trigger if exists fiscal_attempt_of_this_version`
        yield* sql`create trigger fiscal_attempt_of_this_version before insert on fiscal_attempt
          when new.written_by is not ${sql.literal(String(latest))}
          begin select raise(abort, ${sql.literal(`'${overtaken}'`)}); end`
      })
  })

/**
 * Removes the guard, for rows of earlier versions. Use inside a transaction that installs the guard
 * again.
 */
export const unguard = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`drop trigger if exists fiscal_attempt_of_this_version on fiscal_attempt`),
    orElse: () => Effect.asVoid(sql`drop trigger if exists fiscal_attempt_of_this_version`)
  })

/** SQLite has one writer at a time anyway. */
const oneAtATime = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(
        sql`select pg_advisory_xact_lock(hashtextextended('fiscal-connector migrations ' || current_schema(), 0))`
      ),
    orElse: () => Effect.void
  })

/**
 * Upgrades the schema in one transaction. Fails with `newer-version`, without any change, if a
 * newer version of this library has migrated the schema.
 */
export const migrate = (
  before: BeforeUpgrade
): Effect.Effect<void, StoreError | SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // most stores are up to date, and opening one must not wait for its writers
    const found = yield* schemaOf(sql)
    if (found > latest) return yield* newer(found)
    if (found === latest) return
    const upgrade = Effect.gen(function* () {
      yield* oneAtATime(sql)
      // another process may have upgraded meanwhile
      const from = yield* schemaOf(sql)
      if (from > latest) return yield* newer(from)
      if (from === latest) return
      if (from > 0) yield* before(from, latest)
      const steps = from === 0 ? inOneStep : migrations
      yield* Migrator.make({})({ loader: Migrator.fromRecord(steps), table })
      yield* guard(sql)
    })
    yield* sql.withTransaction(upgrade)
  })
