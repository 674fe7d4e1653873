/** The rows of one file, gathered into documents: bytes in, readings out. */
import * as Finding from "@fiscal-connector/core/finding/Finding"
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { Reading } from "@fiscal-connector/core/source/Adapter"
import { CsvFinding } from "./CsvFinding.ts"
import type { Interpretation } from "./Interpretation.ts"
import { KeyTable } from "./KeyTable.ts"
import { OpenDocument } from "./OpenDocument.ts"
import * as Row from "./Row.ts"
import { RowFinding } from "./RowFinding.ts"
import { Scanner, StrayQuote } from "./Scanner.ts"

/** How many rows may stand between two rows of one document. */
export const window = 1000

/** A row whose document was closed long ago. */
export interface LateRow {
  readonly key: string
  readonly line: number
}

interface Pending {
  readonly document: OpenDocument
  readonly order: number
  /** The row, counted from 0, that was added last. */
  last: number
}

export class DocumentReader {
  /** Set when a row came too late for its document; what was read until then is incomplete. */
  late: LateRow | undefined = undefined
  /** How many documents have begun. */
  order: number

  private readonly how: Interpretation
  private readonly scanner: Scanner
  private readonly lastRows: KeyTable | undefined
  private readonly width: number
  private readonly open = new Map<string, Pending>()
  private readonly closed = new KeyTable()
  private readonly lost = new Map<string, Provenance>()
  private readings: Array<Reading> = []
  private current: Pending | undefined
  private currentKey = ""
  private row = -1
  private afterFault = false
  private lostBefore: Provenance | undefined

  /** `lastRows`: the last row of every key, from a first pass; without it, rows are joined within the window. */
  constructor(how: Interpretation, order: number, lastRows?: KeyTable) {
    this.how = how
    this.order = order
    this.lastRows = lastRows
    this.width = how.origin.header.length
    this.scanner = new Scanner({ ...how.origin, ...how.start }, (record) => this.take(record))
  }

  write(bytes: Uint8Array): ReadonlyArray<Reading> {
    this.scanner.write(bytes)
    return this.drain()
  }

  finish(): ReadonlyArray<Reading> {
    this.scanner.finish()
    for (const [key, pending] of this.open) this.close(key, pending)
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
    if (record.fault !== undefined) return this.broken(record)
    if (isEmpty(record)) return
    if (!this.fits(record)) return this.refuse(record, CsvFinding.CSV_ROW_WIDTH, this.widthDetail(record))
    if (this.afterFault) {
      if (hasStrayQuote(record)) return this.refuse(record, CsvFinding.CSV_ROW_DAMAGED)
      this.afterFault = false
    }
    const key = this.keyOf(record)
    if (key === "" && this.how.layout === "continuation" && this.current !== undefined) return this.append(record)
    if (key === "") return this.refuse(record, CsvFinding.CSV_KEY_MISSING)
    if (key !== this.currentKey) this.turnTo(key, record)
    this.append(record)
  }

  private turnTo(key: string, record: Scanner): void {
    let pending = this.open.get(key)
    if (pending === undefined) {
      if (this.lastRows === undefined && this.closed.get(key) > 0) this.late ??= { key, line: record.line }
      pending = { document: new OpenDocument(this.how), order: this.order++, last: this.row }
      const lost = this.lost.get(key)
      if (lost !== undefined) pending.document.report(CsvFinding.CSV_LINE_LOST, { at: lost })
    } else this.open.delete(key)
    this.open.set(key, pending)
    this.current = pending
    this.currentKey = key
    if (this.lastRows === undefined) this.closeOld()
  }

  private append(record: Scanner): void {
    const pending = this.current!
    pending.document.add(record)
    pending.last = this.row
    if (this.lostBefore !== undefined) {
      pending.document.report(CsvFinding.CSV_LINE_LOST, { at: this.lostBefore })
      this.lostBefore = undefined
    }
    if (this.lastRows !== undefined && this.lastRows.get(this.currentKey) === this.row) {
      this.close(this.currentKey, pending)
      if (this.how.layout !== "continuation") this.forget()
    }
  }

  private closeOld(): void {
    for (const [key, pending] of this.open) {
      if (this.row - pending.last <= window) return
      this.close(key, pending)
    }
  }

  private close(key: string, pending: Pending): void {
    this.open.delete(key)
    if (this.lastRows === undefined) this.closed.set(key, 1)
    this.readings.push(pending.document.close(pending.order))
  }

  private forget(): void {
    this.current = undefined
    this.currentKey = ""
  }

  private keyOf(record: Scanner): string {
    const { group } = this.how.binding
    if (group.length === 1) return record.rawCell(group[0]!).trim()
    const parts = group.map((cell) => record.rawCell(cell).trim())
    return parts.every((part) => part === "") ? "" : parts.join("\u001f")
  }

  /** Whether the row has the header's width; blank cells beyond it do not count. */
  private fits(record: Scanner): boolean {
    for (let cell = this.width; cell < record.count; cell++) {
      if (record.ends[cell]! > record.starts[cell]!) return false
    }
    return record.count >= this.width || this.how.settings.shortRows === "pad"
  }

  private widthDetail(record: Scanner): string {
    return `${record.count} cells, the header has ${this.width}`
  }

  private broken(record: Scanner): void {
    this.afterFault = true
    const code = {
      "unterminated-quote": CsvFinding.CSV_UNTERMINATED_QUOTE,
      "text-after-quote": CsvFinding.CSV_TEXT_AFTER_QUOTE,
      "record-too-long": CsvFinding.CSV_RECORD_TOO_LONG
    }[record.fault!]
    this.refuse(record, code)
  }

  /** Refuses one row, and with it every document it may belong to. */
  private refuse(record: Scanner, code: FindingCode, detail?: string): void {
    const row = Row.of(record, this.how.origin)
    const at = record.fault === undefined ? Row.where(row, undefined) : Row.placeAt(row, record.startOf(record.count))
    const finding = Finding.make(code, { at: { ...at, text: Row.text(row) }, ...(detail !== undefined && { detail }) })
    this.readings.push(new RowFinding(finding, row))
    const { group } = this.how.binding
    const complete = group.every((cell) => cell < record.count)
    const key = complete && code !== CsvFinding.CSV_ROW_DAMAGED ? this.keyOf(record) : ""
    const pending = key === "" ? undefined : this.open.get(key)
    if (pending !== undefined) pending.document.report(CsvFinding.CSV_LINE_LOST, { at })
    else if (key !== "") {
      this.lost.set(key, at)
      if (this.closed.get(key) > 0) this.late ??= { key, line: record.line }
    } else {
      this.current?.document.report(CsvFinding.CSV_LINE_LOST, { at })
      if (code !== CsvFinding.CSV_KEY_MISSING) this.lostBefore = at
    }
  }
}

const isEmpty = (record: Scanner): boolean => {
  for (let cell = 0; cell < record.count; cell++) if (record.ends[cell]! > record.starts[cell]!) return false
  return true
}

const hasStrayQuote = (record: Scanner): boolean => {
  for (let cell = 0; cell < record.count; cell++) if ((record.flags[cell]! & StrayQuote) !== 0) return true
  return false
}
