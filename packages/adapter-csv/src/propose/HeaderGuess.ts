/** Finds the probable header of a file without a known layout. Used only for proposals. */
import type { InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect } from "effect"
import type * as Settings from "../columns/Settings.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import { type HeadRecord, records } from "../detect/HeaderSearch.ts"
import * as Opening from "../detect/Opening.ts"
import { ambiguous } from "../detect/Questions.ts"
import { delimiters, type Quotes, type Separator } from "../scan/Dialect.ts"

export interface Guess {
  readonly delimiter: Separator
  readonly record: HeadRecord
  readonly known: number
}

export const openingOf = (file: InputFile, settings: Settings.Settings) =>
  Effect.catchTag(Opening.of(file, settings), "Ambiguity", ({ question }) => Effect.fail(ambiguous([question])))

/**
 * Returns the row with the most known names; if equal or without known names, the row with more
 * cells.
 */
export const bestHeader = (
  opening: Opening.Opening,
  quotes: Quotes,
  delimiter: Separator | undefined,
  headerLine: number | undefined
): Guess | undefined => {
  const guesses = (delimiter === undefined ? delimiters : [delimiter])
    .flatMap((delimiter) =>
      records({ ...opening, quotes, delimiter }, delimiter).map((record): Guess => ({
        delimiter,
        record,
        known: record.cells.filter((cell) => meaningOf(cell) !== undefined).length
      }))
    )
    .filter(({ record }) => record.cells.length > 2 && (headerLine === undefined || record.line === headerLine))
    .toSorted((a, b) => b.known - a.known || b.record.cells.length - a.record.cells.length)
  return guesses.find(({ known }) => headerLine !== undefined || known > 1) ?? guesses.find(isAllNames)
}

/** Returns true if every cell could be a column name. */
const isAllNames = ({ record: { cells } }: Guess): boolean =>
  new Set(cells).size === cells.length && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))
