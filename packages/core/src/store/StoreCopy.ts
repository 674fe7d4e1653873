/**
 * Copies and compares every row, then closes the old store for good. An interruption at any point
 * leaves at most one store that can send. The same call continues the move.
 */
import { Array as Arr, Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreError } from "../submission/ledger/StoreError.ts"
import { guard, latest, migrate, newer, schemaOf, unfinished, unguard } from "./database/Migrations.ts"
import { type Integer, number } from "./rows/Rows.ts"
import type { SqlEffect } from "./database/Transaction.ts"

interface CopiedTable {
  readonly name: string
  /** `is`: the type, as the database names it. */
  readonly key: ReadonlyArray<{ readonly column: string; readonly is: string }>
}

const tablesOf = (sql: SqlClient): Effect.Effect<ReadonlyArray<CopiedTable>, SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql<
        CopiedTable["key"][number] & { readonly name: string }
      >`select c.relname as name, a.attname as column,
          format_type(a.atttypid, null) as is
        from pg_index i join pg_class c on c.oid = i.indrelid
        join unnest(i.indkey) with ordinality k(attnum, place) on true
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indisprimary and c.relnamespace = current_schema()::regnamespace
        and c.relname like 'fiscal%' and c.relname <> 'fiscal_migrations' order by c.oid, k.place`,
      orElse: () => sql<
        CopiedTable["key"][number] & { readonly name: string }
      >`select t.name, c.name as "column", c.type as "is"
        from sqlite_schema t join pragma_table_info(t.name) c
        where t.type = 'table' and t.name like 'fiscal%' and t.name <> 'fiscal_migrations' and c.pk > 0
        order by t.rowid, c.pk`
    }),
    (columns) =>
      Array.from(
        Map.groupBy(columns, ({ name }) => name),
        ([name, key]) => ({ name, key })
      )
  )

/** Row for comparison: big integers of PostgreSQL equal numbers of SQLite. */
type CopiedRow = Readonly<Record<string, string | number | bigint | null>>

const refused = (text: string) => new StoreError({ operation: "copy", reason: "conflict", text })

// a statement takes at most 32766 parameters, and the widest table has about thirty columns
const page = 500

const pageAfter = (sql: SqlClient, { key, name }: CopiedTable, last: CopiedRow | undefined) => {
  const binary = sql.onDialectOrElse({ pg: () => ` collate "C"`, orElse: () => "" })
  const columns = sql.literal(key.map(({ column, is }) => (is === "text" ? `${column}${binary}` : column)).join(", "))
  const rows = sql.literal(name)
  if (last === undefined)
    return sql<CopiedRow>`select * from ${rows} order by ${columns} limit ${sql.literal(String(page))}`
  const values = key.map(({ column }) => sql`${last[column]}`)
  const after = sql`(${columns}) > (${sql.csv(values)})`
  return sql<CopiedRow>`select * from ${rows} where ${after} order by ${columns} limit ${sql.literal(String(page))}`
}

const eachPage = <E>(
  sql: SqlClient,
  table: CopiedTable,
  use: (rows: Arr.NonEmptyReadonlyArray<CopiedRow>) => Effect.Effect<void, E>
): Effect.Effect<void, SqlError | E> =>
  Effect.gen(function* () {
    let last: CopiedRow | undefined
    while (true) {
      const rows: ReadonlyArray<CopiedRow> = yield* pageAfter(sql, table, last)
      if (!Arr.isReadonlyArrayNonEmpty(rows)) return
      yield* use(rows)
      last = rows.at(-1)
    }
  })

const rowText = (row: CopiedRow): string =>
  JSON.stringify(
    Object.keys(row)
      .toSorted()
      .map((column) => [column, typeof row[column] === "number" ? BigInt(row[column]) : row[column]])
      .map(([column, value]) => [column, typeof value === "bigint" ? `${value}n` : value])
  )

const copyRows = (source: SqlClient, target: SqlClient, table: CopiedTable) =>
  eachPage(source, table, (rows) =>
    Effect.asVoid(target`insert into ${target.literal(table.name)} ${target.insert([...rows])}`)
  )

const verify = (source: SqlClient, target: SqlClient, table: CopiedTable) =>
  Effect.gen(function* () {
    let last: CopiedRow | undefined
    let count = 0
    yield* eachPage(source, table, (rows) =>
      Effect.gen(function* () {
        const copies: ReadonlyArray<CopiedRow> = yield* pageAfter(target, table, last)
        const at = rows.findIndex((row, i) => copies[i] === undefined || rowText(row) !== rowText(copies[i]))
        if (at >= 0) {
          const where = table.key.map(({ column }) => `${column} ${String(rows[at]![column])}`).join(", ")
          return yield* refused(`the row of ${table.name} with ${where} is another in the copy; nothing was moved`)
        }
        count += rows.length
        last = rows.at(-1)
      })
    )
    const more = yield* pageAfter(target, table, last)
    return more.length === 0 ? count : yield* refused(`the copy of ${table.name} is not empty; nothing was moved`)
  })

/** Waits for running writes, and blocks new writes until the transaction ends. */
const alone = (sql: SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        yield* sql`set local idle_in_transaction_session_timeout = 0`
        const names = (yield* tablesOf(sql)).map(({ name }) => name).join(", ")
        yield* sql`lock table ${sql.literal(names)} in exclusive mode`
      }),
    // the SQLite transaction was begun as a writing one
    orElse: () => Effect.void
  })

