/** Committed work on the store: one transaction each, its time read once, its state changes told after the commit. */
import { Clock, DateTime, Effect, PubSub, Schedule } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreError } from "../StoreError.ts"
import type { Change } from "../SubmissionStore.ts"
import { type Dialect, dialect } from "./Dialect.ts"

/** One transaction: `now` in milliseconds since the epoch. */
export interface Transaction {
  readonly sql: SqlClient
  readonly dialect: Dialect
  readonly now: number
  readonly changes: Array<Change>
}

export interface Database {
  readonly sql: SqlClient
  /** Runs the work in one transaction, again where the database asks for it. Nothing of a failed one remains. */
  write<A>(
    operation: string,
    work: (transaction: Transaction) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  read<A>(operation: string, work: Effect.Effect<A, SqlError | StoreError>): Effect.Effect<A, StoreError>
  /** For queries that need the time. */
  readonly now: Effect.Effect<number>
}

const describe = (error: SqlError): Pick<StoreError, "reason" | "problem"> => {
  const { reason } = error
  switch (reason._tag) {
    case "UniqueViolation":
    case "ConstraintError":
      return { reason: "conflict", problem: "two writers planned the same at once; try again" }
    case "LockTimeoutError":
    case "DeadlockError":
    case "SerializationError":
      return { reason: "unavailable", problem: "another process keeps it locked; try again" }
    default: {
      const { cause } = reason
      const detail = cause instanceof Error ? cause.message : error.message
      const corrupt = /not a database|malformed|corrupt/i.test(detail)
      return { reason: corrupt ? "corrupt" : "unavailable", problem: detail }
    }
  }
}

export const storeError =
  (operation: string) =>
  (error: SqlError | StoreError): StoreError =>
    error._tag === "StoreError" ? error : new StoreError({ operation, ...describe(error) })

/** Waits for another writer without keeping this process's other fibers waiting. */
export const contended = <A, E extends SqlError | StoreError, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.retry(work, {
    schedule: Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("50 millis")]).pipe(
      Schedule.jittered,
      Schedule.upTo({ duration: "15 seconds" })
    ),
    while: (error) => error._tag === "SqlError" && error.isRetryable
  })

export const make = (sql: SqlClient, hub: PubSub.PubSub<Change>): Database => {
  const own = dialect(sql)
  return {
    sql,
    now: Clock.currentTimeMillis,
    write: (operation, work) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const attempt = Effect.suspend(() => {
          const changes: Array<Change> = []
          return Effect.map(sql.withTransaction(work({ sql, dialect: own, now, changes })), (value) => ({
            value,
            changes
          }))
        })
        return contended(attempt).pipe(
          Effect.tap(({ changes }) => (changes.length === 0 ? Effect.void : PubSub.publishAll(hub, changes))),
          Effect.map(({ value }) => value),
          Effect.mapError(storeError(operation))
        )
      }),
    read: (operation, work) => Effect.mapError(work, storeError(operation))
  }
}

/** A time of ours. */
export const utc = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)
