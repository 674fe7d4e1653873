/**
 * Command line of the simulator; `pnpm proofs simulator` runs it with `--seeds N --from SEED`: one
 * day per seed, and the violated laws.
 */
import { setImmediate } from "node:timers/promises"
import { parseArgs } from "node:util"
import { run } from "./day/Day.ts"
import { unexplained } from "./laws/KnownViolations.ts"
import { allTroubles, of, type Scenario, type Trouble } from "./Scenario.ts"
import { Series } from "./Series.ts"
import { shrink } from "./Shrink.ts"
import * as Year from "./Year.ts"

const usage = `node proofs/simulated/main.ts --seeds N [--from SEED] [--documents N] [--only TROUBLES] [--without TROUBLES] [--also TROUBLES]
              [--verbose] [--hashes] [--known] [--no-shrink] [--first] [--occasions] | --year [--days N]
  --verbose    every line of the trace, as it happens
  --hashes     the seed and the hash of every run: the same in every process
  --known      what is known not to hold counts as a failure, too
  --no-shrink  a failing seed is printed as it is
  --first      ends with the first seed that fails, and tells no story
  --occasions  fails where something that should happen somewhere never did
  --year       twelve months of a busy business in place of days; --days N: so many of it
  TROUBLES     of ${allTroubles.join(",")}
`

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
    documents: { type: "string", default: "30" },
    only: { type: "string" },
    without: { type: "string" },
    also: { type: "string" },
    verbose: { type: "boolean", default: false },
    hashes: { type: "boolean", default: false },
    known: { type: "boolean", default: false },
    "no-shrink": { type: "boolean", default: false },
    occasions: { type: "boolean", default: false },
    year: { type: "boolean", default: false },
    days: { type: "string", default: "365" },
    first: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

const troublesOf = (text: string | undefined): ReadonlyArray<Trouble> | undefined =>
  text?.split(",").map((name) => {
    const found = allTroubles.find((trouble) => trouble === name)
    if (found === undefined) throw new Error(`${name} is no trouble: ${allTroubles.join(", ")}`)
    return found
  })

const limits = () => {
  const only = troublesOf(values.only)
  return {
    documents: Number(values.documents),
    without: troublesOf(values.without) ?? [],
    also: troublesOf(values.also) ?? [],
    ...(only !== undefined && { only })
  }
}

/**
 * Prints the failing seed as a story: the smallest scenario that violates the same law, as a trace.
 */
const tell = (scenario: Scenario): void => {
  const counts = (of: Scenario) => {
    const result = run(of)
    return values.known ? result.violations : unexplained(result)
  }
  const [first] = counts(scenario)
  if (first === undefined) return
  const smallest = values["no-shrink"]
    ? scenario
    : shrink(
        scenario,
        (candidate) => counts(candidate).some(({ law }) => law === first.law),
        (candidate) => run(candidate).processes
      )
  const { trace } = run(smallest)
  say(`\nSeed ${scenario.seed}, ${first.law}: ${first.text}`)
  say(
    `with ${[...smallest.troubles].join(", ") || "no trouble"}; machines ${smallest.machines.join(", ") || "none"}; documents ${smallest.documents.join(", ")}`
  )
  for (const line of trace) say(`  ${line}`)
}

const processorSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

const main = async (): Promise<void> => {
  if (values.help) return say(usage)
  if (values.year) {
    process.exitCode = Year.run({ days: Number(values.days), say }) === 0 ? 0 : 1
    return
  }
  const [from, seeds] = [Number(values.from), Number(values.seeds)]
  const series = new Series()
  let told = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const scenario = of(seed, limits())
    const result = run(scenario, values.verbose ? say : undefined)
    // Frees what the promises of the day hold.
    await setImmediate()
    series.add(result)
    if (values.hashes) say(`${seed} ${result.hash}`)
    const counted = values.known ? result.violations : unexplained(result)
    if (counted.length === 0) continue
    say(`seed ${seed}: ${[...new Set(counted.map(({ law }) => law))].join(", ")}`)
    process.exitCode = 1
    if (values.first) break
    if (!values.verbose && told++ === 0) tell(scenario)
  }
  say(series.print(processorSeconds()))
  if (values.occasions && series.missing.length > 0) {
    say(`never happened: ${series.missing.join("; ")}`)
    process.exitCode = 1
  }
}

await main()
