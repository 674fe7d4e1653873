/** Report of a device's lane after a run, in plain values. */

/**
 * Reason for a lane's wait or stop.
 *
 * - Waits: `busy` (another process works on the lane), `sending`, `outcome`, `unknown`, `original`,
 *   `account`, `clock`, `quiet`.
 * - Stops: all others; an operator acts first, or the lane asks again at `retryAt`.
 */
export type LaneCode =
  | "busy"
  | "sending"
  | "outcome"
  | "unknown"
  | "original"
  | "account"
  | "clock"
  | "quiet"
  | "credentials"
  | "not-found"
  | "misdirected"
  | "limited"
  | "not-sent"
  | "device-changed"
  | "device-refuses"
  | "same-failure"
  | "mark-in-future"
  | "store-older"
  | "store-unproven"
  | "store-behind"

/** State of a device's lane after a run. */
export interface LaneReport {
  readonly lane: string
  readonly attempts: number
  readonly state: "drained" | "waiting" | "stopped" | "busy"
  /**
   * Reason for a wait or a stop (`credentials`, `unknown`, `busy` …), for programs; null if no work
   * is left.
   */
  readonly code: LaneCode | null
  /** The reason as text, with the document waited for; null if no work is left. */
  readonly text: string | null
  /** Time of the next try; null if no work is left, or if an operator has to act first. */
  readonly retryAt: Date | null
}
