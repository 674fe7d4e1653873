import type { Finding } from "@fiscal-connector/core/adapter"
import { Result } from "effect"
import * as ColumnMap from "./ColumnMap.ts"
import {
  type ChargeField,
  chargeFields,
  type DocumentField,
  documentFields,
  isNumberField,
  type LineField,
  lineFields,
  pathOf
} from "./Field.ts"
import { columnsNamed, type HeaderIndex } from "./Header.ts"
import type { DecimalMark } from "../values/NumberForm.ts"
import { High, type Scanner } from "../scan/Scanner.ts"
import * as Characters from "../values/Characters.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** Counted from 0; the first filled cell counts. */
export type BoundCells = ReadonlyArray<number>

export interface TaxCells {
  readonly code: BoundCells
  readonly percent: BoundCells
  readonly amount: BoundCells
  readonly taxable: BoundCells
}

/** Cells that one field reads. `path`: path of the field in the line with this index. */
export interface Use {
  readonly field: string
  readonly cells: BoundCells
  readonly states: "number" | "percent" | "date" | "status" | "text"
  path(index: number): Finding.Path
}

export type TableCells = { readonly [Field in keyof ColumnMap.TableColumns]: BoundCells }

export interface BoundMark extends ColumnMap.MarkColumn {
  readonly cell: number
  readonly sameCell: number | undefined
}

export interface LineBinding {
  readonly line: { readonly [Field in LineField]: BoundCells }
  readonly taxes: ReadonlyArray<TaxCells>
}

export interface Binding extends LineBinding {
  readonly further: ReadonlyArray<LineBinding>
  readonly document: ReadonlyArray<{ readonly field: DocumentField; readonly cells: BoundCells }>
  readonly indexOf: ReadonlyMap<DocumentField, number>
  /**
   * Document columns as ranges of adjacent cells, first and last: most rows repeat the ranges
   * unchanged.
   */
  readonly spans: ReadonlyArray<readonly [first: number, last: number]>
  readonly charges: ReadonlyArray<ChargeField>
  readonly documentTaxes: BoundCells
  readonly documentTaxAmounts: BoundCells
  readonly documentTaxPercents: BoundCells
  readonly table: TableCells | undefined
  readonly marks: ReadonlyArray<BoundMark>
  /** Cells that together form the buyer's name, if no other cell states the name. */
  readonly nameParts: BoundCells
  readonly group: BoundCells
  readonly notes: { readonly kind: BoundCells; readonly by: BoundCells; isNote(kind: string): boolean } | undefined
  /** Fields with several columns whose values must agree if more than one is filled. */
  readonly several: ReadonlyArray<Use>
  readonly passed: ReadonlySet<number>
  readonly decimalMarks: ReadonlyMap<number, DecimalMark>
}

/**
 * Treatment of mapped columns missing in the file: `allowed` for a preset, `refused` for a map of
 * the operator.
 */
export type Missing = "allowed" | "refused"

