/**
 * Prepares the credit note of an invoice that was fiscalized and no longer holds. The figures are
 * those that were sent; no mapping book takes part. Pure.
 *
 * Three sums by device tax, with tax: the receipts of the invoice and its notes; the notes that
 * wait or are under way; and the source's present statement, less its own notes.
 */
import { BigDecimal } from "effect"
import { numberOf, type UndatedDocument } from "../document/FiscalDocument.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import { counting, type Family, type FamilyDocument, type StatedInvoice } from "../submission/ledger/CreditFamily.ts"
import * as Rounding from "../translate/Rounding.ts"
import { otherBuyer } from "./creditRules.ts"

export interface MeantVersion {
  readonly document: UndatedDocument
  readonly meaning: CodeMeaning
}

/** Figures of one device tax, or of all together. `total` is with tax. */
export interface CreditFigures {
  readonly net: Money.Money
  readonly tax: Money.Money
  readonly total: Money.Money
}

/** Formats the figures for an answer of a program. */
export const formatted = ({ net, tax, total }: CreditFigures) => ({
  net: Money.formatAmount(net),
  tax: Money.formatAmount(tax),
  total: Money.formatAmount(total)
})

export interface CreditBalance {
  readonly fiscalised: CreditFigures
  readonly credited: CreditFigures
  /** Null if the source's present figures are not known. */
  readonly stated: CreditFigures | null
}

/** Content of the credit note, without its number, reason and date. */
export type NoteContent = Pick<
  UndatedDocument["payload"],
  | "isDiscounted"
  | "isTaxInclusive"
  | "buyerContact"
  | "lineItems"
  | "paymentMethod"
  | "subTotal"
  | "totalTax"
  | "total"
  | "currencyCode"
>

/** Reason why no note can be prepared. */
export type CreditHindrance =
  /** The source's present figures are not known. All that is left can be credited. */
  | { readonly _tag: "StatementNotKnown"; readonly text: string }
  /** A tax rose: the source must issue another invoice, or everything is credited by choice. */
  | { readonly _tag: "Risen" }
  /** The stored figures do not add up, so only the gateway's portal can tell what is left. */
  | { readonly _tag: "FiguresUnclear" }
  /**
   * No amounts without tax give exactly this total with tax, and the gateway takes no others for
   * this invoice (DOC-19). `otherwise`: the whole invoice can be credited in its own lines.
   */
  | { readonly _tag: "CentMissed"; readonly total: Money.Money; readonly otherwise: "mirror" | "nothing" }
  /** An open conflict is about the receipts of a note. */
  | { readonly _tag: "NoteUnclear"; readonly number: string }
  /** Planned by a version that did not keep what the codes of a document mean on the device. */
  | { readonly _tag: "MeaningNotKept"; readonly number: string }

/** A prepared note. */
export interface PreparedNote {
  readonly _tag: "Note"
  /**
   * `mirror`: the lines of the invoice. `lines`: lines that vanished, or whose quantity fell.
   * `sums`: one line for each tax and product code, with tax.
   */
  readonly form: "mirror" | "lines" | "sums"
  /** `everything`: all that is left on the invoice. */
  readonly of: "everything" | "difference"
  /**
   * `issue-anew`: the source must issue the document again under a new number. `void-it`: the
   * source still has the document as issued.
   */
  readonly afterwards: "done" | "issue-anew" | "void-it"
  readonly content: NoteContent
  readonly figures: CreditFigures
  readonly balance: CreditBalance
  /** Rest of the invoice after the note. Null for one of several receipts. */
  readonly left: CreditFigures | null
  /**
   * Tax of invoice and notes together, less the source's, or less nothing if everything is
   * credited. Null for one of several receipts.
   */
  readonly taxOff: Money.Money | null
}

export type Prepared =
  | { readonly _tag: "Nothing"; readonly cause: "same-figures" | "nothing-left"; readonly balance: CreditBalance }
  | PreparedNote
  | { readonly _tag: "Hindered"; readonly by: CreditHindrance; readonly balance: CreditBalance | null }

type Shares = ReadonlyMap<number, Rounding.DeviceShare>

/** Returns the shares of a document, or undefined if its figures do not add up on the device. */
const sharesOf = ({ document, meaning }: MeantVersion): Shares | undefined => groupsOf(document.payload, meaning)

const groupsOf = (
  payload: Pick<SentPayload, "isTaxInclusive" | "lineItems" | "total">,
  { taxes }: CodeMeaning
): Shares | undefined => {
  const shares = Rounding.deviceShares(payload, taxes)
  return shares !== undefined && BigDecimal.equals(whole(shares).total, payload.total) ? shares : undefined
}

const none: CreditFigures = { net: Money.zero, tax: Money.zero, total: Money.zero }

