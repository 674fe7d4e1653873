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

/** Options of a client. */
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

const makeConnection = (db: SqliteDatabase): Connection => {
  const cache = new Map<string, SqliteStatement>()
  const prepare = (sql: string, cached: boolean) => {
    const hit = cached ? cache.get(sql) : undefined
    if (hit !== undefined) return hit
    const statement = db.prepare(sql)
    if (cached) {
      if (cache.size >= statementCacheSize) cache.delete(cache.keys().next().value!)
      cache.set(sql, statement)
    }
    return statement
  }
  const run = <A>(sql: string, cached: boolean, shape: "rows" | "values", use: (statement: SqliteStatement) => A) =>
    Effect.withFiber((fiber): Effect.Effect<A, SqlError.SqlError> => {
      try {
        const statement = prepare(sql, cached)
        statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
        statement.setReturnArrays(shape === "values")
        return Effect.succeed(use(statement))
      } catch (cause) {
        return Effect.fail(sqlError(cause, "statement"))
      }
    })
  const all = (params: ReadonlyArray<unknown>) => (statement: SqliteStatement) => statement.all(...params.map(toInput))
  const values = (sql: string, params: ReadonlyArray<unknown>, cached: boolean) =>
    run(sql, cached, "values", (statement) => all(params)(statement).map((row) => Object.values(row)))
  // this client has no row transformations, so no transformation is ever passed
  const rows = (
    sql: string,
    params: ReadonlyArray<unknown>,
    cached: boolean
  ): Effect.Effect<ReadonlyArray<SqliteRow>, SqlError.SqlError> => run(sql, cached, "rows", all(params))
  return {
    execute: (sql, params) => rows(sql, params, true),
    executeUnprepared: (sql, params) => rows(sql, params, false),
    executeRaw: (sql, params) =>
      run(sql, true, "rows", (statement) =>
        statement.columns().length > 0 ? all(params)(statement) : statement.run(...params.map(toInput))
      ),
    executeValues: (sql, params) => values(sql, params, true),
    executeValuesUnprepared: (sql, params) => values(sql, params, false),
    executeStream: (sql, params) =>
      Stream.unwrap(
        // a separate statement: a cached statement could be reused while its rows are still being
        // read
        Effect.map(
          Effect.acquireRelease(
            run(sql, false, "rows", (statement) => statement.iterate(...params.map(toInput))),
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

/** Connections of a client, and the check that the writing connection is in a transaction. */
interface Connected extends ThreadConnection {
  /** Connection for statements outside a transaction, if it is not the writing connection. */
  readonly reading: Connection | null
}

/** Opens the connection on this thread. */
const here = (config: SqliteConfig): Effect.Effect<Connected, SqlError.SqlError, Scope.Scope> =>
  Effect.map(opened(config), (db) => ({
    writing: makeConnection(db),
    isTransaction: () => db.isTransaction,
    reading: null
  }))

/**
 * Opens the writing connection on a worker thread, and then one for reading on this thread. On one
 * connection, every statement of a reader would wait for a transaction and its disk.
 */
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
