/**
 * A document as its one text: an import stages it, the store keeps it, and every attempt reads it. The fields stand in a fixed order, decimals as
 * strings, each once in a list that is written and read by; one that is missing there does not compile. By hand, because every document and
 * every attempt goes through it, and through the schema that costs ten times as much.
 */
import { Option } from "effect"
import type { Address, BuyerContact } from "./BuyerContact.ts"
import { type DocumentKind, idOf, numberOf, originalOf, type UndatedDocument } from "./FiscalDocument.ts"
import type { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "./Identifiers.ts"
import { listed, quoted } from "./JsonText.ts"
import type { LineItem } from "./LineItem.ts"
import * as Money from "./Money.ts"
import { known as paymentMethods } from "./PaymentMethod.ts"

/** The text, and what is looked at without reading it. */
export interface WrittenDocument {
  readonly kind: DocumentKind
  readonly id: string
  readonly number: DocumentNumber
  /** A credit note's; null for an invoice, and for a note without one. */
  readonly originalInvoiceId: InvoiceId | null
  readonly buyer: string | null
  readonly currency: CurrencyCode
  readonly total: Money.Money
  /** Those of its lines, each once. */
  readonly taxCodes: ReadonlyArray<TaxCode>
  /** Equal documents have equal texts. */
  readonly text: string
}

/** One value: how it is written as JSON, and how it is read; reading throws where the text says something else. */
interface Form<A> {
  readonly write: (value: A) => string
  readonly read: (stored: unknown) => A
}

const misread = (expected: string): never => {
  throw new TypeError(`expected ${expected}`)
}

const string: Form<string> = {
  write: quoted,
  read: (stored) => (typeof stored === "string" ? stored : misread("a text"))
}

const boolean: Form<boolean> = {
  write: String,
  read: (stored) => (typeof stored === "boolean" ? stored : misread("true or false"))
}

/** A brand says of a text that it is not empty. */
const branded = <A extends string>(): Form<A> => ({
  write: quoted,
  read: (stored) => (stored === "" ? misread("a text") : (string.read(stored) as A))
})

const oneOf = <A extends string>(words: ReadonlyArray<A>): Form<A> => ({
  write: quoted,
  read: (stored) => words.find((word) => word === stored) ?? misread(words.join(", "))
})

const decimal = (format: (amount: Money.Money) => string): Form<Money.Money> => ({
  write: (amount) => `"${format(amount)}"`,
  read: (stored) => Option.getOrElse(Money.parse(string.read(stored)), () => misread("a decimal"))
})

const amount = decimal(Money.formatAmount)
const plain = decimal(Money.formatPlain)

const nullable = <A>({ read, write }: Form<A>): Form<A | null> => ({
  write: (value) => (value === null ? "null" : write(value)),
  read: (stored) => (stored === null ? null : read(stored))
})

const list = <A>({ read, write }: Form<A>): Form<ReadonlyArray<A>> => ({
  write: (values) => `[${listed(values, write)}]`,
  read: (stored) => (Array.isArray(stored) ? stored.map(read) : misread("a list"))
})

/** What the accounting system says about a line, whatever that is; it is JSON already, and must be there. */
const anything: Form<unknown> = {
  write: (value) => (value === null ? "null" : (JSON.stringify(value) ?? "null")),
  read: (stored) => (stored === undefined ? misread("a value") : stored)
}

/** A field's form, whatever it is of. */
interface AnyForm {
  readonly write: (value: never) => string
  readonly read: (stored: unknown) => unknown
}

type Fields<A> = { readonly [Name in keyof A]-?: Form<A[Name]> }

const record = <A extends object>(fields: Fields<A>): Form<A> => {
  const entries = Object.entries<AnyForm>(fields)
  const named = entries.map(([name, { write }], i) => ({ name, write, before: `${i === 0 ? "{" : ","}"${name}":` }))
  return {
    write: (value) => {
      let text = ""
      for (const { before, name, write } of named) text += before + write(value[name as keyof A] as never)
      return `${text}}`
    },
    read: (stored) => {
      if (typeof stored !== "object" || stored === null) return misread("an object")
      const from = stored as Readonly<Record<string, unknown>>
      const value: Record<string, unknown> = {}
      for (const [name, { read }] of entries) value[name] = read(from[name])
      return value as A
    }
  }
}

const address = record<Address>({
  province: nullable(string),
  street: nullable(string),
  houseNo: nullable(string),
  city: nullable(string)
})

const buyer = record<BuyerContact>({
  name: nullable(string),
  tradeName: nullable(string),
  tin: nullable(string),
  vatNumber: nullable(string),
  phone: nullable(string),
  email: nullable(string),
  address: nullable(address)
})

const nullableText = nullable(string)
const nullableAmount = nullable(amount)
const customFields = nullable(anything)

const line: Form<LineItem> = {
  ...record<LineItem>({
    description: nullableText,
    unitAmount: plain,
    taxCode: branded<TaxCode>(),
    productCode: nullableText,
    lineAmount: amount,
    discountAmount: nullableAmount,
    quantity: plain,
    customFields
  }),
  // the same, field by field: it is what a document has most of
  write: (line) =>
    `{"description":${nullableText.write(line.description)}` +
    `,"unitAmount":"${Money.formatPlain(line.unitAmount)}"` +
    `,"taxCode":${quoted(line.taxCode)}` +
    `,"productCode":${nullableText.write(line.productCode)}` +
    `,"lineAmount":"${Money.formatAmount(line.lineAmount)}"` +
    `,"discountAmount":${nullableAmount.write(line.discountAmount)}` +
    `,"quantity":"${Money.formatPlain(line.quantity)}"` +
    `,"customFields":${customFields.write(line.customFields)}}`
}

type Payload<Kind extends DocumentKind> = Extract<UndatedDocument, { readonly kind: Kind }>["payload"]

/** The order is that of every text that is stored already: equal documents are found by equal texts. */
const common: Fields<Omit<Payload<"invoice">, "invoiceId" | "invoiceNumber">> = {
  reference: nullable(string),
  isDiscounted: boolean,
  isTaxInclusive: boolean,
  buyerContact: nullable(buyer),
  lineItems: list(line),
  paymentMethod: nullable(oneOf(paymentMethods)),
  subTotal: amount,
  totalTax: amount,
  total: amount,
  currencyCode: branded<CurrencyCode>()
}

const invoice = record<Payload<"invoice">>({
  invoiceId: branded<InvoiceId>(),
  invoiceNumber: branded<DocumentNumber>(),
  ...common
})

const creditNote = record<Payload<"credit-note">>({
  creditNoteId: branded<CreditNoteId>(),
  originalInvoiceId: nullable(branded<InvoiceId>()),
  creditNoteNumber: branded<DocumentNumber>(),
  ...common
})

/** Those of the lines, each once; nearly always there is one. */
const taxCodesOf = (lines: ReadonlyArray<LineItem>): ReadonlyArray<TaxCode> => {
  const codes: Array<TaxCode> = []
  for (const { taxCode } of lines) if (taxCode !== codes.at(-1) && !codes.includes(taxCode)) codes.push(taxCode)
  return codes
}

/** Writes a document. */
export const of = (document: UndatedDocument): WrittenDocument => {
  const { kind, payload } = document
  return {
    kind,
    id: idOf(document),
    number: numberOf(document),
    originalInvoiceId: originalOf(document),
    buyer: payload.buyerContact?.name ?? null,
    currency: payload.currencyCode,
    total: payload.total,
    taxCodes: taxCodesOf(payload.lineItems),
    text: kind === "invoice" ? invoice.write(payload) : creditNote.write(payload)
  }
}

/** The document's own sums, which stand at the end of its text: the rest is not read. Throws where it is none. */
export const sumsOf = ({ text }: Pick<WrittenDocument, "text">): Pick<Payload<"invoice">, "subTotal" | "totalTax"> => {
  // no text within it has an unescaped quotation mark, and behind the lines only its own fields follow
  const from = text.lastIndexOf(',"subTotal":"')
  if (from === -1) return misread("its sums")
  return {
    subTotal: amount.read(memberAt(text, "subTotal", from)),
    totalTax: amount.read(memberAt(text, "totalTax", from))
  }
}

/** The value of the first member of that name behind `from`, a text in which nothing is escaped. */
const memberAt = (text: string, name: string, from: number): string => {
  const before = `,"${name}":"`
  const at = text.indexOf(before, from)
  const start = at + before.length
  return at === -1 ? misread(name) : text.slice(start, text.indexOf('"', start))
}

/** Reads a text that `of` wrote back. Throws where it is none. */
export const read = ({ kind, text }: Pick<WrittenDocument, "kind" | "text">): UndatedDocument => {
  const stored: unknown = JSON.parse(text)
  return kind === "invoice" ? { kind, payload: invoice.read(stored) } : { kind, payload: creditNote.read(stored) }
}
