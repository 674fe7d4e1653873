import {
  type Adapter,
  Finding,
  type FindingCode,
  type Provenance,
  type SourceDocument
} from "@fiscal-connector/core/adapter"
import { isCovered, keyOf } from "../columns/Binding.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { Interpretation, Joining } from "../detect/Interpretation.ts"
import { isUnknown, sectionIn } from "../detect/ListKind.ts"
import { factsOf } from "../detect/Titles.ts"
import { FileStatements } from "./FileStatements.ts"
import { type LateRow, OpenDocuments } from "./OpenDocuments.ts"
import { type RowRole, RowRoles } from "../rows/RowRoles.ts"
import { isTotalName, pageOf } from "../rows/TotalRows.ts"
import * as Row from "../scan/Row.ts"
import { RowFinding } from "../finding/RowFinding.ts"
import { firstFilled, fits, hasStrayQuote, isEmpty, isSingle } from "../scan/RowShape.ts"
import { Escaped, High, Scanner } from "../scan/Scanner.ts"

const codeOf = {
  "unterminated-quote": CsvFinding.CSV_UNTERMINATED_QUOTE,
  "text-after-quote": CsvFinding.CSV_TEXT_AFTER_QUOTE,
  "record-too-long": CsvFinding.CSV_RECORD_TOO_LONG
} as const

const blank = 0x20

const severalLetters = /\p{L}{2,}/gu

const shapeOf = (first: number, length: number): number => (first << 16) | length

/** Rows without a number continue the row above already. */
const withoutRowAbove = {
  fix: "Fill in the number. If the row belongs to no document, as an opening balance, skip such rows.",
  answers: (CsvFinding.CSV_KEY_MISSING.answers ?? []).filter((answer) => !("map" in answer))
}

export class DocumentReader {
  private readonly how: Interpretation
  private readonly scanner: Scanner
  private readonly documents: OpenDocuments
  private readonly firstNamed: number
  private readonly names: ReadonlySet<string>
  private readonly shapes: ReadonlySet<number>
  private readonly roles: RowRoles
  private readonly statements: FileStatements
  private passed: Row.Row | undefined = undefined
  private passedCount = 0
  /** Below this line, a header in another order, every cell has another meaning. */
  otherHeader: number | undefined = undefined
  private readings: Array<Adapter.Reading> = []
  /** Row number, counted from 0 after the header. */
  private row = -1
  private afterFault = false
  private key = ""
  private keyed = 0
  private lostBefore: Provenance.Provenance | undefined = undefined

  /** `order`: number of documents in earlier files. */
  constructor(how: Interpretation, order: number, joining: Joining) {
    this.how = how
    this.firstNamed = how.origin.header.findIndex((name) => name !== "")
    this.names = new Set(how.origin.header.filter((name) => name !== ""))
    this.shapes = new Set(Array.from(this.names, (name) => shapeOf(name.charCodeAt(0), name.length)))
    this.roles = new RowRoles(how)
    this.statements = new FileStatements(how)
    this.scanner = new Scanner({ ...how.origin, ...how.start }, (record) => this.take(record))
    this.documents = new OpenDocuments(how, order, joining, (closed) => this.readings.push(closed))
  }

  get late(): LateRow | undefined {
    return this.documents.late
  }

  get order(): number {
    return this.documents.order
  }

  write(bytes: Uint8Array): ReadonlyArray<Adapter.Reading> {
    this.scanner.write(bytes)
    return this.drain()
  }

  finish(): ReadonlyArray<Adapter.Reading> {
    this.scanner.finish()
    this.documents.closeAll()
    if (this.passed !== undefined) {
      const at = { ...Row.start(this.passed), text: Row.shown(this.passed) }
      const detail = this.passedCount === 1 ? "one row" : `${this.passedCount} rows, the first of them here`
      this.readings.push(Finding.make(CsvFinding.CSV_TOTAL_ROWS_PASSED, { detail, at }))
    }
    const statements = this.statements.finding()
    if (statements !== undefined) this.readings.push(statements)
    return this.drain()
  }

