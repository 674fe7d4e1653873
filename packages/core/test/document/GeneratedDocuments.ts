/**
 * Generated invoices and credit notes with any content that the types allow; their figures need not
 * be consistent.
 */
import { Arbitrary, DateTime, Schema } from "effect"
import type { FiscalDocument } from "../../src/document/FiscalDocument.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import { PaymentMethod } from "../../src/document/PaymentMethod.ts"
import { int, money } from "./Numbers.ts"

const schema = Arbitrary.schema
const orNull = <A>(value: Arbitrary.Arbitrary<A>) =>
  Arbitrary.all([value, int(0, 3)]).pipe(Arbitrary.map(([value, dice]) => (dice === 0 ? null : value)))

const text = orNull(schema(Schema.String))
const flag = schema(Schema.Boolean)

const date = Arbitrary.all([int(0, 4_000_000_000), int(-48, 56)]).pipe(
  Arbitrary.map(([epoch, quarters]) => Instant.fromSeconds(epoch, DateTime.zoneMakeOffset(quarters * 15 * 60_000)))
)

const lineItem = Arbitrary.all({
  description: text,
  unitAmount: money,
  taxCode: schema(TaxCode),
  productCode: text,
  lineAmount: money,
  discountAmount: orNull(money),
  quantity: money,
  customFields: orNull(Arbitrary.all({ note: schema(Schema.String), place: int(-9, 9) }))
})

const buyerContact = Arbitrary.all({
  name: text,
  tradeName: text,
  tin: text,
  vatNumber: text,
  phone: text,
  email: text,
  address: orNull(Arbitrary.all({ province: text, street: text, houseNo: text, city: text }))
})

const common = {
  reference: text,
  isDiscounted: flag,
  isTaxInclusive: flag,
  buyerContact: orNull(buyerContact),
  date,
  lineItems: Arbitrary.array(lineItem, { maxLength: 4 }),
  paymentMethod: orNull(schema(PaymentMethod)),
  subTotal: money,
  totalTax: money,
  total: money,
  currencyCode: schema(CurrencyCode),
  isRetry: flag
}

export const invoice = Arbitrary.all({
  invoiceId: schema(InvoiceId),
  invoiceNumber: schema(DocumentNumber),
  ...common
}).pipe(Arbitrary.map((payload): FiscalDocument => ({ kind: "invoice", payload })))

export const creditNote = Arbitrary.all({
  creditNoteId: schema(CreditNoteId),
  originalInvoiceId: orNull(schema(InvoiceId)),
  creditNoteNumber: schema(DocumentNumber),
  ...common
}).pipe(Arbitrary.map((payload): FiscalDocument => ({ kind: "credit-note", payload })))
