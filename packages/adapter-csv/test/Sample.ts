/** CSV text as an input, read to the end. */
import type { Input, InputFile, Reading } from "../../core/src/source/Adapter.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import type { Skipped } from "../../core/src/source/SourceDocument.ts"
import type { Answer } from "../../core/src/finding/Answer.ts"
import { Effect, Stream } from "effect"
import { adapter, type CsvOptions } from "../src/CsvAdapter.ts"
import { CsvDocument } from "../src/documents/CsvDocument.ts"

/** Returns an input file. `chunk`: number of bytes per chunk. */
export const file = (content: string | Uint8Array, name = "in.csv", chunk = 7): InputFile => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.slice(i * chunk, (i + 1) * chunk)
  )
  return { name, bytes: Stream.fromIterable(chunks) }
}

export const input = (...contents: ReadonlyArray<string | Uint8Array>): Input => ({
  files: contents.map((content, i) => file(content, i === 0 ? "in.csv" : `in${i + 1}.csv`))
})

export interface Sorted {
  readonly documents: ReadonlyArray<CsvDocument>
  readonly skipped: ReadonlyArray<Skipped>
  readonly findings: ReadonlyArray<Finding>
  readonly readings: ReadonlyArray<Reading>
}

export const read = (content: Input | string | Uint8Array, options: CsvOptions = {}) =>
  Effect.map(
    Stream.runCollect(
      adapter.read(typeof content === "object" && "files" in content ? content : input(content), options)
    ),
    (readings): Sorted => ({
      documents: readings.filter((reading) => reading instanceof CsvDocument),
      skipped: readings.filter((reading) => reading._tag === "Skipped"),
      findings: readings.filter((reading) => reading._tag === "Finding"),
      readings
    })
  )

/** Returns all questions about a file that has more than one possible reading. */
export const questions = (content: Input | string | Uint8Array, options: CsvOptions = {}) =>
  Effect.flatMap(Effect.flip(read(content, options)), ({ reason }) =>
    reason._tag === "ReadingAmbiguous" ? Effect.succeed(reason.questions) : Effect.die(reason)
  )

/**
 * Returns the only question about a file if the operator has stated whether amounts include tax.
 */
export const question = (content: Input | string | Uint8Array, options: CsvOptions = {}) =>
  Effect.flatMap(
    questions(content, { ...options, settings: { amounts: "exclusive", ...options.settings } }),
    ([first, ...others]) => (others.length === 0 ? Effect.succeed(first) : Effect.die(others))
  )

/** Returns a short form of an answer: `dates dmy`, `ask currency`. */
export const answerText = (answer: Answer): string => {
  const [[name, value] = []] = Object.entries("settings" in answer ? answer.settings : answer)
  return `${name} ${String(value)}`
}
