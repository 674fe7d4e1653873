import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreError } from "../../submission/ledger/StoreError.ts"

const isPassing = (error: SqlError | StoreError): boolean => error._tag === "SqlError" && error.isRetryable

const schedule = Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("50 millis")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ duration: "15 seconds" })
)

/** Retries work that the database refused because of another writer, for up to 15 seconds. */
export const contended = <A, E extends SqlError | StoreError, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  // the schedule is created only after a failure, because it costs as much as a statement
  Effect.catchIf(work, isPassing, () => Effect.delay(Effect.retry(work, { schedule, while: isPassing }), "2 millis"))