/** Fails while a document is Sending or a worker holds a lane. */
const atRest = (sql: SqlClient) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{
      readonly n: Integer
    }>`select count(*) as n from fiscal_submission where state = 'Sending'`
    const sending = number(row!.n)
    const now = sql.onDialectOrElse({
      pg: () => sql`floor(extract(epoch from clock_timestamp()) * 1000)`,
      orElse: () => sql`unixepoch('subsec') * 1000`
    })
    const [held] = yield* sql<{ readonly lane: string }>`select lane from fiscal_lane
      where holder is not null and leased_until > ${now} limit 1`
    if (sending > 0 || held !== undefined) {
      const what =
        sending > 0
          ? `${sending} document${sending === 1 ? " is" : "s are"} being sent`
          : `a worker holds the lane ${held!.lane}`
      return yield* refused(
        `nothing was moved: ${what}. Stop every worker and every receiver of deliveries, wait two minutes if one was killed, resume once to finish planned documents, and then move the store`
      )
    }
  })

interface StoreRow {
  readonly id: string
  readonly moved_to: string | null
}

const storeRow = (sql: SqlClient) =>
  Effect.gen(function* () {
    const found = yield* schemaOf(sql)
    if (found > latest) return yield* newer(found)
    if (found === 0) return undefined
    const [row] = yield* sql<StoreRow>`select id, moved_to from fiscal_store`
    return row
  })

const countOn = (sql: SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const counted = yield* sql<{ readonly table: string; readonly column: string }>`select table_name as table,
          column_name as column from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`
        for (const { column, table } of counted)
          yield* sql`select setval(pg_get_serial_sequence(${table}, ${column}),
            (select coalesce(max(${sql.literal(column)}), 0) + 1 from ${sql.literal(table)}), false)`
      }),
    orElse: () => Effect.void
  })

const inTarget = <A, E>(sql: SqlClient, work: Effect.Effect<A, E, SqlClient>) =>
  sql.withTransaction(Effect.provideService(work, SqlClient, sql))

/** Number of moved rows by table. */
export type MovedStore = Readonly<Record<string, number>>

/**
 * Moves the store. `from` and `to` describe the places to people.
 *
 * The copy is committed before the old store is closed, and becomes usable only after the closing.
 * After any interruption, at most one of the two stores can send. Fails with `conflict` while a
 * document is Sending or a worker holds a lane, and if the target already has another store.
 */
export const move = (
  source: SqlClient,
  target: SqlClient,
  places: { readonly from: string; readonly to: string }
): SqlEffect<MovedStore> =>
  Effect.gen(function* () {
    const there = yield* storeRow(target)
    const here = yield* storeRow(source)
    if (here === undefined) return yield* refused("there is no store to move")
    const isUnfinished = there !== undefined && there.id === here.id && there.moved_to?.startsWith(unfinished) === true
    if (there !== undefined && !isUnfinished) {
      return yield* refused(`nothing was moved: there is a store in ${places.to} already`)
    }
    if (here.moved_to !== null && !isUnfinished) {
      return yield* refused(`nothing was moved: it was moved to ${here.moved_to} before`)
    }
    const counted =
      here.moved_to === null ? yield* source.withTransaction(copied(source, target, places)) : yield* counts(target)
    yield* target`update fiscal_store set moved_to = null`
    return counted
  })

const counts = (sql: SqlClient): Effect.Effect<MovedStore, SqlError> =>
  Effect.gen(function* () {
    const counted: Record<string, number> = {}
    for (const { name } of yield* tablesOf(sql)) {
      const [row] = yield* sql<{ readonly n: Integer }>`select count(*) as n from ${sql.literal(name)}`
      counted[name] = number(row!.n)
    }
    return counted
  })

const copied = (source: SqlClient, target: SqlClient, { from, to }: { readonly from: string; readonly to: string }) =>
  Effect.gen(function* () {
    yield* alone(source)
    yield* atRest(source)
    const counted = yield* inTarget(target, filled(source, target, from))
    const now = Math.floor(yield* Clock.currentTimeMillis)
    yield* source`update fiscal_store set ${source.update({ moved_to: to, moved_at: now })}`
    return counted
  })

const filled = (
  source: SqlClient,
  target: SqlClient,
  from: string
): Effect.Effect<MovedStore, StoreError | SqlError, SqlClient> =>
  Effect.gen(function* () {
    yield* target.onDialectOrElse({
      pg: () => target`set local idle_in_transaction_session_timeout = 0`,
      orElse: () => Effect.void
    })
    yield* Effect.catchTag(
      migrate(() => Effect.void),
      "MigrationError",
      ({ message }) => Effect.fail(refused(message))
    )
    const tables = yield* tablesOf(target)
    // attempts of earlier versions are copied unchanged
    yield* unguard(target)
    yield* Effect.forEach(tables.toReversed(), ({ name }) => target`delete from ${target.literal(name)}`, {
      discard: true
    })
    yield* Effect.forEach(tables, (table) => copyRows(source, target, table), { discard: true })
    const counted = yield* Effect.forEach(tables, (table) =>
      Effect.map(verify(source, target, table), (rows) => [table.name, rows] as const)
    )
    yield* countOn(target)
    yield* guard(target)
    // until the source is marked as moved, the copy is not the store
    yield* target`update fiscal_store set moved_to = ${`${unfinished}${from}`}`
    return Object.fromEntries(counted)
  })
