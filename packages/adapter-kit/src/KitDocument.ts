/** A document of the kit's adapters, with every value traced to its cell. */
import {
  type CivilDate,
  Finding,
  type FiscalDocument,
  type Instant,
  type Money,
  type Provenance,
  SourceDocument
} from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime } from "effect"
import type { Item } from "./item/Item.ts"
import { currencies, type TracedItem, type CellRead, type ReadLog, unread } from "./item/ReadLog.ts"
import type { BesideFields, UnmappedFields } from "./item/UnreadFields.ts"
import { KitFinding } from "./KitFinding.ts"

type OptionalFields<Shape> = { readonly [Field in keyof Shape]?: Shape[Field] | undefined }

export interface TaxFields {
  /** Tax code in the export's spelling; the mapping book assigns the device tax. */
  readonly code: string
  /** Percent as 15, not 0.15. Only compared, never used for a calculation. */
  readonly percent?: Money.Money | undefined
  readonly amount?: Money.Money | undefined
}

export interface LineFields {
  readonly description?: string | undefined
  readonly quantity?: Money.Money | undefined
  readonly unitPrice?: Money.Money | undefined
  /** Amount of the line after discount. */
  readonly lineAmount?: Money.Money | undefined
  /** Percent as 15, not 0.15; an amount is positive and applies to the whole line. */
  readonly discount?:
    | { readonly percent: Money.Money | undefined }
    | { readonly amount: Money.Money | undefined }
    | undefined
  /** The only tax of the line, in the export's spelling. Use `taxes` for several. */
  readonly taxCode?: string | undefined
  readonly taxes?: ReadonlyArray<TaxFields> | undefined
  readonly productCode?: string | undefined
  readonly account?: string | undefined
  readonly totals?: OptionalFields<NonNullable<SourceDocument.SourceLine["totals"]>> | undefined
}

export interface ChargeFields {
  readonly kind: SourceDocument.SourceCharge["kind"]
  readonly amount: Money.Money | undefined
  readonly taxCode?: string | undefined
  readonly taxes?: ReadonlyArray<TaxFields> | undefined
}

export interface OriginalFields {
  readonly by: SourceDocument.SourceOriginal["by"]
  readonly value: string | undefined
  /** Amount that is credited, inclusive of tax. */
  readonly amount?: Money.Money | undefined
}

export interface BuyerFields extends OptionalFields<Omit<SourceDocument.SourceBuyer, "address">> {
  readonly address?: OptionalFields<NonNullable<SourceDocument.SourceBuyer["address"]>> | undefined
}

/**
 * Statements of an adapter about a document: values of the export, nothing computed. Undefined
 * fields are omitted.
 */
export interface DocumentFields {
  /** `undefined` only if the kind is unreadable; the document is then refused. */
  readonly kind: FiscalDocument.DocumentKind | undefined
  /**
   * Stable identifier assigned by the source; the number if the source has no other. Never a row
   * number.
   */
  readonly id: string
  readonly number?: string | undefined
  /** A day, or an instant with an offset, exactly as the source has the date. */
  readonly date: CivilDate.CivilDate | Instant.Instant | undefined
  /** Day on which payment is due. Only compared with the document's date, never sent. */
  readonly due?: CivilDate.CivilDate | Instant.Instant | undefined
  readonly currency?: string | undefined
  /**
   * Tax inclusion of unit prices and line amounts. `untaxed`: the source states that the document
   * has no tax; `unstated`: the source does not say.
   */
  readonly taxMode: "inclusive" | "exclusive" | "untaxed" | "unstated" | undefined
  readonly buyer?: BuyerFields | undefined
  readonly lines: ReadonlyArray<LineFields>
  /**
   * Amounts of the document that are not lines in the source: shipping, or a discount on the whole
   * document.
   */
  readonly charges?: ReadonlyArray<ChargeFields> | undefined
  readonly totals?: OptionalFields<SourceDocument.SourceDocument["totals"]> | undefined
  /** Invoices that a credit note credits. */
  readonly originals?: ReadonlyArray<OriginalFields> | undefined
  /** Document of the same kind that this one replaces (an amended document). */
  readonly replaces?: OptionalFields<NonNullable<SourceDocument.SourceDocument["replaces"]>> | undefined
  readonly reason?: string | undefined
  readonly reference?: string | undefined
  readonly paymentMethod?: string | undefined
  /**
   * Time of the last change in the source. If the export states a document several times, the
   * latest statement counts.
   */
  readonly modified?: Instant.Instant | undefined
  /** Buyer numbers and item codes that the export states and no option of the adapter maps. */
  readonly unmapped?: ReadonlyArray<UnmappedFields> | undefined
}

