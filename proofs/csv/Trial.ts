/** Reads one file of the corpus: read correctly, asked about, refused, or guessed wrong. */
import { formatPlain } from "../../packages/core/src/document/Money.ts"
import type { AdapterError, InputFile, Question, Reading } from "../../packages/core/src/source/Adapter.ts"
import { Effect, Stream } from "effect"
import { adapter, type CsvOptions } from "../../packages/adapter-csv/src/CsvAdapter.ts"
import { CsvDocument } from "../../packages/adapter-csv/src/documents/CsvDocument.ts"
import type { Settings } from "../../packages/adapter-csv/src/columns/Settings.ts"
import * as Random from "../Random.ts"
import { bytesOf, mapOf, rowsOf, type Style, style as drawStyle, textOf, withMarks } from "./Rendering.ts"
import { documents as drawDocuments, isoDate, plainText, type Script, type TrueDocument } from "./Truth.ts"

export type Verdict =
  | { readonly is: "read" }
  /** The file was read correctly after true answers. */
  | { readonly is: "asked"; readonly about: ReadonlyArray<string> }
  /** Every doubtful document is refused, for a true reason. */
  | { readonly is: "refused"; readonly about: ReadonlyArray<string> }
  | { readonly is: "wrong"; readonly why: string }

export interface Trial {
  readonly style: Style
  readonly bytes: Uint8Array
  /** Draws the same documents as rows of another style. */
  readonly rowsIn: (style: Style) => ReadonlyArray<ReadonlyArray<string>>
  readonly truth: ReadonlyArray<TrueDocument>
}

export const trialOf = (seed: number): Trial => {
  const random = Random.make(seed)
  const script = random.pick<Script>(["ascii", "latin", "latin", "chinese", "cyrillic"])
  const truth = drawDocuments(random, script, random.pick(["few", "busy"]))
  const style = drawStyle(random, script)
  return {
    style,
    truth,
    bytes: bytesOf(textOf(rowsOf(truth, style, random), style, random), style),
    rowsIn: (style) => rowsOf(truth, style, Random.make(seed))
  }
}

/** Returns the true answer to each question, by its name. */
const answers = (style: Style): { readonly [id: string]: Settings } => ({
  encoding: { encoding: style.encoding },
  header: { delimiter: ({ ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const)[style.delimiter] },
  quotes: { quotes: style.quotes },
  dates: { dates: style.dates === "mdy" ? "mdy" : "dmy" },
  decimalMark: { decimalMark: style.decimal },
  currency: { currency: "USD" },
  amounts: { amounts: "exclusive" }
})

/** Answers so far, and the names of the questions. */
interface Answered {
  readonly options: CsvOptions
  readonly asked: ReadonlyArray<string>
}

export const judge = (trial: Trial): Effect.Effect<Verdict> => {
  const file: InputFile = { name: "corpus.csv", bytes: Stream.fromIterable([...chunks(trial.bytes)]) }
  return judgeBy(trial, (options) => adapter.read({ files: [file] }, options))
}

/** Judges a trial. `read`: reads the trial's file, in whatever format. */
export const judgeBy = (
  { style, truth }: Pick<Trial, "style" | "truth">,
  read: (options: CsvOptions) => Stream.Stream<Reading, AdapterError>
): Effect.Effect<Verdict> => {
  const columns = mapOf(style)
  const attempt = ({ asked, options }: Answered): Effect.Effect<Verdict> =>
    read(options).pipe(
      Stream.runCollect,
      Effect.map((readings) => compare(readings, truth, style, asked)),
      Effect.catch(({ message, reason }) => {
        if (reason._tag !== "ReadingAmbiguous") return Effect.succeed<Verdict>({ is: "wrong", why: message })
        let answered: Answered | string = { asked, options }
        for (const question of reason.questions) {
          answered = answer(question, style, answered)
          if (typeof answered === "string") return Effect.succeed<Verdict>({ is: "wrong", why: answered })
        }
        return attempt(answered)
      })
    )
  return attempt({ options: columns === undefined ? {} : { columns }, asked: [] })
}

/** Returns the answers with one more true answer, or the reason why none can be given. */
const answer = (
  { id, question, readings }: Question,
  style: Style,
  { asked, options }: Answered
): Answered | string => {
  const [name = ""] = id.split(" ")
  const byMap = readings.some(({ answer }) => "columns" in answer)
  // Two programs wrote numbers in one file: the column map assigns the decimal marks.
  if (byMap || (name === "decimalMark" && style.quantityDecimal !== style.decimal)) {
    if (asked.includes("marks by column")) return `asked twice: ${question}`
    return { options: { ...options, columns: withMarks(style) }, asked: [...asked, "marks by column"] }
  }
  const own = answers(style)[name]
  const offered = readings.some(
    ({ answer }) => own !== undefined && "settings" in answer && JSON.stringify(answer.settings) === JSON.stringify(own)
  )
  if (asked.includes(name)) return `asked twice: ${question}`
  if (own === undefined || !(offered || name === "currency")) return `the truth is not offered: ${question}`
  return { options: { ...options, settings: { ...options.settings, ...own } }, asked: [...asked, name] }
}

function* chunks(bytes: Uint8Array) {
  for (let i = 0; i < bytes.length; i += 97) yield bytes.subarray(i, i + 97)
}

/** The finding that shows the encoding of the file, beside its documents. */
/** Returns true for a finding about the whole file: its encoding, and what is not read. */
const isOfFile = (reading: unknown): boolean =>
  typeof reading === "object" &&
  reading !== null &&
  "code" in reading &&
  (reading.code === "CSV_ENCODING" || reading.code === "STATEMENTS_NOT_READ")

const compare = (
  read: ReadonlyArray<unknown>,
  truth: ReadonlyArray<TrueDocument>,
  style: Style,
  asked: ReadonlyArray<string>
): Verdict => {
  const readings = read.filter((reading) => !isOfFile(reading))
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
        .map(({ description, lineAmount, quantity, unitPrice }) =>
          [
            description?.replaceAll(/\r\n?/g, "\n"),
            ...[quantity, unitPrice, lineAmount].map((number) => number && formatPlain(number))
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
