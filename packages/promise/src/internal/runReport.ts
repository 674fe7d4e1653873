/** Conversion of a run's end to plain values. */
import * as LaneEndText from "@fiscal-connector/core/engine/LaneEndText"
import type { LaneEnd } from "@fiscal-connector/core/engine/LaneRun"
import type * as Session from "@fiscal-connector/core/session/Session"
import { DateTime, Option } from "effect"
import type { RunReport } from "../FiscalConnector.ts"
import type { LaneReport } from "../LaneReport.ts"

/** Returns the report; `None` means that the maximum duration ended the run. */
export const runReport = (settlement: Option.Option<Session.SendingReport["settlement"]>): RunReport =>
  Option.match(settlement, {
    onNone: () => ({ lanes: [], open: null }),
    onSome: ({ lanes, open }) => ({
      open,
      lanes: lanes.map((report): LaneReport => ({
        lane: report.lane,
        attempts: report.attempts,
        ...ended(report.end),
        text: LaneEndText.inWords(report)
      }))
    })
  })

const ended = (end: LaneEnd): Pick<LaneReport, "state" | "code" | "retryAt"> => {
  switch (end._tag) {
    case "Drained":
      return { state: "drained", code: null, retryAt: null }
    case "Busy":
      return { state: "busy", code: "busy", retryAt: DateTime.toDateUtc(end.until) }
    case "Stopped":
      return {
        state: "stopped",
        code: end.stop.cause,
        retryAt: end.stop.retryAt === null ? null : DateTime.toDateUtc(end.stop.retryAt)
      }
    case "Waiting":
      return {
        state: "waiting",
        code: end.wait.for,
        retryAt: end.wait.for === "clock" ? DateTime.toDateUtc(end.wait.until) : null
      }
  }
}
