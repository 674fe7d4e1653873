/** What it means that the command is told to end: by Ctrl-C, or by SIGTERM as a service manager does it. */
import { Context } from "effect"

export interface EndingShape {
  /** `broken-off`: exit code 130. `well`: it runs until it is told to end, so the exit code is 0. */
  interrupted: "broken-off" | "well"
}

export class Ending extends Context.Reference<EndingShape>("fiscal-connector/Ending", {
  defaultValue: () => ({ interrupted: "broken-off" })
}) {}