interface Trace {
  readonly path: Finding.Path
  readonly item: TracedItem
  readonly tokens: ReadonlyArray<string>
}

const isNothing = (value: unknown) => value === undefined || value === ""

const textOr = <Value>(value: Value | undefined): Value | undefined => (isNothing(value) ? undefined : value)

const isParted = (value: unknown): value is object =>
  Array.isArray(value) ||
  (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)

const renamed: { readonly [name: string]: Finding.Path } = { taxCode: ["taxes", 0, "code"] }

/** `at`: index of the read where the search for the cell of the next value begins. */
interface ReadScope {
  readonly log: ReadLog
  at: number
  readonly outer: ReadScope | undefined
}

/** Recognizes figures and lists by identity, and texts by equality, in the order of reading. */
class Tracing {
  readonly traces: Array<Trace> = []

  value(path: Finding.Path, value: unknown, scope: ReadScope): void {
    const round = isParted(value) ? roundOf(value, scope) : undefined
    if (round !== undefined) this.traces.push({ path, item: round.item, tokens: [] })
    const read = this.read(value, scope)
    if (read !== undefined) {
      this.traces.push({ path, item: read.item, tokens: read.tokens })
      read.path = path
    }
    if (!isParted(value)) return
    const inner = round === undefined ? scope : { log: round.log, at: 0, outer: scope }
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.value([...path, i], value[i], inner)
    else
      for (const key of Object.keys(value))
        this.value([...path, ...(renamed[key] ?? [key])], (value as Record<string, unknown>)[key], inner)
  }

