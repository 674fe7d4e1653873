import { Data, Runtime } from "effect"

/**
 * Exit codes. `1`: wrong usage, wrong configuration or unreachable gateway, always before the first
 * request. `2`: documents refused, Declined or Rejected. `3`: documents still Planned, Held,
 * Sending, Accepted, Unknown or Expired. `4`: done, but the result could not be written.
 */
export class ExitError extends Data.TaggedError("ExitError")<{ readonly code: 1 | 2 | 3 | 4; readonly text: string }> {
  override readonly [Runtime.errorExitCode] = this.code
  override readonly [Runtime.errorReported] = false
  override get message() {
    return this.text
  }
}

export const notDone = (text: string): ExitError => new ExitError({ code: 1, text })