export const bind = (
  map: ColumnMap.WholeMap,
  header: HeaderIndex,
  missing: Missing
): Result.Result<Binding, ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const decimalMarks = new Map<number, DecimalMark>()
  const passed = ColumnMap.cellsIn(header, map.unread)
  const cellOf = (column: ColumnMap.Column): BoundCells => {
    const { column: name, decimalMark, nth } = parts(column)
    const found = columnsNamed(header, name)
    const cell = found[(nth ?? 1) - 1]
    if (cell === undefined) {
      if (missing === "refused")
        problems.push(`the header has no ${nth === undefined ? "" : `${nth}. `}column "${name}"`)
      return []
    }
    if (passed.has(cell)) {
      if (nth !== undefined)
        problems.push(`${nth}. "${name}" is read and unread; \`unread\` takes { "column": "${name}", "nth": 2 }, too`)
      return []
    }
    if (nth === undefined && found.length > 1) {
      problems.push(
        `the header has ${found.length} columns "${name}"; say which with { "column": "${name}", "nth": 1 }`
      )
    }
    if (decimalMark !== undefined) {
      if ((decimalMarks.get(cell) ?? decimalMark) !== decimalMark)
        problems.push(`"${name}" is given both decimal marks`)
      decimalMarks.set(cell, decimalMark)
    }
    return [cell]
  }
  const cellsOf = (columns: ColumnMap.Columns | undefined): BoundCells => ColumnMap.columnsOf(columns).flatMap(cellOf)
  const document = fieldsIn(documentFields).flatMap((field) => {
    const cells = cellsOf(map.columns[field])
    return cells.length === 0 ? [] : [{ field, cells }]
  })
  const line = Object.fromEntries(fieldsIn(lineFields).map((field) => [field, cellsOf(map.columns[field])]))
  const taxes = (map.columns.taxes ?? [])
    .map((tax): TaxCells => ({
      code: cellsOf(tax.code),
      percent: cellsOf(tax.percent),
      amount: cellsOf(tax.amount),
      taxable: cellsOf(tax.taxable)
    }))
    // a tax without a code column is kept: its other figures are compared
    .filter(({ amount, code, percent, taxable }) => code.length + percent.length + amount.length + taxable.length > 0)
  const documentTaxes = (map.columns.documentTaxes ?? []).flatMap(cellOf)
  const documentTaxAmounts = (map.columns.documentTaxAmounts ?? []).flatMap(cellOf)
  const documentTaxPercents = (map.columns.documentTaxPercents ?? []).flatMap(cellOf)
  const number = document.find(({ field }) => field === "number")?.cells ?? []
  const own = map.group?.flatMap(cellOf) ?? []
  const group = own.length === 0 && (map.group === undefined || missing === "allowed") ? number : own
  if (number.length === 0 && map.columns.number === undefined)
    problems.push("the column map names no column for `number`")
  const words = Vocabulary.make(map)
  const seenCells = (names: ReadonlyArray<string>): BoundCells =>
    names.flatMap((name) => columnsNamed(header, name)).filter((cell) => !passed.has(cell))
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        document,
        indexOf: new Map(document.map(({ field }, i) => [field, i])),
        spans: spans(document.flatMap(({ cells }) => cells)),
        charges: fieldsIn(chargeFields).filter((charge) =>
          document.some(({ field }) => field === charge || field === `${charge}TaxAmount`)
        ),
        line: line as Binding["line"],
        taxes,
        further: [],
        documentTaxes,
        documentTaxAmounts,
        documentTaxPercents,
        table:
          map.table &&
          (Object.fromEntries(
            Object.entries(map.table).map(([field, names]) => [field, seenCells(names)])
          ) as TableCells),
        nameParts: seenCells(map.nameParts ?? []),
        marks: (map.marks ?? []).flatMap((mark) => {
          const [cell] = seenCells([mark.column])
          const [sameCell] = mark.sameAs === undefined ? [] : seenCells([mark.sameAs])
          return cell === undefined || (mark.sameAs !== undefined && sameCell === undefined)
            ? []
            : [{ ...mark, cell, sameCell }]
        }),
        group,
        notes: map.notesBy && {
          kind: document.find(({ field }) => field === "kind")?.cells ?? [],
          by: map.notesBy.flatMap(cellOf),
          isNote: (kind) => words.kind(kind) === "credit-note"
        },
        several: [...ofDocument(document), ...ofLine({ line: line as Binding["line"], taxes })].filter(
          ({ cells, field }) => new Set(cells).size > 1 && !mayDiffer.has(field)
        ),
        passed,
        decimalMarks
      })
}

/**
 * Text fields whose columns may differ: the first filled cell counts. `Statements` compares times
 * of change.
 */
const mayDiffer: ReadonlySet<string> = new Set([
  "description",
  "reason",
  "reference",
  "modified",
  "lineId",
  "taxes: taxable"
])

const statesOf = (field: string): Use["states"] =>
  field.endsWith("ercent")
    ? "percent"
    : isNumberField(field)
      ? "number"
      : field === "date" || field === "status"
        ? field
        : "text"

const ofDocument = (document: Binding["document"]): ReadonlyArray<Use> =>
  document.map(({ cells, field }) => ({ field, cells, states: statesOf(field), path: () => pathOf[field] }))

const lineFieldOf: { readonly [Field in LineField]?: string } = {
  discountPercent: "discount",
  lineTotal: "totals",
  lineNet: "totals",
  lineGross: "lineAmount"
}

const ofLine = ({ line, taxes }: LineBinding): ReadonlyArray<Use> => [
  ...Object.entries(line).map(([field, cells]): Use => {
    const name = lineFieldOf[field as LineField] ?? field
    return { field, cells, states: statesOf(field), path: (index) => ["lines", index, name] }
  }),
  ...taxes.flatMap((tax) =>
    (["code", "amount", "percent", "taxable"] as const).map((part): Use => ({
      field: `taxes: ${part}`,
      cells: tax[part],
      states: part === "amount" ? "number" : part === "percent" ? "percent" : "text",
      path: (index) => ["lines", index, "taxes"]
    }))
  )
]

