/** The wall clock may be set back, and the monotonic clock stops while the machine sleeps. */
import { type Clock, Effect } from "effect"

export interface DualClock {
  /** Milliseconds since the epoch. */
  readonly time: number
  /** Nanoseconds of the monotonic clock, from an arbitrary start in this process. */
  readonly tick: bigint
}

export const now: Effect.Effect<DualClock> = Effect.clockWith((clock) =>
  Effect.sync(() => ({ time: clock.currentTimeMillisUnsafe(), tick: clock.monotonicTimeNanosUnsafe() }))
)

/** Largest difference of the clocks, in milliseconds, that is not taken for a change. */
const tolerance = 10_000

/**
 * In milliseconds, by the clock that shows more. Infinite if the wall clock was changed since, or
 * the machine slept: times written since may be wrong.
 */
export const age = ({ tick, time }: DualClock, clock: Clock.Clock): number => {
  const shown = clock.currentTimeMillisUnsafe() - time
  const ticked = Number((clock.monotonicTimeNanosUnsafe() - tick) / 1_000_000n)
  return Math.abs(shown - ticked) > tolerance ? Number.POSITIVE_INFINITY : Math.max(shown, ticked)
}
