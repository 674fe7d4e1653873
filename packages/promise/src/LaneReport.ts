/** Report of a device's lane after a run, in plain values. */

/** State of a device's lane after a run. */
export interface LaneReport {
  readonly lane: string
  readonly attempts: number
  readonly state: "drained" | "waiting" | "stopped" | "busy"
  /**
   * Reason for a wait or a stop (`credentials`, `unknown`, `busy` …), for programs; null if no work
   * is left.
   */
  readonly code: string | null
  /** The reason as text, with the document waited for; null if no work is left. */
  readonly text: string | null
  /** Time of the next try; null if no work is left, or if an operator has to act first. */
  readonly retryAt: Date | null
}
