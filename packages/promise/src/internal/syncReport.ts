/** Reports of a run and of a sync. */
import type { Attention } from "@fiscal-connector/core/attention"
import { RunReport, type Session } from "@fiscal-connector/core/session"
import { LaneEndText, type LaneRun } from "@fiscal-connector/core/worker"
import { DateTime, Option } from "effect"
import type { Plan, RunReport as Ran, SyncEnd, SyncReport, SyncRun } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { LaneReport } from "../LaneReport.ts"
import type { Problem } from "../Problem.ts"
import type { Result } from "../Result.ts"
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

/** Steps of a sync, in their order. */
interface SyncSteps {
  readonly planned: () => Promise<Plan>
  /** Returns the names of refused documents that an operator dismissed. */
  readonly submit: (plan: Plan) => Promise<ReadonlySet<string>>
  readonly run: (stop: AbortSignal) => Promise<Ran>
  readonly guardsOff: () => ReadonlyArray<Problem>
  readonly items: () => Promise<ReadonlyArray<Attention.AttentionItem>>
}

/** `arrive`: during the run, or after it, which looks at each page of documents once. */
export const syncEach = (steps: SyncSteps, arrive: "during" | "after"): SyncRun => {
  let end: SyncEnd | undefined
  const read = async function* (): AsyncGenerator<Result, void> {
    await using plan = await steps.planned()
    const dismissed = await steps.submit(plan)
    const stop = new AbortController()
    const running = steps.run(stop.signal)
    // an account sends through one lane, so the lane's wait is the reason for all planned documents
    let waits: string | null = null
    const over = running.then(
      ({ lanes }) => void (waits = lanes.find(({ text }) => text !== null)?.text ?? null),
      () => undefined
    )
    const conflicts: Array<SyncEnd["conflicts"][number]> = []
    const standings = new Set<RunReport.Standing>()
    try {
      if (arrive === "after") await running
      for await (const found of plan.entries({ during: running })) {
        const { changed, id, kind, status } = found
        if (changed !== null) conflicts.push({ kind, id, because: changed })
        standings.add(standingOf(found, dismissed))
        yield status === "planned" ? { ...found, because: found.because ?? waits } : found
      }
    } finally {
      stop.abort()
      await over
    }
    const { lanes, open } = await running
    const problems = [...plan.problems, ...steps.guardsOff()]
    for (const item of await steps.items()) standings.add(RunReport.ofItem(item) ?? "done")
    const isClean = problems.every(({ severity }) => severity !== "error")
    const ok = isClean && open === 0 && RunReport.ending(standings) === "done"
    end = { problems, conflicts, lanes, open, ok }
  }
  const results = read()
  return {
    [Symbol.asyncIterator]: () => results,
    report: async () => {
      while ((await results.next()).done !== true);
      if (end === undefined) throw new FiscalConnectorError("closed", "the results were not read to the end")
      return end
    }
  }
}

export const syncReport = async (sync: SyncRun): Promise<SyncReport> => {
  const results: Array<Result> = []
  for await (const result of sync) results.push(result)
  return { results, ...(await sync.report()), [Symbol.iterator]: () => results[Symbol.iterator]() }
}
