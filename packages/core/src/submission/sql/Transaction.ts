/** Committed work on the store: one transaction each, its time read once, its state changes told after the commit. */
import { Clock, type DateTime, Effect, PubSub, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreError } from "../StoreError.ts"
import type { Change } from "../SubmissionStore.ts"
import { type Dialect, dialect } from "./Dialect.ts"
import { alone, type Commit, grouped, type Session } from "./GroupCommit.ts"
import { stillOurs } from "./Migrations.ts"
import { corrupt, damaged, time, Unreadable } from "./Stored.ts"

/** One transaction: `now` in milliseconds since the epoch. */
export interface Transaction extends Session {
  readonly dialect: Dialect
  readonly now: number
  readonly changes: Array<Change>
}

export interface Database {
  readonly sql: SqlClient
  /**
   * Runs the work in one transaction, again where the database asks for it. Nothing of a failed one remains. Fails with `newer-version` where a
   * newer version of this library has upgraded the database meanwhile.
   */
  write<A>(
    operation: string,
    work: (transaction: Transaction) => Effect.Effect<A, SqlError | StoreError>
  ): Effect.Effect<A, StoreError>
  /** The same for what has happened already, which is taken in any case: an answer, an outcome, a lease that is given back. */
  readonly record: Database["write"]
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
      const isCorrupt = /not a database|malformed|corrupt/i.test(detail)
      return isCorrupt
        ? { reason: "corrupt", problem: `${detail}. ${damaged}` }
        : { reason: "unavailable", problem: detail }
    }
  }
}

export const storeError =
  (operation: string) =>
  (error: SqlError | StoreError): StoreError =>
    error._tag === "StoreError" ? error : new StoreError({ operation, ...describe(error) })

/** `crowd`: how many lanes are being worked here; one by itself has nobody to share a commit with. */
/** Stored times are integers, whatever the clock counts in. */
const wholeMillis = Effect.map(Clock.currentTimeMillis, Math.floor)

export const make = (
  sql: SqlClient,
  hub: PubSub.PubSub<Change>,
  crowd: () => number
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = dialect(sql)
    const single = alone(sql)
    const together = own.writers === "one" ? yield* grouped(sql) : single
    const commit: Commit = (work) => (crowd() > 1 ? together : single)(work)
    type Work<A> = (transaction: Transaction) => Effect.Effect<A, SqlError | StoreError>
    const transact = <A>(operation: string, work: Work<A>): Effect.Effect<A, StoreError> =>
      Effect.flatMap(wholeMillis, (now) => {
        const attempt = (session: Session) => {
          const changes: Array<Change> = []
          return Effect.map(readable(work({ ...session, dialect: own, now, changes })), (value) => ({ value, changes }))
        }
        return commit(attempt).pipe(
          Effect.tap(({ changes }) => (changes.length === 0 ? Effect.void : PubSub.publishAll(hub, changes))),
          Effect.map(({ value }) => value),
          Effect.mapError(storeError(operation))
        )
      })
    return {
      sql,
      now: wholeMillis,
      write: (operation, work) =>
        transact(operation, (transaction) => Effect.andThen(stillOurs(transaction.sql), work(transaction))),
      record: transact,
      read: (operation, work) => Effect.mapError(readable(work), storeError(operation))
    }
  })

/** What a stored row says that this version cannot read is an error, wherever it is met. */
const readable = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | StoreError> =>
  Effect.catchDefect(work, (defect) =>
    defect instanceof Unreadable ? Effect.fail(corrupt(defect.message)) : Effect.die(defect)
  )

/** A time of ours. */
export const utc = (millis: number): DateTime.Utc => time(millis, () => "a time")
