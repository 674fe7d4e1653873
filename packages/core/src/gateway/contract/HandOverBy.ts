/** The last moment at which a request may go. */
import { Context } from "effect"

/**
 * Until when, in milliseconds of the process's own clock, the current fiber's requests may be handed over. A process may be stopped, or its machine
 * asleep, after it has decided to send: an HttpClient that looks at it as the last thing before the socket (core/node's does) does not send when it wakes.
 */
export const HandOverBy = Context.Reference<number>("@fiscal-connector/core/unstable/gateway/contract/HandOverBy", {
  defaultValue: () => Number.POSITIVE_INFINITY
})
