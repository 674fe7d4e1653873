/**
 * `pnpm proof:joined [per system] [first seed]`: generated QuickBooks-shaped and Odoo-shaped documents, each altered in one statement, under the law of
 * `pnpm proof:stated`. Exits 1 where it does not hold.
 */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import { Console, Effect } from "effect"
import { alterations, type System } from "./JoinedAlterations.ts"
import { adapters, book as text, run } from "./JoinedTrial.ts"

const [perSystem = 2000, seed = 1] = process.argv.slice(2).map(Number)

const main = Effect.gen(function* () {
  const book = yield* BookFile.load("proof.book.json", text)
  let broken = 0
  for (const system of Object.keys(adapters) as ReadonlyArray<System>) {
    const report = yield* run(system, alterations(system, seed, perSystem), book)
    broken += report.against.size
    const words = (counts: ReadonlyMap<string, number>) => Array.from(counts, ([word, n]) => `${n} ${word}`).join(", ")
    yield* Console.log(`${system}: contradicted: ${words(report.contradicted)}
  not contradicted: ${words(report.free)}; not sent as generated: ${report.unsent}`)
    for (const [what, n] of report.against) yield* Console.log(`  ${String(n).padStart(6)}  against the law: ${what}`)
  }
  if (broken > 0) process.exitCode = 1
})

await Effect.runPromise(main)
