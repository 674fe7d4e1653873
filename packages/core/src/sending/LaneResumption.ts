/** Time at which a lane may continue without an operator. */
import type { LaneEnd } from "./LaneRun.ts"
import type { SendingPolicy } from "../account/AccountSettings.ts"

/**
 * A time in milliseconds since the epoch, `soon` or `never`. `soon`: the time is unknown (another
 * worker has the lane, or an outcome is awaited), so look every second or after a change. `never`:
 * only a new document or an operator lets the lane continue.
 */
export type Resumption = number | "soon" | "never"

/** Returns when to work the lane again. `accounts` are the accounts that were sent for. */
export const resumesAt = (
  end: LaneEnd,
  accounts: ReadonlyArray<Pick<SendingPolicy, "credentials" | "unknown">>
): Resumption => {
  switch (end._tag) {
    case "Drained":
      return "never"
    case "Busy":
      return "soon"
    case "Stopped":
      return end.stop.retryAt?.epochMilliseconds ?? "never"
    case "Waiting":
      switch (end.wait.for) {
        case "clock":
        case "quiet":
          return end.wait.until.epochMilliseconds
        case "account":
          return "never"
        case "unknown":
          return accounts.some(
            ({ credentials, unknown }) => credentials === "exclusive" || unknown === "resend-flagged"
          )
            ? "soon"
            : "never"
        default:
          return "soon"
      }
  }
}
