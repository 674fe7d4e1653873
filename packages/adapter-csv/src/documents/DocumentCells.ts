/** The first filled cell of each column counts, and every other row must agree with it. */
import type { Money, Provenance } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { filledCell } from "../columns/Binding.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import { type DocumentField, isNumberField, pathOf, statesTime } from "../columns/Field.ts"
import { type Interpretation, markOf, notTextOf } from "../detect/Interpretation.ts"
import * as IdentifierForm from "../values/IdentifierForm.ts"
import { type NotedCell, Notes } from "./Notes.ts"
import * as NumberForm from "../values/NumberForm.ts"
import * as Row from "../scan/Row.ts"
import { High, NumberCell, type Scanner, TroubleCell } from "../scan/Scanner.ts"

class FirstCell {
  readonly raw: string
  readonly text: string
  readonly cell: number
  readonly flags: number
  private ordinary: string | undefined = undefined
  private plain: string | undefined = undefined

  constructor(raw: string, text: string, cell: number, flags: number) {
    this.raw = raw
    this.text = text
    this.cell = cell
    this.flags = flags
  }

  get asText(): string | undefined {
    if (this.ordinary === undefined && Notes.isOrdinary(this.text, this.flags)) this.ordinary = this.text.trim()
    return this.ordinary
  }

  get asIdentifier(): string | undefined {
    if (this.plain === undefined && this.asText !== undefined && IdentifierForm.isPlain(this.asText))
      this.plain = this.asText
    return this.plain
  }
}

export class DocumentCells {
  private readonly how: Interpretation
  private readonly notes: Notes
  private readonly stated: Array<FirstCell | undefined>
  private first: Row.Row | undefined = undefined
  private later: Map<FirstCell, Row.Row> | undefined = undefined
  private conflicting: Set<DocumentField> | undefined = undefined
  private spans: ReadonlyArray<string> | undefined = undefined
  private lastRepeat = 0
  private inherited: { readonly field: DocumentField; readonly stated: FirstCell } | undefined = undefined
  private before: DocumentCells | undefined
  private seen: Map<DocumentField, string> | undefined = undefined

  /** `before`: cells of the document with the last row. */
  constructor(how: Interpretation, notes: Notes, before?: DocumentCells) {
    this.how = how
    this.notes = notes
    this.before = before
    this.stated = how.binding.document.map(() => undefined)
  }

  inherit(field: DocumentField, row: Row.Row, cell: number): void {
    const text = Row.cells(row)[cell] ?? ""
    const stated = new FirstCell(text, text, cell, High)
    this.inherited = { field, stated }
    this.later = new Map([[stated, row]])
  }

  take(record: Scanner, row: Row.Row): void {
    const { document, spans } = this.how.binding
    const { before } = this
    this.before = undefined
    if (this.spans === undefined) {
      this.first = row
      this.spans = spans.map(([first, last]) => (last < record.count ? record.rawSpan(first, last) : ""))
      this.lastRepeat = record.nth
    } else if (this.repeats(record, this.spans)) return
    for (let i = 0; i < document.length; i++) {
      const cell = filledCell(record, document[i]!.cells)
      if (cell < 0) continue
      const known = this.stated[i]
      const shared = known === undefined ? before?.sharedWith(record, i, cell) : undefined
      if (shared !== undefined) {
        this.stated[i] = shared
        continue
      }
      const raw = record.rawCell(cell)
      if (known === undefined) {
        const stated = new FirstCell(raw, record.cell(cell, raw), cell, record.flags[cell]!)
        this.stated[i] = stated
        if (row !== this.first) (this.later ??= new Map()).set(stated, row)
      } else if (known.raw !== raw) {
        this.compare(document[i]!.field, known, record.cell(cell, raw), row, cell, record.flags[cell]!)
      }
    }
  }

  agrees(record: Scanner): boolean {
    return this.how.binding.document.every(({ cells }, i) => {
      const cell = filledCell(record, cells)
      return cell < 0 || record.rawCell(cell).trim() === (this.stated[i]?.raw ?? "").trim()
    })
  }

  text(field: DocumentField): string | undefined {
    const stated = this.statedAs(field)
    if (stated === undefined || (stated.flags & TroubleCell) !== 0) return undefined
    return (stated.asText ?? this.lookCloser(field, () => this.notes.text(this.cell(stated, field)))) || undefined
  }

