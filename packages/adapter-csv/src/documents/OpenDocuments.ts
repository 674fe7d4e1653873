import type { FindingCode, Provenance, SourceDocument } from "@fiscal-connector/core/adapter"
import type { CsvDocument } from "./CsvDocument.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"
import type { Interpretation, Joining } from "../detect/Interpretation.ts"
import { KeyTable, LastHash } from "../scan/KeyTable.ts"
import { OpenDocument } from "./OpenDocument.ts"
import * as Row from "../scan/Row.ts"
import type { Scanner } from "../scan/Scanner.ts"

export interface LateRow {
  readonly key: string
  readonly line: number
}

interface Pending {
  readonly key: string
  readonly document: OpenDocument
  readonly order: number
  readonly slot: number
  last: number
  older: Pending | undefined
  newer: Pending | undefined
}

/** Value in the key table for a closed document. An open document has its slot plus 1. */
const closed = -1

/**
 * Not a Map: V8 links every table that a growing Map discards to the next one, so that one table in
 * the old generation keeps all later documents alive until the next full collection.
 */
export class OpenDocuments {
  late: LateRow | undefined = undefined
  order: number
  section: Interpretation["titles"] = []
  private readonly how: Interpretation
  private readonly emit: (closed: CsvDocument | SourceDocument.Skipped) => void
  private readonly lastRows: KeyTable | undefined
  private readonly window: number
  private readonly remembersClosed: boolean
  private readonly lastHash = new LastHash()
  private keys = new KeyTable(this.lastHash)
  private readonly slots: Array<Pending | undefined> = []
  private readonly freeSlots: Array<number> = []
  private oldest: Pending | undefined
  private newest: Pending | undefined
  private current: Pending | undefined
  private before: OpenDocument | undefined = undefined
  private readonly lost = new KeyTable(this.lastHash)

  constructor(
    how: Interpretation,
    order: number,
    joining: Joining,
    emit: (closed: CsvDocument | SourceDocument.Skipped) => void
  ) {
    this.how = how
    this.order = order
    this.emit = emit
    this.lastRows = "lastRows" in joining ? joining.lastRows : undefined
    this.window = "window" in joining ? joining.window : Infinity
    this.remembersClosed = "window" in joining && joining.surely !== "so"
  }

  add(key: string, row: number, record: Scanner, group: Row.Row | undefined): void {
    if (this.current === undefined || key !== this.current.key) this.turnTo(key, row, record.line, group)
    this.append(row, record)
  }

  continueWith(row: number, record: Scanner): boolean {
    if (this.current === undefined || !this.current.document.agrees(record)) return false
    this.append(row, record)
    return true
  }

  lose(key: string, line: number): void {
    const pending = this.find(key)
    if (pending !== undefined) this.reportLost(pending.document, line)
    else {
      this.lost.set(key, line)
      if (this.keys.get(key) === closed) this.late ??= { key, line }
    }
  }

  /**
   * A document with other rows is then incomplete. A line without a key continues the row before.
   */
  pass(key: string, line: number): void {
    if (key !== "") this.lose(key, line)
    else if (this.current !== undefined) this.reportLost(this.current.document, line)
  }

  suspect(at: Provenance.Provenance): void {
    this.current?.document.suspect(at)
  }

  reportAll(code: FindingCode.FindingCode, detail: string, at: Provenance.Provenance): void {
    for (let pending = this.oldest; pending !== undefined; pending = pending.newer) {
      pending.document.report(code, { detail, at })
    }
  }

  closeAll(): void {
    while (this.oldest !== undefined) this.close(this.oldest)
    this.current = undefined
    if (!this.remembersClosed) this.keys = new KeyTable(this.lastHash)
  }

  private turnTo(key: string, row: number, line: number, group: Row.Row | undefined): void {
    let pending = this.find(key)
    if (pending !== undefined) this.unlink(pending)
    else {
      if (this.keys.get(key) === closed) this.late ??= { key, line }
      const slot = this.freeSlots.pop() ?? this.slots.length
      const document = new OpenDocument(this.how, group, this.before, this.section)
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

  private lineAt(line: number): Provenance.Provenance {
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

  /** An alternative key if another open document has the same hash. */
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
