import { type Clock, Context } from "effect"
import * as DualClock from "./DualClock.ts"

export interface Deadline {
  readonly from: DualClock.DualClock
  readonly within: number
}

export const never: Deadline = { from: { time: 0, tick: 0n }, within: Number.POSITIVE_INFINITY }

export const isPast = ({ from, within }: Deadline, clock: Clock.Clock): boolean => DualClock.age(from, clock) > within

/**
 * Deadline for the current fiber's requests. A process may be suspended, or its machine asleep,
 * after the decision to send. An HttpClient that checks the deadline right before the socket
 * (core/node's does) then does not send after waking up.
 */
export const SendDeadline = Context.Reference<Deadline>(
  "@fiscal-connector/core/unstable/gateway/contract/SendDeadline",
  {
    defaultValue: () => never
  }
)
