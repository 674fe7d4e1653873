/**
 * Kills a real submitting process at every store write and every network phase, under every behaviour of the gateway and every policy for
 * unknown outcomes, and holds what the process believes in the end against what the sandbox knows.
 *
 *     node scripts/crash-matrix.ts [--sample N] [--seed S] [--engine sqlite|postgres] [--thread same|own]
 */
import { parseArgs } from "node:util"
import { launch } from "../packages/core/test/postgres/OwnServer.ts"
import type { Keeper } from "../packages/core/test/crash/CrashMatrix.ts"
import { type NamedVerdict, report, runAll } from "../packages/core/test/crash/CrashRun.ts"
import { points, sample } from "../packages/core/test/crash/CrashPoint.ts"

const { values } = parseArgs({
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    engine: { type: "string", default: "sqlite" },
    thread: { type: "string", default: "same" }
  }
})

const chosen = values.sample === undefined ? points : sample(Number(values.sample), Number(values.seed))
process.stdout.write(`${chosen.length} of ${points.length} points\n`)
const server = values.engine === "postgres" ? await launch("max_connections=100", "fsync=off") : undefined
const progress = (done: number, verdict: NamedVerdict) => {
  for (const problem of verdict.problems) process.stdout.write(`FAILED ${verdict.name}: ${problem}\n`)
  if (done % 50 === 0) process.stdout.write(`${done} of ${chosen.length}\n`)
}
const keeper: Keeper =
  server === undefined ? { thread: values.thread === "own" ? "own" : "same" } : { server: server.url }
const verdicts = await runAll(chosen, progress, keeper)
await server?.close()
process.stdout.write(report(verdicts))
process.exitCode = verdicts.some(({ problems }) => problems.length > 0) ? 1 : 0
