/**
 * `pnpm proof:stated [per kind] [first seed]`: generated Xero-shaped documents, each altered in one statement. What another statement contradicts is
 * not sent with the altered reading, unless a stated total proves it; what nothing contradicts is sent as stated. Exits 1 where that does not hold.
 */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import { Console, Effect } from "effect"
import { keepsLaw, outcomeOf } from "./StatedTrial.ts"
import { bookWith } from "./TaxTypes.ts"
import { alterations, kinds } from "./XeroAlterations.ts"
import { count } from "./XeroTrial.ts"

const [perKind = 1200, seed = 1] = process.argv.slice(2).map(Number)

const main = Effect.gen(function* () {
  const book = yield* BookFile.load("proof.book.json", bookWith({ rounding: "as-inclusive" }))
  let broken = 0
  for (const kind of kinds) {
    const trials = yield* Effect.forEach(alterations(kind, seed, perKind), (alteration) =>
      Effect.map(outcomeOf(alteration, book), (outcome) => ({ alteration, outcome }))
    )
    const judged = trials.flatMap(({ alteration, outcome }) => (outcome === undefined ? [] : [{ alteration, outcome }]))
    const witnessed = judged.filter(({ alteration }) => alteration.witness !== undefined)
    const free = judged.filter(({ alteration }) => alteration.witness === undefined)
    const against = judged.filter(({ alteration, outcome }) => !keepsLaw(alteration, outcome))
    broken += against.length
    const words = (of: typeof judged) =>
      Array.from(count(of.map(({ outcome }) => outcome)), ([outcome, n]) => `${n} ${outcome}`).join(", ")
    yield* Console.log(`${kind}: ${witnessed.length} contradicted: ${words(witnessed)}
  ${free.length} not contradicted: ${words(free)}`)
    for (const [what, n] of count(against.map(({ alteration: { what }, outcome }) => `${what}: ${outcome}`)))
      yield* Console.log(`  ${String(n).padStart(6)}  ${what}`)
  }
  yield* Console.log(`\nagainst the law: ${broken}`)
  if (broken > 0) process.exitCode = 1
})

await Effect.runPromise(main)
