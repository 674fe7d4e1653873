import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import { delimiter as delimiterOf, type Settings } from "../columns/Settings.ts"
import { namedIn } from "../detect/Families.ts"
import { type HeadRecord, namelessIn, records } from "../detect/HeaderSearch.ts"
import * as Opening from "../detect/Opening.ts"
import { ambiguous } from "../detect/Questions.ts"
import * as UnsupportedFormat from "../detect/UnsupportedFormat.ts"
import * as ByteSource from "../scan/ByteSource.ts"
import { cellEnd, delimiters, type Quotes, type Separator } from "../scan/Dialect.ts"
import { isDate } from "./SampleColumns.ts"
import { figure } from "./Equations.ts"

export interface Guess {
  readonly delimiter: Separator
  readonly record: HeadRecord
  readonly known: number
  /** `shown`: the cells below are dates and figures, and those of this line only are not. */
  readonly names?: "shown"
}

interface HeaderCandidate extends Guess {
  readonly below: ReadonlyArray<HeadRecord>
}

export const openingOf = (file: Adapter.InputFile, settings: Settings) =>
  Effect.catchTag(Opening.of(file, settings), "Ambiguity", ({ question }) => Effect.fail(ambiguous([question])))

export interface OpenedSample extends Opening.FileOpening {
  readonly file: Adapter.InputFile
  readonly quotes: Quotes
  readonly headerLine: number | undefined
}

export const opened = (
  input: Adapter.InputFile,
  settings: Settings
): Effect.Effect<OpenedSample, Adapter.AdapterError> => {
  const file = ByteSource.decompressed(input)
  return Effect.map(openingOf(file, settings), (opening) => ({
    ...opening,
    file,
    quotes: settings.quotes ?? "doubled",
    headerLine: settings.headerLine,
    delimiter: opening.delimiter === cellEnd ? cellEnd : (delimiterOf(settings) ?? opening.delimiter)
  }))
}

/** Opens a file of invoices. Fails with the question what the file is, if that is open. */
export const invoicesOf = (
  input: Adapter.InputFile,
  settings: Settings
): Effect.Effect<OpenedSample, Adapter.AdapterError> =>
  Effect.tap(opened(input, settings), (what) => UnsupportedFormat.check(what, { file: what.file, settings }))

/**
 * Returns the row with the most known names; if equal or without known names, the row with more
 * cells.
 */
export const bestHeader = (what: OpenedSample): Guess | undefined => bestOf(what, guessesIn(what))

const bestOf = ({ headerLine }: OpenedSample, guesses: ReadonlyArray<HeaderCandidate>): Guess | undefined =>
  guesses.find(({ known }) => headerLine !== undefined || known > 1) ?? guesses.find(isAllNames)

/**
 * Returns the row to offer as the header to an operator, who decides: also a row of any texts above
 * dates and figures, or the columns by their places.
 */
export const likelyHeader = (what: OpenedSample): Guess | undefined => {
  const guesses = guessesIn(what)
  const over = guesses.filter(isOverFigures)
  const best = bestOf(what, guesses) ?? over[0]
  if (best === undefined) return withoutHeader(what)
  const [only, other] = over.filter(({ delimiter }) => delimiter === best.delimiter)
  return other === undefined && only?.record.line === best.record.line ? { ...best, names: "shown" } : best
}

const guessesIn = (what: OpenedSample): ReadonlyArray<HeaderCandidate> =>
  (what.delimiter === undefined ? delimiters : [what.delimiter])
    .flatMap((delimiter) => {
      const all = records(what, delimiter)
      return all.map((record, i): HeaderCandidate => ({
        delimiter,
        record,
        known: namedIn(record.cells).filter(({ meaning }) => meaning !== undefined).length,
        below: all.slice(i + 1)
      }))
    })
    .filter(
      ({ record }) => record.cells.length > 2 && (what.headerLine === undefined || record.line === what.headerLine)
    )
    .toSorted((a, b) => b.known - a.known || b.record.cells.length - a.record.cells.length)

/**
 * Returns the columns of a file without a header, called by their places. The delimiter is the one
 * with the most columns. Undefined if a row has fewer than three cells.
 */
export const withoutHeader = (what: OpenedSample): Guess | undefined => {
  const [widest] = (what.delimiter === undefined ? delimiters : [what.delimiter])
    .flatMap((delimiter) => {
      const [record] = namelessIn(records(what, delimiter))
      return record === undefined ? [] : [{ delimiter, record, known: 0 }]
    })
    .toSorted((a, b) => b.record.cells.length - a.record.cells.length)
  return widest === undefined || widest.record.cells.length < 3 ? undefined : widest
}

const isAllNames = ({ record: { cells } }: Guess): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))

const isValue = (text: string): boolean => isDate(text) || figure(text) !== undefined

const fewestColumns = 2

const isOverFigures = ({ below, record: { cells } }: HeaderCandidate): boolean => {
  if (below.length === 0 || cells.some(isValue)) return false
  const ofValues = cells.filter((name, cell) => {
    const texts = below.map((record) => record.cells[cell] ?? "").filter((text) => text !== "")
    return name !== "" && texts.length > 0 && texts.every(isValue)
  })
  return ofValues.length >= fewestColumns
}