  private drain(): ReadonlyArray<Adapter.Reading> {
    const readings = this.readings
    this.readings = []
    return readings
  }

  private take(record: Scanner): void {
    if (record.blank) return
    if (record.line < this.how.headerLine) return this.statements.outside(record)
    if (record.line === this.how.headerLine) return
    this.row++
    if (record.fault !== undefined) {
      this.afterFault = true
      return this.refuse(record, codeOf[record.fault])
    }
    if (isEmpty(record)) return
    if (isSingle(record) && this.isRemark(record)) return this.statements.outside(record)
    if (this.how.passed?.(record.line) === true)
      return this.documents.pass(keyOf(this.how.binding, record), record.line)
    if (this.isHeader(record)) return
    if (this.otherHeader !== undefined) return
    if (!fits(record, this.how.width)) return this.refuse(record, CsvFinding.CSV_ROW_WIDTH)
    if (this.afterFault) {
      if (hasStrayQuote(record)) return this.refuse(record, CsvFinding.CSV_ROW_DAMAGED)
      this.afterFault = false
    }
    // a row refused as a total states its columns, a group row of a report has none
    const isReport = this.how.layout === "report"
    if (!isReport) this.statements.take(record)
    if (!this.isLine(record)) return
    if (isReport) this.statements.take(record)
    const key = this.keyOf(record)
    for (const cell of this.how.binding.group) {
      const trouble = Row.troubleOf(record, cell, this.how.origin)
      if (trouble !== undefined) return this.refuse(record, trouble, "unknown")
    }
    this.place(record, key)
    this.roles.take(record, key)
  }

  /**
   * The only cell of a row with a title, which begins a section of the file, or with several words:
   * neither the text of a line, nor a group's buyer, nor the number of a document.
   */
  private isRemark(record: Scanner): boolean {
    const { binding, groups, layout, origin, settings, titles, width } = this.how
    const cell = firstFilled(record)
    if (groups !== undefined || binding.line.description.includes(cell)) return false
    const row = this.mayContinue(record) && !binding.group.includes(cell) ? "continued" : "own"
    const text = record.cell(cell).trim()
    const isSum = isTotalName(text) || pageOf(text) !== undefined
    const kinds = isSum ? undefined : sectionIn(origin.file, text, settings, row)
    const facts = row === "own" ? factsOf(origin.file, [{ place: "title", text }], settings).words : []
    const isOfFile = (one: SourceDocument.SourceWord) =>
      titles.some((title) => title.subject === one.subject && title.text === one.text)
    const { section } = this.documents
    this.documents.section = [
      ...section.filter(({ subject }) =>
        subject === "kind" ? kinds === undefined : !facts.some((one) => one.subject === subject)
      ),
      ...(kinds ?? []),
      ...facts.filter((one) => !isOfFile(one))
    ]
    // further rows of a document could follow
    if (layout !== "rows") return false
    const isTotal = isSum && fits(record, width)
    const isTitle = kinds !== undefined && !kinds.some(isUnknown)
    return isTitle || facts.length > 0 || (!isTotal && (text.match(severalLetters)?.length ?? 0) > 1)
  }

  /** Most rows repeat the key of the row before, so unchanged cells are not read again. */
  private keyOf(record: Scanner): string {
    const { group } = this.how.binding
    const isKnown = group.length === 1 && record.areSince(this.keyed, group[0]!)
    if (!isKnown) this.key = keyOf(this.how.binding, record)
    this.keyed = record.nth
    return this.key
  }

  /** A row that only looks like a total is refused until the operator confirms it. */
  private isLine(record: Scanner): boolean {
    const { layout, settings } = this.how
    const { totalRows = "refuse" } = settings
    const role = totalRows === "lines" && layout !== "report" ? "line" : this.roles.role(record)
    if (role === "line") return true
    if (layout === "report") this.endGroup(record, role)
    else if (role === "unsure" && totalRows === "refuse") this.refuse(record, CsvFinding.CSV_TOTAL_ROW_UNSURE)
    else this.pass(record)
    return false
  }