  identifier(field: DocumentField): string | undefined {
    const stated = this.statedAs(field)
    if (stated === undefined || (stated.flags & TroubleCell) !== 0) return undefined
    return (
      (stated.asIdentifier ?? this.lookCloser(field, () => this.notes.identifier(this.cell(stated, field)))) ||
      undefined
    )
  }

  number(field: DocumentField, read: NumberForm.Reader = NumberForm.read): Money.Money | undefined {
    const stated = this.statedAs(field)
    if (stated === undefined) return undefined
    const mark = markOf(this.how, stated.cell, stated.flags)
    return NumberForm.plain(stated.text, mark) ?? this.notes.number(this.cell(stated, field), mark, read)
  }

  has(field: DocumentField): boolean {
    return this.how.binding.indexOf.has(field)
  }

  conflictsIn(field: DocumentField): boolean {
    return this.conflicting?.has(field) === true
  }

  cellOf(field: DocumentField): { readonly row: Row.Row; readonly cell: number; readonly text: string } | undefined {
    const stated = this.statedAs(field)
    return stated && { row: this.rowOf(stated), cell: stated.cell, text: stated.text.trim() }
  }

  place(field: DocumentField): Provenance.Provenance | undefined {
    const stated = this.statedAs(field)
    return stated && Row.where(this.rowOf(stated), stated.cell)
  }

  /** Checks a cell only once, so that its findings are reported only once. */
  private lookCloser(field: DocumentField, look: () => string): string {
    const seen = this.seen?.get(field) ?? look()
    ;(this.seen ??= new Map()).set(field, seen)
    return seen
  }

  private repeats(record: Scanner, known: ReadonlyArray<string>): boolean {
    const { spans } = this.how.binding
    for (let i = 0; i < spans.length; i++) {
      const [first, last] = spans[i]!
      if (record.areSince(this.lastRepeat, first, last)) continue
      if (last >= record.count || !record.isSpan(first, last, known[i]!)) return false
    }
    this.lastRepeat = record.nth
    return true
  }

  private statedAs(field: DocumentField): FirstCell | undefined {
    const index = this.how.binding.indexOf.get(field)
    const stated = index === undefined ? undefined : this.stated[index]
    return stated === undefined && this.inherited?.field === field ? this.inherited.stated : stated
  }

  private rowOf(stated: FirstCell): Row.Row {
    return this.later?.get(stated) ?? this.first!
  }

  private sharedWith(record: Scanner, field: number, cell: number): FirstCell | undefined {
    if (!record.areSince(this.lastRepeat, cell)) return undefined
    const stated = this.stated[field]
    return stated?.cell === cell && this.later === undefined ? stated : undefined
  }

  private cell(stated: FirstCell, field: DocumentField): NotedCell {
    const { cell, flags, text } = stated
    const row = this.rowOf(stated)
    return {
      text,
      column: this.how.origin.header[cell] ?? "",
      path: pathOf[field],
      at: () => Row.where(row, cell),
      flags,
      notText: statesTime(field) && (flags & NumberCell) === 0 ? undefined : notTextOf(this.how, flags)
    }
  }

  private compare(
    field: DocumentField,
    known: FirstCell,
    text: string,
    row: Row.Row,
    cell: number,
    flags: number
  ): void {
    // times of change are compared for whole statements (rows/Statements)
    if (field === "modified") return
    const isKey = field === "number" || field === "id"
    if (isKey ? text === known.text : text.trim() === known.text.trim()) return
    if (isNumberField(field) && this.sameNumber(known, text, cell, flags)) return
    ;(this.conflicting ??= new Set()).add(field)
    const path = pathOf[field]
    const detail = `${Row.quoted(known.text.trim())} and ${Row.quoted(text.trim())}`
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

  private sameNumber(known: FirstCell, text: string, cell: number, flags: number): boolean {
    const a = NumberForm.read(known.text, markOf(this.how, known.cell, known.flags), this.how.moneySigns)
    const b = NumberForm.read(text, markOf(this.how, cell, flags), this.how.moneySigns)
    return BigDecimal.isBigDecimal(a) && BigDecimal.isBigDecimal(b) && BigDecimal.equals(a, b)
  }
}
