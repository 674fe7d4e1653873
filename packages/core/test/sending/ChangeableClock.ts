/** A machine whose wall clock is changed while a process runs. */
import { Clock, Effect } from "effect"

/**
 * Returns the test's clock with a wall clock that shows `change.millis` more; its monotonic clock
 * is right.
 */
export const changeable = Effect.map(Clock.Clock, (clock) => {
  const change = { millis: 0 }
  const millis = () => clock.currentTimeMillisUnsafe() + change.millis
  const machine: Clock.Clock = {
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    sleep: (duration) => clock.sleep(duration)
  }
  return { change, machine }
})
