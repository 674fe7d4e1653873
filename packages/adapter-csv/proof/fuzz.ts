/**
 * Reads damaged files (`node fuzz.ts [files] [first seed]`, 100000 from 1) and prints what came of them, the slowest, and the memory that is
 * left in use. Exits 1 where one crashed, hung or gave a fault without a position.
 */
import { Console, Effect } from "effect"
import { fuzz } from "./Mutation.ts"

const [files = 100_000, first = 1] = process.argv.slice(2).map(Number)
const slow = 2000

const main = Effect.gen(function* () {
  const counts = { read: 0, asked: 0 }
  let troubles = 0
  let slowest = { seed: 0, milliseconds: 0 }
  for (let seed = first; seed < first + files; seed++) {
    const { milliseconds, outcome, trouble } = yield* fuzz(seed)
    counts[outcome]++
    if (milliseconds > slowest.milliseconds) slowest = { seed, milliseconds }
    if (trouble === undefined && milliseconds < slow) continue
    troubles++
    if (troubles <= 20) yield* Console.log(`seed ${seed}: ${trouble ?? `took ${Math.round(milliseconds)} ms`}`)
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  yield* Console.log(`${files} files: ${counts.read} read, ${counts.asked} asked about or refused as a whole`)
  yield* Console.log(
    `slowest ${Math.round(slowest.milliseconds)} ms (seed ${slowest.seed}), peak memory ${memory} MB, troubles: ${troubles}`
  )
  if (troubles > 0) process.exitCode = 1
})

await Effect.runPromise(main)
