/** Waiting for another writer without keeping this process's other fibers waiting. */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreError } from "../../ledger/StoreError.ts"

const isPassing = (error: SqlError | StoreError): boolean => error._tag === "SqlError" && error.isRetryable

const schedule = Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("50 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: "15 seconds" })
)

/** Tries again, for a while, what the database refused because another writer was in the way. */
export const contended = <A, E extends SqlError | StoreError, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  // the schedule is set up for what failed only: it costs as much as a statement
  Effect.catchIf(work, isPassing, () => Effect.delay(Effect.retry(work, { schedule, while: isPassing }), "2 millis"))