  private read(value: unknown, scope: ReadScope): CellRead | undefined {
    const { reads } = scope.log
    const isNone = isNothing(value)
    for (let i = scope.at; i < reads.length; i++) {
      const read = reads[i]!
      if (isNone ? !isNothing(read.value) || read.path !== undefined : read.value !== value) continue
      scope.at = i + 1
      return read
    }
    if (isNone) return undefined
    // read into a variable before the object literal began
    const before = reads.find((read) => read.value === value && read.path === undefined)
    if (before !== undefined || typeof value !== "object" || value === null) return before
    for (let { outer } = scope; outer !== undefined; outer = outer.outer) {
      const found = outer.log.reads.find((read) => read.value === value)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const roundOf = (value: object, scope: ReadScope | undefined) => {
  for (let each = scope; each !== undefined; each = each.outer) {
    const round = each.log.rounds.get(value)
    if (round !== undefined) return round
  }
  return undefined
}

const stated = <Shape>(value: unknown): Shape => {
  if (Array.isArray(value)) return value.map((element) => stated(element)) as Shape
  if (!isParted(value)) return value as Shape
  const result: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(value)) if (!isUnread(part)) result[key] = stated(part)
  return result as Shape
}

const isUnread = (value: unknown) =>
  value === undefined || (value !== null && typeof value === "object" && unread.has(value))

const taxesOf = ({ taxCode, taxes }: Pick<LineFields, "taxCode" | "taxes">): ReadonlyArray<TaxFields> =>
  taxes ?? (isNothing(taxCode) ? [] : [{ code: taxCode! }])

const lineOf = (line: LineFields): SourceDocument.SourceLine => {
  const { discount, taxCode, taxes, ...rest } = line
  const isDiscounted = discount !== undefined && Object.values(discount).some((figure) => !isUnread(figure))
  return stated({
    ...rest,
    discount: isDiscounted ? discount : undefined,
    taxes: taxesOf({ taxCode, taxes })
  })
}

const chargeOf = ({ amount, kind, taxCode, taxes }: ChargeFields): ReadonlyArray<SourceDocument.SourceCharge> =>
  isUnread(amount) ? [] : [stated({ kind, amount, taxes: taxesOf({ taxCode, taxes }) })]

const originalOf = ({ value, ...rest }: OriginalFields): ReadonlyArray<SourceDocument.SourceOriginal> =>
  isNothing(value) ? [] : [stated({ ...rest, value })]

export class KitDocument extends SourceDocument.StatedDocument {
  /** Records that make the document; the first record gives its main place. */
  readonly items: readonly [TracedItem, ...ReadonlyArray<TracedItem>]
  private readonly traces: ReadonlyArray<Trace>

  /**
   * Builds the document that `fields` state about `items`. `order` is the document's position,
   * `log` holds the reads, and `beside` holds values that the adapter did not read.
   */
  constructor(
    items: readonly [Item, ...ReadonlyArray<Item>],
    fields: DocumentFields,
    order: number,
    log: ReadLog,
    { amounts: unreadAmounts, words }: BesideFields
  ) {
    const tracing = new Tracing()
    tracing.value([], fields, { log, at: 0, outer: undefined })
    const amounts = amountsIn(fields)
    const currency = textOr(fields.currency) ?? (amounts[0] && currencies.get(amounts[0])?.currency)
    const buyer = fields.buyer && stated<SourceDocument.SourceBuyer>(fields.buyer)
    const { by, value = "" } = fields.replaces ?? {}
    const differing = amounts.find((amount) => currencies.get(amount)?.currency !== currency)
    const found = log.reads.flatMap(({ finding, path }) =>
      finding === undefined ? [] : [{ ...finding, path: path ?? [] }]
    )
    super({
      kind: fields.kind ?? "invoice",
      id: fields.id,
      number: fields.number ?? "",
      order,
      taxMode: fields.taxMode ?? "unstated",
      lines: fields.lines.map(lineOf),
      charges: fields.charges?.flatMap(chargeOf) ?? [],
      totals: stated(fields.totals ?? {}),
      originals: fields.originals?.flatMap(originalOf) ?? [],
      date: textOr(fields.date),
      due: typeof fields.due === "string" ? fields.due : undefined,
      currency,
      buyer: buyer !== undefined && hasText(buyer) ? buyer : undefined,
      replaces: by === undefined || value === "" ? undefined : { by, value },
      reason: textOr(fields.reason),
      reference: textOr(fields.reference),
      paymentMethod: textOr(fields.paymentMethod),
      modified: fields.modified && DateTime.toEpochMillis(fields.modified),
      words: words.length === 0 ? undefined : words.map(({ word }) => word),
      amounts: unreadAmounts.length === 0 ? undefined : unreadAmounts.map(({ amount }) => amount),
      findings: differing === undefined ? found : [...found, twoCurrencies(differing, currency)]
    })
    const [first, ...rest] = items
    this.items = [placed(first), ...rest.map(placed)]
    const ofWords = words.map(({ item, tokens }, i): Trace => ({ path: ["words", i], item, tokens }))
    const ofAmounts = unreadAmounts.map(({ amount, item }, i): Trace => ({
      path: ["amounts", i],
      item,
      tokens: [amount.name]
    }))
    this.traces = [...tracing.traces, ...ofWords, ...ofAmounts]
  }

  where(path: Finding.Path): Provenance.Provenance {
    for (let length = path.length; length > 0; length--) {
      const trace = this.trace(path.slice(0, length))
      if (trace !== undefined) return placeOf(trace)
    }
    const [{ origin, tokens }] = this.items
    return origin.place(tokens)
  }

  private trace(path: Finding.Path): Trace | undefined {
    const isWithin = (trace: Trace) => path.every((token, i) => trace.path[i] === token)
    return (
      this.traces.find((trace) => trace.path.length === path.length && isWithin(trace)) ?? this.traces.find(isWithin)
    )
  }
}

const placed = ({ origin, tokens }: Item): TracedItem => ({ origin, tokens })

const placeOf = ({ item, tokens }: Pick<Trace, "item" | "tokens">): Provenance.Provenance =>
  item.origin.place([...item.tokens, ...tokens])

const twoCurrencies = (amount: Money.Money, currency: string | undefined): Finding.Finding => {
  const other = currencies.get(amount)!
  return Finding.make(KitFinding.EXPORT_CURRENCIES_DIFFER, {
    detail: `${currency} and ${other.currency}`,
    path: ["currency"],
    at: placeOf(other)
  })
}

const hasText = (value: object): boolean =>
  Object.entries(value).some(([name, part]) =>
    typeof part === "string" ? name !== "id" && part !== "" : hasText(part as object)
  )

const amountsIn = (value: unknown): ReadonlyArray<Money.Money> =>
  BigDecimal.isBigDecimal(value)
    ? currencies.has(value)
      ? [value]
      : []
    : isParted(value)
      ? Object.values(value).flatMap(amountsIn)
      : []
