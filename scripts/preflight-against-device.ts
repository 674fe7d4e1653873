/**
 * Generated invoices, credit notes and batches through preflight and into the sandbox: what passes must never be coloured, what is refused
 * under a code of the device must be coloured with it. Prints the counts; fails when one document is not as it must be.
 *
 *     node scripts/preflight-against-device.ts [--documents 10000] [--seed 1]
 */
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { noCounts, report, world } from "../packages/core/test/preflight/AgainstTheDevice.ts"

const { values } = parseArgs({
  options: { documents: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } }
})

const size = 50
const worlds = Math.ceil(Number(values.documents) / (2 * size))
const counts = noCounts()
for (let i = 0; i < worlds; i++) await Effect.runPromise(world(Number(values.seed) + i, size, counts))
process.stdout.write(`${report(counts)}\n`)
process.exitCode = counts.problems.length > 0 ? 1 : 0
