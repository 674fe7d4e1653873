import { Result } from "effect"
import { bind, type Binding, bound } from "../columns/Binding.ts"
import * as Families from "./Families.ts"
import * as FigureColumns from "./FigureColumns.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { cellsIn, type ColumnMap, columnsOf, over, type WholeMap } from "../columns/ColumnMap.ts"
import { cellEnd, delimiterName, delimiters, type Quotes, type Separator } from "../scan/Dialect.ts"
import type { Encoding } from "../scan/Encoding.ts"
import { columnsNamed, type HeaderIndex, indexOf, isNameless, nameless, trimmed } from "../columns/Header.ts"
import * as SharedColumns from "../columns/SharedColumns.ts"
import type { Preset } from "../formats/Preset.ts"
import { presets } from "../formats/Presets.ts"
import { Scanner } from "../scan/Scanner.ts"

const depth = 40

export interface FileHead {
  readonly head: Uint8Array
  readonly encoding: Encoding
  readonly quotes: Quotes
  readonly delimiter: Separator | undefined
  readonly start: { readonly offset: number; readonly line: number }
}

export interface Search extends FileHead {
  readonly headerLine: number | undefined
  readonly map: ColumnMap | undefined
  readonly layout: string | undefined
}

export interface SearchResult {
  readonly found: ReadonlyArray<FoundHeader>
  readonly nearest: string | undefined
}

interface Match {
  readonly name: string
  readonly layout: string
  readonly map: WholeMap
  readonly dates: "days" | undefined
  readonly binding: Result.Result<Binding, ReadonlyArray<string>>
}

export const search = (what: Search): SearchResult => {
  const found: Array<FoundHeader> = []
  let nearest: { readonly problems: number; readonly problem: string } | undefined
  for (const delimiter of what.delimiter === undefined ? delimiters : [what.delimiter]) {
    const head = records(what, delimiter)
    for (const { cells, count, line } of what.headerLine === 0 ? namelessIn(head) : head) {
      if (what.headerLine !== undefined && what.headerLine > 0 && line !== what.headerLine) continue
      const before = found.length
      for (const { binding, ...match } of matches(what, cells)) {
        if (Result.isSuccess(binding)) {
          const widest = Math.max(count, usualCount(head.filter((record) => record.line > line)))
          const widened = Families.widened({ binding: binding.success, cells })
          found.push({ ...match, binding: widened, delimiter, line, cells, widest })
        } else if (cells.length > 1 && (nearest === undefined || binding.failure.length < nearest.problems)) {
          const read = delimiter === cellEnd ? "" : `read with ${delimiterName(delimiter)}s, `
          const problem = `${read}line ${line} is not a header of the ${match.name}: ${binding.failure.join("; ")}`
          nearest = { problems: binding.failure.length, problem }
        }
      }
      if (found.length > before) break
    }
  }
  return { found, nearest: nearest?.problem }
}

export const namelessIn = (head: ReadonlyArray<HeadRecord>): ReadonlyArray<HeadRecord> => {
  const named = head.find(({ cells }) => isNameless(cells))
  const count = usualCount(head)
  return named !== undefined
    ? [named]
    : [{ line: 0, count, cells: Array.from({ length: count }, (_, i) => nameless(i)) }]
}

const matches = ({ layout, map }: Search, cells: ReadonlyArray<string>): ReadonlyArray<Match> => {
  const index = indexOf(cells)
  if (map !== undefined && isWhole(map, layout)) {
    const binding = Result.flatMap(bind(map, index, "refused"), (whole) => SharedColumns.refused(whole, cells))
    return [{ name: "column map", layout: "", map, dates: undefined, binding }]
  }
  const named = map?.base ?? layout
  return presets
    .filter((preset) => (named === undefined || preset.name === named) && isHeaderOf(preset, index))
    .map(({ dates, map: known, name, title }) => {
      const common = { layout: name, dates }
      const read = (whole: WholeMap) => FigureColumns.reading(whole, index, cells)
      if (map === undefined) {
        const whole = read(known)
        return { ...common, name: title, map: whole, binding: bind(whole, index, "allowed") }
      }
      const laid = read(over(known, map))
      return {
        ...common,
        name: `${title} under a column map`,
        map: laid,
        binding: bindOver(known, map, laid, index, cells)
      }
    })
}

/**
 * True if the map is complete; a map without a column for the number extends the file's
 * layout.
 */
const isWhole = (map: ColumnMap, layout: string | undefined): map is ColumnMap & WholeMap =>
  map.base === undefined && layout === undefined && map.columns?.number !== undefined

/**
 * Binds a map over a known layout. Columns of the operator must exist and state one thing; columns
 * of the layout alone may be missing.
 */
const bindOver = (
  known: WholeMap,
  map: ColumnMap,
  laid: WholeMap,
  index: HeaderIndex,
  cells: ReadonlyArray<string>
) => {
  // a layout may have several names for its number
  const [first, ...others] = columnsOf(known.columns.number).filter((column) => cellsIn(index, [column]).size > 0)
  const columns = { ...(first !== undefined && { number: [first, ...others] as const }), ...map.columns }
  const own = bind({ version: 1, columns }, index, "refused")
  return Result.flatMap(own, (named) =>
    Result.flatMap(bind(laid, index, "allowed"), (whole) => SharedColumns.refused(whole, cells, bound(named)))
  )
}

const isHeaderOf = ({ requires, without }: Preset, index: HeaderIndex): boolean => {
  const has = (name: string) => columnsNamed(index, name).length > 0
  return requires.every(has) && !(without ?? []).some(has)
}

const usualCount = (records: ReadonlyArray<HeadRecord>): number => {
  const times = new Map<number, number>()
  for (const { count } of records) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

export interface HeadRecord {
  readonly line: number
  readonly count: number
  readonly cells: ReadonlyArray<string>
}

export const records = (what: FileHead, delimiter: Separator, most = depth): ReadonlyArray<HeadRecord> => {
  const found: Array<HeadRecord> = []
  const dialect = { delimiter, quotes: what.quotes }
  const scanner = new Scanner({ dialect, encoding: what.encoding, ...what.start }, (record) => {
    if (found.length >= most || record.blank || record.fault !== undefined) return
    const cells = record.cells().map((cell) => cell.trim())
    found.push({ line: record.line, count: record.count, cells: trimmed(cells) })
  })
  scanner.write(what.head)
  scanner.finish()
  return found
}
