/** A document as an adapter of the kit states it, each value traced to the cell it was read from. */
import type { DocumentKind } from "@fiscal-connector/core/document/FiscalDocument"
import type { CivilDate } from "@fiscal-connector/core/document/CivilDate"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import type { Money } from "@fiscal-connector/core/document/Money"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import type { Provenance } from "@fiscal-connector/core/finding/Provenance"
import type {
  SourceBuyer,
  SourceCharge,
  SourceDocument,
  SourceLine,
  SourceOriginal
} from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal, DateTime } from "effect"
import type { Item } from "./item/Item.ts"
import { unread } from "./item/Item.ts"
import type { Origin } from "./item/Origin.ts"
import { currencies, figures, type Read, type ReadLog, rounds } from "./item/ReadLog.ts"
import { KitFinding } from "./KitFinding.ts"

/** A shape whose fields may be left out or undefined. */
type OptionalFields<Shape> = { readonly [Field in keyof Shape]?: Shape[Field] | undefined }

export interface TaxFields {
  /** The export's spelling; the mapping book knows which tax it is. */
  readonly code: string
  /** Percent as 15, not 0.15. Compared, never trusted. */
  readonly percent?: Money | undefined
  readonly amount?: Money | undefined
}

export interface LineFields {
  readonly description?: string | undefined
  readonly quantity?: Money | undefined
  readonly unitPrice?: Money | undefined
  /** After discount. */
  readonly lineAmount?: Money | undefined
  /** Percent as 15, not 0.15; an amount is the whole line's and positive. */
  readonly discount?: { readonly percent: Money | undefined } | { readonly amount: Money | undefined } | undefined
  /** The one tax of the line in the export's spelling; or `taxes`. */
  readonly taxCode?: string | undefined
  readonly taxes?: ReadonlyArray<TaxFields> | undefined
  readonly productCode?: string | undefined
  readonly account?: string | undefined
  readonly totals?: OptionalFields<NonNullable<SourceLine["totals"]>> | undefined
}

export interface ChargeFields {
  readonly kind: SourceCharge["kind"]
  readonly amount: Money | undefined
  readonly taxCode?: string | undefined
  readonly taxes?: ReadonlyArray<TaxFields> | undefined
}

export interface OriginalFields {
  readonly by: SourceOriginal["by"]
  readonly value: string | undefined
  /** Inclusive of tax. */
  readonly amount?: Money | undefined
}

export interface BuyerFields extends OptionalFields<Omit<SourceBuyer, "address">> {
  readonly address?: OptionalFields<NonNullable<SourceBuyer["address"]>> | undefined
}

/** What an adapter states of a document: what the export has, nothing computed. A field that is undefined is left out. */
export interface DocumentFields {
  /** `undefined` only where it could not be read, which refuses the document. */
  readonly kind: DocumentKind | undefined
  /** The source's own stable identifier; its number where it has no other. Never a row's number. */
  readonly id: string
  readonly number?: string | undefined
  /** A day, or an instant with its offset, just as the source has it. */
  readonly date: CivilDate | Instant | undefined
  readonly currency?: string | undefined
  /** What unit and line amounts include. `untaxed`: the source says there is no tax on this document; `unstated`: it does not say. */
  readonly taxMode: "inclusive" | "exclusive" | "untaxed" | "unstated" | undefined
  readonly buyer?: BuyerFields | undefined
  readonly lines: ReadonlyArray<LineFields>
  /** Amounts of the document that are no line in the source: shipping, a discount on all of it. */
  readonly charges?: ReadonlyArray<ChargeFields> | undefined
  readonly totals?: OptionalFields<SourceDocument["totals"]> | undefined
  /** What a credit note credits. */
  readonly originals?: ReadonlyArray<OriginalFields> | undefined
  /** Why a credit note was given. */
  readonly reason?: string | undefined
  readonly reference?: string | undefined
  readonly paymentMethod?: string | undefined
  /** When the source last changed it: of several statements of one document the latest counts. */
  readonly modified?: Instant | undefined
}

/** A cell of the export: its record, and the way to it from the record's root. */
interface Traced {
  readonly origin: Origin
  readonly tokens: ReadonlyArray<string>
}

