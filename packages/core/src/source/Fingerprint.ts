/** What the export states, as one short text: equal fingerprints mean that nothing has changed that its receipt would keep. */
import { DateTime } from "effect"
import { hash } from "node:crypto"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import { quoted } from "../document/JsonText.ts"
import { formatPlain, type Money } from "../document/Money.ts"
import type {
  SourceBuyer,
  SourceCharge,
  SourceDocument,
  SourceLine,
  SourceOriginal,
  SourceTax
} from "./SourceDocument.ts"

/**
 * How a value is written down: as JSON, the fields of every object in the order of their names, those without a value left out. By a form for each
 * kind of value and not by looking what it is, because every figure of every document goes through it.
 */
type Write<A> = (value: A) => string

type Fields<A> = { readonly [Name in keyof A]-?: Write<Exclude<A[Name], undefined>> }

/** A field without a value may be there all the same. */
type Filled<A> = { readonly [Name in keyof A]: A[Name] | undefined }

const object = <A extends object>(fields: Fields<A>): Write<Filled<A>> => {
  const entries = Object.entries(fields as Readonly<Record<string, Write<never>>>)
  const inOrder = entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, write]) => ({ name, write }))
  return (value) => {
    let text = ""
    for (const { name, write } of inOrder) {
      const field = value[name as keyof A]
      if (field !== undefined) text += `${text === "" ? "" : ","}"${name}":${write(field as never)}`
    }
    return `{${text}}`
  }
}

const list =
  <A>(write: Write<A>): Write<ReadonlyArray<A>> =>
  (values) => {
    let text = ""
    for (const value of values) text += text === "" ? write(value) : `,${write(value)}`
    return `[${text}]`
  }

const orNull =
  <A>(write: Write<A>): Write<A | undefined> =>
  (value) =>
    value === undefined ? "null" : write(value)

const decimal: Write<Money> = (value) => `"${formatPlain(value)}"`
const date: Write<CivilDate | Instant.Instant> = (value) =>
  DateTime.isDateTime(value) ? `"${Instant.format(value)}"` : quoted(value)

const tax = object<Pick<SourceTax, "amount" | "code">>({ amount: decimal, code: quoted })

const listOfTaxes = list(tax)

/** Neighbouring lines may share their taxes. */
let lastTaxes: { readonly taxes: ReadonlyArray<SourceTax>; readonly text: string } | undefined

/** Percents are compared with the book's and never used, and may come from another file than the document. */
const taxes: Write<ReadonlyArray<SourceTax>> = (of) => {
  if (lastTaxes?.taxes !== of) lastTaxes = { taxes: of, text: listOfTaxes(of) }
  return lastTaxes.text
}

/** The account decides a tax as the book does, and is on no receipt; the totals of a line are compared with what is sent, and no part of it. */
type LineFacts = Omit<SourceLine, "account" | "totals" | "unitPrice" | "discount"> & {
  readonly discount?: Filled<Discount>
  readonly unitAmount?: Money
}

interface Discount {
  readonly percent?: Money
  readonly amount?: Money
}

const discountFields = object<Discount>({ amount: decimal, percent: decimal })

/** Every one of its facts has its writer here, by the name that it is read by. */
const ofLine: { readonly [Name in keyof Required<LineFacts>]: (line: Filled<LineFacts>) => string } = {
  description: ({ description }) => (description === undefined ? "" : `"description":${quoted(description)}`),
  discount: ({ discount }) => (discount === undefined ? "" : `,"discount":${discountFields(discount)}`),
  lineAmount: ({ lineAmount }) => (lineAmount === undefined ? "" : `,"lineAmount":${decimal(lineAmount)}`),
  productCode: ({ productCode }) => (productCode === undefined ? "" : `,"productCode":${quoted(productCode)}`),
  quantity: ({ quantity }) => (quantity === undefined ? "" : `,"quantity":${decimal(quantity)}`),
  taxes: ({ taxes: ofTaxes }) => (ofTaxes === undefined ? "" : `,"taxes":${taxes(ofTaxes)}`),
  unitAmount: ({ unitAmount }) => (unitAmount === undefined ? "" : `,"unitAmount":${decimal(unitAmount)}`)
}

/** In the order of their names, field by field: it is what a document has most of. */
const line: Write<Filled<LineFacts>> = (facts) => {
  const first = ofLine.description(facts)
  const others =
    ofLine.discount(facts) +
    ofLine.lineAmount(facts) +
    ofLine.productCode(facts) +
    ofLine.quantity(facts) +
    ofLine.taxes(facts) +
    ofLine.unitAmount(facts)
  // a part of a text put together has to be copied
  return first === "" ? `{${others.slice(1)}}` : `{${first}${others}}`
}

const totals = object<SourceDocument["totals"]>({ net: decimal, tax: decimal, total: decimal })

/**
 * Passing is what accounting systems go on changing after issue (docs/decisions/004); all else is on the receipt for good. A new field of
 * SourceDocument does not compile until it is written below, or stands among the exceptions here.
 */
type Stated = Omit<SourceDocument, "_tag" | "order" | "modified" | "findings" | "where" | "words" | "amounts" | "due">
type Passing = Pick<Stated, "originals" | "paymentMethod" | "reference">

/** Stored fingerprints were made when the tax mode was called amounts, and a line's price `unitAmount`; another name would make every document another. */
type Lasting = Omit<Stated, keyof Passing | "taxMode" | "buyer" | "lines"> & {
  readonly amounts: SourceDocument["taxMode"]
  readonly buyer?: Filled<Identity>
  readonly lines: ReadonlyArray<Filled<LineFacts>>
}

type Identity = Pick<SourceBuyer, "name" | "tin" | "vatNumber">

const lasting = object<Lasting>({
  amounts: quoted,
  buyer: object<Identity>({ name: quoted, tin: quoted, vatNumber: quoted }),
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

/** A taxpayer is who the TIN says; of a buyer without one the name is all there is. */
const identityOf = ({ name, tin, vatNumber }: SourceBuyer) => ({
  tin: filled(tin),
  vatNumber: filled(vatNumber),
  name: filled(tin) === undefined ? filled(name) : undefined
})

/**
 * SHA-256 over what a receipt keeps of the source's statement: kind, number, date, currency, lines, charges, totals, who the buyer is, a credit
 * note's reason. Payment, allocations, contact details and an invoice's reference are no part of it, and neither are the document's place in
 * the export, the assigned time and the book's output (docs/architecture.md#key; docs/decisions/004).
 */
export const fingerprint = (source: SourceDocument): string => {
  const { buyer, charges, currency, date, id, kind, lines, number, reason, reference, taxMode, totals } = source
  return hash(
    "sha256",
    lasting({
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
    })
  )
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
 * Everything the export states of a document, wherever it stands: of two documents of one wording, one is enough. `print` is its fingerprint,
 * and what that leaves out follows.
 */
export const wording = (source: SourceDocument, print = fingerprint(source)): string => {
  const { buyer, charges, lines, originals, paymentMethod, reason, reference } = source
  const percents = [...lines, ...charges].map(({ taxes }) => taxes.map(({ percent }) => percent))
  const accounts = lines.map(({ account }) => account)
  const figures = lines.some(({ totals }) => totals !== undefined) ? lines.map(({ totals }) => totals) : undefined
  const other = { accounts, buyer, figures, originals, paymentMethod, percents, reason, reference }
  return `${print} ${besides(other)}`
}
