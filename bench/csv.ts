/**
 * CSV on a generated file with quoted cells and line breaks: the reader against other parsers, files to documents and to checked payloads,
 * detection, and memory. `node bench/csv.ts [--json] [--mb 200] [--rounds 5]`. Every sample is a fresh process; competitors take turns.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Console, Effect } from "effect"
import { competitors, type Read } from "./CsvCompetitors.ts"
import { write } from "./GeneratedCsv.ts"

interface Sample {
  readonly ms: number
  readonly peakMb: number
  readonly read: Read
}

/** One sample in a process of its own; modules are loaded before the clock starts. */
const sample = (name: string, path: string): Sample => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [import.meta.filename, "--one", name, path], {
    encoding: "utf8"
  })
  if (status !== 0) return { ms: Number.NaN, peakMb: Number.NaN, read: { rows: 0, length: 0 } }
  if (stderr !== "") process.stderr.write(stderr)
  return JSON.parse(stdout)
}

const one = async (name: string, path: string) => {
  const run = competitors[name]!
  await run(small)
  const begun = performance.now()
  const read = await run(path)
  const result: Sample = { ms: performance.now() - begun, peakMb: process.resourceUsage().maxRSS / 1024, read }
  process.stdout.write(JSON.stringify(result))
}

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const folder = join(tmpdir(), "fiscal-connector-bench")
const small = join(folder, "small.csv")

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

export interface Result {
  readonly name: string
  readonly ours: number
  readonly peer: number
  readonly ratio: number
}

const main = Effect.gen(function* () {
  const megabytes = option("--mb", 200)
  const rounds = option("--rounds", 5)
  const say = process.argv.includes("--json") ? () => Effect.void : Console.log
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${megabytes}mb.csv`)
  const need = (path: string, size: Parameters<typeof write>[1]) =>
    existsSync(path) ? Effect.void : Effect.promise(() => write(path, size))
  yield* need(small, { rows: 200 })
  yield* need(path, { bytes: megabytes * 1e6 })
  const megas = statSync(path).size / 1e6
  const times = new Map<string, Array<number>>()
  for (let round = 0; round < rounds; round++) {
    const names = Object.keys(competitors)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { ms, peakMb, read } = sample(name, path)
      times.set(name, [...(times.get(name) ?? []), ms])
      yield* say(
        `${name.padEnd(40)} ${(megas / (ms / 1000)).toFixed(0).padStart(5)} MB/s  ${peakMb.toFixed(0).padStart(4)} MB  ${read.rows} rows, ${read.length}`
      )
    }
  }
  const speed = (name: string) => megas / (median(times.get(name)!) / 1000)
  const against = (name: string, ours: string, peer: string): Result => ({
    name,
    ours: speed(ours),
    peer: speed(peer),
    ratio: speed(ours) / speed(peer)
  })
  const detection = speed("file to documents, all detected")
  const direct = speed("file to documents, columns given")
  const reader = speed("reader, every cell as text")
  const extra = megas / detection - megas / direct
  const memory = new Map<number, number>()
  for (const rows of [10_000, 100_000, 1_000_000]) {
    const file = join(folder, `${rows}rows.csv`)
    yield* need(file, { rows })
    memory.set(rows, median([0, 1, 2].map(() => sample("file to checked payloads, columns given", file).peakMb)))
  }
  const results: ReadonlyArray<Result> = [
    against(
      "CSV reader with positions, cells on demand, against papaparse (MB/s)",
      "reader, cells on demand",
      "papaparse"
    ),
    against(
      "CSV reader with positions, every cell as text, against papaparse (MB/s)",
      "reader, every cell as text",
      "papaparse"
    ),
    against("the same against csv-parse", "reader, every cell as text", "csv-parse"),
    against("the same against udsv", "reader, every cell as text", "udsv"),
    against("the same against effect Csv", "reader, every cell as text", "effect Csv"),
    against(
      "CSV file to checked payloads, columns given, against csv-parse tokenising (MB/s)",
      "file to checked payloads, columns given",
      "csv-parse"
    ),
    against("the same against papaparse tokenising", "file to checked payloads, columns given", "papaparse"),
    {
      name: "detection, against one pass of the reader (s)",
      ours: extra,
      peer: megas / reader,
      ratio: extra / (megas / reader)
    },
    ...[100_000, 1_000_000].map((rows): Result => ({
      name: `peak memory of reading ${rows} rows, against 10000 rows (MB)`,
      ours: memory.get(rows)!,
      peer: memory.get(10_000)!,
      ratio: memory.get(rows)! / memory.get(10_000)!
    }))
  ]
  if (process.argv.includes("--json")) return yield* Console.log(JSON.stringify(results))
  for (const { name, ours, peer, ratio } of results) {
    yield* Console.log(`${ratio.toFixed(2).padStart(6)}×  ${name}: ${ours.toFixed(1)} to ${peer.toFixed(1)}`)
  }
})

const at = process.argv.indexOf("--one")
await (at < 0 ? Effect.runPromise(main) : one(process.argv[at + 1]!, process.argv[at + 2]!))
