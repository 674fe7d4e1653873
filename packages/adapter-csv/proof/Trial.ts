/** One file of the corpus, read: right, asked about, refused, or guessed wrong. */
import { formatPlain } from "@fiscal-connector/core/document/Money"
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect, Stream } from "effect"
import { adapter } from "../src/CsvAdapter.ts"
import { CsvDocument } from "../src/CsvDocument.ts"
import type { Settings } from "../src/Settings.ts"
import * as Random from "./Random.ts"
import { bytesOf, mapOf, rowsOf, type Style, style as drawStyle, textOf } from "./Rendering.ts"
import { documents as drawDocuments, isoDate, plainText, type Script, type TrueDocument } from "./Truth.ts"

export type Verdict =
  | { readonly is: "read" }
  /** Answered truly, it was read right. */
  | { readonly is: "asked"; readonly about: ReadonlyArray<string> }
  /** Every document in doubt is refused, and for a reason that is there. */
  | { readonly is: "refused"; readonly about: ReadonlyArray<string> }
  | { readonly is: "wrong"; readonly why: string }

export interface Trial {
  readonly style: Style
  readonly bytes: Uint8Array
  readonly truth: ReadonlyArray<TrueDocument>
}

export const trialOf = (seed: number): Trial => {
  const random = Random.make(seed)
  const script = random.pick<Script>(["ascii", "latin", "latin", "chinese", "cyrillic"])
  const truth = drawDocuments(random, script, random.pick(["few", "busy"]))
  const style = drawStyle(random, script)
  return { style, truth, bytes: bytesOf(textOf(rowsOf(truth, style, random), style, random), style) }
}

/** The true answer to each flag. */
const answers = (style: Style): { readonly [flag: string]: Settings } => ({
  "--encoding": { encoding: style.encoding },
  "--delimiter": {
    delimiter: ({ ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const)[style.delimiter]
  },
  "--quotes": { quotes: style.quotes },
  "--dates": { dates: style.dates === "mdy" ? "mdy" : "dmy" },
  "--decimal-mark": { decimalMark: style.decimal },
  "--currency": { currency: "USD" }
})

export const judge = ({ bytes, style, truth }: Trial): Effect.Effect<Verdict> => {
  const file: InputFile = { name: "corpus.csv", bytes: Stream.fromIterable([...chunks(bytes)]) }
  const columns = mapOf(style)
  const attempt = (settings: Settings, asked: ReadonlyArray<string>): Effect.Effect<Verdict> =>
    adapter.read({ files: [file] }, { settings, ...(columns && { columns }) }).pipe(
      Stream.runCollect,
      Effect.map((readings) => compare(readings, truth, style, asked)),
      Effect.catch((error) => answer(error, settings, asked))
    )
  const answer = (error: AdapterError, settings: Settings, asked: ReadonlyArray<string>): Effect.Effect<Verdict> => {
    const { reason } = error
    if (reason._tag !== "ReadingAmbiguous") return Effect.succeed({ is: "wrong", why: error.message })
    const [flag = ""] = reason.readings.map(({ settledBy }) => settledBy.split(" ")[0]!)
    const own = answers(style)[flag]
    const offered = reason.readings.some(({ settledBy }) => own !== undefined && settledBy === `${flag} ${said(own)}`)
    if (asked.includes(flag)) return Effect.succeed({ is: "wrong", why: `asked twice: ${reason.question}` })
    if (own === undefined || !(offered || flag === "--currency")) {
      return Effect.succeed({ is: "wrong", why: `the truth is not offered: ${reason.question}` })
    }
    // numbers by two programs in one file: no single answer reads both, and the person has been told
    if (flag === "--decimal-mark" && style.quantityDecimal !== style.decimal) {
      return Effect.succeed({ is: "asked", about: [flag] })
    }
    return attempt({ ...settings, ...own }, [...asked, flag])
  }
  return attempt({}, [])
}

const said = (settings: Settings): string => String(Object.values(settings)[0])

function* chunks(bytes: Uint8Array) {
  for (let i = 0; i < bytes.length; i += 97) yield bytes.subarray(i, i + 97)
}

const compare = (
  readings: ReadonlyArray<unknown>,
  truth: ReadonlyArray<TrueDocument>,
  style: Style,
  asked: ReadonlyArray<string>
): Verdict => {
  const documents = readings.filter((reading) => reading instanceof CsvDocument)
  const refusals = new Set<string>()
  if (documents.length !== readings.length || documents.length !== truth.length) {
    return {
      is: "wrong",
      why: `${documents.length} documents and ${readings.length} readings of ${truth.length}: ${JSON.stringify(readings.find((reading) => !(reading instanceof CsvDocument)))}`
    }
  }
  for (const document of truth) {
    const read = documents.find(({ number }) => number === document.number)
    if (read === undefined) return { is: "wrong", why: `${document.number} is missing` }
    const errors = read.findings.filter(({ severity }) => severity === "error")
    if (errors.length > 0) {
      const other = errors.find(({ code }) => code !== "CSV_ROWS_REPEATED" || !repeats(document))
      if (other !== undefined)
        return { is: "wrong", why: `${document.number}: ${other.code} ${other.message} ${other.detail ?? ""}` }
      refusals.add("CSV_ROWS_REPEATED")
      continue
    }
    const expected = stated(document, style)
    const found = {
      date: String(read.date),
      customer: read.buyer?.name,
      currency: read.currency,
      lines: read.lines
        .map(({ description, lineAmount, quantity, unitAmount }) =>
          [
            description?.replaceAll(/\r\n?/g, "\n"),
            ...[quantity, unitAmount, lineAmount].map((number) => number && formatPlain(number))
          ].join("|")
        )
        .toSorted()
    }
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
      return { is: "wrong", why: `${JSON.stringify(found)} instead of ${JSON.stringify(expected)}` }
    }
  }
  if (refusals.size > 0) return { is: "refused", about: [...refusals] }
  return asked.length > 0 ? { is: "asked", about: asked } : { is: "read" }
}

const repeats = ({ lines }: TrueDocument): boolean =>
  new Set(lines.map((line) => JSON.stringify(line))).size < lines.length

const stated = (document: TrueDocument, style: Style) => ({
  date: isoDate(document),
  customer: document.customer,
  currency: style.currency === "sign" ? style.sign : "USD",
  lines: document.lines
    .map(({ description, lineAmount, quantity, unitPrice }) =>
      [description, ...[quantity, unitPrice, lineAmount].map(plainText)].join("|")
    )
    .toSorted()
})
