/** When a lane that was left may go on by itself: when to work it again. */
import type { LaneEnd } from "./LaneRun.ts"
import type { SendingPolicy } from "../account/AccountSettings.ts"

/**
 * A time, in milliseconds since the epoch; `soon`, where nobody can tell when (another worker has it, an outcome is awaited): look every second or
 * when something has changed; or `never`, where only a new document or a person brings it on.
 */
export type Resumption = number | "soon" | "never"

/** `accounts`: those that were sent for. */
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
