/** The rows of one file, gathered into documents: bytes in, readings out. */
import * as Finding from "@fiscal-connector/core/finding/Finding"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { Reading } from "@fiscal-connector/core/source/Adapter"
import { isCovered, keyOf } from "../columns/Binding.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { Interpretation, Joining } from "../detect/Interpretation.ts"
import { type LateRow, OpenDocuments } from "./OpenDocuments.ts"
import { ReportRows } from "../rows/ReportRows.ts"
import * as Row from "../scan/Row.ts"
import { RowFinding } from "../finding/RowFinding.ts"
import { RunningSums } from "../rows/RunningSums.ts"
import { fits, hasStrayQuote, isEmpty } from "../scan/RowShape.ts"
import { Escaped, High, Scanner } from "../scan/Scanner.ts"

const codeOf = {
  "unterminated-quote": CsvFinding.CSV_UNTERMINATED_QUOTE,
  "text-after-quote": CsvFinding.CSV_TEXT_AFTER_QUOTE,
  "record-too-long": CsvFinding.CSV_RECORD_TOO_LONG
} as const

const blank = 0x20

const shapeOf = (first: number, length: number): number => (first << 16) | length

export class DocumentReader {
  private readonly how: Interpretation
  private readonly scanner: Scanner
  private readonly documents: OpenDocuments
  private readonly report: ReportRows | undefined
  private readonly firstNamed: number
  private readonly names: ReadonlySet<string>
  /** The first letter and the length of each name, which tell most cells from all of them. */
  private readonly shapes: ReadonlySet<number>
  private readonly sums: RunningSums
  /** The first row that was passed over as a total, and how many there were. */
  private passed: Row.Row | undefined = undefined
  private passedCount = 0
  /** The line on which the header stands again with its columns in another order: below it every cell means something else. */
  otherHeader: number | undefined = undefined
  private readings: Array<Reading> = []
  /** Counted from 0 after the header. */
  private row = -1
  private afterFault = false
  /** The key of the record with that number of the scanner. */
  private key = ""
  private keyed = 0
  private lostBefore: Provenance | undefined = undefined

  /** `order`: how many documents earlier files had. */
  constructor(how: Interpretation, order: number, joining: Joining) {
    this.how = how
    this.firstNamed = how.origin.header.findIndex((name) => name !== "")
    this.names = new Set(how.origin.header.filter((name) => name !== ""))
    this.shapes = new Set(Array.from(this.names, (name) => shapeOf(name.charCodeAt(0), name.length)))
    this.sums = new RunningSums(how)
    this.scanner = new Scanner({ ...how.origin, ...how.start }, (record) => this.take(record))
    this.documents = new OpenDocuments(how, order, joining, (closed) => this.readings.push(closed))
    this.report = how.layout === "report" ? new ReportRows(how) : undefined
  }

  /** Set when a row came after its document was closed. */
  get late(): LateRow | undefined {
    return this.documents.late
  }

  /** How many documents there have been. */
  get order(): number {
    return this.documents.order
  }

  write(bytes: Uint8Array): ReadonlyArray<Reading> {
    this.scanner.write(bytes)
    return this.drain()
  }

  finish(): ReadonlyArray<Reading> {
    this.scanner.finish()
    this.documents.closeAll()
    if (this.passed !== undefined) {
      const at = { ...Row.start(this.passed), text: Row.shown(this.passed) }
      const detail = this.passedCount === 1 ? "one row" : `${this.passedCount} rows, the first of them here`
      this.readings.push(Finding.make(CsvFinding.CSV_TOTAL_ROWS_PASSED, { detail, at }))
    }
    return this.drain()
  }

  private drain(): ReadonlyArray<Reading> {
    const readings = this.readings
    this.readings = []
    return readings
  }

  private take(record: Scanner): void {
    if (record.line <= this.how.headerLine || record.blank) return
    this.row++
    if (record.fault !== undefined) {
      this.afterFault = true
      return this.refuse(record, codeOf[record.fault])
    }
    if (isEmpty(record)) return
    if (this.how.passed?.(record.line) === true)
      return this.documents.pass(keyOf(this.how.binding, record), record.line)
    if (this.isHeader(record)) return
    if (this.otherHeader !== undefined) return
    if (!fits(record, this.how.width)) return this.refuse(record, CsvFinding.CSV_ROW_WIDTH)
    if (this.afterFault) {
      if (hasStrayQuote(record)) return this.refuse(record, CsvFinding.CSV_ROW_DAMAGED)
      this.afterFault = false
    }
    if (this.report === undefined ? this.isTotal(record) : !this.isLine(this.report, record)) return
    const key = this.keyOf(record)
    for (const cell of this.how.binding.group) {
      const trouble = Row.troubleOf(record, cell, this.how.origin)
      if (trouble !== undefined) return this.refuse(record, trouble, "unknown")
    }
    this.place(record, key)
    this.sums.take(record, key)
  }

