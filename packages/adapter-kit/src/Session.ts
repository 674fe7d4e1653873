/** One reading of an export by an adapter of the kit: what it has been given, what it has said of it, and what nobody could read. */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import type { Reading } from "@fiscal-connector/core/source/Adapter"
import type { Skipped, SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { DateTime } from "effect"
import { Item, type Reading as ItemReading } from "./item/Item.ts"
import type { Origin } from "./item/Origin.ts"
import { JoinLog, type Read, ReadLog } from "./item/ReadLog.ts"
import { besideOf } from "./item/UnreadFields.ts"
import { type DocumentFields, KitDocument } from "./KitDocument.ts"
import { KitFinding } from "./KitFinding.ts"

/** One record, or the rows that make one document. */
export type Items = Item | readonly [Item, ...ReadonlyArray<Item>]

/** What can be said of a record that is skipped. */
export interface SkippedFields {
  /** How the source calls it. Left out: its number, reference, name or id. */
  readonly key?: string | undefined
  /** The sales document that is in this state; the export may state it elsewhere in another. */
  readonly document?: { readonly kind: DocumentKind; readonly id: string; readonly number: string } | undefined
  /** A sales document that the source has voided or deleted. If it was fiscalised before, it needs a credit note. */
  readonly cancelled?: { readonly kind: DocumentKind; readonly id: string; readonly number: string } | undefined
  readonly modified?: Instant | undefined
}

/** Of a finding: the record it is about, so that it can be written back. */
export const originOf = new WeakMap<Finding.Finding, Origin>()

const itemsOf = (items: Items): readonly [Item, ...ReadonlyArray<Item>] => (items instanceof Item ? [items] : items)

const names = [
  "number",
  "Number",
  "DocNumber",
  "document_number",
  "invoice_number",
  "ref",
  "reference",
  "name",
  "id",
  "Id",
  "ID"
]

export class Session {
  /** Of records that documents are made of, and of those joined to them. */
  readonly items: ItemReading
  /** Of records while they are gathered to be joined. */
  readonly joining: ItemReading
  private order = 0
  /** Records handed out and not spoken of yet, with their places. */
  private readonly open = new Map<Origin, Provenance.Provenance>()
  /** What a reading is about. */
  private readonly about = new WeakMap<object, ReadonlyArray<Item>>()
  /** Skipped on the word of a cell that could not be read: what is said instead. */
  private readonly instead = new WeakMap<object, ReadonlyArray<Finding.Finding>>()
  private strays: Array<Finding.Finding> = []
  private readonly unmapped: "refuse" | "unread"

  /** `none`: what counts as an empty cell. `unmapped`: values that no option of the adapter maps are held against defaults, or left unread. */
  constructor(none: ReadonlyArray<unknown>, unmapped: "refuse" | "unread" = "refuse") {
    this.unmapped = unmapped
    this.items = { log: new ReadLog(), none }
    this.joining = { log: new JoinLog((finding, origin) => this.stray(finding, origin)), none }
  }

  /** A record that something has to be said of. */
  opened(item: Item): Item {
    this.open.set(item.origin, item.at())
    return item
  }

  /** A finding of its own, which comes before the next reading. */
  stray(finding: Finding.Finding, origin?: Origin): void {
    if (origin !== undefined) originOf.set(finding, origin)
    this.strays.push(finding)
  }

  readonly document = (items: Items, { unmapped = [], ...fields }: DocumentFields): SourceDocument => {
    const all = itemsOf(items)
    const log = this.taken(all)
    const held = this.unmapped === "unread" ? undefined : unmapped
    const beside = besideOf({ items: all, lines: fields.lines, log, unmapped: held }, this.items.none)
    const document = new KitDocument(all, fields, this.order++, log, beside)
    this.about.set(document, all)
    return document
  }

  readonly skip = (items: Items, reason: string, fields: SkippedFields = {}): Skipped => {
    const all = itemsOf(items)
    const [first] = all
    const { cancelled, document, key, modified } = fields
    const skipped: Skipped = {
      _tag: "Skipped",
      key: key ?? keyOf(first),
      reason,
      at: first.at(),
      ...(document !== undefined && { document }),
      ...(cancelled !== undefined && { cancelled }),
      ...(modified !== undefined && { modified: DateTime.toEpochMillis(modified) })
    }
    this.about.set(skipped, all)
    const unread = this.taken(all).reads.flatMap(({ finding }) =>
      finding !== undefined && Finding.refuses(finding) ? [finding] : []
    )
    for (const finding of unread) originOf.set(finding, first.origin)
    if (unread.length > 0) this.instead.set(skipped, unread)
    return skipped
  }

  readonly cancel = (items: Items, fields: NonNullable<SkippedFields["cancelled"]>): Skipped =>
    this.skip(items, "cancelled in the source", { key: fields.number, cancelled: fields })

  readonly refuse = (items: Items, message: string, fix?: string): Finding.Finding => {
    const all = itemsOf(items)
    this.taken(all)
    const finding = Finding.make(KitFinding.EXPORT_VALUE_REFUSED, {
      message,
      ...(fix !== undefined && { fix }),
      at: all[0].at()
    })
    originOf.set(finding, all[0].origin)
    this.about.set(finding, all)
    return finding
  }

  readonly companion = (item: Item): void => {
    this.taken([item])
    this.open.delete(item.origin)
  }

  /** What a reading that the adapter has yielded comes to, after what nobody could read before it. */
  said(reading: Reading): ReadonlyArray<Reading> {
    for (const item of this.about.get(reading) ?? []) this.open.delete(item.origin)
    return [...this.flushed(), ...(this.instead.get(reading) ?? [reading])]
  }

  /** What nobody could read since the last reading. */
  flushed(): ReadonlyArray<Finding.Finding> {
    const { strays } = this
    if (strays.length > 0) this.strays = []
    return strays
  }

  /** Of records that nothing was said of, one finding each. */
  ended(): ReadonlyArray<Finding.Finding> {
    const left = Array.from(this.open, ([origin, at]) => {
      const finding = Finding.make(KitFinding.EXPORT_RECORD_UNACCOUNTED, { at })
      originOf.set(finding, origin)
      return finding
    })
    this.open.clear()
    this.items.log = new ReadLog()
    return [...this.flushed(), ...left]
  }

  /** What was read of these records, and of records joined to them; what was read ahead of others stays. */
  private taken(items: ReadonlyArray<Item>): ReadLog {
    const own = new Set(items.map(({ origin }) => origin))
    const isAhead = ({ item: { origin } }: Read) => !own.has(origin) && this.open.has(origin)
    const taken = this.items.log
    const ahead = new ReadLog()
    if (taken.reads.some(isAhead)) {
      ahead.reads = taken.reads.filter(isAhead)
      ahead.rounds = taken.rounds
      taken.reads = taken.reads.filter((read) => !isAhead(read))
    }
    this.items.log = ahead
    return taken
  }
}

/** How the source calls a record, as far as its cells' names tell. */
const keyOf = (item: Item): string => {
  const quiet = item.quietly(new ReadLog())
  for (const name of names) {
    const text = quiet.optional.text(name)
    if (text !== undefined) return text
  }
  const at = item.at()
  return at.pointer ?? Provenance.format(at)
}
