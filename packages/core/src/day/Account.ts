/**
 * The account of a period: a chain of sums from the documents of the source to the receipts of the
 * device. Pure. Every document has exactly one origin and one fate, so the chain closes.
 *
 * Both borders follow one rule, from dates and closings of fiscal days only: a document is carried
 * over a border if it is dated before the border and has no receipt in a day closed before it.
 */
import { BigDecimal } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import { type DocumentKind, signed } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import { type DocumentState, groupOf } from "../submission/Submission.ts"
import type { MeantDocument } from "../submission/SubmissionQuery.ts"
import * as Rounding from "../translate/Rounding.ts"

export interface Period {
  readonly from: CivilDate
  readonly to: CivilDate
}

/** Amounts under one tax of the device. `tax` is null if the meaning of the codes was not kept. */
export interface TaxShare {
  readonly device: number | null
  readonly net: Money.Money
  readonly tax: Money.Money
  readonly gross: Money.Money
}

export interface AccountFigures {
  readonly kind: DocumentKind
  readonly currency: string
  readonly total: Money.Money
  readonly tax: Money.Money
  readonly shares: ReadonlyArray<TaxShare>
}

export interface PlacedReceipt {
  /** `operator`: only an operator states the receipt. */
  readonly by: "proof" | "operator"
  readonly day: number | null
  /** Day on which the receipt's fiscal day was closed. Null if it is open or not known. */
  readonly closed: CivilDate | null
  /** Number of the device, and verification code. Null if not stated. */
  readonly number: number | null
  readonly code: string | null
  /** Page on which the receipt is verified. Null if not stated. */
  readonly link: string | null
  readonly figures: AccountFigures
}

export type EndedRow = "not-issued" | "represented" | "elsewhere" | "not-accepted"

export interface AccountDocument {
  readonly kind: DocumentKind
  readonly number: string
  readonly account: string
  readonly dated: CivilDate
  /** `here`: a prepared credit note, which is not a document of the source. */
  readonly made: "source" | "here"
  readonly state: DocumentState
  /**
   * Figures that the source states now. `void`: it has voided or deleted the document. `not-known`:
   * the document has a place and no sums.
   */
  readonly stated: AccountFigures | "void" | "not-known"
  readonly ended: EndedRow | null
  readonly receipts: ReadonlyArray<PlacedReceipt>
}

export type DocumentFate = "carried-in" | "issued" | "prepared" | "ahead"

export type Fate = EndedRow | "early" | "carried-out" | "fiscalised" | "claimed"

export type RowName = DocumentFate | Fate | "otherwise" | "tax-cent" | "second" | "claimed-receipts" | "receipts"

/** Every row in the order of the chain, with its sign. `=` is the sum of the rows above. */
export const rows: Readonly<Record<RowName, { readonly sign: "+" | "-" | "="; readonly words: string }>> = {
  "carried-in": { sign: "+", words: "carried in" },
  issued: { sign: "+", words: "issued in the period" },
  prepared: { sign: "+", words: "credit notes prepared here" },
  ahead: { sign: "+", words: "fiscalised ahead: dated after the period" },
  "not-issued": { sign: "-", words: "not issued: void, draft, withdrawn" },
  represented: { sign: "-", words: "represented by a credit note prepared here" },
  elsewhere: { sign: "-", words: "fiscalised elsewhere" },
  "not-accepted": { sign: "-", words: "not accepted" },
  "carried-out": { sign: "-", words: "carried out" },
  early: { sign: "-", words: "fiscalised early: in a day closed before the period" },
  otherwise: { sign: "-", words: "stated otherwise now than fiscalised" },
  "tax-cent": { sign: "-", words: "a cent of tax of credited invoices (TAX_CENT)" },
  claimed: { sign: "-", words: "stated as fiscalised by an operator only" },
  fiscalised: { sign: "=", words: "documents with a receipt" },
  second: { sign: "+", words: "second receipts" },
  "claimed-receipts": { sign: "+", words: "claimed receipts" },
  receipts: { sign: "=", words: "receipts of this store" }
}

export interface AccountSum {
  documents: number
  tax: Money.Money
  total: Money.Money
}

export interface ShareSum extends TaxShare {
  readonly kind: DocumentKind
}

export interface AccountLine {
  readonly name: RowName
  readonly invoice: AccountSum
  readonly "credit-note": AccountSum
  readonly shares: ReadonlyArray<ShareSum>
}

export const isShown = ({ "credit-note": note, invoice, name }: AccountLine): boolean =>
  name === "issued" ||
  rows[name].sign === "=" ||
  [invoice, note].some(
    ({ documents, tax, total }) => documents > 0 || !BigDecimal.isZero(tax) || !BigDecimal.isZero(total)
  )

