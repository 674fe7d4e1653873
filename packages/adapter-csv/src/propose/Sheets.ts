/** Relation of the sheets of a workbook: one list, parts of the same documents, or unrelated. */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import type { Settings } from "../columns/Settings.ts"
import { normalize } from "../columns/Header.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import * as FileStructure from "../detect/FileStructure.ts"
import { cellEnd } from "../scan/Dialect.ts"
import { family } from "../detect/Titles.ts"
import { isDate } from "../values/DateForm.ts"
import { openingOf } from "./HeaderGuess.ts"
import * as SerialDay from "../values/SerialDay.ts"
import type { Table } from "../scan/Table.ts"

/**
 * `same`: all sheets have one header, and their names differ in a month or a number alone.
 * `joined`: no sheet states whole documents, and one sheet has the lines of another one's
 * documents. `groups`: sheets with a day that may be one list, the likeliest first.
 */
export type SheetRelation =
  | { readonly _tag: "Same" }
  | { readonly _tag: "Joined"; readonly by: string; readonly documents: string; readonly lines: string }
  | { readonly _tag: "Others"; readonly groups: ReadonlyArray<ReadonlyArray<string>> }

interface SheetRows {
  readonly name: string
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const ofLines = new Set(["quantity", "unitPrice", "description"])

const hasLines = ({ names }: SheetRows): boolean => names.some((name) => ofLines.has(meaningOf(name) ?? ""))

const valuesOf = ({ rows }: SheetRows, cell: number): ReadonlyArray<string> =>
  rows.map((row) => row[cell] ?? "").filter((text) => text !== "")

/** Tests for a cell that may be the day of a document. Without a day, nothing can be read. */
const mayBeRead = ({ rows }: SheetRows): boolean =>
  rows.some((row) => row.some((text) => isDate(text) || SerialDay.mayBe(text)))

const hasDates = (sheet: SheetRows): boolean =>
  sheet.names.some((_, cell) => {
    const values = valuesOf(sheet, cell)
    return values.length > 0 && values.every(isDate)
  })

const keyOf = (documents: SheetRows, lines: SheetRows): string | undefined => {
  if (hasLines(documents) || !hasLines(lines) || !hasDates(documents) || hasDates(lines)) return undefined
  return documents.names.find((name, cell) => {
    const other = lines.names.findIndex((one) => normalize(one) === normalize(name))
    const keys = valuesOf(documents, cell)
    const known = new Set(keys)
    if (other < 0 || keys.length === 0 || known.size < keys.length) return false
    return valuesOf(lines, other).some((key) => known.has(key))
  })
}

const groupsBy = (sheets: ReadonlyArray<SheetRows>, keyOf: (sheet: SheetRows) => string) =>
  Array.from(Map.groupBy(sheets, keyOf).values(), (group) => group.map(({ name }) => name))

/** Returns how the sheets belong together. */
export const relationOf = (
  tables: ReadonlyArray<Table>,
  settings: Settings
): Effect.Effect<SheetRelation, Adapter.AdapterError> =>
  Effect.map(
    Effect.forEach(tables, (table) =>
      Effect.map(openingOf(table, settings), (opening): SheetRows => {
        const what = { ...opening, quotes: "doubled", delimiter: cellEnd, headerLine: settings.headerLine } as const
        const { names = [], rows = [] } = FileStructure.tableIn(what) ?? {}
        return { name: table.table.sheet, names, rows }
      })
    ),
    (all): SheetRelation => {
      const read = all.filter(mayBeRead)
      const sheets = read.length === 0 ? all : read
      const headerOf = ({ name, names }: SheetRows) => JSON.stringify(names.length > 0 ? names : name)
      const siblings = groupsBy(sheets, (sheet) => `${family(sheet.name)} ${headerOf(sheet)}`)
      if (siblings.length === 1 && sheets.length === all.length) return { _tag: "Same" }
      const alike = groupsBy(sheets, headerOf)
      for (const documents of all)
        for (const lines of all) {
          const by = documents === lines ? undefined : keyOf(documents, lines)
          if (by !== undefined && !all.some((sheet) => hasLines(sheet) && hasDates(sheet)))
            return { _tag: "Joined", by, documents: documents.name, lines: lines.name }
        }
      const isList = (group: ReadonlyArray<string>) => group.length > 1
      const groups = [...siblings.filter(isList), ...alike.filter(isList), ...sheets.map(({ name }) => [name])]
      return { _tag: "Others", groups: [...new Map(groups.map((group) => [group.join("/"), group])).values()] }
    }
  )
