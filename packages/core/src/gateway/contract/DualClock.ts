/**
 * A moment by both clocks of a process: the wall clock may be set back, and the monotonic clock
 * stops while the machine sleeps.
 */
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

/** Returns the age of a moment in milliseconds, by the clock that shows more. */
export const age = ({ tick, time }: DualClock, clock: Clock.Clock): number =>
  Math.max(clock.currentTimeMillisUnsafe() - time, Number((clock.monotonicTimeNanosUnsafe() - tick) / 1_000_000n))
