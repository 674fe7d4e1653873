/**
 * Damages workbooks and reads them (`node mutations.ts [files] [first seed]`, 20000 from 1): no crash, and no silent loss. What is read of a damaged
 * archive is what was read of the whole one, or it is refused. Exits 1 otherwise.
 */
import { Console, Effect } from "effect"
import { mutation } from "./Mutation.ts"

const [files = 20_000, first = 1] = process.argv.slice(2).map(Number)

const main = Effect.gen(function* () {
  const counts = new Map<string, number>()
  const troubles: Array<string> = []
  for (let seed = first; seed < first + files; seed++) {
    const { outcome, trouble } = yield* mutation(seed)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    if (trouble !== undefined) troubles.push(`seed ${seed}: ${trouble}`)
  }
  for (const line of troubles.slice(0, 20)) yield* Console.log(line)
  yield* Console.log(
    `${files} damaged workbooks: ${[...counts].map(([what, count]) => `${count} ${what}`).join(", ")}; troubles: ${troubles.length}`
  )
  if (troubles.length > 0) process.exitCode = 1
})

await Effect.runPromise(main)
