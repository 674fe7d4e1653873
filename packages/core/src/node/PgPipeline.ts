/**
 * Pipelined transactions: a statement without result rows is sent without waiting, and checked at
 * the next awaited statement, at the latest at the commit. Reads can be sent ahead of each other
 * too. A document costs two round trips: one for all reads, one for all writes.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, Exit, Fiber, type Queue, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type { AheadConnection } from "../store/SqlStore.ts"
import { isWithoutRows } from "./WithoutRows.ts"

export interface PipelinedClient extends SqlClient.SqlClient {
  /** Listens on a dedicated connection until the scope closes. */
  readonly listen: (
    channel: string
  ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope>
}

const nothing: ReadonlyArray<never> = []

const pipelined = (
  connection: PgConnection.PgConnection,
  discard: Effect.Effect<void>
): AheadConnection & { readonly commit: Effect.Effect<void, SqlError> } => {
  const sent: Array<Fiber.Fiber<unknown, SqlError>> = []
  /**
   * Fails with the first failure among the sent statements: later failures only report that the
   * transaction is over.
   */
  const cause = (failure: SqlError): Effect.Effect<never, SqlError> =>
    Effect.gen(function* () {
      for (const fiber of sent) {
        const exit = yield* Fiber.await(fiber)
        if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)
      }
      return yield* failure
    })
  const waited = <A>(query: Effect.Effect<A, SqlError>) => (sent.length === 0 ? query : Effect.catch(query, cause))
  const sendOn = <A>(query: Effect.Effect<A, SqlError>) =>
    Effect.map(Effect.forkDetach(query, { startImmediately: true }), (fiber) => {
      sent.push(fiber)
      return fiber
    })
  const rows = (sql: string, params: ReadonlyArray<unknown>, prepare: boolean) => {
    const query = Effect.map(connection.query(sql, params, prepare), ({ rows }) => rows)
    // effect/sql treats a failed rollback as a defect; after a broken connection, the server has
    // already rolled back
    if (sql === "ROLLBACK") return Effect.catch(query, () => Effect.as(discard, nothing))
    if (!isWithoutRows(sql)) return waited(query)
    return Effect.as(sendOn(query), nothing)
  }
  return {
    ahead: (sql, params) =>
      Effect.map(sendOn(connection.query(sql, params)), (fiber) =>
        waited(Effect.map(Fiber.join(fiber), ({ rows }) => rows))
      ),
    execute: (sql, params) => rows(sql, params, true),
    executeUnprepared: (sql, params) => rows(sql, params, false),
    executeRaw: (sql, params) => waited(connection.query(sql, params)),
    executeValues: (sql, params) => waited(connection.queryValues(sql, params)),
    executeValuesUnprepared: (sql, params) => waited(connection.queryValues(sql, params, false)),
    executeStream: (sql, params) => connection.stream(sql, params),
    // an aborted transaction answers a commit with ROLLBACK
    commit: Effect.flatMap(waited(connection.query("COMMIT", [], false)), ({ command }) =>
      command === "ROLLBACK" ? cause(rolledBack) : Effect.void
    )
  }
}

const rolledBack = new SqlError({
  reason: new UnknownError({
    cause: new Error("the transaction was rolled back"),
    message: "the transaction was rolled back",
    operation: "commit"
  })
})

const plain = (connection: PgConnection.PgConnection): Connection => {
  const rows = (sql: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(connection.query(sql, params, prepare), ({ rows }) => rows)
  return {
    execute: (sql, params) => rows(sql, params, true),
    executeUnprepared: (sql, params) => rows(sql, params, false),
    executeRaw: (sql, params) => connection.query(sql, params),
    executeValues: (sql, params) => connection.queryValues(sql, params),
    executeValuesUnprepared: (sql, params) => connection.queryValues(sql, params, false),
    executeStream: (sql, params) => connection.stream(sql, params)
  }
}

const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  (connection as ReturnType<typeof pipelined>).commit

export const make = (
  config: PgPool.Config
): Effect.Effect<PipelinedClient, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    // a connection that accepts several statements at once, for one user at a time
    const pool = yield* PgPool.make({ ...config, multiplex: true, multiplexConcurrency: 1 })
    const client = yield* SqlClient.make({
      driver: "pg",
      acquirer: Effect.map(pool.get, plain),
      borrower: (use) => pool.use((connection) => use(plain(connection))),
      transactionAcquirer: Effect.map(pool.get, (connection) => pipelined(connection, pool.invalidate(connection))),
      // a prepared BEGIN that the server has lost would be repeated after the first statements of
      // its transaction
      prepareTransactionControls: false,
      commit,
      releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
      compiler: PgClient.makeCompiler(),
      spanAttributes: [["db.system.name", "postgresql"]]
    })
    return Object.assign(client, {
      listen: (channel: string) => Effect.flatMap(pool.reserve, (connection) => connection.listen(channel))
    })
  })