const isNothing = (value: unknown) => value === undefined || value === ""

const isParted = (value: unknown): value is object =>
  Array.isArray(value) ||
  (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)

/** Finds the cell of every value of a document. */
class Tracing {
  readonly places = new Map<string, Traced>()
  readonly paths = new Map<Read, Finding.Path>()

  value(path: Finding.Path, value: unknown, log: ReadonlyArray<Read>, cursor: { at: number }): void {
    const round = value !== null && typeof value === "object" ? rounds.get(value) : undefined
    if (round !== undefined) this.place(path, round.item.origin, round.item.tokens)
    const read = isParted(value) && !Array.isArray(value) ? undefined : this.read(value, log, cursor)
    if (read !== undefined) {
      this.place(path, read.item.origin, [...read.item.tokens, ...read.tokens])
      this.paths.set(read, path)
    }
    if (!isParted(value)) return
    const [reads, inner] = round === undefined ? [log, cursor] : [round.log.reads, { at: 0 }]
    for (const [key, part] of Object.entries(value))
      this.value([...path, Array.isArray(value) ? Number(key) : key], part, reads, inner)
  }

  private read(value: unknown, log: ReadonlyArray<Read>, cursor: { at: number }): Read | undefined {
    if (value !== null && typeof value === "object") {
      const read = figures.get(value)
      if (read === undefined) return undefined
      const index = log.indexOf(read, cursor.at)
      if (index !== -1) cursor.at = index + 1
      return read
    }
    const isIt = (read: Read) =>
      isNothing(value) ? isNothing(read.value) && !this.paths.has(read) : read.value === value
    const index = log.findIndex((read, i) => i >= cursor.at && isIt(read))
    if (index !== -1) {
      cursor.at = index + 1
      return log[index]
    }
    // read before the literal began: into a variable
    return isNothing(value) ? undefined : log.find((read) => isIt(read) && !this.paths.has(read))
  }

  private place(path: Finding.Path, origin: Origin, tokens: ReadonlyArray<string>): void {
    const key = path.join("/")
    if (!this.places.has(key)) this.places.set(key, { origin, tokens })
  }
}

/** Without fields that are undefined, and without figures that could not be read. */
const stated = <Shape>(value: unknown): Shape => {
  if (Array.isArray(value)) return value.map((element) => stated(element)) as Shape
  if (!isParted(value)) return value as Shape
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (isUnread(part) ? [] : [[key, stated(part)]]))
  ) as Shape
}

const isUnread = (value: unknown) =>
  value === undefined || (value !== null && typeof value === "object" && unread.has(value))

const taxesOf = ({ taxCode, taxes }: Pick<LineFields, "taxCode" | "taxes">): ReadonlyArray<TaxFields> =>
  taxes ?? (isNothing(taxCode) ? [] : [{ code: taxCode! }])

const lineOf = (line: LineFields): SourceLine => {
  const { discount, taxCode, taxes, ...rest } = line
  const isDiscounted = discount !== undefined && Object.values(discount).some((figure) => !isUnread(figure))
  return stated({
    ...rest,
    discount: isDiscounted ? discount : undefined,
    taxes: taxesOf({ taxCode, taxes })
  })
}

const chargeOf = ({ amount, kind, taxCode, taxes }: ChargeFields): ReadonlyArray<SourceCharge> =>
  isUnread(amount) ? [] : [stated({ kind, amount, taxes: taxesOf({ taxCode, taxes }) })]

const originalOf = ({ value, ...rest }: OriginalFields): ReadonlyArray<SourceOriginal> =>
  isNothing(value) ? [] : [stated({ ...rest, value })]

/** Names of the kit's fields where the port has others. */
const portPath = (path: Finding.Path): Finding.Path =>
  path.flatMap((token): Finding.Path => (token === "taxCode" ? ["taxes", 0, "code"] : [token]))

