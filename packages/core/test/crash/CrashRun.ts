/** The whole matrix, or some of it, as promises for a script: two processes at a time. */
import { Effect } from "effect"
import { extentOf, strike, type Verdict } from "./CrashMatrix.ts"
import { behaviours, type CrashPoint, format, policies, sites } from "./CrashPoint.ts"

export interface NamedVerdict extends Verdict {
  readonly name: string
}

/** Every point, as far as a run that is not killed gets. */
export const matrix = (): Promise<ReadonlyArray<CrashPoint>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const points: Array<CrashPoint> = []
      for (const policy of policies) {
        for (const behaviour of behaviours) {
          for (const site of sites(yield* extentOf(policy, behaviour))) points.push({ policy, behaviour, site })
        }
      }
      return points
    })
  )

export const runAll = (
  points: ReadonlyArray<CrashPoint>,
  progress: (done: number, verdict: NamedVerdict) => void
): Promise<ReadonlyArray<NamedVerdict>> => {
  let done = 0
  const one = (point: CrashPoint) =>
    Effect.map(strike(point), (verdict) => {
      const named = { ...verdict, name: format(point) }
      progress(++done, named)
      return named
    })
  return Effect.runPromise(Effect.forEach(points, one, { concurrency: 2 }))
}

/** Points, kills, problems and what a person had to settle, by policy. */
export const report = (verdicts: ReadonlyArray<NamedVerdict>): string => {
  const lines = policies.map((policy) => {
    const own = verdicts.filter(({ point }) => point.policy === policy)
    const killed = own.filter((verdict) => verdict.killed).length
    const failed = own.filter(({ problems }) => problems.length > 0).length
    const unknown = own.reduce((sum, verdict) => sum + verdict.unknown, 0)
    return `${policy}: ${own.length} points, ${killed} killed, ${failed} failed, ${unknown} settled by a person\n`
  })
  return lines.join("")
}
