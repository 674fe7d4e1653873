/** SIGHUP signal: the operator changed the configuration, or the terminal was closed. */
import { Context } from "effect"

export interface HangUpShape {
  /** Calls the listener at each signal. Returns a function that removes the listener. */
  readonly listen: (listener: () => void) => () => void
}

/** SIGHUP subscription. By default the signal never comes. */
export class HangUp extends Context.Reference<HangUpShape>("fiscal-connector/worker/HangUp", {
  defaultValue: () => ({ listen: () => () => undefined })
}) {}
