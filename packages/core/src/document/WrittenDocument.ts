/**
 * A document as one JSON text: staged by an import, kept by the store, read by every attempt. One
 * list of fields in a fixed order serves writing and reading, and a field missing in it does not
 * compile. Written by hand: the schema costs ten times as much.
 */
import { Option } from "effect"
import type { Address, BuyerContact } from "./BuyerContact.ts"
import { type DocumentKind, idOf, numberOf, originalOf, type UndatedDocument } from "./FiscalDocument.ts"
import type { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "./Identifiers.ts"
import { listed, quoted } from "./JsonText.ts"
import type { LineItem } from "./LineItem.ts"
import * as Money from "./Money.ts"
import { known as paymentMethods } from "./PaymentMethod.ts"

export interface WrittenDocument {
  readonly kind: DocumentKind
  readonly id: string
  readonly number: DocumentNumber
  readonly originalInvoiceId: InvoiceId | null
  readonly buyer: string | null
  readonly currency: CurrencyCode
  readonly total: Money.Money
  readonly taxCodes: ReadonlyArray<TaxCode>
  readonly text: string
}

/** `read` throws if the stored value does not fit. */
interface ValueForm<A> {
  readonly write: (value: A) => string
  readonly read: (stored: unknown) => A
}

const misread = (expected: string): never => {
  throw new TypeError(`expected ${expected}`)
}

const string: ValueForm<string> = {
  write: quoted,
  read: (stored) => (typeof stored === "string" ? stored : misread("a text"))
}

const boolean: ValueForm<boolean> = {
  write: String,
  read: (stored) => (typeof stored === "boolean" ? stored : misread("true or false"))
}

const branded = <A extends string>(): ValueForm<A> => ({
  write: quoted,
  read: (stored) => (stored === "" ? misread("a text") : (string.read(stored) as A))
})

const oneOf = <A extends string>(values: ReadonlyArray<A>): ValueForm<A> => ({
  write: quoted,
  read: (stored) => values.find((value) => value === stored) ?? misread(values.join(", "))
})

const decimal = (format: (amount: Money.Money) => string): ValueForm<Money.Money> => ({
  write: (amount) => `"${format(amount)}"`,
  read: (stored) => Option.getOrElse(Money.parse(string.read(stored)), () => misread("a decimal"))
})

const amount = decimal(Money.formatAmount)
const plain = decimal(Money.formatPlain)

const nullable = <A>({ read, write }: ValueForm<A>): ValueForm<A | null> => ({
  write: (value) => (value === null ? "null" : write(value)),
  read: (stored) => (stored === null ? null : read(stored))
})

const list = <A>({ read, write }: ValueForm<A>): ValueForm<ReadonlyArray<A>> => ({
  write: (values) => `[${listed(values, write)}]`,
  read: (stored) => (Array.isArray(stored) ? stored.map(read) : misread("a list"))
})

/** Form of any JSON value from the accounting system; the value must be present. */
const anything: ValueForm<unknown> = {
  write: (value) => (value === null ? "null" : (JSON.stringify(value) ?? "null")),
  read: (stored) => (stored === undefined ? misread("a value") : stored)
}

interface AnyForm {
  readonly write: (value: never) => string
  readonly read: (stored: unknown) => unknown
}

type FieldForms<A> = { readonly [Name in keyof A]-?: ValueForm<A[Name]> }

const record = <A extends object>(fields: FieldForms<A>): ValueForm<A> => {
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

const line: ValueForm<LineItem> = {
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
  // same output, field by field, for speed: documents consist mostly of lines
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

type KindPayload<Kind extends DocumentKind> = Extract<UndatedDocument, { readonly kind: Kind }>["payload"]

/** The order must match all stored texts: equal documents are found by equal texts. */
const common: FieldForms<Omit<KindPayload<"invoice">, "invoiceId" | "invoiceNumber">> = {
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

const invoice = record<KindPayload<"invoice">>({
  invoiceId: branded<InvoiceId>(),
  invoiceNumber: branded<DocumentNumber>(),
  ...common
})

const creditNote = record<KindPayload<"credit-note">>({
  creditNoteId: branded<CreditNoteId>(),
  originalInvoiceId: nullable(branded<InvoiceId>()),
  creditNoteNumber: branded<DocumentNumber>(),
  ...common
})

const taxCodesOf = (lines: ReadonlyArray<LineItem>): ReadonlyArray<TaxCode> => {
  const codes: Array<TaxCode> = []
  for (const { taxCode } of lines) if (taxCode !== codes.at(-1) && !codes.includes(taxCode)) codes.push(taxCode)
  return codes
}

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

/**
 * Returns the document's totals from the end of its text, without parsing the rest. Throws if the
 * text is not a document.
 */
export const sumsOf = ({
  text
}: Pick<WrittenDocument, "text">): Pick<KindPayload<"invoice">, "subTotal" | "totalTax"> => {
  // the last match is the document's field: texts escape quotation marks, and only document fields
  // follow the lines
  const from = text.lastIndexOf(',"subTotal":"')
  if (from === -1) return misread("its sums")
  return {
    subTotal: amount.read(memberAt(text, "subTotal", from)),
    totalTax: amount.read(memberAt(text, "totalTax", from))
  }
}

/** The value of the first `name` after `from`. The value must not contain escapes. */
const memberAt = (text: string, name: string, from: number): string => {
  const before = `,"${name}":"`
  const at = text.indexOf(before, from)
  const start = at + before.length
  return at === -1 ? misread(name) : text.slice(start, text.indexOf('"', start))
}

/** Reads back a text that `of` wrote. Throws if the text is not a document. */
export const read = ({ kind, text }: Pick<WrittenDocument, "kind" | "text">): UndatedDocument => {
  const stored: unknown = JSON.parse(text)
  return kind === "invoice" ? { kind, payload: invoice.read(stored) } : { kind, payload: creditNote.read(stored) }
}
