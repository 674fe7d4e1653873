/** Drains lanes and looks for outcomes until nothing more happens by itself: what `import`, `submit` and `resume` do. */
import type { Duration } from "effect"
import type { LaneReport } from "./Submitter.ts"

export interface SettleOptions {
  /** How long to wait for outcomes, back-offs and other workers once nothing can be sent. Default 2 minutes. */
  readonly patience?: Duration.Input
}

export interface Settlement {
  readonly lanes: ReadonlyArray<LaneReport>
  /** Of these accounts' lanes: what is still Planned, Sending or Accepted. 0 when all is settled or waits for a person. */
  readonly open: number
  /** What the last status calls that failed said. */
  readonly problems: ReadonlyArray<{ readonly account: string; readonly problem: string }>
}
