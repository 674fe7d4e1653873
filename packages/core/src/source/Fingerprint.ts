/**
 * Fingerprint of an export's statement of a document: equal fingerprints mean that nothing on the
 * receipt has changed.
 */
import { BigDecimal, DateTime } from "effect"
import { hash } from "node:crypto"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import { quoted } from "../document/JsonText.ts"
import { cent, formatPlain, type Money, round } from "../document/Money.ts"
import type {
  SourceBuyer,
  SourceCharge,
  SourceDocument,
  SourceLine,
  SourceOriginal,
  SourceTax
} from "./SourceDocument.ts"

/**
 * Fields sorted by name, fields without a value left out. Each kind of value has its own writer
 * instead of a type check, because every figure of every document passes here.
 */
type Write<A> = (value: A, last: LastTaxes) => string

/** Neighboring lines may share their taxes. */
interface LastTaxes {
  taxes?: ReadonlyArray<SourceTax>
  text: string
}

type FieldWriters<A> = { readonly [Name in keyof A]-?: Write<Exclude<A[Name], undefined>> }

type Filled<A> = { readonly [Name in keyof A]: A[Name] | undefined }

const object = <A extends object>(fields: FieldWriters<A>): Write<Filled<A>> => {
  const entries = Object.entries(fields as Readonly<Record<string, Write<never>>>)
  const inOrder = entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, write]) => ({ name, write }))
  return (value, last) => {
    let text = ""
    for (const { name, write } of inOrder) {
      const field = value[name as keyof A]
      if (field !== undefined) text += `${text === "" ? "" : ","}"${name}":${write(field as never, last)}`
    }
    return `{${text}}`
  }
}

const list =
  <A>(write: Write<A>): Write<ReadonlyArray<A>> =>
  (values, last) => {
    let text = ""
    for (const value of values) text += text === "" ? write(value, last) : `,${write(value, last)}`
    return `[${text}]`
  }

const orNull =
  <A>(write: Write<A>): Write<A | undefined> =>
  (value, last) =>
    value === undefined ? "null" : write(value, last)

const decimal = (value: Money): string => `"${formatPlain(value)}"`
const date = (value: CivilDate | Instant.Instant): string =>
  DateTime.isDateTime(value) ? `"${Instant.format(value)}"` : quoted(value)

const tax = object<Pick<SourceTax, "amount" | "code">>({ amount: decimal, code: quoted })

const listOfTaxes = list(tax)

/**
 * Percents are compared with the book's, never used, and may come from another file than the
 * document.
 */
const taxes: Write<ReadonlyArray<SourceTax>> = (of, last) => {
  if (last.taxes !== of) {
    last.taxes = of
    last.text = listOfTaxes(of, last)
  }
  return last.text
}

/**
 * Left out: the account, which decides a tax only together with the book and is on no receipt, and
 * the line totals, which are compared and never sent.
 */
type LineFacts = Omit<SourceLine, "account" | "totals" | "unitPrice" | "discount"> & {
  readonly discount?: Filled<WrittenDiscount>
  readonly unitAmount?: Money
}

interface WrittenDiscount {
  readonly percent?: Money
  readonly amount?: Money
}

const discountFields = object<WrittenDiscount>({ amount: decimal, percent: decimal })

const ofLine: { readonly [Name in keyof Required<LineFacts>]: Write<Filled<LineFacts>> } = {
  description: ({ description }) => (description === undefined ? "" : `"description":${quoted(description)}`),
  discount: ({ discount }, last) => (discount === undefined ? "" : `,"discount":${discountFields(discount, last)}`),
  lineAmount: ({ lineAmount }) => (lineAmount === undefined ? "" : `,"lineAmount":${decimal(lineAmount)}`),
  productCode: ({ productCode }) => (productCode === undefined ? "" : `,"productCode":${quoted(productCode)}`),
  quantity: ({ quantity }) => (quantity === undefined ? "" : `,"quantity":${decimal(quantity)}`),
  taxes: ({ taxes: ofTaxes }, last) => (ofTaxes === undefined ? "" : `,"taxes":${taxes(ofTaxes, last)}`),
  unitAmount: ({ unitAmount }) => (unitAmount === undefined ? "" : `,"unitAmount":${decimal(unitAmount)}`)
}

/** In name order, without a loop: lines are the largest part of a document. */
const line: Write<Filled<LineFacts>> = (facts, last) => {
  const first = ofLine.description(facts, last)
  const others =
    ofLine.discount(facts, last) +
    ofLine.lineAmount(facts, last) +
    ofLine.productCode(facts, last) +
    ofLine.quantity(facts, last) +
    ofLine.taxes(facts, last) +
    ofLine.unitAmount(facts, last)
  // a slice of a concatenated text has to be copied
  return first === "" ? `{${others.slice(1)}}` : `{${first}${others}}`
}

const totals = object<SourceDocument["totals"]>({ net: decimal, tax: decimal, total: decimal })

/**
 * `Passing`: fields that accounting systems change after issue (docs/decisions/004); all other
 * fields are on the receipt for good. A new field of SourceDocument does not compile until it is
 * written below or listed among the exceptions here.
 */
type FingerprintedDocument = Omit<
  SourceDocument,
  "_tag" | "order" | "modified" | "findings" | "where" | "words" | "amounts" | "due" | "replaces"
>
type Passing = Pick<FingerprintedDocument, "originals" | "paymentMethod" | "reference">

/**
 * Field names of stored fingerprints: the tax mode was then called `amounts`, and the price of a
 * line `unitAmount`. Other names would change every fingerprint.
 */
