/** A column map applied to one header: which cells of a row stand for what. */
import type { Path } from "@fiscal-connector/core/finding/Finding"
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
  moneyFields,
  pathOf,
  percentFields
} from "./Field.ts"
import { columnsNamed, type HeaderIndex } from "./Header.ts"
import type { DecimalMark } from "../values/NumberForm.ts"
import { High, type Scanner } from "../scan/Scanner.ts"
import * as Characters from "../values/Characters.ts"
import * as Vocabulary from "./Vocabulary.ts"

/** Cells counted from 0; of several the first that is filled counts. */
export type Cells = ReadonlyArray<number>

export interface TaxCells {
  readonly code: Cells
  readonly percent: Cells
  readonly amount: Cells
  /** Cells that state whether the line is taxed. Held as a word besides. */
  readonly taxable: Cells
}

/** Several columns of one field, which must not contradict each other where more than one is filled. `path`: of the line with that index. */
export interface Several {
  readonly cells: Cells
  readonly states: "number" | "percent" | "date" | "status" | "text"
  path(index: number): Path
}

/** The cells of a table of taxes and charges. */
export type TableCells = { readonly [Field in keyof ColumnMap.TableColumns]: Cells }

/** A column that marks what is not an ordinary sale. */
export interface Mark extends ColumnMap.MarkColumn {
  readonly cell: number
  readonly sameCell: number | undefined
}

export interface Binding {
  readonly document: ReadonlyArray<{ readonly field: DocumentField; readonly cells: Cells }>
  /** Where in `document` a field stands that a column is bound to. */
  readonly indexOf: ReadonlyMap<DocumentField, number>
  /** The document's columns as runs of neighbours, first and last: most rows repeat them as they are. */
  readonly spans: ReadonlyArray<readonly [first: number, last: number]>
  /** Charges that have a column, or their tax has one. */
  readonly charges: ReadonlyArray<ChargeField>
  readonly line: { readonly [Field in LineField]: Cells }
  readonly taxes: ReadonlyArray<TaxCells>
  /** Cells that name the taxes of all lines of the document, once. */
  readonly documentTaxes: Cells
  /** Cells that state what the document's taxes come to, on one row or on several. */
  readonly documentTaxAmounts: Cells
  /** Cells that state the percents of the document's taxes, likewise. */
  readonly documentTaxPercents: Cells
  /** The table of taxes and charges beside the lines; undefined where the layout has none. */
  readonly table: TableCells | undefined
  readonly marks: ReadonlyArray<Mark>
  /** Cells that together are the buyer's name, where no other states it. */
  readonly nameParts: Cells
  /** The cells that together tell documents apart. */
  readonly group: Cells
  /** What tells credit notes of one group apart. */
  readonly notes: { readonly kind: Cells; readonly by: Cells; isNote(kind: string): boolean } | undefined
  /** Fields with several columns that must agree. */
  readonly several: ReadonlyArray<Several>
  /** Of the cells whose decimal mark the map says. */
  readonly decimalMarks: ReadonlyMap<number, DecimalMark>
}

/** Whether a column that the map names may be missing from the file: in a preset it may, in a person's map it may not. */
export type Missing = "allowed" | "refused"

/** Fails with one sentence per column that is not there, or is there more than once. */
export const bind = (
  map: ColumnMap.WholeMap,
  header: HeaderIndex,
  missing: Missing
): Result.Result<Binding, ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const decimalMarks = new Map<number, DecimalMark>()
  const passed = new Set((map.unread ?? []).flatMap((name) => columnsNamed(header, name)))
  const cellOf = (column: ColumnMap.Column): Cells => {
    const { column: name, decimalMark, nth } = parts(column)
    const found = columnsNamed(header, name)
    const cell = found[(nth ?? 1) - 1]
    if (cell === undefined) {
      if (missing === "refused")
        problems.push(`the header has no ${nth === undefined ? "" : `${nth}. `}column "${name}"`)
      return []
    }
    if (passed.has(cell)) return []
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
  const cellsOf = (columns: ColumnMap.Columns | undefined): Cells => ColumnMap.columnsOf(columns).flatMap(cellOf)
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
    // what it states of a tax that no column names is compared all the same
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
  const seenCells = (names: ReadonlyArray<string>): Cells =>
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
        several: severalOf(document, line as Binding["line"], taxes),
        decimalMarks
      })
}

/** Texts of which an export may have two that differ: the first that is filled counts. Times of a change are compared by `Statements`. */
const mayDiffer: ReadonlySet<string> = new Set(["description", "reason", "reference", "modified", "lineId"])

const severalOf = (
  document: Binding["document"],
  line: Binding["line"],
  taxes: ReadonlyArray<TaxCells>
): ReadonlyArray<Several> => {
  const stated = (field: string): Several["states"] =>
    field.endsWith("ercent")
      ? "percent"
      : isNumberField(field)
        ? "number"
        : field === "date" || field === "status"
          ? field
          : "text"
  const ofLines = Object.entries(line).map(([field, cells]) => {
    const name = lineFieldOf[field as LineField] ?? field
    return { field, cells, states: stated(field), path: (index: number): Path => ["lines", index, name] }
  })
  const ofTaxes = taxes.flatMap((tax) =>
    (["code", "percent", "amount"] as const).map((part) => ({
      field: part,
      cells: tax[part],
      states: part === "code" ? ("text" as const) : part === "amount" ? ("number" as const) : part,
      path: (index: number): Path => ["lines", index, "taxes"]
    }))
  )
  const ofDocuments = document.map(({ cells, field }) => ({
    field,
    cells,
    states: stated(field),
    path: (): Path => pathOf[field]
  }))
  return [...ofDocuments, ...ofLines, ...ofTaxes]
    .filter(({ cells, field }) => new Set(cells).size > 1 && !mayDiffer.has(field))
    .map(({ cells, path, states }) => ({ cells, path, states }))
}

