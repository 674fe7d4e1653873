/** Finds the header of a file: the row, the delimiter and the preset or column map under which its columns are known. */
import { Result } from "effect"
import { bind, type Binding } from "../columns/Binding.ts"
import type { ColumnMap } from "../columns/ColumnMap.ts"
import { type Delimiter, delimiterName, delimiters, type Quotes } from "../scan/Dialect.ts"
import type { Encoding } from "../scan/Encoding.ts"
import { columnsNamed, type HeaderIndex, indexOf, trimmed } from "../columns/Header.ts"
import { type Preset, presets } from "../columns/Preset.ts"
import { Scanner } from "../scan/Scanner.ts"

/** How many records are looked at for a header. */
const depth = 40

export interface FoundHeader {
  readonly delimiter: Delimiter
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** How many cells a row may have: more than the header's, blank ones, where it is usual in this file. */
  readonly widest: number
  /** For people. */
  readonly name: string
  /** The preset's name. */
  readonly layout: string
  readonly map: ColumnMap
  readonly binding: Binding
}

export interface Head {
  /** The first bytes of the file as the scanner reads them, from `start` on. */
  readonly head: Uint8Array
  readonly encoding: Encoding
  readonly quotes: Quotes
  /** Settled, or every delimiter is tried. */
  readonly delimiter: Delimiter | undefined
  readonly start: { readonly offset: number; readonly line: number }
}

export interface Search extends Head {
  readonly headerLine: number | undefined
  /** A person's column map; without one the presets are tried. */
  readonly map: ColumnMap | undefined
  /** The one preset to try. */
  readonly layout: string | undefined
}

export interface SearchResult {
  /** Every way in which some row is a header that we know; per delimiter the first such row. */
  readonly found: ReadonlyArray<FoundHeader>
  /** What is wrong with the row that comes nearest. */
  readonly nearest: string | undefined
}

interface Match {
  readonly name: string
  readonly layout: string
  readonly map: ColumnMap
  readonly binding: Result.Result<Binding, ReadonlyArray<string>>
}

export const search = (what: Search): SearchResult => {
  const found: Array<FoundHeader> = []
  let nearest: { readonly problems: number; readonly said: string } | undefined
  for (const delimiter of what.delimiter === undefined ? delimiters : [what.delimiter]) {
    const head = records(what, delimiter)
    for (const { cells, count, line } of head) {
      if (what.headerLine !== undefined && line !== what.headerLine) continue
      const before = found.length
      for (const { binding, ...match } of matches(what, cells)) {
        if (Result.isSuccess(binding)) {
          const widest = Math.max(count, usualCount(head.filter((record) => record.line > line)))
          found.push({ ...match, binding: binding.success, delimiter, line, cells, widest })
        } else if (cells.length > 1 && (nearest === undefined || binding.failure.length < nearest.problems)) {
          const said = `read with ${delimiterName(delimiter)}s, line ${line} is no header of the ${match.name}: ${binding.failure.join("; ")}`
          nearest = { problems: binding.failure.length, said }
        }
      }
      if (found.length > before) break
    }
  }
  return { found, nearest: nearest?.said }
}

const matches = ({ layout, map }: Search, cells: ReadonlyArray<string>): ReadonlyArray<Match> => {
  const index = indexOf(cells)
  if (map !== undefined) return [{ name: "column map", layout: "", map, binding: bind(map, index, "refused") }]
  return presets
    .filter((preset) => (layout === undefined || preset.name === layout) && isHeaderOf(preset, index))
    .map(({ map, name, title }) => ({ name: title, layout: name, map, binding: bind(map, index, "allowed") }))
}

const isHeaderOf = ({ requires, without }: Preset, index: HeaderIndex): boolean => {
  const has = (name: string) => columnsNamed(index, name).length > 0
  return requires.every(has) && !(without ?? []).some(has)
}

/** The count of cells that most records have. */
export const usualCount = (records: ReadonlyArray<HeadRecord>): number => {
  const times = new Map<number, number>()
  for (const { count } of records) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

export interface HeadRecord {
  readonly line: number
  /** Of all cells, blank ones at the end included. */
  readonly count: number
  readonly cells: ReadonlyArray<string>
}

/** The first records of a file, as far as they can be read, without blank cells at their end. */
export const records = (what: Head, delimiter: Delimiter): ReadonlyArray<HeadRecord> => {
  const found: Array<HeadRecord> = []
  const dialect = { delimiter, quotes: what.quotes }
  const scanner = new Scanner({ dialect, encoding: what.encoding, ...what.start }, (record) => {
    if (found.length >= depth || record.blank || record.fault !== undefined) return
    const cells = record.cells().map((cell) => cell.trim())
    found.push({ line: record.line, count: record.count, cells: trimmed(cells) })
  })
  scanner.write(what.head)
  scanner.finish()
  return found
}
