/** The documents whose rows are still coming in: opened by their key, closed when nothing more can come. */
import type { FindingCode } from "@fiscal-connector/core/finding/FindingCode"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type { Skipped } from "@fiscal-connector/core/source/SourceDocument"
import type { CsvDocument } from "./CsvDocument.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { Interpretation, Joining } from "../detect/Interpretation.ts"
import { KeyTable } from "../scan/KeyTable.ts"
import { OpenDocument } from "./OpenDocument.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

/** A row whose document was closed before it came. */
export interface LateRow {
  readonly key: string
  readonly line: number
}

interface Pending {
  readonly key: string
  readonly document: OpenDocument
  readonly order: number
  readonly slot: number
  /** The row that was added last, counted from 0. */
  last: number
  /** Neighbours in the order of their last rows. */
  older: Pending | undefined
  newer: Pending | undefined
}

/** In the table of keys: the document is closed. An open one has its slot plus 1. */
const closed = -1

/**
 * No Map holds the documents: V8 links every table that a growing Map leaves behind to the next one, so that a single one in the old
 * generation keeps all documents after it alive until the next full collection.
 */
export class OpenDocuments {
  /** Set when a row came too late: what was read until then is incomplete. */
  late: LateRow | undefined = undefined
  /** How many documents have begun, those of earlier files included. */
  order: number
  private readonly how: Interpretation
  private readonly emit: (closed: CsvDocument | Skipped) => void
  private readonly lastRows: KeyTable | undefined
  private readonly window: number
  private readonly remembersClosed: boolean
  private keys = new KeyTable()
  private readonly slots: Array<Pending | undefined> = []
  private readonly freeSlots: Array<number> = []
  private oldest: Pending | undefined
  private newest: Pending | undefined
  private current: Pending | undefined
  /** The document whose row came last, closed or not. */
  private before: OpenDocument | undefined = undefined
  /** The line that could not be read of a document that had not begun. */
  private readonly lost = new KeyTable()

  constructor(how: Interpretation, order: number, joining: Joining, emit: (closed: CsvDocument | Skipped) => void) {
    this.how = how
    this.order = order
    this.emit = emit
    this.lastRows = "lastRows" in joining ? joining.lastRows : undefined
    this.window = "window" in joining ? joining.window : Infinity
    this.remembersClosed = "window" in joining && joining.surely !== "so"
  }

  /** Adds a row to the document of that key. */
  add(key: string, row: number, record: Scanner, group: Row.Row | undefined): void {
    if (this.current === undefined || key !== this.current.key) this.turnTo(key, row, record.line, group)
    this.append(row, record)
  }

  /** Adds a row that goes on with the document before it; false where it contradicts it, or where there is none. */
  goOn(row: number, record: Scanner): boolean {
    if (this.current === undefined || !this.current.document.agrees(record)) return false
    this.append(row, record)
    return true
  }

  /** A line of the document with that key cannot be read. */
  lose(key: string, line: number): void {
    const pending = this.find(key)
    if (pending !== undefined) this.reportLost(pending.document, line)
    else {
      this.lost.set(key, line)
      if (this.keys.get(key) === closed) this.late ??= { key, line }
    }
  }

  /** A line that the person has us pass over: a document with others is incomplete. Without a key it goes on with the row before it. */
  pass(key: string, line: number): void {
    if (key !== "") this.lose(key, line)
    else if (this.current !== undefined) this.reportLost(this.current.document, line)
  }

  /** A line that may belong to the document whose row came last cannot be read. */
  suspect(at: Provenance): void {
    this.current?.document.suspect(at)
  }

  /** Something is wrong about every document that is open. */
  reportAll(code: FindingCode, detail: string, at: Provenance): void {
    for (let pending = this.oldest; pending !== undefined; pending = pending.newer) {
      pending.document.report(code, { detail, at })
    }
  }

  closeAll(): void {
    while (this.oldest !== undefined) this.close(this.oldest)
    this.current = undefined
    if (!this.remembersClosed) this.keys = new KeyTable()
  }

  private turnTo(key: string, row: number, line: number, group: Row.Row | undefined): void {
    let pending = this.find(key)
    if (pending !== undefined) this.unlink(pending)
    else {
      if (this.keys.get(key) === closed) this.late ??= { key, line }
      const slot = this.freeSlots.pop() ?? this.slots.length
      const document = new OpenDocument(this.how, group, this.before)
      pending = { key, document, order: this.order++, slot, last: row, older: undefined, newer: undefined }
      this.slots[slot] = pending
      this.keys.set(this.place(key), slot + 1)
      const lost = this.lost.get(key)
      if (lost > 0) this.reportLost(document, lost)
    }
    this.link(pending)
    this.current = pending
    while (this.oldest !== undefined && row - this.oldest.last - 1 > this.window) this.close(this.oldest)
  }

  private reportLost(document: OpenDocument, line: number): void {
    const { origin, passed } = this.how
    const code =
      passed?.(line) === true ? (origin.troubles?.["hidden"] ?? CsvFinding.CSV_LINE_LOST) : CsvFinding.CSV_LINE_LOST
    document.report(code, { at: this.lineAt(line) })
  }

  private lineAt(line: number): Provenance {
    return Row.lineAt(this.how.origin, line)
  }

  private append(row: number, record: Scanner): void {
    const pending = this.current!
    pending.document.add(record)
    this.before = pending.document
    pending.last = row
    if (this.lastRows !== undefined && this.lastRows.get(pending.key) === row + 1) {
      this.close(pending)
      this.current = undefined
    }
  }

  private close(pending: Pending): void {
    this.unlink(pending)
    this.slots[pending.slot] = undefined
    this.freeSlots.push(pending.slot)
    this.keys.set(this.place(pending.key), this.remembersClosed ? closed : 0)
    this.emit(pending.document.close(pending.order))
  }

  private find(key: string): Pending | undefined {
    const slot = this.keys.get(this.place(key))
    return slot > 0 ? this.slots[slot - 1] : undefined
  }

  /** The key itself, or, where another open document has its hash, one that is its own. */
  private place(key: string): string {
    let place = key
    for (let slot = this.keys.get(place); slot > 0; slot = this.keys.get(place)) {
      const other = this.slots[slot - 1]
      if (other === undefined || other.key === key) break
      place += "\0"
    }
    return place
  }

  private link(pending: Pending): void {
    pending.older = this.newest
    if (this.newest === undefined) this.oldest = pending
    else this.newest.newer = pending
    this.newest = pending
  }

  private unlink(pending: Pending): void {
    if (pending.older === undefined) this.oldest = pending.newer
    else pending.older.newer = pending.newer
    if (pending.newer === undefined) this.newest = pending.older
    else pending.newer.older = pending.older
    pending.older = pending.newer = undefined
  }
}
