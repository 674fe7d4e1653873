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
   * `same` (default): statements run on this thread and block it. `own`: statements run on a worker
   * thread, for a process that sends while other documents are written. `own` does not work in a
   * bundle and ignores `open`.
   */
  readonly thread?: "own" | "same"
}

type Row = ReturnType<StatementSync["all"]>[number]

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
  ): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => run(sql, cached, "rows", all(params))
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
          run(sql, false, "rows", (statement) => statement.iterate(...params.map(toInput))),
          (iterator) => Stream.fromIteratorSucceed(iterator)
        )
      )
  }
}

/** Opens the connection on this thread. */
const here = (config: SqliteConfig): Effect.Effect<ThreadConnection, SqlError.SqlError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(Effect.try({ try: () => open(config), catch: (cause) => sqlError(cause, "open") }), (db) =>
      Effect.sync(() => db.close())
    ),
    (db) => {
      const plain = makeConnection(db)
      return { plain, pipelined: plain, isTransaction: () => db.isTransaction }
    }
  )

const connect = Effect.fnUntraced(function* ({ thread, ...given }: ClientConfig) {
  const { access, busyTimeoutMillis, synchronous } = given
  const filename = given.filename === ":memory:" ? given.filename : yield* located(given.filename)
  return yield* thread === "own"
    ? SqlitePipeline.make({
        filename,
        ...(access && { access }),
        ...(busyTimeoutMillis !== undefined && { busyTimeoutMillis }),
        ...(synchronous && { synchronous })
      })
    : here({ ...given, filename })
})

/**
 * Opens the database and closes it with the scope. Fails with a SqlError if the file is not a
 * SQLite database or cannot be opened.
 */
export const make = Effect.fnUntraced(function* (config: ClientConfig) {
  const { isTransaction, pipelined, plain } = yield* connect(config)
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(plain),
    semaphore: yield* Semaphore.make(1),
    isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    transactionAcquirer: Effect.as(acquirers.transactionAcquirer, pipelined),
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
