/**
 * Reads of an adapter since its last document, in order. They trace a document's values to their
 * cells.
 */
import type { Finding } from "@fiscal-connector/core/adapter"
import type { CellMembers } from "./Cell.ts"
import type { FieldRecord } from "./FieldRecord.ts"
import type { Origin } from "./Origin.ts"

export interface TracedItem {
  readonly origin: Origin
  readonly tokens: ReadonlyArray<string>
}

export const noValue: unique symbol = Symbol("no value")

export interface CellRead {
  readonly item: TracedItem
  readonly tokens: ReadonlyArray<string>
  value: unknown
  readonly finding?: Finding.Finding
  path?: Finding.Path
}

export interface Round {
  readonly item: TracedItem & { readonly members: CellMembers; readonly fields: FieldRecord }
  readonly log: ReadLog
}

export class ReadLog {
  reads: Array<CellRead> = []
  rounds = new Map<unknown, Round>()

  add(read: CellRead): void {
    this.reads.push(read)
  }
}

/**
 * Log for records that documents are joined with. Drops the reads, because they belong to no
 * document yet, and reports the findings.
 */
export class JoinLog extends ReadLog {
  private readonly unread: (finding: Finding.Finding, origin: Origin) => void

  constructor(unread: (finding: Finding.Finding, origin: Origin) => void) {
    super()
    this.unread = unread
  }

  override add({ finding, item }: CellRead): void {
    if (finding !== undefined) this.unread(finding, item.origin)
  }
}

export const currencies = new WeakMap<
  object,
  { readonly currency: string; readonly item: TracedItem; readonly tokens: ReadonlyArray<string> }
>()

export const unread = new WeakSet<object>()
