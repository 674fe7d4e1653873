/** Reports of a run and of a sync. */
import type { DocumentInput } from "@fiscal-connector/core/adapter"
import type { Attention } from "@fiscal-connector/core/attention"
import { RunReport, type Session } from "@fiscal-connector/core/session"
import { LaneEndText, type LaneRun } from "@fiscal-connector/core/worker"
import { DateTime, Option } from "effect"
import type { ExportInput } from "../ExportInput.ts"
import type { FiscalConnector, RunReport as Ran, SyncOptions, SyncReport } from "../FiscalConnector.ts"
import type { LaneReport } from "../LaneReport.ts"
import type { Problem } from "../Problem.ts"
import type { Result } from "../Result.ts"
import type { SourceInput, SourceOptions, SourceReport } from "../SourceInput.ts"
import { standingOf } from "./resultOf.ts"

export const runReport = (settlement: Option.Option<Session.SendingReport["settlement"]>): Ran =>
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

const ended = (end: LaneRun.LaneEnd): Pick<LaneReport, "state" | "code" | "retryAt"> => {
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

export const syncReport = (
  found: ReadonlyArray<Result>,
  problems: ReadonlyArray<Problem>,
  { lanes, open }: Ran,
  given: {
    readonly dismissed: ReadonlySet<string>
    readonly items: ReadonlyArray<Attention.AttentionItem>
  }
): SyncReport => {
  // an account sends through one lane, so the lane's wait is the reason for all planned documents
  const waits = lanes.find(({ text }) => text !== null)?.text ?? null
  const results = found.map((result): Result =>
    result.status === "planned" ? { ...result, because: result.because ?? waits } : result
  )
  const differing = results.flatMap(({ changed, id, kind }) =>
    changed === null ? [] : [{ kind, id, because: changed }]
  )
  const standings = new Set([
    ...results.map((result) => standingOf(result, given.dismissed)),
    ...given.items.flatMap((item) => RunReport.ofItem(item) ?? [])
  ])
  const isClean = problems.every(({ severity }) => severity !== "error")
  const ok = isClean && open === 0 && RunReport.ending(standings) === "done"
  return {
    results,
    problems,
    conflicts: differing,
    lanes,
    open,
    ok,
    [Symbol.iterator]: () => results[Symbol.iterator]()
  }
}

/** Combines both forms of `sync`: the argument with a `source` is read live. */
export const either = (
  live: (given: SourceInput, options: SourceOptions) => Promise<SourceReport>,
  documents: <Options>(
    given: DocumentInput.Documents | ExportInput<Options>,
    options: SyncOptions
  ) => Promise<SyncReport>
): FiscalConnector["sync"] => {
  function sync(given: SourceInput, options?: SourceOptions): Promise<SourceReport>
  function sync<Options>(
    given: DocumentInput.Documents | ExportInput<Options>,
    options?: SyncOptions
  ): Promise<SyncReport>
  function sync(given: DocumentInput.Documents, options?: SyncOptions): Promise<SyncReport>
  function sync<Options>(
    given: SourceInput | DocumentInput.Documents | ExportInput<Options>,
    options: SyncOptions = {}
  ) {
    return typeof given === "object" && given !== null && "source" in given
      ? live(given, options)
      : documents(given, options)
  }
  return sync
}