  private pass(record: Scanner): void {
    this.passed ??= Row.of(record, this.how.origin)
    this.passedCount++
  }

  private endGroup(record: Scanner, role: RowRole): void {
    if (role === "outside") return this.statements.outside(record)
    if (typeof role === "object") {
      const row = Row.of(record, this.how.origin)
      const at = { ...Row.start(row), text: Row.shown(row) }
      this.documents.reportAll(CsvFinding.CSV_TOTAL_ROW, role.text, at)
      this.readings.push(Finding.make(CsvFinding.CSV_TOTAL_ROW, { detail: role.text, at }))
    }
    this.documents.closeAll()
  }

  private place(record: Scanner, key: string): void {
    if (key !== "") this.documents.add(key, this.row, record, this.roles.group)
    else if (!this.mayContinue(record) || !this.documents.continueWith(this.row, record)) {
      if (this.how.settings.unnumberedRows === "skip") return this.pass(record)
      return this.refuse(record, CsvFinding.CSV_KEY_MISSING)
    }
    if (this.lostBefore !== undefined) {
      this.documents.suspect(this.lostBefore)
      this.lostBefore = undefined
    }
  }

  /** By the layout, or because the number's cell is merged over the row. */
  private mayContinue(record: Scanner): boolean {
    return this.how.layout === "continuation" || isCovered(this.how.binding.group, record, this.how.origin.covered)
  }

  /** As in joined exports; a header in another order begins another table. */
  private isHeader(record: Scanner): boolean {
    if (!this.mayBeName(record) || !this.names.has(record.cell(this.firstNamed).trim())) return false
    const cells = record.cells().map((cell) => cell.trim())
    const filled = cells.filter((cell) => cell !== "")
    if (filled.length !== this.names.size || !filled.every((cell) => this.names.has(cell))) return false
    if (!this.how.origin.header.every((name, cell) => (cells[cell] ?? "") === name)) this.otherHeader ??= record.line
    return true
  }

  /** Creates no text for a plain cell. */
  private mayBeName({ bytes, count, ends, flags, starts }: Scanner): boolean {
    const cell = this.firstNamed
    if (cell >= count || (flags[cell]! & (High | Escaped)) !== 0) return true
    const [from, to] = [starts[cell]!, ends[cell]!]
    const isTrimmed = to > from && bytes[from]! > blank && bytes[to - 1]! > blank
    return !isTrimmed || this.shapes.has(shapeOf(bytes[from]!, to - from))
  }

  private refuse(record: Scanner, code: FindingCode.FindingCode, document: "stated" | "unknown" = "stated"): void {
    const row = Row.of(record, this.how.origin)
    const at = record.fault === undefined ? Row.start(row) : Row.placeAt(row, record.startOf(record.count))
    const wide = code === CsvFinding.CSV_ROW_WIDTH
    const finding = Finding.make(code, {
      at: { ...at, text: Row.shown(row) },
      ...(wide && { detail: `${record.count} cells, the header has ${this.how.width.named}` }),
      ...(code === CsvFinding.CSV_KEY_MISSING && this.how.layout === "continuation" && withoutRowAbove)
    })
    this.readings.push(new RowFinding(finding, row))
    const known = this.how.binding.group.every((cell) => cell < record.count) && code !== CsvFinding.CSV_ROW_DAMAGED
    const key = known && document === "stated" ? keyOf(this.how.binding, record) : ""
    if (key !== "") this.documents.lose(key, record.line)
    // cells before a broken quote are reliable; in a row of the wrong width, any cell may be in a
    // wrong column
    if (key !== "" && !wide) return
    this.documents.suspect(at)
    this.lostBefore = at
  }
}
