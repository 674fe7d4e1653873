/** Finds the header of a file: the row, the delimiter and the preset or column map under which its columns are known. */
import { Result } from "effect"
import { bind, type Binding } from "./Binding.ts"
import type { ColumnMap } from "./ColumnMap.ts"
import { delimiters, type Delimiter, type Quotes } from "./Dialect.ts"
import type { Encoding } from "./Encoding.ts"
import { columnsNamed, trimmed } from "./Header.ts"
import { type Preset, presets } from "./Preset.ts"
import { Scanner } from "./Scanner.ts"

/** How many records are looked at for a header. */
const depth = 40

export interface FoundHeader {
  readonly delimiter: Delimiter
  readonly line: number
  readonly cells: ReadonlyArray<string>
  readonly name: string
  readonly map: ColumnMap
  readonly binding: Binding
}

export interface Search {
  readonly head: Uint8Array
  readonly encoding: Encoding
  readonly quotes: Quotes
  /** Settled, or every delimiter is tried. */
  readonly delimiter: Delimiter | undefined
  readonly headerLine: number | undefined
  /** A person's column map; without one every preset is tried. */
  readonly map: ColumnMap | undefined
  readonly start: { readonly offset: number; readonly line: number }
}

/** Every way in which some row is a header that we know. */
export const search = (what: Search): ReadonlyArray<FoundHeader> => {
  const tried = what.delimiter === undefined ? delimiters : [what.delimiter]
  return tried.flatMap((delimiter) => {
    for (const { cells, line } of records(what, delimiter)) {
      if (what.headerLine !== undefined && line !== what.headerLine) continue
      const found = what.map === undefined ? byPreset(cells) : byMap(cells, what.map)
      if (found.length > 0) return found.map((match) => ({ delimiter, line, cells, ...match }))
    }
    return []
  })
}

interface HeadRecord {
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** The first records of a file, as far as they can be read. */
export const records = (what: Search, delimiter: Delimiter): ReadonlyArray<HeadRecord> => {
  const found: Array<HeadRecord> = []
  const dialect = { delimiter, quotes: what.quotes }
  const scanner = new Scanner({ dialect, encoding: what.encoding, ...what.start }, (record) => {
    if (found.length >= depth || record.blank || record.fault !== undefined) return
    const cells = Array.from({ length: record.count }, (_, cell) => record.cell(cell).trim())
    found.push({ line: record.line, cells: trimmed(cells) })
  })
  scanner.write(what.head)
  scanner.finish()
  return found
}

const has = (cells: ReadonlyArray<string>, name: string) => columnsNamed(cells, name).length > 0

const byPreset = (cells: ReadonlyArray<string>) =>
  presets.flatMap((preset) => (matches(preset, cells) ? bound(preset.title, preset.map, cells, "allowed") : []))

const matches = ({ requires, without }: Preset, cells: ReadonlyArray<string>): boolean =>
  requires.every((name) => has(cells, name)) && !(without ?? []).some((name) => has(cells, name))

const byMap = (cells: ReadonlyArray<string>, map: ColumnMap) => bound("column map", map, cells, "refused")

const bound = (name: string, map: ColumnMap, cells: ReadonlyArray<string>, missing: "allowed" | "refused") =>
  Result.match(bind(map, cells, missing), {
    onFailure: () => [],
    onSuccess: (binding) => [{ name, map, binding }]
  })
