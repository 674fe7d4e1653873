/** How a run ended, in plain values. */
import * as LaneEndText from "@fiscal-connector/core/engine/LaneEndText"
import type * as Runner from "@fiscal-connector/core/engine/Runner"
import { Option } from "effect"
import type { LaneReport, RunReport } from "../FiscalConnector.ts"

/** None: its time was over before. */
export const runReport = (settlement: Option.Option<Runner.Settlement>): RunReport =>
  Option.match(settlement, {
    onNone: () => ({ lanes: [], open: null }),
    onSome: ({ lanes, open }) => ({
      open,
      lanes: lanes.map((report): LaneReport => ({
        lane: report.lane,
        attempts: report.attempts,
        state: laneStates[report.end._tag],
        because: LaneEndText.inWords(report)
      }))
    })
  })

const laneStates = { Drained: "drained", Waiting: "waiting", Stopped: "stopped", Busy: "busy" } as const