export class KitDocument implements SourceDocument {
  readonly _tag = "SourceDocument"
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly order: number
  declare readonly date?: CivilDate | Instant
  declare readonly currency?: string
  readonly taxMode: SourceDocument["taxMode"]
  declare readonly buyer?: SourceBuyer
  readonly lines: ReadonlyArray<SourceLine>
  readonly charges: ReadonlyArray<SourceCharge>
  readonly totals: SourceDocument["totals"]
  readonly originals: ReadonlyArray<SourceOriginal>
  declare readonly reason?: string
  declare readonly reference?: string
  declare readonly paymentMethod?: string
  declare readonly modified?: number
  readonly findings: ReadonlyArray<Finding.Finding>
  /** The records it was made of, the first one first. */
  readonly origins: readonly [Traced, ...ReadonlyArray<Traced>]
  private readonly places: ReadonlyMap<string, Traced>

  /** The document that `fields` state of `items`, in the count `order`; `log` is what was read for it. */
  constructor(items: readonly [Item, ...ReadonlyArray<Item>], fields: DocumentFields, order: number, log: ReadLog) {
    const tracing = new Tracing()
    tracing.value([], fields, log.reads, { at: 0 })
    const [first, ...rest] = items
    this.origins = [traced(first), ...rest.map(traced)]
    this.places = new Map(
      Array.from(tracing.places, ([key, place]) => [portPath(key.split("/")).join("/"), place] as const)
    )
    const amounts = amountsIn(fields)
    const stating = amounts.map((amount) => currencies.get(amount)).find((currency) => currency !== undefined)
    const currency = isNothing(fields.currency) ? stating : fields.currency
    const buyer = fields.buyer && stated<SourceBuyer>(fields.buyer)
    this.kind = fields.kind ?? "invoice"
    this.id = fields.id
    this.number = fields.number ?? ""
    this.order = order
    this.taxMode = fields.taxMode ?? "unstated"
    this.lines = fields.lines.map(lineOf)
    this.charges = fields.charges?.flatMap(chargeOf) ?? []
    this.totals = stated(fields.totals ?? {})
    this.originals = fields.originals?.flatMap(originalOf) ?? []
    if (!isNothing(fields.date)) this.date = fields.date!
    if (!isNothing(currency)) this.currency = currency!
    if (buyer !== undefined && hasText(buyer)) this.buyer = buyer
    if (!isNothing(fields.reason)) this.reason = fields.reason!
    if (!isNothing(fields.reference)) this.reference = fields.reference!
    if (!isNothing(fields.paymentMethod)) this.paymentMethod = fields.paymentMethod!
    if (fields.modified !== undefined) this.modified = DateTime.toEpochMillis(fields.modified)
    const differing = amounts.find((amount) => (currencies.get(amount) ?? currency) !== currency)
    this.findings = [
      ...log.reads.flatMap((read) =>
        read.finding === undefined ? [] : [{ ...read.finding, path: portPath(tracing.paths.get(read) ?? []) }]
      ),
      ...(differing === undefined ? [] : [this.twoCurrencies(differing, currency)])
    ]
  }

  where(path: Finding.Path): Provenance {
    const [head] = this.origins
    for (let length = path.length; length > 0; length--) {
      const key = path.slice(0, length).join("/")
      const place = this.places.get(key) ?? this.within(key)
      if (place !== undefined) return place.origin.place(place.tokens)
    }
    return head.origin.place(head.tokens)
  }

  /** The first value inside it. */
  private within(key: string): Traced | undefined {
    for (const [known, place] of this.places) if (known.startsWith(`${key}/`)) return place
    return undefined
  }

  private twoCurrencies(amount: Money, currency: string | undefined): Finding.Finding {
    const read = figures.get(amount)
    return Finding.make(KitFinding.EXPORT_CURRENCIES_DIFFER, {
      detail: `${currency} and ${currencies.get(amount)}`,
      path: ["currency"],
      at: read?.item.origin.place([...read.item.tokens, ...read.tokens])
    })
  }
}

const traced = ({ origin, tokens }: Item): Traced => ({ origin, tokens })

const hasText = (value: object): boolean =>
  Object.values(value).some((part) => (typeof part === "string" ? part !== "" : hasText(part as object)))

/** Every amount in it that has a currency of its own. */
const amountsIn = (value: unknown): ReadonlyArray<Money> =>
  BigDecimal.isBigDecimal(value)
    ? currencies.has(value)
      ? [value]
      : []
    : isParted(value)
      ? Object.values(value).flatMap(amountsIn)
      : []