const combine = (
  one: CreditFigures,
  other: CreditFigures,
  by: (a: Money.Money, b: Money.Money) => Money.Money
): CreditFigures => ({
  net: by(one.net, other.net),
  tax: by(one.tax, other.tax),
  total: by(one.total, other.total)
})

const whole = (shares: Shares): CreditFigures =>
  [...shares.values()].reduce<CreditFigures>((sum, share) => combine(sum, share, BigDecimal.sum), none)

const combined = (one: Shares, other: Shares, by: typeof BigDecimal.sum): Shares =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((device) => {
      const [a, b] = [one.get(device), other.get(device)]
      return [device, { of: (a ?? b)!.of, ...combine(a ?? none, b ?? none, by) }]
    })
  )

const sumOf = (documents: ReadonlyArray<MeantVersion>): Shares | undefined => {
  let sum: Shares = new Map()
  for (const document of documents) {
    const shares = sharesOf(document)
    if (shares === undefined) return undefined
    sum = combined(sum, shares, BigDecimal.sum)
  }
  return sum
}

const isNothing = (shares: Shares) => [...shares.values()].every(({ total }) => BigDecimal.isZero(total))

const isBelowNothing = (shares: Shares) => [...shares.values()].some(({ total }) => BigDecimal.isNegative(total))

const cents = (amount: Money.Money): bigint => BigDecimal.scale(amount, 2).value

/** Spreads an amount by weights in whole cents; the largest remainders get the cents left over. */
const spread = (amount: Money.Money, weights: ReadonlyArray<Money.Money>): ReadonlyArray<Money.Money> => {
  const [total, by] = [cents(amount), weights.map(cents)]
  const sum = by.reduce((a, b) => a + b, 0n)
  const parts = by.map((weight, n) => ({ n, part: (total * weight) / sum, rest: (total * weight) % sum }))
  let left = total - parts.reduce((a, { part }) => a + part, 0n)
  for (const part of parts.toSorted((a, b) => Number(b.rest - a.rest))) {
    if (left === 0n) break
    part.part += 1n
    left -= 1n
  }
  return parts.map(({ part }) => BigDecimal.make(part, 2))
}

/** Maximum characters of a line's description (DOC-11). */
const descriptionLimit = 200

type SentPayload = UndatedDocument["payload"]

const reductionOf = (document: UndatedDocument, lines: ReadonlyArray<LineItem>): string => {
  const texts = [...new Set(lines.flatMap(({ description }) => description ?? []))].join(", ")
  // do not keep half of a surrogate pair
  return `Reduction of ${numberOf(document)}${texts === "" ? "" : `: ${texts}`}`
    .slice(0, descriptionLimit)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()
}

const contentOf = (
  { buyerContact, currencyCode, paymentMethod }: SentPayload,
  lineItems: ReadonlyArray<LineItem>,
  isTaxInclusive: boolean,
  { net, tax, total }: CreditFigures
): NoteContent => ({
  isDiscounted: lineItems.some(({ discountAmount }) => discountAmount !== null),
  isTaxInclusive,
  buyerContact,
  lineItems,
  paymentMethod,
  subTotal: net,
  totalTax: tax,
  total,
  currencyCode
})

/** Returns the amount without tax that gives exactly the total with tax, or undefined. */
const netOf = (total: Money.Money, percent: Money.Money | null): Money.Money | undefined => {
  const near = BigDecimal.subtract(total, Rounding.taxOn(total, percent, "inclusive"))
  return [near, BigDecimal.subtract(near, Money.cent), BigDecimal.sum(near, Money.cent)].find((net) =>
    BigDecimal.equals(BigDecimal.sum(net, Rounding.taxOn(net, percent, "exclusive")), total)
  )
}

const sums = ({ document, meaning }: MeantVersion, credit: Shares, mode: Rounding.Basis) => {
  const { payload } = document
  const taxes = Rounding.keptTaxes(meaning.taxes)
  const lines: Array<LineItem> = []
  let tax = Money.zero
  for (const [device, { of, total }] of credit) {
    if (BigDecimal.isZero(total)) continue
    const stated = mode === "inclusive" ? total : netOf(total, of.percent)
    if (stated === undefined) return undefined
    tax = BigDecimal.sum(tax, Rounding.taxOn(stated, of.percent, mode))
    const taxed = payload.lineItems.filter(({ taxCode }) => taxes.get(taxCode)?.device === device)
    const products = [...Map.groupBy(taxed, ({ productCode }) => productCode)].flatMap(([productCode, lines]) => {
      const weight = Rounding.sumOf(lines)
      return BigDecimal.isPositive(weight) ? [{ productCode, lines, weight }] : []
    })
    const amounts = spread(
      stated,
      products.map(({ weight }) => weight)
    )
    for (const [n, { lines: own, productCode }] of products.entries()) {
      const amount = amounts[n]!
      if (BigDecimal.isZero(amount)) continue
      lines.push({
        description: reductionOf(document, own),
        unitAmount: amount,
        taxCode: own[0]!.taxCode,
        productCode,
        lineAmount: amount,
        discountAmount: null,
        quantity: BigDecimal.make(1n, 0),
        customFields: null
      })
    }
  }
  const amounts = Rounding.sumOf(lines)
  const total = mode === "inclusive" ? amounts : BigDecimal.sum(amounts, tax)
  const figures = { net: BigDecimal.subtract(total, tax), tax, total }
  return { form: "sums" as const, content: contentOf(payload, lines, mode === "inclusive", figures), figures }
}

