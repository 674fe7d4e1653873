/** Runs points of the matrix as a promise for a script: two processes at a time. */
import { Effect } from "effect"
import { type Keeper, strike, type Verdict } from "./CrashMatrix.ts"
import { type CrashPoint, format, isBeyond, policies } from "./CrashPoint.ts"

export interface NamedVerdict extends Verdict {
  readonly name: string
}

export const runAll = (
  points: ReadonlyArray<CrashPoint>,
  progress: (done: number, verdict: NamedVerdict) => void,
  keeper: Keeper
): Promise<ReadonlyArray<NamedVerdict>> => {
  let done = 0
  const one = (point: CrashPoint) =>
    Effect.map(strike(point, keeper), (verdict) => {
      const named = { ...verdict, name: format(point) }
      progress(++done, named)
      return named
    })
  return Effect.runPromise(Effect.forEach(points, one, { concurrency: 2 }))
}

/**
 * Returns the numbers of points, kills, failures and documents settled by an operator, by policy,
 * and the runs that reached further than the matrix.
 */
export const report = (verdicts: ReadonlyArray<NamedVerdict>): string => {
  const lines = policies.map((policy) => {
    const own = verdicts.filter(({ point }) => point.policy === policy)
    const killed = own.filter((verdict) => verdict.killed).length
    const failed = own.filter(({ problems }) => problems.length > 0).length
    const unknown = own.reduce((sum, verdict) => sum + verdict.unknown, 0)
    return `${policy}: ${own.length} points, ${killed} killed, ${failed} failed, ${unknown} settled by a person\n`
  })
  const beyond = verdicts.filter(({ extent, point }) => extent !== null && isBeyond(point, extent))
  const farther = beyond.map(
    ({ extent, name }) => `farther than the matrix reaches: ${name} ${JSON.stringify(extent)}\n`
  )
  return [...lines, ...farther].join("")
}
