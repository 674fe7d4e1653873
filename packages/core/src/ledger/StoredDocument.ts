/**
 * The text of a document in the store: its fields in a fixed order, decimals as strings. Each field stands once, in a list that is written and
 * read by; one that is missing there does not compile. By hand, because every attempt reads it, and through the schema that costs ten times as
 * much.
 */
import { Effect, Option } from "effect"
import type { Address, BuyerContact } from "../document/BuyerContact.ts"
import type { DocumentKind, UndatedDocument } from "../document/FiscalDocument.ts"
import type { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../document/Identifiers.ts"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"
import { known as paymentMethods } from "../document/PaymentMethod.ts"
import type { StoreError } from "./StoreError.ts"
import { corrupt } from "./Stored.ts"

/** One value: how it is written, and how it is read; reading throws where the text says something else. */
interface Form<A> {
  readonly write: (value: A) => unknown
  readonly read: (stored: unknown) => A
}

const misread = (expected: string): never => {
  throw new TypeError(`expected ${expected}`)
}

const string: Form<string> = {
  write: (value) => value,
  read: (stored) => (typeof stored === "string" ? stored : misread("a text"))
}

const boolean: Form<boolean> = {
  write: (value) => value,
  read: (stored) => (typeof stored === "boolean" ? stored : misread("true or false"))
}

/** A brand says of a text that it is not empty. */
const branded = <A extends string>(): Form<A> => ({
  write: (value) => value,
  read: (stored) => (stored === "" ? misread("a text") : (string.read(stored) as A))
})

const oneOf = <A extends string>(words: ReadonlyArray<A>): Form<A> => ({
  write: (value) => value,
  read: (stored) => words.find((word) => word === stored) ?? misread(words.join(", "))
})

const decimal = (write: (amount: Money.Money) => string): Form<Money.Money> => ({
  write,
  read: (stored) => Option.getOrElse(Money.parse(string.read(stored)), () => misread("a decimal"))
})

const amount = decimal(Money.formatAmount)
const plain = decimal(Money.formatPlain)

const nullable = <A>({ read, write }: Form<A>): Form<A | null> => ({
  write: (value) => (value === null ? null : write(value)),
  read: (stored) => (stored === null ? null : read(stored))
})

const list = <A>({ read, write }: Form<A>): Form<ReadonlyArray<A>> => ({
  write: (values) => values.map(write),
  read: (stored) => (Array.isArray(stored) ? stored.map(read) : misread("a list"))
})

/** What the accounting system says about a line, whatever that is; it is JSON already, and must be there. */
const anything: Form<unknown> = {
  write: (value) => value,
  read: (stored) => (stored === undefined ? misread("a value") : stored)
}

type Fields<A> = { readonly [Name in keyof A]-?: Form<A[Name]> }

const record = <A extends object>(fields: Fields<A>): Form<A> => {
  const entries = Object.entries(fields as unknown as Readonly<Record<string, Form<never>>>)
  return {
    write: (value) => {
      const stored: Record<string, unknown> = {}
      for (const [name, { write }] of entries) stored[name] = write(value[name as keyof A] as never)
      return stored
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

const line = record<LineItem>({
  description: nullable(string),
  unitAmount: plain,
  taxCode: branded<TaxCode>(),
  productCode: nullable(string),
  lineAmount: amount,
  discountAmount: nullable(amount),
  quantity: plain,
  customFields: nullable(anything)
})

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

/** Equal documents have equal texts. */
export const encode = ({ kind, payload }: UndatedDocument): string =>
  JSON.stringify(kind === "invoice" ? invoice.write(payload) : creditNote.write(payload))

const read = (kind: DocumentKind, text: string): UndatedDocument => {
  const stored: unknown = JSON.parse(text)
  return kind === "invoice" ? { kind, payload: invoice.read(stored) } : { kind, payload: creditNote.read(stored) }
}

/** Reads a text of ours back; `number` is the document's. Fails where it is none: the file has been damaged, or tampered with. */
export const decode = (kind: DocumentKind, text: string, number: string): Effect.Effect<UndatedDocument, StoreError> =>
  Effect.try({ try: () => read(kind, text), catch: () => corrupt(`what is to be sent of ${kind} ${number}`) })
