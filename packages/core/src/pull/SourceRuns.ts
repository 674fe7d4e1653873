/** Each source one run at a time, and not before the source wants the next request. */
import { Clock, DateTime, Duration, Effect, Exit, Random } from "effect"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { LiveSourceKey, LiveSourceState } from "../submission/LiveSourceState.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** A source with its interval. */
export interface RepeatedSource<A, E, R> extends LiveSourceKey {
  readonly every: Duration.Duration
  readonly run: Effect.Effect<A, E, R>
}

/** End of a run. Interruptions are not reported: they end the worker. */
export type RunExit<A, E> = Exit.Exit<A, E>

/**
 * Part of an interval that a waiting worker adds by chance, so that several workers do not start
 * the same source together.
 */
const spread = 0.1

/**
 * Returns the earliest time of the next run, in milliseconds since the epoch. The last run may be
 * of any process on the store.
 */
export const nextAt = (
  state: Pick<LiveSourceState, "ranAt" | "stop"> | undefined,
  every: Duration.Duration
): number => {
  const ranAt = state?.ranAt ?? null
  const retryAt = state?.stop?.retryAt ?? null
  return Math.max(
    ranAt === null ? 0 : DateTime.toEpochMillis(ranAt) + Duration.toMillis(every),
    retryAt === null ? 0 : DateTime.toEpochMillis(retryAt)
  )
}

const repeated = <A, E, R, R2>(
  source: RepeatedSource<A, E, R>,
  observe: (source: RepeatedSource<A, E, R>, exit: RunExit<A, E | StoreError>) => Effect.Effect<void, never, R2>
): Effect.Effect<never, never, R | R2 | SubmissionStore> =>
  Effect.gen(function* () {
    const { liveSources } = yield* SubmissionStore
    const interval = Duration.toMillis(source.every)
    /** A run that failed leaves no time in the store. */
    let began = Number.NEGATIVE_INFINITY
    const one = Effect.gen(function* () {
      const due = Math.max(nextAt(yield* liveSources.state(source), source.every), began + interval)
      const now = yield* Clock.currentTimeMillis
      if (due > now) {
        const more = yield* Random.nextBetween(0, interval * spread)
        return yield* Effect.sleep(Math.min(due - now, interval) + more)
      }
      began = now
      yield* Effect.flatMap(Effect.exit(source.run), (exit) => observe(source, exit))
    })
    // a store that is away comes back, and a defect of one source must not end the others
    const patient = Effect.catchCause(one, (cause) =>
      Effect.andThen(observe(source, Exit.failCause(cause)), Effect.sleep(source.every))
    )
    return yield* Effect.forever(patient)
  })

/**
 * Runs every source until it is interrupted; a run under way then ends as an interrupted run does:
 * the next one goes on.
 */
export const work = <A, E, R, R2 = never>(
  sources: ReadonlyArray<RepeatedSource<A, E, R>>,
  observe: (source: RepeatedSource<A, E, R>, exit: RunExit<A, E | StoreError>) => Effect.Effect<void, never, R2>
): Effect.Effect<never, never, R | R2 | SubmissionStore> =>
  Effect.andThen(
    Effect.forEach(sources, (source) => repeated(source, observe), { concurrency: "unbounded", discard: true }),
    Effect.never
  )
