/**
 * Measures costs as ratios within one run:
 * `pnpm bench [topic …] [--json] [--record] [--rows N] [--pairs N] [--only TEXT]`. Sides take
 * turns, and a ratio compares two consecutive runs. CPU time is preferred, because a loaded machine
 * affects CPU time least.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Result, run } from "./frame/Rounds.ts"
import type { Scale, Topic } from "./frame/Topic.ts"

type Module = { readonly topic: (scale: Scale) => Promise<Topic> | Topic }

const topics: Readonly<Record<string, () => Promise<Module>>> = {
  csv: () => import("./topics/csv.ts"),
  plan: () => import("./topics/plan.ts"),
  import: () => import("./topics/import.ts"),
  xlsx: () => import("./topics/xlsx.ts"),
  submission: () => import("./topics/submission.ts"),
  ledger: () => import("./topics/ledger.ts"),
  store: () => import("./topics/store.ts"),
  postgres: () => import("./topics/postgres.ts"),
  start: () => import("./topics/start.ts")
}

const usage = `pnpm bench [topic …] [--json] [--record] [--rows N] [--pairs N] [--only TEXT]
  topics: ${Object.keys(topics).join(", ")}; all without one
  --rows   how large the large cases are (default 100000): rows of a file, submissions of a store
  --pairs  how often the sides take turns (default 5)
  --record keep these figures to compare later runs with, in bench/recorded.json; on an idle machine
  --only   the rows that have it in their name, such as watched, and no side besides theirs`

const given = () => {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        record: { type: "boolean", default: false },
        rows: { type: "string", default: "100000" },
        pairs: { type: "string", default: "5" },
        only: { type: "string", default: "" },
        help: { type: "boolean", default: false }
      }
    })
    const [rows, pairs] = [Number(values.rows), Number(values.pairs)]
    const isKnown = positionals.every((name) => name in topics)
    if (!isKnown || values.help || !Number.isInteger(rows) || rows < 1000 || !Number.isInteger(pairs) || pairs < 1)
      return undefined
    return {
      json: values.json,
      record: values.record,
      only: values.only,
      rows,
      pairs,
      names: positionals.length > 0 ? positionals : Object.keys(topics)
    }
  } catch {
    return undefined
  }
}

/** Returns the topic with the rows whose names contain the text, and the sides of the rows. */
const within = (topic: Topic, text: string): Topic => {
  const rows = topic.rows.filter(({ name }) => name.includes(text))
  const wanted = new Set(rows.flatMap(({ ours, peer }) => [ours, peer]))
  return { ...topic, rows, sides: Object.fromEntries(Object.entries(topic.sides).filter(([side]) => wanted.has(side))) }
}

const short = (value: number) => (value < 100 ? value.toPrecision(3) : value.toFixed(0))

const line = ({ better, cpu, name, ours, peer, quartiles, ratio, unit, verdict }: Result) =>
  `${ratio.toFixed(2).padStart(6)}×  ${verdict.padEnd(6)} ${quartiles.map((at) => at.toFixed(2)).join("–")}  ${name}: ` +
  `${short(ours)} to ${short(peer)} ${unit}${better === "less" ? ", less is better" : ""}; CPU ${short(cpu.ours)} to ${short(cpu.peer)} s`

/** Ratios of an earlier run by row, each with its commit. */
type Recorded = Readonly<Record<string, { readonly ratio: number; readonly commit: string }>>

const recordedIn = join(import.meta.dirname, "recorded.json")
const recorded: Recorded = existsSync(recordedIn) ? (JSON.parse(readFileSync(recordedIn, "utf8")) as Recorded) : {}

/** Share by which a ratio differs between two runs of one commit on a quiet machine. */
const noise = 0.15

/** Returns a line for a row that became dearer since the recorded run. */
const dearer = ({ better, name, ratio }: Result): ReadonlyArray<string> => {
  const before = recorded[name]
  if (before === undefined) return []
  const isDearer = (better === "less" ? ratio / before.ratio : before.ratio / ratio) > 1 + noise
  return isDearer ? [`dearer  ${before.ratio.toFixed(2)}× at ${before.commit}, now ${ratio.toFixed(2)}×: ${name}`] : []
}

const options = given()
if (options === undefined) {
  console.error(usage)
  process.exitCode = 1
} else {
  const results: Array<Result> = []
  for (const name of options.names) {
    const folder = mkdtempSync(join(tmpdir(), "fiscal-connector-bench-"))
    let made: Topic | undefined
    try {
      made = await (await topics[name]!()).topic({ folder, rows: options.rows })
      const found = await run(name, within(made, options.only), options.pairs, (side, { cpu, peak, seconds }) => {
        if (options.json) return
        const resident = peak === null ? "" : `, ${short(peak)} MiB`
        console.log(`        ${name}, ${side}: ${short(cpu)} s of CPU, ${short(seconds)} s${resident}`)
      })
      if (!options.json) for (const result of found) console.log(line(result))
      results.push(...found)
      for (const text of (await made.table?.()) ?? []) console.log(text)
    } finally {
      await made?.end?.()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (options.json) console.log(JSON.stringify(results))
  else for (const text of results.flatMap(dearer)) console.log(text)
  if (options.record) {
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()
    const own = Object.fromEntries(results.map(({ name, ratio }) => [name, { ratio, commit }]))
    writeFileSync(recordedIn, `${JSON.stringify({ ...recorded, ...own }, null, 2)}\n`)
  }
}
