/**
 * Reads the generated corpus of CSV files, written as workbooks by two writers, and every known format (`node workbooks.ts [files] [first seed]`,
 * 2000 from 1): each gives the documents of its CSV file, or asks less. Exits 1 on a wrong guess.
 */
import { Console, Effect } from "effect"
import { judgeFormats } from "./FormatTrial.ts"
import { judgeWorkbook } from "./WorkbookTrial.ts"

const [files = 2000, first = 1] = process.argv.slice(2).map(Number)

const main = Effect.gen(function* () {
  const counts = new Map<string, number>()
  const wrong: Array<string> = []
  for (let seed = first; seed < first + files; seed++) {
    const { kind, verdict } = yield* judgeWorkbook(seed)
    const about = "about" in verdict ? ` (${verdict.about.join(", ")})` : ""
    const what = `${kind}: ${verdict.is}${about}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
    if (verdict.is === "wrong") wrong.push(`seed ${seed}, ${kind}: ${verdict.why}`)
  }
  const formats = yield* judgeFormats(Math.ceil(files / 20), first)
  wrong.push(...formats.wrong)
  for (const line of wrong.slice(0, 20)) yield* Console.log(line)
  for (const [what, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    yield* Console.log(`${String(count).padStart(6)} ${what}`)
  yield* Console.log(
    `${files} workbooks of the corpus, ${formats.files} of known formats with ${formats.documents} documents, wrong: ${wrong.length}`
  )
  if (wrong.length > 0) process.exitCode = 1
})

await Effect.runPromise(main)
