import { type Finding, type Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import { type Binding, type BoundCells, cellsOfDocument, type LineBinding, usesOf } from "../columns/Binding.ts"
import { type ChargeField, type DocumentField, pathOf } from "../columns/Field.ts"
import * as Row from "../scan/Row.ts"

/** Places of the parts of a statement. */
export interface Places {
  readonly rows: ReadonlyArray<Row.Row>
  readonly lines: ReadonlyArray<Row.Row>
  readonly bindings: ReadonlyArray<LineBinding>
  readonly charges: ReadonlyArray<ChargeField | { readonly row: Row.Row; readonly cell: number }>
  readonly binding: Binding
  readonly words: ReadonlyArray<{ readonly row: Row.Row; readonly cell: number }>
  readonly due: number | undefined
  readonly amounts: ReadonlyArray<{ readonly row: Row.Row; readonly cell: number }>
  readonly group: Row.Row | undefined
}

/** Source document of a CSV file, with the cell of every value. */
export class CsvDocument extends SourceDocument.StatedDocument {
  readonly #places: Places

  constructor(stated: SourceDocument.StatedFields, places: Places) {
    super(stated)
    this.#places = places
  }

  get rows(): ReadonlyArray<Row.Row> {
    return this.#places.rows
  }

  get group(): Row.Row | undefined {
    return this.#places.group
  }

  where(path: Finding.Path): Provenance.Provenance {
    const { amounts, binding, bindings, charges, due, group, lines, rows, words } = this.#places
    const first = rows[0]!
    if (path.length === 0) return Row.lineAt(first.origin, first.line)
    const [root, index, field] = path
    if (root === "lines" && typeof index === "number") {
      const row = lines[index] ?? first
      return Row.where(row, filled(row, lineCells({ ...binding, ...bindings[index], further: [] }, field)))
    }
    if (root === "due") return Row.where(first, due)
    const beside = root === "words" ? words : root === "amounts" ? amounts : []
    const placed = typeof index === "number" ? beside[index] : undefined
    if (placed !== undefined) return Row.where(placed.row, placed.cell)
    const charge = root === "charges" && typeof index === "number" ? charges[index] : undefined
    if (typeof charge === "object") return Row.where(charge.row, charge.cell)
    const bound = charge ?? fieldAt(path)
    const ofTax = charge !== undefined && field === "taxes" ? cellsOfDocument(binding, `${charge}TaxCode`) : []
    const cells = ofTax.length > 0 || bound === undefined ? ofTax : cellsOfDocument(binding, bound)
    for (const row of rows) {
      const cell = filled(row, cells)
      if (cell !== undefined) return Row.where(row, cell)
    }
    return group !== undefined && bound === "customerName"
      ? Row.where(group, firstFilled(group))
      : Row.where(first, cells[0])
  }
}

const lineCells = (binding: Binding, field: string | number | undefined): BoundCells =>
  usesOf(binding).flatMap(({ cells, field: name, path }) =>
    path(0)[2] === field || (field === "taxes" && name === "documentTaxes") ? cells : []
  )

const filled = (row: Row.Row, cells: BoundCells): number | undefined => {
  if (cells.length === 0) return undefined
  const texts = Row.cells(row)
  return cells.find((cell) => (texts[cell] ?? "").trim() !== "")
}

const firstFilled = (row: Row.Row): number => Row.cells(row).findIndex((cell) => cell.trim() !== "")

const fieldAt = (path: Finding.Path): DocumentField | undefined => {
  const wanted = path.join("/")
  const fields = Object.keys(pathOf) as Array<DocumentField>
  return (
    fields.find((field) => pathOf[field].join("/") === wanted) ?? fields.find((field) => pathOf[field][0] === path[0])
  )
}
