/** Meaning of an interrupt by Ctrl-C, or by SIGTERM from a service manager. */
import { Context } from "effect"

export interface InterruptPolicyShape {
  /**
   * `broken-off`: exit code 130. `well`: the command runs until it is stopped, so the exit code is
   * 0.
   */
  interrupted: "broken-off" | "well"
}

export class InterruptPolicy extends Context.Reference<InterruptPolicyShape>("fiscal-connector/InterruptPolicy", {
  defaultValue: () => ({ interrupted: "broken-off" })
}) {}
