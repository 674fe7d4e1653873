/** SIGHUP: an operator has changed the configuration, or the terminal is gone. */
import { Context } from "effect"

export interface HangUpShape {
  /** Calls the listener at each signal, until what it returns is called. */
  readonly listen: (listener: () => void) => () => void
}

/** Default: nobody sends it. */
export class HangUp extends Context.Reference<HangUpShape>("fiscal-connector/worker/HangUp", {
  defaultValue: () => ({ listen: () => () => undefined })
}) {}