const parts = (column: ColumnMap.Column): Partial<Exclude<ColumnMap.Column, string>> & { readonly column: string } =>
  typeof column === "string" ? { column } : column

const spans = (cells: Cells): Binding["spans"] => {
  const found: Array<[number, number]> = []
  for (const cell of [...new Set(cells)].toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === cell - 1) last[1] = cell
    else found.push([cell, cell])
  }
  return found
}

const fieldsIn = <Fields extends object>(fields: Fields) => Object.keys(fields) as Array<keyof Fields>

/** The first of the cells that is not empty in the record; -1 where none is. */
export const filledCell = (record: Scanner, cells: Cells): number => {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    if (cell < record.count && record.ends[cell]! > record.starts[cell]!) return cell
  }
  return -1
}

/** What tells the record's document from others; empty where the record says nothing of it. */
export const keyOf = ({ group, notes }: Binding, record: Scanner): string => {
  if (group.length === 1) return group[0]! < record.count ? seenIn(record, group[0]!) : ""
  const kind = notes === undefined ? -1 : filledCell(record, notes.kind)
  const cells = notes !== undefined && kind >= 0 && notes.isNote(record.cell(kind)) ? [...group, ...notes.by] : group
  const parts = cells.map((cell) => (cell < record.count ? seenIn(record, cell) : ""))
  return parts.every((part) => part === "") ? "" : parts.join("\u001f")
}

/** Whether the cells that tell documents apart are merged with those of the row above. */
export const isCovered = (
  group: Cells,
  record: Scanner,
  covered: ((line: number, cell: number) => boolean) | undefined
): boolean => covered !== undefined && group.length > 0 && group.every((cell) => covered(record.line, cell))

/** The cell as a person sees it: what differs by what nobody sees is one document, and its rows then contradict each other. */
const seenIn = (record: Scanner, cell: number): string => {
  const raw = record.rawCell(cell)
  return (record.flags[cell]! & High) === 0 ? raw.trim() : Characters.seen(record.cell(cell, raw))
}

/** Every cell that stands for something. */
export const bound = ({
  document,
  documentTaxAmounts,
  documentTaxPercents,
  documentTaxes,
  group,
  line,
  marks,
  nameParts,
  table,
  taxes
}: Binding): ReadonlySet<number> =>
  new Set([
    ...document.flatMap(({ cells }) => cells),
    ...Object.values<Cells>(line).flat(),
    ...taxes.flatMap(({ amount, code, percent }) => [...code, ...percent, ...amount]),
    ...documentTaxes,
    ...documentTaxAmounts,
    ...documentTaxPercents,
    ...(table === undefined ? [] : Object.values<Cells>(table).flat()),
    ...marks.map(({ cell }) => cell),
    ...nameParts,
    ...group
  ])

/** The cells that hold percents. */
export const percents = ({ document, documentTaxPercents, line, table, taxes }: Binding): Cells => [
  ...document.filter(({ field }) => isAmong(percentFields, field)).flatMap(({ cells }) => cells),
  ...line.discountPercent,
  ...taxes.flatMap(({ percent }) => percent),
  ...documentTaxPercents,
  ...(table?.percent ?? [])
]

/** The cells that hold numbers: money, quantities, percents. */
export const numeric = (binding: Binding): Cells => {
  const { document, documentTaxAmounts, line, table, taxes } = binding
  return [
    ...document.filter(({ field }) => isAmong(moneyFields, field)).flatMap(({ cells }) => cells),
    ...[line.quantity, line.unitPrice, line.discount, line.lineAmount, line.lineTotal, line.lineGross].flat(),
    ...taxes.flatMap(({ amount }) => amount),
    ...documentTaxAmounts,
    ...(table === undefined ? [] : [table.amount, table.amountAfterDiscount, table.lineNet, table.discount].flat()),
    ...percents(binding)
  ]
}

const isAmong = (fields: ReadonlyArray<DocumentField>, field: DocumentField) => fields.includes(field)

export const cellsOfDocument = ({ document, indexOf }: Binding, field: DocumentField): Cells =>
  document[indexOf.get(field) ?? -1]?.cells ?? []

/** Fields of a source line whose name is another than the column's. */
const lineFieldOf: { readonly [Field in LineField]?: string } = {
  discountPercent: "discount",
  lineTotal: "totals",
  lineGross: "lineAmount"
}

/** What a cell states of its document, by its path there. `index`: which line its row is, counted from 0. */
export const pathOfCell = ({ document, line, taxes }: Binding, cell: number, index: number): Path => {
  const stated = document.find(({ cells }) => cells.includes(cell))
  if (stated !== undefined) return pathOf[stated.field]
  const [field] = Object.entries(line).find(([, cells]) => cells.includes(cell)) ?? []
  if (field !== undefined) return ["lines", index, lineFieldOf[field as LineField] ?? field]
  const isTax = taxes.some(({ amount, code, percent }) => [amount, code, percent].some((cells) => cells.includes(cell)))
  return isTax ? ["lines", index, "taxes"] : ["lines"]
}
