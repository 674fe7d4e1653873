import {
  type Adapter,
  Finding,
  type FiscalDocument,
  type Instant,
  Provenance,
  type SourceDocument
} from "@fiscal-connector/core/adapter"
import { DateTime } from "effect"
import { member } from "./item/Cell.ts"
import * as FieldRecord from "./item/FieldRecord.ts"
import { Item, type ReadingLog as ItemReading } from "./item/Item.ts"
import type { Origin } from "./item/Origin.ts"
import { JoinLog, type CellRead, ReadLog } from "./item/ReadLog.ts"
import { besideOf } from "./item/UnreadFields.ts"
import { JsonNumber } from "./json/Json.ts"
import { type DocumentFields, KitDocument } from "./KitDocument.ts"
import { KitFinding } from "./KitFinding.ts"

/** One record, or the rows that make one document. */
export type Items = Item | readonly [Item, ...ReadonlyArray<Item>]

/** Optional facts about a skipped record. */
export interface SkippedFields {
  /** Name of the record in the source. @default its number, reference, name or id */
  readonly key?: string | undefined
  /**
   * Sales document in the skipped state; the export may state the document elsewhere in another
   * state.
   */
  readonly document?:
    | { readonly kind: FiscalDocument.DocumentKind; readonly id: string; readonly number: string }
    | undefined
  /**
   * Sales document that the source has voided or deleted. If it was fiscalized before, a credit
   * note is needed.
   */
  readonly cancelled?: SourceDocument.Skipped["cancelled"] | undefined
  readonly modified?: Instant.Instant | undefined
}

/** Record of a finding, so that the record can be written back. */
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

export class ExportRun {
  /** Reading of records that make documents, and of records joined to them. */
  readonly items: ItemReading
  /** Reading of records while they are gathered for a join. */
  readonly joining: ItemReading
  private order = 0
  /** Records handed to the adapter without a reading so far, with their places. */
  private readonly open = new Map<Origin, Provenance.Provenance>()
  /** Records of a reading. */
  private readonly about = new WeakMap<object, ReadonlyArray<Item>>()
  /** Findings that replace a skip, if a cell read for the decision was unreadable. */
  private readonly instead = new WeakMap<object, ReadonlyArray<Finding.Finding>>()
  private strays: Array<Finding.Finding> = []
  private readonly unmapped: "refuse" | "unread"
  private readonly fields = new FieldRecord.FieldRecord()
  private readonly reasonOf: (path: string) => string | undefined

  /**
   * `none`: values that count as an empty cell. `unmapped`: held against defaults, or stay unread.
   * `harmless`: see AdapterDefinition.
   */
  constructor(
    none: ReadonlyArray<unknown>,
    unmapped: "refuse" | "unread" = "refuse",
    harmless?: { readonly [reason: string]: string }
  ) {
    const { fields } = this
    this.unmapped = unmapped
    this.reasonOf = FieldRecord.reasons(harmless)
    this.items = { log: new ReadLog(), none, fields }
    this.joining = { log: new JoinLog((finding, origin) => this.stray(finding, origin)), none, fields }
  }

  opened(item: Item): Item {
    this.open.set(item.origin, item.at())
    return item
  }

  stray(finding: Finding.Finding, origin?: Origin): void {
    if (origin !== undefined) originOf.set(finding, origin)
    this.strays.push(finding)
  }

  readonly document = (items: Items, { unmapped = [], ...fields }: DocumentFields): SourceDocument.SourceDocument => {
    const all = itemsOf(items)
    const log = this.taken(all)
    const held = this.unmapped === "unread" ? undefined : unmapped
    const beside = besideOf(
      { items: all, lines: fields.lines, log, unmapped: held },
      this.items.none,
      (path) => this.reasonOf(path) !== undefined
    )
    this.look(all, log)
    const document = new KitDocument(all, fields, this.order++, log, beside)
    this.about.set(document, all)
    return document
  }

  /** Looks at the fields of records and of those joined to them. */
  private look(items: ReadonlyArray<Item>, log: ReadLog): void {
    const { none } = this.items
    const seen = new Set<Origin>()
    const take = ({ fields, members, origin }: Pick<Item, "fields" | "members" | "origin">) => {
      if (seen.has(origin)) return
      seen.add(origin)
      fields.take(members, (cell) => none.includes(cell))
    }
    for (const item of items) take(item)
    for (const { item } of log.reads) if (item instanceof Item && item.tokens.length === 0) take(item)
  }

  readonly skip = (items: Items, reason: string, fields: SkippedFields = {}): SourceDocument.Skipped => {
    const all = itemsOf(items)
    const [first] = all
    const { cancelled, document, key, modified } = fields
    const skipped: SourceDocument.Skipped = {
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

  readonly cancel = (items: Items, fields: NonNullable<SkippedFields["cancelled"]>): SourceDocument.Skipped =>
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

  /**
   * Findings of unreadable records first, and findings instead of a skip based on an unreadable
   * cell.
   */
  emitted(reading: Adapter.Reading): ReadonlyArray<Adapter.Reading> {
    for (const item of this.about.get(reading) ?? []) this.open.delete(item.origin)
    const instead = this.instead.get(reading) ?? [reading]
    return this.strays.length === 0 ? instead : [...this.flushed(), ...instead]
  }

  flushed(): ReadonlyArray<Finding.Finding> {
    const { strays } = this
    if (strays.length > 0) this.strays = []
    return strays
  }

  /**
   * One for each record without a reading, and the fields of `file`. Clears the state of the file.
   */
  ended(file?: string): ReadonlyArray<Finding.Finding> {
    const left = Array.from(this.open, ([origin, at]) => {
      const finding = Finding.make(KitFinding.EXPORT_RECORD_UNACCOUNTED, { at })
      originOf.set(finding, origin)
      return finding
    })
    this.open.clear()
    this.items.log = new ReadLog()
    const statements = file === undefined ? undefined : FieldRecord.finding(this.fields, file, this.reasonOf)
    return [...this.flushed(), ...left, ...(statements === undefined ? [] : [statements])]
  }

  /** Reads of records still open stay. */
  private taken(items: ReadonlyArray<Item>): ReadLog {
    const own = new Set(items.map(({ origin }) => origin))
    const isAhead = ({ item: { origin } }: CellRead) => !own.has(origin) && this.open.has(origin)
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

const keyOf = (item: Item): string => {
  for (const name of names) {
    // a name for the operator: the adapter does not read the field by it
    const cell = member(item.members, name)
    const text = cell instanceof JsonNumber ? cell.text : typeof cell === "string" ? cell.trim() : ""
    if (text !== "") return text
  }
  const at = item.at()
  return at.pointer ?? Provenance.format(at)
}
