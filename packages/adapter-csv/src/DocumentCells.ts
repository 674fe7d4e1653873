/** The columns that stand for a whole document: the first filled cell of each counts, and every other row must agree with it. */
import type { Money } from "@fiscal-connector/core/document/Money"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import { BigDecimal } from "effect"
import { filledCell } from "./Binding.ts"
import { CsvFinding } from "./CsvFinding.ts"
import { type DocumentField, pathOf } from "./Field.ts"
import type { Interpretation } from "./Interpretation.ts"
import type { Cell, Notes } from "./Notes.ts"
import * as NumberForm from "./NumberForm.ts"
import * as Row from "./Row.ts"
import type { Scanner } from "./Scanner.ts"

interface Stated {
  readonly raw: string
  readonly text: string
  readonly row: Row.Row
  readonly cell: number
}

export class DocumentCells {
  private readonly how: Interpretation
  private readonly notes: Notes
  /** By the binding's order of fields. */
  private readonly stated: Array<Stated | undefined> = []
  private readonly inherited = new Map<DocumentField, Stated>()

  constructor(how: Interpretation, notes: Notes) {
    this.how = how
    this.notes = notes
  }

  /** Takes a value that stands elsewhere than in the document's own rows, as the group of a report. */
  inherit(field: DocumentField, row: Row.Row, cell: number): void {
    this.inherited.set(field, { raw: "", text: Row.cells(row)[cell] ?? "", row, cell })
  }

  take(record: Scanner, row: Row.Row): void {
    const { document } = this.how.binding
    for (let i = 0; i < document.length; i++) {
      const cell = filledCell(record, document[i]!.cells)
      if (cell < 0) continue
      const raw = record.rawCell(cell)
      const known = this.stated[i]
      if (known === undefined) this.stated[i] = { raw, text: record.cell(cell), row, cell }
      else if (known.raw !== raw) this.compare(document[i]!.field, known, record.cell(cell), row, cell)
    }
  }

  /** Whether the record says about the document what is known already, or nothing. */
  agrees(record: Scanner): boolean {
    return this.how.binding.document.every(({ cells }, i) => {
      const cell = filledCell(record, cells)
      return cell < 0 || record.rawCell(cell).trim() === (this.stated[i]?.raw ?? "").trim()
    })
  }

  text(field: DocumentField): string | undefined {
    const cell = this.cell(field)
    return cell === undefined ? undefined : this.notes.text(cell) || undefined
  }

  identifier(field: DocumentField): string | undefined {
    const cell = this.cell(field)
    return cell === undefined || cell.text.trim() === "" ? undefined : this.notes.identifier(cell)
  }

  number(field: DocumentField): Money | undefined {
    const stated = this.statedAs(field)
    const cell = this.cell(field)
    return stated === undefined || cell === undefined
      ? undefined
      : this.notes.number(cell, this.how.decimalMarks[stated.cell]!)
  }

  has(field: DocumentField): boolean {
    return this.how.binding.document.some((bound) => bound.field === field)
  }

  /** Where the field is stated; undefined where it is not. */
  place(field: DocumentField): Provenance | undefined {
    return this.cell(field)?.at()
  }

  private statedAs(field: DocumentField): Stated | undefined {
    const own = this.stated[this.how.binding.document.findIndex((bound) => bound.field === field)]
    return own ?? this.inherited.get(field)
  }

  private cell(field: DocumentField): Cell | undefined {
    const stated = this.statedAs(field)
    if (stated === undefined) return undefined
    const { cell, row, text } = stated
    return { text, column: this.how.origin.header[cell] ?? "", path: pathOf[field], at: () => Row.where(row, cell) }
  }

  private compare(field: DocumentField, known: Stated, text: string, row: Row.Row, cell: number): void {
    if (text.trim() === known.text.trim() || this.sameNumber(known, text, cell)) return
    const path = pathOf[field]
    const detail = `"${known.text.trim()}" and "${text.trim()}"`
    if (field === "amounts") {
      const [before, now] = [known.text, text].map((word) => this.how.vocabulary.amounts(word))
      if (before === now && now !== undefined) return
      if (!this.notes.hasAt(path))
        this.notes.report(CsvFinding.CSV_AMOUNTS_MIXED, { path, detail, at: Row.where(row, cell) })
      return
    }
    const message = `Rows of one document disagree in the column "${this.how.origin.header[cell] ?? ""}"`
    if (this.notes.findings.some((finding) => finding.message === message)) return
    this.notes.report(CsvFinding.CSV_HEADER_CONFLICT, { path, message, detail, at: Row.where(row, cell) })
  }

  private sameNumber(known: Stated, text: string, cell: number): boolean {
    const a = NumberForm.read(known.text, this.how.decimalMarks[known.cell]!)
    const b = NumberForm.read(text, this.how.decimalMarks[cell]!)
    return BigDecimal.isBigDecimal(a) && BigDecimal.isBigDecimal(b) && BigDecimal.equals(a, b)
  }
}