type Lasting = Omit<FingerprintedDocument, keyof Passing | "taxMode" | "buyer" | "lines"> & {
  readonly amounts: SourceDocument["taxMode"]
  readonly buyer?: Filled<BuyerIdentity>
  readonly lines: ReadonlyArray<Filled<LineFacts>>
}

type BuyerIdentity = Pick<SourceBuyer, "name" | "tin" | "vatNumber">

const lasting = object<Lasting>({
  amounts: quoted,
  buyer: object<BuyerIdentity>({ name: quoted, tin: quoted, vatNumber: quoted }),
  charges: list(object<SourceCharge>({ amount: decimal, kind: quoted, taxes })),
  currency: quoted,
  date,
  id: quoted,
  kind: quoted,
  lines: list(line),
  number: quoted,
  reason: quoted,
  totals
})

type Besides = Passing & {
  readonly accounts: ReadonlyArray<string | undefined>
  readonly buyer?: Omit<SourceBuyer, "id">
  readonly figures?: ReadonlyArray<SourceLine["totals"]>
  readonly percents: ReadonlyArray<ReadonlyArray<Money | undefined>>
  readonly reason?: string
}

const besides = object<Besides>({
  accounts: list(orNull(quoted)),
  buyer: object<Omit<SourceBuyer, "id">>({
    address: object<NonNullable<SourceBuyer["address"]>>({
      city: quoted,
      houseNo: quoted,
      province: quoted,
      street: quoted
    }),
    email: quoted,
    name: quoted,
    phone: quoted,
    tin: quoted,
    tradeName: quoted,
    vatNumber: quoted
  }),
  figures: list(orNull(totals)),
  originals: list(
    object<Pick<SourceOriginal, "amount" | "by" | "value">>({ amount: decimal, by: quoted, value: quoted })
  ),
  paymentMethod: quoted,
  percents: list(list(orNull(decimal))),
  reason: quoted,
  reference: quoted
})

const filled = (text: string | undefined) => text?.trim() || undefined

/** A taxpayer by TIN, a buyer without TIN by name. */
const identityOf = ({ name, tin, vatNumber }: SourceBuyer) => ({
  tin: filled(tin),
  vatNumber: filled(vatNumber),
  name: filled(tin) === undefined ? filled(name) : undefined
})

/**
 * Returns the SHA-256 of the stated facts that a receipt keeps: kind, number, date, currency,
 * lines, charges, totals, the buyer's identity, a credit note's reason. Not included: payment,
 * allocations, contact details, an invoice's reference, the document's place in the export, the
 * assigned time and the book's output (docs/architecture.md#key; docs/decisions/004).
 */
export const fingerprint = (source: SourceDocument): string => {
  const { buyer, charges, currency, date, id, kind, lines, number, reason, reference, taxMode, totals } = source
  return hash(
    "sha256",
    lasting(
      {
        amounts: taxMode,
        buyer: buyer && identityOf(buyer),
        charges,
        currency,
        date,
        id,
        kind,
        lines: lines.map(factsOf),
        number,
        reason: kind === "credit-note" ? (filled(reason) ?? filled(reference)) : undefined,
        totals
      },
      { text: "" }
    )
  )
}

const halfCent = BigDecimal.make(5n, 3)

const roundEven = (price: Money): Money => {
  const up = round(price, 2)
  const isHalf = BigDecimal.equals(BigDecimal.abs(BigDecimal.subtract(up, price)), halfCent)
  if (!isHalf || up.value % 2n === 0n) return up
  return up.value > 0n ? BigDecimal.subtract(up, cent) : BigDecimal.sum(up, cent)
}

/**
 * Returns the fingerprints of the same document as a reading of its unit prices with two places
 * states it, half up and half even. Empty if no unit price has more places.
 */
export const roundedFingerprints = (source: SourceDocument): ReadonlyArray<string> => {
  const isFiner = ({ unitPrice }: SourceLine) =>
    unitPrice !== undefined && unitPrice.scale > 2 && !BigDecimal.equals(round(unitPrice, 2), unitPrice)
  if (!source.lines.some(isFiner)) return []
  const by = (rounded: (price: Money) => Money) =>
    fingerprint({
      ...source,
      lines: source.lines.map((one) =>
        one.unitPrice === undefined ? one : { ...one, unitPrice: rounded(one.unitPrice) }
      )
    })
  return [...new Set([by((price) => round(price, 2)), by(roundEven)])]
}

const factsOf = ({
  description,
  discount,
  lineAmount,
  productCode,
  quantity,
  taxes,
  unitPrice
}: SourceLine): Filled<LineFacts> => ({
  description,
  discount,
  lineAmount,
  productCode,
  quantity,
  taxes,
  unitAmount: unitPrice
})

/**
 * Returns all facts that the export states about a document, except the place: of two documents
 * with equal wording, one is enough. `print` is the fingerprint; the facts outside the fingerprint
 * follow.
 */
export const wording = (source: SourceDocument, print = fingerprint(source)): string => {
  const { buyer, charges, lines, originals, paymentMethod, reason, reference } = source
  const percents = [...lines, ...charges].map(({ taxes }) => taxes.map(({ percent }) => percent))
  const accounts = lines.map(({ account }) => account)
  const figures = lines.some(({ totals }) => totals !== undefined) ? lines.map(({ totals }) => totals) : undefined
  const other = { accounts, buyer, figures, originals, paymentMethod, percents, reason, reference }
  return `${print} ${besides(other, { text: "" })}`
}
