/**
 * Damages files of the corpus: a damaged file must give readings or a question, with positions,
 * within a short time.
 */
import type { Finding } from "../../packages/core/src/finding/Finding.ts"
import type { InputFile, Reading, RefusedDocument } from "../../packages/core/src/source/Adapter.ts"
import { Cause, Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { propose } from "../../packages/adapter-csv/src/propose/ColumnProposal.ts"
import { adapter, type CsvOptions } from "../../packages/adapter-csv/src/CsvAdapter.ts"
import type { Settings } from "../../packages/adapter-csv/src/columns/Settings.ts"
import * as Random from "../Random.ts"
import { mapOf } from "./Rendering.ts"
import { trialOf } from "./Trial.ts"

const scraps = [
  '"',
  '""',
  '"\n',
  '\\"',
  "\\",
  "\0",
  "\r",
  "\n",
  "\r\n",
  ",",
  ";",
  "\t",
  "|",
  "'",
  "=",
  "sep=,\n",
  "\ufeff",
  "Total for ",
  "TOTAL"
]
const bytes = [[0xff, 0xfe], [0xef, 0xbb, 0xbf], [0x80], [0xc3], [0xff], [0x81, 0x30], [0x1f, 0x8b]]

export const mutate = (source: Uint8Array, random: Random.Random): Uint8Array => {
  let file = Buffer.from(source)
  for (let i = random.between(1, 6); i > 0; i--) {
    const at = random.between(0, file.length)
    const to = Math.min(file.length, at + random.between(0, 40))
    const [before, piece, after] = [file.subarray(0, at), file.subarray(at, to), file.subarray(to)]
    const scrap = random.chance(0.8) ? Buffer.from(random.pick(scraps)) : Buffer.from(random.pick(bytes))
    const many = Buffer.concat(random.times(1, random.chance(0.05) ? 3000 : 2, () => scrap))
    file = random.pick([
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, piece, piece, after]),
      () => Buffer.concat([before, many, piece, after]),
      () => Buffer.concat([before, many, after]),
      () => before,
      () => Buffer.concat([before, piece.toReversed(), after])
    ])()
  }
  return file
}

export interface Fuzzed {
  /** Processor time: other processes may use the machine. */
  readonly milliseconds: number
  /** Problem: a defect, or a fault without a position. */
  readonly trouble: string | undefined
  readonly outcome: "read" | "asked"
}

const answers: ReadonlyArray<Settings> = [
  {},
  { encoding: "utf-8", delimiter: "comma", quotes: "doubled", dates: "dmy", decimalMark: "point", currency: "USD" },
  { encoding: "gbk", quotes: "backslash", dates: "mdy", decimalMark: "comma", currency: "USD", shortRows: "pad" },
  { dates: "dmy", currency: "USD", decimalMark: "point", grouping: "two-pass", repeatedRows: "drop" }
]

/** Reads one damaged file, writes all of it as refused, and proposes a column map for it. */
export const fuzz = (seed: number): Effect.Effect<Fuzzed> =>
  Effect.suspend(() => {
    const random = Random.make(seed)
    const { bytes, style } = trialOf(random.between(1, 1e9))
    const damaged = mutate(bytes, random)
    const cut = random.pick([1, 7, 64, 4096])
    const chunks = Array.from({ length: Math.ceil(damaged.length / cut) }, (_, i) =>
      damaged.subarray(i * cut, (i + 1) * cut)
    )
    const file: InputFile = { name: "fuzz.csv", bytes: Stream.fromIterable(chunks) }
    const columns = mapOf(style)
    const options: CsvOptions = { settings: random.pick(answers), ...(columns && { columns }) }
    const begun = process.cpuUsage()
    return Effect.gen(function* () {
      const readings = yield* Stream.runCollect(adapter.read({ files: [file] }, options)).pipe(
        Effect.catch((error) => (error.message === "" ? Effect.die("an error says nothing") : Effect.void))
      )
      yield* Effect.ignore(propose(file))
      if (readings === undefined) return { outcome: "asked" as const, trouble: undefined }
      yield* Stream.runDrain(adapter.writeRefused!(Stream.fromIterable(readings.flatMap(refused))))
      // an encoding, and the record of what is not read, are those of the whole file
      const lost = readings
        .flatMap(findingsOf)
        .find(
          ({ at, code, statements }) => at?.line === undefined && code !== "CSV_ENCODING" && statements === undefined
        )
      return { outcome: "read" as const, trouble: lost === undefined ? undefined : `${lost.code} has no position` }
    }).pipe(
      Effect.catchCause((cause) => Effect.succeed({ outcome: "read" as const, trouble: Cause.pretty(cause) })),
      Effect.map((outcome) => {
        const { system, user } = process.cpuUsage(begun)
        return { ...outcome, milliseconds: (system + user) / 1000 }
      })
    )
  })

const findingsOf = (reading: Reading): ReadonlyArray<Finding> =>
  reading._tag === "Finding" ? [reading] : reading._tag === "SourceDocument" ? reading.findings : []

const refused = (reading: Reading): ReadonlyArray<RefusedDocument> =>
  reading._tag === "Skipped" ? [] : [{ reading, findings: findingsOf(reading) }]
