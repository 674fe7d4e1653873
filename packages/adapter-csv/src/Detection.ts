/** Settles how a file is read: what the person said, else what the whole file allows in exactly one way, else a question. */
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import { Effect, Stream } from "effect"
import { bound, cellsOfDocument } from "./Binding.ts"
import * as ByteSource from "./ByteSource.ts"
import type { CsvOptions } from "./CsvAdapter.ts"
import { CsvFinding } from "./CsvFinding.ts"
import * as DateForm from "./DateForm.ts"
import { type Delimiter, delimiterName, type Quotes } from "./Dialect.ts"
import { byteOrderMark, decode, type Encoding } from "./Encoding.ts"
import { EncodingEvidence } from "./EncodingEvidence.ts"
import * as Family from "./Family.ts"
import { columnNames } from "./Header.ts"
import * as DecimalMarks from "./DecimalMarks.ts"
import * as FigureForms from "./FigureForms.ts"
import { type FoundHeader, search } from "./HeaderSearch.ts"
import type { Decision, Interpretation, Layout } from "./Interpretation.ts"
import type { Joining } from "./OpenDocuments.ts"
import { ambiguous, unreadable } from "./Questions.ts"
import { isReasonColumn } from "./RefusedRows.ts"
import * as Settings from "./Settings.ts"
import * as Survey from "./Survey.ts"
import * as Vocabulary from "./Vocabulary.ts"

const headSize = 1 << 16

export interface Detected {
  readonly how: Interpretation
  /** About the file as a whole. */
  readonly findings: ReadonlyArray<Finding.Finding>
  readonly joining: Joining
}

/** Fails with the question, the competing readings and the flag that settles it; nothing has been read as a document then. */
export const detect = (file: InputFile, options: CsvOptions): Effect.Effect<Detected, AdapterError> =>
  Effect.gen(function* () {
    const settings: Settings.Settings = { ...options.columns?.settings, ...options.settings }
    const decisions: Array<Decision> = []
    const decide = (about: string, reading: string, because: string) => decisions.push({ about, reading, because })
    const opening = yield* openingOf(file, settings)
    decide("encoding", opening.encoding, opening.because)
    const header = yield* headerOf(file, opening, settings, options)
    decide("header", `line ${header.line}, ${header.name}, ${delimiterName(header.delimiter)}`, "its names are known")
    const layout = header.map.layout ?? "rows"
    const own: Settings.Settings = { ...header.map.settings, ...settings }
    const place = { file, header, encoding: opening.encoding, start: opening.start }
    const surveyed = isSettled(own, header)
      ? undefined
      : yield* Survey.survey({ ...place, quotes: own.quotes ?? "doubled" }, own)
    const quotes = yield* quotesOf(own, surveyed?.backslashes ?? false, place)
    // the columns have to be looked at again when quotes are not as they were taken at first
    const evidence =
      surveyed === undefined || quotes === "doubled" || own.quotes !== undefined
        ? surveyed
        : yield* Survey.survey({ ...place, quotes }, own)
    const dateOrder = yield* FigureForms.dateOrder(file.name, own, header, evidence, decide)
    const decimalMarks = yield* DecimalMarks.settle(file.name, own, header, evidence, decide)
    yield* FigureForms.checkCurrency(file.name, own, evidence)
    const { cells } = header
    const how: Interpretation = {
      origin: {
        file: file.name,
        dialect: { delimiter: header.delimiter, quotes },
        encoding: opening.encoding,
        header: cells,
        headerLine: settings.headerLine,
        columns: columnNames(cells)
      },
      start: opening.start,
      headerLine: header.line,
      layout,
      binding: header.binding,
      vocabulary: Vocabulary.make(header.map),
      decimalMarks,
      readDate: DateForm.reader({
        order: dateOrder,
        utc: cellsOfDocument(header.binding, "date").some((cell) => /\(utc\)/i.test(cells[cell] ?? "")),
        year: own.year
      }),
      groups: layout === "report" ? (header.map.groups ?? "customerName") : undefined,
      settings: own,
      decisions
    }
    const findings = ignoredColumns(file, header)
    return { how, findings, joining: yield* joiningOf(own, layout, evidence, { ...place, quotes }) }
  })

