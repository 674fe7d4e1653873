/** How a run left the queue of a device, in plain values. */

/** How a device's line was left. */
export interface LaneReport {
  readonly lane: string
  readonly attempts: number
  readonly state: "drained" | "waiting" | "stopped" | "busy"
  /** What it waits for, or what stopped it (`credentials`, `unknown`, `busy` …), for a program; null where nothing is left. */
  readonly code: string | null
  /** The same for people, with the document that is waited for; null where nothing is left. */
  readonly text: string | null
  /** When it is tried again; null where nothing is left, or an operator has to act first. */
  readonly retryAt: Date | null
}