const mirror = ({ document: { payload } }: MeantVersion) => {
  const { isDiscounted, isTaxInclusive, lineItems, subTotal: net, total, totalTax: tax } = payload
  const figures = { net, tax, total }
  return {
    form: "mirror" as const,
    content: { ...contentOf(payload, lineItems, isTaxInclusive, figures), isDiscounted },
    figures
  }
}

const itemOf = ({ description, discountAmount, productCode, taxCode, unitAmount }: LineItem): string =>
  JSON.stringify([
    description,
    productCode,
    taxCode,
    Money.formatPlain(unitAmount),
    // the discount of a part of the quantity is not known
    discountAmount === null ? null : Money.formatAmount(discountAmount)
  ])

const byItem = (lines: ReadonlyArray<LineItem>) => Map.groupBy(lines, itemOf)

/**
 * Returns the lines that vanished, or whose quantity fell, if they give the difference of each tax
 * exactly. Undefined if the difference has another cause.
 */
const fallen = ({ document, meaning }: MeantVersion, stated: StatedInvoice, credit: Shares) => {
  const { isTaxInclusive, lineItems } = document.payload
  if (stated._tag !== "Changed" || stated.document.payload.isTaxInclusive !== isTaxInclusive) return undefined
  const now = byItem(stated.document.payload.lineItems)
  const lines: Array<LineItem> = []
  for (const [item, own] of byItem(lineItems)) {
    const left = now.get(item) ?? []
    const quantity = BigDecimal.subtract(quantityOf(own), quantityOf(left))
    const lineAmount = BigDecimal.subtract(Rounding.sumOf(own), Rounding.sumOf(left))
    if (BigDecimal.isZero(quantity) && BigDecimal.isZero(lineAmount)) continue
    if (!BigDecimal.isPositive(quantity) || !BigDecimal.isPositive(lineAmount)) return undefined
    if (left.length > 0 && own[0]!.discountAmount !== null) return undefined
    if (left.length === 0) lines.push(...own)
    else {
      const product = BigDecimal.multiply(own[0]!.unitAmount, quantity)
      if (!Money.within(product, lineAmount, Money.cent)) return undefined
      lines.push({ ...own[0]!, quantity, lineAmount })
    }
  }
  const content = contentOf(document.payload, lines, isTaxInclusive, none)
  const shares = groupsOf({ ...content, total: whole(credit).total }, meaning)
  if (shares === undefined || !isNothing(combined(credit, shares, BigDecimal.subtract))) return undefined
  const figures = whole(shares)
  const { net: subTotal, tax: totalTax, total } = figures
  return { form: "lines" as const, content: { ...content, subTotal, totalTax, total }, figures }
}

const quantityOf = (lines: ReadonlyArray<LineItem>): Money.Money =>
  BigDecimal.sumAll(lines.map(({ quantity }) => quantity))

const statedBy = (
  sent: MeantVersion,
  own: ReadonlyArray<MeantVersion>,
  { stated, unplaced: [unplaced] }: Pick<Family, "stated" | "unplaced">
): Shares | CreditHindrance => {
  const notKnown = (text: string): CreditHindrance => ({ _tag: "StatementNotKnown", text })
  if (unplaced !== undefined && stated._tag !== "Nothing")
    return notKnown(
      `the credit note ${unplaced} of the source may be on this invoice: mend that note in the source first`
    )
  const less = (document: MeantVersion) => {
    const [present, credited] = [sharesOf(document), sumOf(own)]
    if (present === undefined || credited === undefined)
      return notKnown("the figures that the source states do not add up")
    const left = combined(present, credited, BigDecimal.subtract)
    return isBelowNothing(left) ? notKnown("the source credits more than it states") : left
  }
  switch (stated._tag) {
    case "Nothing":
      return new Map()
    case "AsSent":
      return less(sent)
    case "NotKept":
      return notKnown("the new figures were not kept: import the file once more")
    case "Changed":
      return stated.meaning === null
        ? notKnown("the meaning of the new figures was not kept")
        : less({ document: stated.document, meaning: stated.meaning })
  }
}