const tableNumbers: ReadonlySet<string> = new Set(["amount", "amountAfterDiscount", "lineNet", "discount"])

export const usesOf = (binding: Binding): ReadonlyArray<Use> => {
  const { documentTaxAmounts, documentTaxPercents, documentTaxes, table = {} } = binding
  const beside = (field: string, cells: BoundCells, states: Use["states"]): Use => ({
    field,
    cells,
    states,
    path: () => ["lines"]
  })
  return [
    ...ofDocument(binding.document),
    ...linesOf(binding).flatMap(ofLine),
    beside("documentTaxes", documentTaxes, "text"),
    beside("documentTaxAmounts", documentTaxAmounts, "number"),
    beside("documentTaxPercents", documentTaxPercents, "percent"),
    ...Object.entries<BoundCells>(table).map(([field, cells]) =>
      beside(`table: ${field}`, cells, tableNumbers.has(field) ? "number" : field === "percent" ? "percent" : "text")
    )
  ]
}

const parts = (column: ColumnMap.Column): Partial<Exclude<ColumnMap.Column, string>> & { readonly column: string } =>
  typeof column === "string" ? { column } : column

const spans = (cells: BoundCells): Binding["spans"] => {
  const found: Array<[number, number]> = []
  for (const cell of [...new Set(cells)].toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === cell - 1) last[1] = cell
    else found.push([cell, cell])
  }
  return found
}

const fieldsIn = <Fields extends object>(fields: Fields) => Object.keys(fields) as Array<keyof Fields>

/** Returns the first filled cell of the record; -1 if all are empty. */
export const filledCell = (record: Scanner, cells: BoundCells): number => {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    if (cell < record.count && record.ends[cell]! > record.starts[cell]!) return cell
  }
  return -1
}

export const keyOf = ({ group, notes }: Binding, record: Scanner): string => {
  if (group.length === 1) return group[0]! < record.count ? seenIn(record, group[0]!) : ""
  const kind = notes === undefined ? -1 : filledCell(record, notes.kind)
  const cells = notes !== undefined && kind >= 0 && notes.isNote(record.cell(kind)) ? [...group, ...notes.by] : group
  const parts = cells.map((cell) => (cell < record.count ? seenIn(record, cell) : ""))
  return parts.every((part) => part === "") ? "" : parts.join("\u001f")
}

export const isCovered = (
  group: BoundCells,
  record: Scanner,
  covered: ((line: number, cell: number) => boolean) | undefined
): boolean => covered !== undefined && group.length > 0 && group.every((cell) => covered(record.line, cell))

/**
 * Rows that differ only in invisible characters are one document, and then contradict each other.
 */
const seenIn = (record: Scanner, cell: number): string => {
  const raw = record.rawCell(cell)
  return (record.flags[cell]! & High) === 0 ? raw.trim() : Characters.seen(record.cell(cell, raw))
}

export const linesOf = (binding: Pick<Binding, "line" | "taxes" | "further">): ReadonlyArray<LineBinding> => [
  binding,
  ...binding.further
]

/** A column that states only if a line is taxed is compared. */
export const bound = (binding: Binding): ReadonlySet<number> =>
  new Set([
    ...usesOf(binding).flatMap(({ cells, field }) => (field === "taxes: taxable" ? [] : cells)),
    ...binding.marks.map(({ cell }) => cell),
    ...binding.nameParts,
    ...binding.group
  ])

const cellsWith = (binding: Binding, ...states: ReadonlyArray<Use["states"]>): BoundCells =>
  usesOf(binding).flatMap((use) => (states.includes(use.states) ? use.cells : []))

export const percents = (binding: Binding): BoundCells => cellsWith(binding, "percent")

export const numeric = (binding: Binding): BoundCells => cellsWith(binding, "number", "percent")

export const cellsOfDocument = ({ document, indexOf }: Binding, field: DocumentField): BoundCells =>
  document[indexOf.get(field) ?? -1]?.cells ?? []

/** `index`: line of the row, from 0. */
export const pathOfCell = (binding: Binding, cell: number, index: number): Finding.Path =>
  usesOf(binding)
    .find(({ cells }) => cells.includes(cell))
    ?.path(index) ?? ["lines"]
