/** Committed work on the store: one transaction each, its time read once, its state changes told after the commit. */
import { Array as Arr, Clock, DateTime, Effect, PubSub, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreError } from "../StoreError.ts"
import type { State } from "../Submission.ts"
import type { Change, TimelineEntry } from "../SubmissionStore.ts"
import { type Dialect, dialect } from "./Dialect.ts"
import type { Integer } from "./Rows.ts"
import { alone, type Commit, grouped } from "./GroupCommit.ts"

/** A line of the timeline. */
export interface EventRow {
  readonly submission: Integer
  readonly from_state: State | null
  readonly to_state: State
  readonly cause: TimelineEntry["cause"]
  readonly text: string | null
  readonly attempt: number | null
}

/** One transaction: `now` in milliseconds since the epoch. Events and counts are written together, last. */
export interface Transaction {
  readonly sql: SqlClient
  readonly dialect: Dialect
  readonly now: number
  readonly changes: Array<Change>
  readonly events: Array<EventRow>
  /** Submissions that came into a state, or left it: lane → state → how many. */
  readonly counts: Map<string, Map<State, number>>
}

/** Counts submissions that came into a state of the lane, or left it. */
export const count = ({ counts }: Transaction, lane: string, state: State, n: number): void => {
  const own = counts.get(lane) ?? new Map<State, number>()
  counts.set(lane, own.set(state, (own.get(state) ?? 0) + n))
}

// a statement takes at most 32766 parameters
const together = 1000

const flush = ({ counts, events, now, sql }: Transaction) =>
  Effect.gen(function* () {
    for (const chunk of Arr.chunksOf(events, together)) {
      yield* sql`insert into fiscal_event ${sql.insert(Arr.map(chunk, (event) => ({ ...event, at: now })))}`
    }
    const rows = Array.from(counts, ([lane, states]) => Array.from(states, ([state, n]) => ({ lane, state, n }))).flat()
    for (const chunk of Arr.chunksOf(
      rows.filter(({ n }) => n !== 0),
      together
    )) {
      yield* sql`insert into fiscal_tally ${sql.insert(chunk)}
        on conflict (lane, state) do update set n = fiscal_tally.n + excluded.n`
    }
  })

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

/** `crowd`: how many lanes are being worked here; one by itself has nobody to share a commit with. */
export const make = (
  sql: SqlClient,
  hub: PubSub.PubSub<Change>,
  crowd: () => number
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = dialect(sql)
    const together = own.writers === "one" ? yield* grouped(sql) : alone(sql)
    const commit: Commit = (work) => (crowd() > 1 ? together : alone(sql))(work)
    return {
      sql,
      now: Clock.currentTimeMillis,
      write: (operation, work) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const attempt = Effect.suspend(() => {
            const changes: Array<Change> = []
            const transaction = { sql, dialect: own, now, changes, events: [], counts: new Map() }
            return work(transaction).pipe(
              Effect.tap(() => flush(transaction)),
              Effect.map((value) => ({ value, changes }))
            )
          })
          return commit(attempt).pipe(
            Effect.tap(({ changes }) => (changes.length === 0 ? Effect.void : PubSub.publishAll(hub, changes))),
            Effect.map(({ value }) => value),
            Effect.mapError(storeError(operation))
          )
        }),
      read: (operation, work) => Effect.mapError(work, storeError(operation))
    }
  })

/** A time of ours. */
export const utc = (millis: number): DateTime.Utc => DateTime.makeUnsafe(millis)
