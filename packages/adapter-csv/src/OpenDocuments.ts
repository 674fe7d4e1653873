/** The documents whose rows are still coming in: opened by their key, closed when nothing more can come. */
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { Skipped } from "@fiscal-connector/core/source/SourceDocument"
import type { CsvDocument } from "./CsvDocument.ts"
import { CsvFinding } from "./CsvFinding.ts"
import type { Interpretation } from "./Interpretation.ts"
import { KeyTable } from "./KeyTable.ts"
import { OpenDocument } from "./OpenDocument.ts"
import type { Row } from "./Row.ts"
import type { Scanner } from "./Scanner.ts"

/**
 * How the rows of one document are joined: those with at most so many rows between them, or, where the last row of every key is known (plus
 * 1), wherever they are.
 */
export type Joining = { readonly window: number } | { readonly lastRows: KeyTable }

/** A row whose document was closed before it came. */
export interface LateRow {
  readonly key: string
  readonly line: number
}

interface Pending {
  readonly document: OpenDocument
  readonly order: number
  /** The row that was added last, counted from 0. */
  last: number
}

export class OpenDocuments {
  /** Set when a row came too late: what was read until then is incomplete. */
  late: LateRow | undefined = undefined
  /** How many documents have begun, those of earlier files included. */
  order: number
  private readonly how: Interpretation
  private readonly emit: (closed: CsvDocument | Skipped) => void
  private readonly lastRows: KeyTable | undefined
  private readonly window: number
  private readonly open = new Map<string, Pending>()
  private readonly closed = new KeyTable()
  /** Lines that could not be read, by the document they belong to. */
  private readonly lost = new Map<string, Provenance>()
  private current: Pending | undefined
  private currentKey = ""

  constructor(how: Interpretation, order: number, joining: Joining, emit: (closed: CsvDocument | Skipped) => void) {
    this.how = how
    this.order = order
    this.lastRows = "lastRows" in joining ? joining.lastRows : undefined
    this.window = "window" in joining ? joining.window : Infinity
    this.emit = emit
  }

  /** Adds a row to the document of that key. */
  add(key: string, row: number, record: Scanner, group: Row | undefined): void {
    if (this.current === undefined || key !== this.currentKey) this.turnTo(key, row, record.line, group)
    this.append(row, record)
  }

  /** Adds a row that goes on with the document before it; false where it contradicts it, or where there is none. */
  goOn(row: number, record: Scanner): boolean {
    if (this.current === undefined || !this.current.document.agrees(record)) return false
    this.append(row, record)
    return true
  }

  /** A line of the document with that key cannot be read. */
  lose(key: string, at: Provenance, line: number): void {
    const pending = this.open.get(key)
    if (pending !== undefined) pending.document.report(CsvFinding.CSV_LINE_LOST, { at })
    else {
      this.lost.set(key, at)
      if (this.closed.get(key) > 0) this.late ??= { key, line }
    }
  }

  /** A line that may belong to the document whose row came last cannot be read. */
  suspect(at: Provenance): void {
    this.current?.document.suspect(at)
  }

  /** Something is wrong about every document that is open. */
  reportAll(code: FindingCode, detail: string, at: Provenance): void {
    for (const { document } of this.open.values()) document.report(code, { detail, at })
  }

  closeAll(): void {
    for (const [key, pending] of this.open) this.close(key, pending)
    this.current = undefined
  }

  private turnTo(key: string, row: number, line: number, group: Row | undefined): void {
    let pending = this.open.get(key)
    if (pending === undefined) {
      if (this.closed.get(key) > 0) this.late ??= { key, line }
      pending = { document: new OpenDocument(this.how, group), order: this.order++, last: row }
      const lost = this.lost.get(key)
      if (lost !== undefined) pending.document.report(CsvFinding.CSV_LINE_LOST, { at: lost })
    } else this.open.delete(key)
    this.open.set(key, pending)
    this.current = pending
    this.currentKey = key
    if (this.how.layout !== "report") this.closeOld(row)
  }

  private append(row: number, record: Scanner): void {
    const pending = this.current!
    pending.document.add(record)
    pending.last = row
    if (this.lastRows?.get(this.currentKey) === row + 1) {
      this.close(this.currentKey, pending)
      this.current = undefined
    }
  }

  private closeOld(row: number): void {
    if (this.lastRows !== undefined) return
    for (const [key, pending] of this.open) {
      if (row - pending.last - 1 <= this.window) return
      this.close(key, pending)
    }
  }

  private close(key: string, pending: Pending): void {
    this.open.delete(key)
    if (this.lastRows === undefined && this.how.layout !== "report") this.closed.set(key, 1)
    this.emit(pending.document.close(pending.order))
  }
}