export interface Carried extends Pick<AccountDocument, "kind" | "number" | "account" | "dated" | "state"> {
  readonly figures: AccountFigures
  /** `open`: no receipt is known. `open-day`: its fiscal day is not closed. */
  readonly standing: "open" | "open-day" | "later-day"
  /** Fiscal day of its receipt. Null if it has none. */
  readonly day: number | null
}

export type Closed = Pick<PlacedReceipt, "by" | "day" | "closed">

export interface AccountPlace<R extends Closed = PlacedReceipt> {
  readonly origin: DocumentFate
  readonly fate: Fate
  readonly receipt: R | undefined
}

export const isWithin = ({ closed }: Closed, { from, to }: Period): boolean =>
  closed !== null && closed >= from && closed <= to

export const early = (a: Closed, b: Closed): number =>
  (a.closed ?? "9999").localeCompare(b.closed ?? "9999") || (a.day ?? Infinity) - (b.day ?? Infinity)

export const placeOf = <R extends Closed>(
  {
    dated,
    ended,
    made,
    receipts
  }: Pick<AccountDocument, "dated" | "ended" | "made"> & { readonly receipts: ReadonlyArray<R> },
  period: Period
): AccountPlace<R> | null => {
  const { from, to } = period
  const [receipt] = receipts.toSorted(early)
  const closed = receipt?.closed ?? null
  const isBefore = closed !== null && closed < from
  const isDone = receipt !== undefined && isWithin(receipt, period)
  const isEnded = ended !== null && receipt === undefined
  const isIssued = dated >= from && dated <= to
  if (!isIssued && (isEnded || isBefore || (dated > to && !isDone))) return null
  const origin = isIssued ? (made === "here" ? "prepared" : "issued") : dated < from ? "carried-in" : "ahead"
  if (isEnded) return { origin, fate: ended, receipt }
  if (isBefore) return { origin, fate: "early", receipt }
  if (!isDone) return { origin, fate: "carried-out", receipt }
  return { origin, fate: receipt.by === "operator" ? "claimed" : "fiscalised", receipt }
}

const nothing = (kind: DocumentKind, currency: string): AccountFigures => ({
  kind,
  currency,
  total: Money.zero,
  tax: Money.zero,
  shares: []
})

/** Returns the total, negative for a credit note. */
export const signedTotal = ({ kind, total }: AccountFigures): Money.Money => signed(kind, total)

/** Returns the figures that the source states. Null if it states none, or they are not known. */
export const statedBy = ({ stated }: Pick<AccountDocument, "stated">): AccountFigures | null =>
  typeof stated === "string" ? null : stated

/**
 * Compares figures, and the amounts under each tax of the device. `not-known`: all that is known is
 * the same, and the taxes of one side are not known.
 */
export const compare = (a: AccountFigures, b: AccountFigures): "same" | "other" | "not-known" => {
  const areEqual = BigDecimal.equals
  if (a.currency !== b.currency || !areEqual(a.total, b.total) || !areEqual(a.tax, b.tax)) return "other"
  if ([...a.shares, ...b.shares].some(({ device }) => device === null)) return "not-known"
  const amounts = new Map(b.shares.map((share) => [share.device, share]))
  const isSame = ({ device, gross, tax }: TaxShare): boolean => {
    const other = amounts.get(device)
    return other !== undefined && areEqual(other.gross, gross) && areEqual(other.tax, tax)
  }
  return a.shares.length === b.shares.length && a.shares.every(isSame) ? "same" : "other"
}

const emptySum = (): AccountSum => ({ documents: 0, tax: Money.zero, total: Money.zero })

interface SumInProgress {
  readonly invoice: AccountSum
  readonly "credit-note": AccountSum
  readonly shares: Map<string, ShareSum>
}

const summed = (): SumInProgress => ({ invoice: emptySum(), "credit-note": emptySum(), shares: new Map() })

const plus = (
  into: SumInProgress,
  { kind, shares, tax, total }: AccountFigures,
  documents: number,
  sign: 1 | -1 = 1
) => {
  const signed = (amount: Money.Money) => (sign === 1 ? amount : BigDecimal.negate(amount))
  const sum = into[kind]
  sum.documents += documents
  sum.tax = BigDecimal.sum(sum.tax, signed(tax))
  sum.total = BigDecimal.sum(sum.total, signed(total))
  plusShares(into.shares, kind, shares, sign)
}

