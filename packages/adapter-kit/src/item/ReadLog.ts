/**
 * Reads of an adapter since its last document, in order. The log traces a document's values to
 * their cells: figures and lists by identity, texts by equality in the order of reading.
 */
import type { Finding, Path } from "@fiscal-connector/core/finding/Finding"
import type { Members } from "./Cell.ts"
import type { FieldRecord } from "./FieldRecord.ts"
import type { Origin } from "./Origin.ts"

/** An object of a record: the record, and the path from the record's root to the object. */
export interface Placed {
  readonly origin: Origin
  readonly tokens: ReadonlyArray<string>
}

/** Value of a finding about a cell that was not read, for example a refusal by the adapter. */
export const noValue: unique symbol = Symbol("no value")

export interface Read {
  readonly item: Placed
  /** Path from the item's own object to the cell. */
  readonly tokens: ReadonlyArray<string>
  /** Value that the adapter received; `noValue` if nothing was read. */
  value: unknown
  readonly finding?: Finding
  /** Path of the value in the document, once known. */
  path?: Path
}

/** Reads of one element in a call of `each`. */
export interface Round {
  readonly item: Placed & { readonly members: Members; readonly fields: FieldRecord }
  readonly log: ReadLog
}

/** Reads outside any `each`, or of one element inside. */
export class ReadLog {
  reads: Array<Read> = []
  /** Rounds by the value that each round returned. */
  rounds = new Map<unknown, Round>()

  add(read: Read): void {
    this.reads.push(read)
  }
}

/**
 * Log for records that documents are joined with. Drops the reads, because they belong to no
 * document yet, and reports the findings.
 */
export class JoinLog extends ReadLog {
  private readonly unread: (finding: Finding, origin: Origin) => void

  constructor(unread: (finding: Finding, origin: Origin) => void) {
    super()
    this.unread = unread
  }

  override add({ finding, item }: Read): void {
    if (finding !== undefined) this.unread(finding, item.origin)
  }
}

/** Currency and its place for an amount with a stated currency. */
export const currencies = new WeakMap<
  object,
  { readonly currency: string; readonly item: Placed; readonly tokens: ReadonlyArray<string> }
>()

/** Placeholders for unreadable figures. */
export const unread = new WeakSet<object>()