/** How many rows may stand between two rows of one document, where the file is read in one pass. */
export const window = 250

/** In one pass within the window; when the file has been looked at, as far apart as its rows stand. */
const joiningOf = (
  { grouping }: Settings.Settings,
  layout: Layout,
  evidence: Survey.Surveyed | undefined,
  place: Survey.Place
): Effect.Effect<Joining, AdapterError> => {
  // a report's groups hold their documents together
  if (layout === "report") return Effect.succeed({ window: Infinity, surely: "so" })
  if (grouping === "window" || (evidence === undefined && grouping === undefined)) {
    return Effect.succeed({ window, surely: "unless a row comes too late" })
  }
  const keys = evidence === undefined ? Survey.keys(place) : Effect.succeed(evidence.keys)
  return Effect.map(keys, ({ lastRows, widestGap }): Joining =>
    widestGap <= window ? { window: widestGap, surely: "so" } : { lastRows }
  )
}

/** In our own layout every column has a meaning: one that has none is probably misspelt. */
const ignoredColumns = (
  file: InputFile,
  { binding, cells, layout, line }: FoundHeader
): ReadonlyArray<Finding.Finding> => {
  if (layout !== "plain") return []
  const read = bound(binding)
  const ignored = cells.filter((name, cell) => name !== "" && !read.has(cell) && !isReasonColumn(name))
  if (ignored.length === 0) return []
  const message = `The plain layout has no column ${ignored.map((name) => `"${name}"`).join(", ")}`
  return [Finding.make(CsvFinding.CSV_COLUMNS_IGNORED, { message, at: { file: file.name, line } })]
}

/** Whether nothing is left that only the file could say. */
const isSettled = (settings: Settings.Settings, { binding }: FoundHeader): boolean =>
  settings.quotes !== undefined &&
  settings.decimalMark !== undefined &&
  settings.dates !== undefined &&
  settings.grouping !== undefined &&
  (settings.currency !== undefined || cellsOfDocument(binding, "currency").length > 0)

export interface Opening {
  readonly encoding: Encoding
  readonly because: string
  /** The first record: after a byte order mark and a `sep=` line. */
  readonly start: { readonly offset: number; readonly line: number }
  /** The first bytes from there on, as the scanner reads them. */
  readonly head: Uint8Array
  /** What a `sep=` line says. */
  readonly delimiter: Delimiter | undefined
}

/** A byte order mark goes before what the person said: a file of refused rows has one, whatever the source was. */
export const openingOf = (file: InputFile, settings: Settings.Settings): Effect.Effect<Opening, AdapterError> =>
  Effect.gen(function* () {
    const head = yield* ByteSource.head(file, headSize)
    if (head.length === 0) return yield* unreadable(file.name, "the file is empty", "Export it again")
    const mark = byteOrderMark(head)
    const [encoding, because] =
      mark !== undefined
        ? [mark.encoding, "the file begins with its byte order mark"]
        : settings.encoding !== undefined
          ? [settings.encoding, "settled by --encoding or the column map"]
          : yield* encodingOf(file)
    const text = ByteSource.scannableHead(head.subarray(mark?.length ?? 0), encoding)
    const line = /^"?sep=(?<delimiter>[,;|\t])"?(?:\r\n|\r|\n)/i.exec(decode(latin1(text.subarray(0, 16)), "utf-8"))
    const length = line?.[0].length ?? 0
    const width = encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1
    return {
      encoding,
      because,
      start: { offset: (mark?.length ?? 0) + length * width, line: line === null ? 1 : 2 },
      head: text.subarray(length),
      delimiter: line?.groups?.["delimiter"] as Delimiter | undefined
    }
  })

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

