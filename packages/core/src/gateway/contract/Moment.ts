/** A moment by both clocks of a process: the one that tells the time may be set back, the other stands still while a machine sleeps. */
import { type Clock, Effect } from "effect"

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly time: number
  /** Nanoseconds since a beginning of this process's own, which nobody sets. */
  readonly tick: bigint
}

export const now: Effect.Effect<Moment> = Effect.clockWith((clock) =>
  Effect.sync(() => ({ time: clock.currentTimeMillisUnsafe(), tick: clock.monotonicTimeNanosUnsafe() }))
)

/** How long ago it was, in milliseconds: by whichever clock says more. */
export const age = ({ tick, time }: Moment, clock: Clock.Clock): number =>
  Math.max(clock.currentTimeMillisUnsafe() - time, Number((clock.monotonicTimeNanosUnsafe() - tick) / 1_000_000n))