/** Adds amounts to the sums of their kind under each tax of the device, or subtracts them. */
export const plusShares = (
  into: Map<string, ShareSum>,
  kind: DocumentKind,
  shares: ReadonlyArray<TaxShare>,
  sign: 1 | -1
): void => {
  const add = sign === 1 ? BigDecimal.sum : BigDecimal.subtract
  for (const { device, gross, net, tax } of shares) {
    const key = `${kind} ${device}`
    const own = into.get(key) ?? { net: Money.zero, tax: Money.zero, gross: Money.zero }
    into.set(key, { kind, device, net: add(own.net, net), tax: add(own.tax, tax), gross: add(own.gross, gross) })
  }
}

export const netOf = (row: Pick<AccountLine, "invoice" | "credit-note">): Money.Money =>
  BigDecimal.subtract(row.invoice.total, row["credit-note"].total)

export const make = (period: Period) => {
  const currencies = new Map<string, Map<RowName, SumInProgress>>()
  const opening: Array<Carried> = []
  const closing: Array<Carried> = []

  const row = (name: RowName, currency: string): SumInProgress => {
    const own = currencies.get(currency) ?? new Map<RowName, SumInProgress>()
    currencies.set(currency, own)
    const found = own.get(name) ?? summed()
    own.set(name, found)
    return found
  }
  const add = (name: RowName, figures: AccountFigures) => plus(row(name, figures.currency), figures, 1)

  return {
    add: (document: AccountDocument): AccountPlace | null => {
      const place = placeOf(document, period)
      const within = document.receipts.filter((receipt) => isWithin(receipt, period))
      for (const receipt of within) {
        add("receipts", receipt.figures)
        if (receipt !== place?.receipt) add("second", receipt.figures)
      }
      if (place === null) return null
      const { fate, origin, receipt } = place
      if (document.stated === "not-known") return place
      const stated = statedBy(document) ?? nothing(document.kind, receipt?.figures.currency ?? "")
      add(origin, stated)
      if (origin === "carried-in") opening.push(carried(document, stated, place))
      if (fate === "carried-out") closing.push(carried(document, stated, place))
      if (fate !== "fiscalised" && fate !== "claimed") add(fate, stated)
      else {
        add(fate, receipt!.figures)
        if (fate === "claimed") add("claimed-receipts", receipt!.figures)
        if (compare(stated, receipt!.figures) === "other") {
          plus(row("otherwise", stated.currency), stated, 1)
          plus(row("otherwise", receipt!.figures.currency), receipt!.figures, 0, -1)
        }
      }
      return place
    },
    addTaxCent: (cent: AccountFigures): void => {
      add("tax-cent", cent)
      plus(row("otherwise", cent.currency), cent, 0, -1)
    },
    opening,
    closing,
    chains: (): ReadonlyMap<string, ReadonlyArray<AccountLine>> =>
      new Map(
        Array.from(currencies, ([currency, own]) => [
          currency,
          (Object.keys(rows) as ReadonlyArray<RowName>).map((name): AccountLine => {
            const { shares, ...sums } = own.get(name) ?? summed()
            return { name, ...sums, shares: [...shares.values()] }
          })
        ])
      )
  }
}

export type PeriodAccount = ReturnType<typeof make>

const carried = (document: AccountDocument, figures: AccountFigures, { fate, receipt }: AccountPlace): Carried => {
  const { account, dated, kind, number, state } = document
  const day = receipt?.day ?? null
  const isOpen = receipt === undefined
  const standing = isOpen ? "open" : fate === "carried-out" && receipt.closed === null ? "open-day" : "later-day"
  return { account, dated, kind, number, state, figures, standing, day }
}

/** Returns how a document without a receipt ended by its state. Null if it may still get one. */
export const endedBy = (state: DocumentState): EndedRow | null => {
  const group = groupOf[state]
  return group === "not-accepted" ? "not-accepted" : group === "skipped" ? "not-issued" : null
}

/**
 * Returns the figures of a document as sent. `byToday`: today's meaning of the codes, for documents
 * whose meaning was not kept; the percents are then not known.
 */
export const figuresOf = (
  { document, meaning }: Pick<MeantDocument, "document" | "meaning">,
  byToday?: CodeMeaning | null
): AccountFigures => {
  const { kind, payload } = document
  const { currencyCode, isTaxInclusive, lineItems, total, totalTax } = payload
  const whole = { kind, total, tax: totalTax, currency: meaning?.currency ?? byToday?.currency ?? currencyCode }
  const unknown = [{ device: null, net: BigDecimal.subtract(total, totalTax), tax: totalTax, gross: total }]
  const shares = meaning === null ? undefined : Rounding.deviceShares({ isTaxInclusive, lineItems }, meaning.taxes)
  if (shares === undefined) return { ...whole, shares: unknown }
  return {
    ...whole,
    shares: Array.from(shares, ([device, { net, tax, total: gross }]) => ({ device, net, tax, gross }))
  }
}
