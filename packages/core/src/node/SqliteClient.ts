/**
 * SqlClient of effect/sql on node:sqlite: one file or `:memory:`, one connection, durable by
 * default.
 */
import { Effect, Layer, type Scope, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type * as SqlError from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import type { StatementSync } from "node:sqlite"
import { located } from "../file/HostProcess.ts"
import { open, type SqliteConfig, type SqliteDatabase, type SqliteStatement, toInput } from "./SqliteDatabase.ts"
import { sqlError } from "./SqliteError.ts"
import * as SqlitePipeline from "./SqlitePipeline.ts"
import type { ThreadConnection } from "./SqlitePipeline.ts"

export type { SqliteConfig, SqliteDatabase, SqliteStatement } from "./SqliteDatabase.ts"

export interface ClientConfig extends SqliteConfig {
  /**
   * `same` (default): statements run on this thread and block it. `own`: transactions run on a
   * worker thread, for a process that sends while other documents are written. There, statements
   * outside a transaction only read: they run on this thread, on a connection of their own, and do
   * not wait for the disk. `own` does not work in a bundle, needs a file and ignores `open`.
   */
  readonly thread?: "own" | "same"
}

type SqliteRow = ReturnType<StatementSync["all"]>[number]

/** Maximum number of prepared statements kept per connection; the oldest is dropped first. */
const statementCacheSize = 200

/** Text that leaves its columns to the schema, which may change between two runs. */
const anyColumns = /(?:\bselect|\breturning|,|\.)\s*\*/i

interface KeptStatement {
  readonly statement: SqliteStatement
  readonly columns: ReadonlyArray<string>
  /** A row to copy: SQLite's own objects cost three times as much. Null for `anyColumns`. */
  readonly empty: SqliteRow | null
}

const makeConnection = (db: SqliteDatabase): Connection => {
  const cache = new Map<string, KeptStatement>()
  const prepared = (sql: string): KeptStatement => {
    const hit = cache.get(sql)
    if (hit !== undefined) return hit
    const statement = db.prepare(sql)
    const columns = anyColumns.test(sql) ? null : statement.columns().map(({ name }) => name)
    const empty = columns && Object.fromEntries(columns.map((name) => [name, null]))
    const made = { statement, columns: columns ?? [], empty }
    if (cache.size >= statementCacheSize) cache.delete(cache.keys().next().value!)
    cache.set(sql, made)
    return made
  }
  const run = <A>(sql: string, cached: boolean, use: (kept: KeptStatement) => A) =>
    Effect.withFiber((fiber): Effect.Effect<A, SqlError.SqlError> => {
      try {
        const kept = cached ? prepared(sql) : { statement: db.prepare(sql), columns: [], empty: null }
        kept.statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
        kept.statement.setReturnArrays(false)
        return Effect.succeed(use(kept))
      } catch (cause) {
        return Effect.fail(sqlError(cause, "statement"))
      }
    })
  const all =
    (params: ReadonlyArray<unknown>) =>
    ({ columns, empty, statement }: KeptStatement): ReadonlyArray<SqliteRow> => {
      statement.setReturnArrays(empty !== null)
      const found = statement.all(...params.map(toInput))
      if (empty === null) return found
      return found.map((values) => {
        const row = { ...empty }
        for (let n = 0; n < columns.length; n++) row[columns[n]!] = values[n]!
        return row
      })
    }
  const values = (sql: string, params: ReadonlyArray<unknown>, cached: boolean) =>
    run(sql, cached, ({ statement }) => {
      statement.setReturnArrays(true)
      return statement.all(...params.map(toInput)).map((row) => Object.values(row))
    })
  return {
    // this client has no row transformations, so no transformation is ever passed
    execute: (sql, params) => run(sql, true, all(params)),
    executeUnprepared: (sql, params) => run(sql, false, all(params)),
    executeRaw: (sql, params) =>
      run(sql, true, (kept) =>
        kept.statement.columns().length > 0 ? all(params)(kept) : kept.statement.run(...params.map(toInput))
      ),
    executeValues: (sql, params) => values(sql, params, true),
    executeValuesUnprepared: (sql, params) => values(sql, params, false),
    executeStream: (sql, params) =>
      Stream.unwrap(
        // a separate statement: a cached statement could be reused while its rows are still being
        // read
        Effect.map(
          Effect.acquireRelease(
            run(sql, false, ({ statement }) => statement.iterate(...params.map(toInput))),
            // an unfinished statement would keep the connection in an old state of the database
            (iterator) => Effect.sync(() => iterator.return?.())
          ),
          (iterator) => Stream.fromIteratorSucceed(iterator)
        )
      )
  }
}

const opened = (config: SqliteConfig): Effect.Effect<SqliteDatabase, SqlError.SqlError, Scope.Scope> =>
  Effect.acquireRelease(Effect.try({ try: () => open(config), catch: (cause) => sqlError(cause, "open") }), (db) =>
    Effect.sync(() => db.close())
  )

interface Connected extends ThreadConnection {
  readonly reading: Connection | null
}

const here = (config: SqliteConfig): Effect.Effect<Connected, SqlError.SqlError, Scope.Scope> =>
  Effect.map(opened(config), (db) => ({
    writing: makeConnection(db),
    isTransaction: () => db.isTransaction,
    reading: null
  }))

/** On one connection, every statement of a reader would wait for a transaction and its disk. */
const apart = Effect.fnUntraced(function* (
  config: Omit<SqliteConfig, "open">
): Effect.fn.Return<Connected, SqlError.SqlError, Scope.Scope> {
  const thread = yield* SqlitePipeline.make(config)
  return { ...thread, reading: makeConnection(yield* opened({ ...config, access: "read" })) }
})

const connect = Effect.fnUntraced(function* ({ thread, ...given }: ClientConfig) {
  const filename = given.filename === ":memory:" ? given.filename : yield* located(given.filename)
  const { open: _, ...kept } = given
  return yield* thread === "own" ? apart({ ...kept, filename }) : here({ ...given, filename })
})

/**
 * Opens the database and closes it with the scope. Fails with a SqlError if the file is not a
 * SQLite database or cannot be opened.
 */
export const make = Effect.fnUntraced(function* (config: ClientConfig) {
  const { isTransaction, reading, writing } = yield* connect(config)
  return yield* SqlClient.make({
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(writing),
      semaphore: yield* Semaphore.make(1),
      isTransaction
    }),
    ...(reading !== null && { acquirer: Effect.succeed(reading), borrower: (use) => use(reading) }),
    driver: "sqlite-node",
    compiler: Statement.makeCompilerSqlite(),
    prepareTransactionControls: true,
    beginTransaction: "BEGIN IMMEDIATE",
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

export const layer = (config: ClientConfig): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))
