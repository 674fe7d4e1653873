/**
 * Three real processes at once on one store, killed, stopped, starved of disk and lied to by the gateway for as long as is said; then peace, and the
 * laws: nothing lost, nothing twice, nothing coloured, nothing stranded. Exit 1 where one is broken; logs, exports and store are kept.
 *
 *     pnpm chaos [--minutes 30] [--seed 1]
 */
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { chaos } from "../packages/cli/proof/chaos/ChaosRun.ts"

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: "1" } }
})

const seed = Number(values.seed)
const { folder, problems } = await Effect.runPromise(chaos({ minutes: Number(values.minutes), seed }))
for (const problem of problems) process.stdout.write(`VIOLATION ${problem}\n`)
process.stdout.write(`${problems.length} violations, seed ${seed}; ${folder}\n`)
process.exit(problems.length > 0 ? 1 : 0)
