/** The last moment at which a request may go. */
import { type Clock, Context } from "effect"
import * as Moment from "./Moment.ts"

/** So long after a moment, in milliseconds. */
export interface Deadline {
  readonly from: Moment.Moment
  readonly within: number
}

export const never: Deadline = { from: { time: 0, tick: 0n }, within: Number.POSITIVE_INFINITY }

export const isPast = ({ from, within }: Deadline, clock: Clock.Clock): boolean => Moment.age(from, clock) > within

/**
 * Until when the current fiber's requests may be handed over. A process may be stopped, or its machine asleep, after it has decided to send: an
 * HttpClient that looks at it as the last thing before the socket (core/node's does) does not send when it wakes.
 */
export const HandOverBy = Context.Reference<Deadline>("@fiscal-connector/core/unstable/gateway/contract/HandOverBy", {
  defaultValue: () => never
})
