/** Report of a sync, with the check that everything is fiscalized. */
import type { RunReport, SubmitReport, SyncReport } from "../FiscalConnector.ts"
import type { Problem } from "../Problem.ts"
import type { Result } from "../Result.ts"

const keyOf = ({ id, kind }: Result): string => `${kind} ${id}`

/** Returns true if the document is fiscalized and needs no action. */
const isDone = ({ cancelled, changed, status }: Result): boolean =>
  status === "fiscalised" && cancelled === null && changed === null

export const syncReport = (
  found: ReadonlyArray<Result>,
  problems: ReadonlyArray<Problem>,
  { conflicts }: Pick<SubmitReport, "conflicts">,
  { lanes, open }: RunReport
): SyncReport => {
  // an account sends through one lane, so the lane's wait is the reason for all planned documents
  const waits = lanes.find(({ text }) => text !== null)?.text ?? null
  const results = found.map((result): Result => ({
    ...result,
    ...(result.status === "planned" && { because: result.because ?? waits })
  }))
  const differing = results.flatMap(({ changed, id, kind }) =>
    changed === null ? [] : [{ kind, id, because: changed }]
  )
  const done = new Set(results.filter(isDone).map(keyOf))
  const isAll = results.every(
    (result) =>
      isDone(result) || result.status === "elsewhere" || (result.status === "duplicate" && done.has(keyOf(result)))
  )
  const isClean = conflicts.length === 0 && problems.every(({ severity }) => severity !== "error")
  return {
    results,
    problems,
    conflicts: differing,
    lanes,
    open,
    ok: isAll && isClean,
    [Symbol.iterator]: () => results[Symbol.iterator]()
  }
}
