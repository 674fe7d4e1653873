/** SIGHUP signal: the operator changed the configuration, or the terminal was closed. */
import { Context } from "effect"

export interface HangUpShape {
  readonly listen: (listener: () => void) => () => void
}

/** SIGHUP subscription. By default the signal never comes. */
export class HangUp extends Context.Reference<HangUpShape>("fiscal-connector/worker/HangUp", {
  defaultValue: () => ({ listen: () => () => undefined })
}) {}
