/** Damages workbooks: each must be refused, or give exactly the same documents as before. */
import * as Random from "../Random.ts"
import { formats, gridOf, documentsOf, textOf } from "../csv/ExportFormats.ts"
import { mapOf } from "../csv/Rendering.ts"
import { trialOf } from "../csv/Trial.ts"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { CsvDocument } from "@fiscal-connector/adapter-csv/CsvDocument"
import type { Reading } from "../../packages/core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { adapter } from "../../packages/adapter-xlsx/src/XlsxAdapter.ts"
import { asTexts, gridIn, statements } from "./FormatTrial.ts"
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import { fileOf, workbookOf } from "./WorkbookTrial.ts"

/**
 * Damages bytes of the archive: most damage hits packed parts, some hits the directory at the end.
 */
const mutateBytes = (source: Buffer, random: Random.Random): Buffer => {
  let file = Buffer.from(source)
  for (let i = random.between(1, 4); i > 0; i--) {
    const directory = random.chance(0.4) ? Math.floor(file.length * 0.6) : 0
    const at = random.between(directory, Math.max(directory, file.length - 1))
    const to = Math.min(file.length, at + random.between(1, 40))
    const [before, piece, after] = [file.subarray(0, at), file.subarray(at, to), file.subarray(to)]
    file = random.pick([
      () => {
        const flipped = Buffer.from(file)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << random.between(0, 7))
        return flipped
      },
      () => {
        const other = Buffer.from(file)
        other[at] = random.between(0, 255)
        return other
      },
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, piece, piece, after]),
      () => Buffer.concat([before, Buffer.alloc(piece.length), after]),
      () => before,
      () => Buffer.concat([before, piece.toReversed(), after])
    ])()
  }
  return file
}

/**
 * Damages one part before packing, so that its checksum is correct: removes a tag, an attribute, or
 * the rest of the text.
 */
const mutatePart = (parts: Map<string, string>, random: Random.Random): Map<string, string> => {
  const mutated = new Map(parts)
  const name = random.pick([...parts.keys()])
  const text = parts.get(name)!
  const tags = [...text.matchAll(/<[^>]+>/g)]
  const tag = random.pick(tags)
  random.pick([
    () => mutated.delete(name),
    () => mutated.set(name, text.slice(0, tag.index)),
    () => mutated.set(name, text.slice(0, tag.index) + text.slice(tag.index + tag[0].length)),
    () => mutated.set(name, text.slice(0, tag.index) + tag[0] + text.slice(tag.index)),
    () => mutated.set(name, text.slice(0, tag.index) + text.slice(tag.index + tag[0].length + random.between(1, 30))),
    () => {
      const other = random.pick(tags)
      return mutated.set(name, text.slice(0, tag.index) + other[0] + text.slice(tag.index))
    }
  ])()
  return mutated
}

export interface Mutated {
  readonly outcome: "refused" | "unchanged" | "well-formed"
  readonly trouble: string | undefined
}

const answers: CsvOptions["settings"] = { dates: "dmy", currency: "USD", amounts: "exclusive", decimalMark: "point" }

/**
 * Tries one damage. Damaged bytes must give a refusal or the same documents. A damaged part may be
 * well-formed XML with another content, and is read accordingly.
 */
export const mutation = (seed: number): Effect.Effect<Mutated> =>
  Effect.suspend(() => {
    const random = Random.make(seed)
    return random.chance(0.8) ? ofBytes(random) : ofParts(random)
  }).pipe(
    Effect.catchCause((cause) => Effect.succeed<Mutated>({ outcome: "well-formed", trouble: `seed ${seed}: ${cause}` }))
  )

const ofBytes = (random: Random.Random): Effect.Effect<Mutated> =>
  Effect.gen(function* () {
    const trial = trialOf(random.between(1, 200))
    const columns = mapOf(trial.style)
    const options: CsvOptions = { settings: answers, ...(columns && { columns }) }
    const whole = yield* Effect.promise(() => workbookOf(trial, "values", random))
    const damaged = mutateBytes(whole, random)
    const found = yield* readingsOf(damaged, options)
    if (found === undefined) return { outcome: "refused", trouble: undefined }
    const expected = yield* readingsOf(whole, options)
    const same = expected?.join("\n") === found.join("\n")
    return { outcome: "unchanged", trouble: same ? undefined : `${found.join()} instead of ${expected?.join()}` }
  })

/** Returns the readings; undefined if the whole file is refused. */
const readingsOf = (bytes: Buffer, options: CsvOptions) =>
  Effect.map(statements(adapter.read({ files: [fileOf(bytes)] }, options)), (found) =>
    found.length === 1 && found[0] === "ExportUnreadable" ? undefined : found
  )

/**
 * Damages one part. Every row of the part must be in a document or in a finding, or the file is
 * refused: a truncated part is never a shorter sheet.
 */
const ofParts = (random: Random.Random): Effect.Effect<Mutated> =>
  Effect.gen(function* () {
    const format = random.pick(formats.filter(({ layout }) => layout !== "report"))
    const text = textOf(gridOf(format, documentsOf(format, random)))
    const parts = WorkbookParts.partsOf([{ name: "Export", rows: gridIn(text).map(asTexts) }])
    const mutated = mutatePart(parts, random)
    const bytes = yield* Effect.promise(() => WorkbookParts.zipped(mutated))
    const readings = yield* adapter.read({ files: [fileOf(bytes)] }, { settings: answers }).pipe(
      Stream.runCollect,
      Effect.catch((error) => (error.message === "" ? Effect.die("an error says nothing") : Effect.undefined))
    )
    if (readings === undefined) return { outcome: "refused", trouble: undefined }
    const written = (mutated.get(sheet)?.match(/<row /g) ?? []).length - 1
    const read = readings.reduce((sum, reading) => sum + rowsIn(reading), 0)
    const skipped = readings.some(({ _tag }) => _tag === "Skipped")
    const isLost = read < written && !skipped
    return { outcome: "well-formed", trouble: isLost ? `${read} rows read of ${written}` : undefined }
  })

const sheet = "xl/worksheets/sheet1.xml"

const rowsIn = (reading: Reading): number =>
  reading instanceof CsvDocument ? reading.rows.length : reading._tag === "Finding" && "row" in reading ? 1 : 0
