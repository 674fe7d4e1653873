/**
 * `pnpm proof:xero [exports] [invoices] [first seed]`: the laws of Xero-shaped exports at full size, and what share of documents each rounding policy
 * takes. Prints the figures; exits 1 where a law is broken.
 */
import { Console, Effect } from "effect"
import * as DaysEverywhere from "./DaysEverywhere.ts"
import * as RoundingShares from "./RoundingShares.ts"
import { documents } from "./XeroExport.ts"
import { count, run } from "./XeroTrial.ts"

const [exports = 12, invoices = 400, first = 1] = process.argv.slice(2).map(Number)

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`.padStart(7)

const list = (counts: ReadonlyMap<string, number>) =>
  Array.from(counts, ([word, n]) => `    ${String(n).padStart(6)}  ${word}`).join("\n")

const joined = (maps: ReadonlyArray<ReadonlyMap<string, number>>) =>
  count(maps.flatMap((map) => Array.from(map, ([word, n]) => Array<string>(n).fill(word)).flat()))

const laws = Effect.gen(function* () {
  const broken: Array<string> = []
  for (const rounding of ["per-group", "as-inclusive"] as const) {
    const reports = yield* Effect.forEach(Array.from({ length: exports }), (_, i) =>
      run(documents(first + i, { invoices, oddities: i % 2 === 0 ? "odd" : "plain" }), {
        arrangement: first + i,
        unitPlaces: i % 3 === 0 ? 2 : 4,
        rounding,
        buyers: i % 4 < 2 ? "with-tin" : "by-name"
      })
    )
    const total = (of: "documents" | "fiscalised" | "held" | "imports") =>
      reports.reduce((sum, report) => sum + report[of], 0)
    yield* Console.log(`${rounding}: ${exports} exports, ${total("documents")} issued documents, ${total("imports")} imports
  ${total("fiscalised")} fiscalised, each once; ${total("held")} held for a refused original; refused by code:
${list(joined(reports.map(({ refused }) => refused)))}
  marks on receipts:
${list(joined(reports.map(({ marks }) => marks))) || "    none"}`)
    broken.push(...reports.flatMap((report, i) => report.broken.map((law) => `${rounding}, seed ${first + i}: ${law}`)))
  }
  return broken
})

const shares = Effect.gen(function* () {
  for (const oddities of ["plain", "odd"] as const) {
    const measured = yield* RoundingShares.measure(first, { invoices: exports * invoices, oddities })
    yield* Console.log(
      `\nexclusive invoices of 1 to 8 lines, ${oddities === "plain" ? "nothing but lines, taxes and discounts" : "with text, free and negative lines, rounding amounts and taxes changed by hand"}`
    )
    for (const { accepted, byLines, documents, refused, rounding } of measured) {
      const lines = byLines.map((of) => `${of.lines} lines ${percent(of.accepted, of.documents).trim()}`).join(", ")
      yield* Console.log(`  ${rounding.padEnd(13)} ${percent(accepted, documents)} of ${documents}: ${lines}`)
      if (refused.size > 0) yield* Console.log(list(refused))
    }
  }
})

const days = Effect.gen(function* () {
  const there = yield* Effect.forEach(DaysEverywhere.wholeHours, (zone) => DaysEverywhere.check(zone, first, 200), {
    concurrency: 2
  })
  const offsets = there.map(({ offset }) => offset / 60)
  const checked = there.reduce((sum, { documents }) => sum + documents, 0)
  yield* Console.log(
    `\n${checked} days read and dated in machine zones ${Math.min(...offsets)} to +${Math.max(...offsets)}`
  )
  return there.flatMap(({ broken }) => broken)
})

const main = Effect.gen(function* () {
  const broken = yield* laws
  yield* shares
  broken.push(...(yield* days))
  for (const law of broken.slice(0, 50)) yield* Console.error(law)
  yield* Console.log(`\nbroken laws: ${broken.length}`)
  if (broken.length > 0) process.exitCode = 1
})

await Effect.runPromise(main)
