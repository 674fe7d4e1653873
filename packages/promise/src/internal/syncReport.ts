/** Report of a sync, with the check that everything is fiscalized. */
import type { AttentionItem } from "@fiscal-connector/core/attention/Attention"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import type { RunReport as Ran, SubmitReport, SyncReport } from "../FiscalConnector.ts"
import type { Problem } from "../Problem.ts"
import type { Result } from "../Result.ts"
import { standingOf } from "./resultOf.ts"

export const syncReport = (
  found: ReadonlyArray<Result>,
  problems: ReadonlyArray<Problem>,
  { conflicts }: Pick<SubmitReport, "conflicts">,
  { lanes, open }: Ran,
  given: {
    readonly dismissed: ReadonlySet<string>
    readonly items: ReadonlyArray<AttentionItem>
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
  const isClean = conflicts.length === 0 && problems.every(({ severity }) => severity !== "error")
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
