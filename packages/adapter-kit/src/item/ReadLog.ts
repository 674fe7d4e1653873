/**
 * What an adapter has read since its last document, in order. A document's values are traced to their cells by it: figures and lists by
 * identity, texts by being the same text, in the order they were read.
 */
import type { Finding, Path } from "@fiscal-connector/core/finding/Finding"
import type { Members } from "./Cell.ts"
import type { Origin } from "./Origin.ts"

/** An object of a record: the record, and the way to it from the record's root. */
export interface Placed {
  readonly origin: Origin
  readonly tokens: ReadonlyArray<string>
}

/** Value of a finding that is not about a value that was read: what an adapter says of a cell. */
export const noValue: unique symbol = Symbol("no value")

export interface Read {
  readonly item: Placed
  /** From the item's own object. */
  readonly tokens: ReadonlyArray<string>
  /** What the author got; `noValue` where nothing was read. */
  value: unknown
  readonly finding?: Finding
  /** Where in the document it went, once that is known. */
  path?: Path
}

/** What one round of `each` read of its element. */
export interface Round {
  readonly item: Placed & { readonly members: Members }
  readonly log: ReadLog
}

/** What was read outside any `each`, or inside one round of it. */
export class ReadLog {
  reads: Array<Read> = []
  /** By what each round has made. */
  rounds = new Map<unknown, Round>()

  add(read: Read): void {
    this.reads.push(read)
  }
}

/** For records that documents are joined with: what is read of them is nobody's yet, what cannot be read is said. */
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

/** Of an amount with a currency beside it: which, and where. */
export const currencies = new WeakMap<
  object,
  { readonly currency: string; readonly item: Placed; readonly tokens: ReadonlyArray<string> }
>()

/** Figures that stand for one that could not be read. */
export const unread = new WeakSet<object>()
