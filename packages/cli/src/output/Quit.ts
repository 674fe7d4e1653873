/** How the command ends when it does not end well: what the person reads, and the exit code a script sees. */
import { Data, Runtime } from "effect"

/**
 * `1`: usage, configuration, the gateway out of reach; only before the first request. `2`: documents refused, Declined or Rejected.
 * `3`: something is left Planned, Held, Sending, Accepted, Unknown or Expired. `4`: done, but the result could not be written.
 */
export class Quit extends Data.TaggedError("Quit")<{ readonly code: 1 | 2 | 3 | 4; readonly text: string }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = false
  override get message() {
    return this.text
  }
}
