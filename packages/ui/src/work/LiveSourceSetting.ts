/** Settings of a source that is read live, as far as the page shows them. */
import type { Duration } from "effect"

export interface LiveSourceSetting {
  readonly name: string
  readonly tenant: string
  /** Interval of a worker; null where no worker reads the source. */
  readonly every: Duration.Duration | null
  readonly consent: "plan" | "send"
}