  /** Most rows have the key of the one before, whose cells have not to be looked at again. */
  private keyOf(record: Scanner): string {
    const { group } = this.how.binding
    const isKnown = group.length === 1 && record.areSince(this.keyed, group[0]!)
    if (!isKnown) this.key = keyOf(this.how.binding, record)
    this.keyed = record.nth
    return this.key
  }

  /** A row whose first word says that it adds up others, or ends a page. It is one where the arithmetic says so, too, or the person. */
  private isTotal(record: Scanner): boolean {
    const { totalRows = "refuse" } = this.how.settings
    const role = totalRows === "lines" ? "line" : this.sums.role(record)
    if (role === "line") return false
    if (role === "unsure" && totalRows === "refuse") this.refuse(record, CsvFinding.CSV_TOTAL_ROW_UNSURE)
    else {
      this.passed ??= Row.of(record, this.how.origin)
      this.passedCount++
    }
    return true
  }

  /** Puts a row to its document. */
  private place(record: Scanner, key: string): void {
    if (key !== "") this.documents.add(key, this.row, record, this.report?.group)
    else if (!this.mayGoOn(record) || !this.documents.goOn(this.row, record)) {
      return this.refuse(record, CsvFinding.CSV_KEY_MISSING)
    }
    if (this.lostBefore !== undefined) {
      this.documents.suspect(this.lostBefore)
      this.lostBefore = undefined
    }
  }

  /** A row without a number of its own belongs to the document above where the layout says so, or where its number is merged over the row. */
  private mayGoOn(record: Scanner): boolean {
    return this.how.layout === "continuation" || isCovered(this.how.binding.group, record, this.how.origin.covered)
  }

  private isLine(report: ReportRows, record: Scanner): boolean {
    const role = report.role(record)
    if (role.is === "line") return true
    if (role.is === "total" && role.problem !== undefined) {
      const row = Row.of(record, this.how.origin)
      const at = { ...Row.start(row), text: Row.shown(row) }
      this.documents.reportAll(CsvFinding.CSV_TOTAL_ROW, role.problem, at)
      this.readings.push(Finding.make(CsvFinding.CSV_TOTAL_ROW, { detail: role.problem, at }))
    }
    if (role.is === "total" || role.is === "group") this.documents.closeAll()
    return false
  }

  /** The header again, as where exports were put one after the other; in another order it begins another table. */
  private isHeader(record: Scanner): boolean {
    if (!this.mayBeName(record) || !this.names.has(record.cell(this.firstNamed).trim())) return false
    const cells = record.cells().map((cell) => cell.trim())
    const filled = cells.filter((cell) => cell !== "")
    if (filled.length !== this.names.size || !filled.every((cell) => this.names.has(cell))) return false
    if (!this.how.origin.header.every((name, cell) => (cells[cell] ?? "") === name)) this.otherHeader ??= record.line
    return true
  }

  /** Whether the cell under the first name may be a name itself; seen without making a text of it where it is plain. */
  private mayBeName({ bytes, count, ends, flags, starts }: Scanner): boolean {
    const cell = this.firstNamed
    if (cell >= count || (flags[cell]! & (High | Escaped)) !== 0) return true
    const [from, to] = [starts[cell]!, ends[cell]!]
    const isTrimmed = to > from && bytes[from]! > blank && bytes[to - 1]! > blank
    return !isTrimmed || this.shapes.has(shapeOf(bytes[from]!, to - from))
  }

  /** Refuses one row, and with it every document it may belong to. */
  private refuse(record: Scanner, code: FindingCode, document: "stated" | "unknown" = "stated"): void {
    const row = Row.of(record, this.how.origin)
    const at = record.fault === undefined ? Row.start(row) : Row.placeAt(row, record.startOf(record.count))
    const wide = code === CsvFinding.CSV_ROW_WIDTH
    const finding = Finding.make(code, {
      at: { ...at, text: Row.shown(row) },
      ...(wide && { detail: `${record.count} cells, the header has ${this.how.width.named}` })
    })
    this.readings.push(new RowFinding(finding, row))
    const known = this.how.binding.group.every((cell) => cell < record.count) && code !== CsvFinding.CSV_ROW_DAMAGED
    const key = known && document === "stated" ? keyOf(this.how.binding, record) : ""
    if (key !== "") this.documents.lose(key, record.line)
    // the cells before a broken quote are sound; in a row of the wrong width any cell may stand in another's place
    if (key !== "" && !wide) return
    this.documents.suspect(at)
    this.lostBefore = at
  }
}