const isSameSale = ({ document, meaning }: MeantVersion, stated: StatedInvoice): boolean => {
  if (stated._tag !== "Changed") return true
  const [sent, now] = [document.payload.buyerContact, stated.document.payload.buyerContact]
  if (sent === null || now === null) return sent === now && meaning.currency === stated.meaning?.currency
  return otherBuyer(now, sent, undefined) === undefined && meaning.currency === stated.meaning?.currency
}

/**
 * Returns the note that credits one receipt in its own lines, or undefined if its figures do not
 * add up.
 */
export const ofReceipt = (sent: MeantVersion): PreparedNote | undefined => {
  const shares = sharesOf(sent)
  if (shares === undefined) return undefined
  const balance: CreditBalance = { fiscalised: whole(shares), credited: none, stated: null }
  return { _tag: "Note", of: "everything", afterwards: "done", balance, left: null, taxOff: null, ...mirror(sent) }
}

/**
 * Returns the note that makes the receipts of the family equal to the source's present statement.
 * `everything`: all that is left, whatever the source states, by an operator's choice. `modes`: tax
 * modes that the gateway takes for a note (DOC-19).
 */
export const prepare = (
  { notes, sent: invoice, stated: now, unplaced }: Family,
  amount: "difference" | "everything",
  modes: "any" | "same" = "any"
): Prepared => {
  const hindered = (by: CreditHindrance, balance: CreditBalance | null): Prepared => ({ _tag: "Hindered", by, balance })
  const unclear = notes.find(({ standing }) => standing === "unclear")
  if (unclear !== undefined) return hindered({ _tag: "NoteUnclear", number: unclear.number }, null)
  const without = [{ number: numberOf(invoice.document), meaning: invoice.meaning }, ...notes].find(
    ({ meaning }) => meaning === null
  )
  if (without !== undefined) return hindered({ _tag: "MeaningNotKept", number: without.number }, null)
  const meant = (one: FamilyDocument): MeantVersion => ({ document: one.document, meaning: one.meaning! })
  const original = meant(invoice)
  const counted = counting(notes)
  const [sent, credited] = [sharesOf(original), sumOf(counted.map(meant))]
  if (sent === undefined || credited === undefined) return hindered({ _tag: "FiguresUnclear" }, null)
  const left = combined(sent, credited, BigDecimal.subtract)
  if (isBelowNothing(left)) return hindered({ _tag: "FiguresUnclear" }, null)
  // an ended note may be the other spelling, or the rejected form, of one that counts already
  const own = notes.filter(
    ({ isRepresented, made, standing }) => made === "source" && (standing !== "ended" || isRepresented)
  )
  const stated = statedBy(original, own.map(meant), { stated: now, unplaced })
  const isKnown = !("_tag" in stated)
  const balance: CreditBalance = {
    fiscalised: whole(sent),
    credited: whole(credited),
    stated: isKnown ? whole(stated) : null
  }
  const mode = modes === "any" || original.document.payload.isTaxInclusive ? "inclusive" : "exclusive"
  const note = (credit: Shares, of: "everything" | "difference", afterwards: PreparedNote["afterwards"]): Prepared => {
    const made =
      of === "everything" && counted.length === 0
        ? mirror(original)
        : (fallen(original, now, credit) ?? sums(original, credit, mode))
    if (made === undefined) {
      const otherwise = counted.length === 0 ? "mirror" : "nothing"
      return hindered({ _tag: "CentMissed", total: whole(credit).total, otherwise }, balance)
    }
    const after = combine(whole(left), made.figures, BigDecimal.subtract)
    const taxOff = of === "difference" && isKnown ? BigDecimal.subtract(after.tax, whole(stated).tax) : after.tax
    return { _tag: "Note", of, afterwards, balance, left: after, taxOff, ...made }
  }
  if (isNothing(left)) return { _tag: "Nothing", cause: "nothing-left", balance }
  if (amount === "everything") {
    if (now._tag === "Nothing") return note(left, "everything", "done")
    return note(left, "everything", now._tag === "AsSent" ? "void-it" : "issue-anew")
  }
  if (!isKnown) return hindered(stated, balance)
  if (isNothing(stated)) return note(left, "everything", "done")
  if (!isSameSale(original, now)) return note(left, "everything", "issue-anew")
  const less = combined(left, stated, BigDecimal.subtract)
  if (isNothing(less)) return { _tag: "Nothing", cause: "same-figures", balance }
  const changes = [...less.values()].map(({ total }) => total)
  const [fell, rose] = [changes.some(BigDecimal.isPositive), changes.some(BigDecimal.isNegative)]
  if (rose && !fell) return hindered({ _tag: "Risen" }, balance)
  return rose ? note(left, "everything", "issue-anew") : note(less, "difference", "done")
}