const encodingOf = (file: InputFile): Effect.Effect<readonly [Encoding, string], AdapterError> =>
  Effect.gen(function* () {
    const evidence = new EncodingEvidence()
    yield* Stream.runForEach(file.bytes, (chunk) => Effect.sync(() => evidence.take(chunk)))
    evidence.finish()
    const plausible = evidence.plausible()
    const [encoding, other] = plausible
    if (encoding !== undefined && other === undefined) {
      return [encoding, evidence.ascii ? "it is plain ASCII" : "no other encoding gives plausible text"]
    }
    const competing: ReadonlyArray<Encoding> = plausible.length > 0 ? plausible : ["windows-1252", "gbk", "utf-8"]
    return yield* ambiguous(
      file.name,
      plausible.length > 0
        ? "more than one encoding gives plausible text"
        : "no encoding is certain: its bytes are no UTF-8, and neither Western nor Chinese text beyond doubt",
      competing.map((encoding) => ({
        reading: encoding,
        examples: evidence.examples.map((bytes) => decode(latin1(bytes), encoding)),
        settledBy: `--encoding ${encoding}`
      }))
    )
  })

const headerOf = (
  file: InputFile,
  opening: Opening,
  settings: Settings.Settings,
  options: CsvOptions
): Effect.Effect<FoundHeader, AdapterError> => {
  const what = {
    head: opening.head,
    encoding: opening.encoding,
    quotes: settings.quotes ?? ("doubled" as const),
    delimiter: Settings.delimiter(settings) ?? opening.delimiter,
    headerLine: settings.headerLine,
    map: options.columns,
    layout: options.layout,
    start: opening.start
  }
  const { found, nearest } = search(what)
  const [header, other] = found
  if (header !== undefined && other === undefined) return Effect.succeed(header)
  if (header !== undefined) {
    const sameDelimiter = found.every(({ delimiter }) => delimiter === header.delimiter)
    return Effect.fail(
      ambiguous(
        file.name,
        "the header can be read in more than one way",
        found.map(({ cells, delimiter, layout, name }) => ({
          reading: `${name}, cells separated by ${delimiterName(delimiter)}`,
          examples: cells.slice(0, 3),
          settledBy: sameDelimiter ? `--layout ${layout}` : `--delimiter ${delimiterName(delimiter)}`
        }))
      )
    )
  }
  const family = options.columns === undefined ? Family.recognise(what) : undefined
  if (family !== undefined) return Effect.fail(unreadable(file.name, family.problem, family.fix))
  return Effect.fail(
    nearest === undefined
      ? unreadable(
          file.name,
          "no row among the first 40 is a header we know",
          "Name the columns with --columns FILE; `connector columns csv FILE` proposes one"
        )
      : unreadable(
          file.name,
          nearest,
          "Correct the header or the column map; names are compared without case, spaces and punctuation"
        )
  )
}

const quotesOf = (
  settings: Settings.Settings,
  backslashes: boolean,
  place: Omit<Survey.Place, "quotes">
): Effect.Effect<Quotes, AdapterError> =>
  Effect.gen(function* () {
    if (settings.quotes !== undefined || !backslashes) return settings.quotes ?? "doubled"
    const doubled = yield* Survey.tryQuotes(place, "doubled")
    const backslash = yield* Survey.tryQuotes(place, "backslash")
    if (doubled.digest === backslash.digest && doubled.troubles === backslash.troubles) return "doubled"
    const sound = [doubled, backslash].filter(({ troubles }) => troubles === 0)
    const [only, other] = sound
    if (only !== undefined && other === undefined) return only.quotes
    return yield* ambiguous(
      place.file.name,
      "quoted cells hold backslashes: do they escape the character after them, or are they text?",
      [doubled, backslash].map(({ examples, quotes, troubles }) => ({
        reading: `${quotes === "doubled" ? 'a quote is written ""' : 'a quote is written \\"'} (${troubles} broken rows)`,
        examples,
        settledBy: `--quotes ${quotes}`
      }))
    )
  })
