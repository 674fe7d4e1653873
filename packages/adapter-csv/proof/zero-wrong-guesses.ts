/**
 * Reads a generated corpus of files whose content is known (`node zero-wrong-guesses.ts [files] [first seed]`, 5000 from 1) and prints how many
 * were read right, asked about with the right question, refused for a reason that is there, and guessed wrong. Exits 1 on a wrong guess.
 */
import { Console, Effect } from "effect"
import { judge, trialOf, type Verdict } from "./Trial.ts"

const [files = 5000, first = 1] = process.argv.slice(2).map(Number)

const main = Effect.gen(function* () {
  const counts = new Map<string, number>()
  const wrong: Array<string> = []
  for (let seed = first; seed < first + files; seed++) {
    const trial = trialOf(seed)
    const verdict: Verdict = yield* judge(trial)
    const about = "about" in verdict ? ` (${verdict.about.join(", ")})` : ""
    counts.set(verdict.is + about, (counts.get(verdict.is + about) ?? 0) + 1)
    if (verdict.is === "wrong") wrong.push(`seed ${seed}: ${verdict.why}\n  ${JSON.stringify(trial.style)}`)
  }
  for (const line of wrong.slice(0, 20)) yield* Console.log(line)
  for (const [what, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    yield* Console.log(`${String(count).padStart(6)} ${what}`)
  yield* Console.log(`${files} files, wrong guesses: ${wrong.length}`)
  if (wrong.length > 0) process.exitCode = 1
})

await Effect.runPromise(main)
