/**
 * Invoice and CreditNote as a request body carries them, and the one shape the sandbox works with.
 */
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Decimal, OptionalDecimal } from "./Decimal.ts"
import { ReceiptDate } from "./ReceiptDate.ts"

/** Text that may be absent, null or `""`: null then (DOC-16). */
const OptionalText = Schema.NullOr(Schema.String).pipe(
  Schema.decodeTo(Schema.NullOr(Schema.String), {
    decode: SchemaGetter.transform((text) => (text === "" ? null : text)),
    encode: SchemaGetter.transform((text) => text)
  }),
  Schema.withDecodingDefaultKey(Effect.succeed(null))
)

const OptionalFlag = Schema.NullOr(Schema.Boolean).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const Address = Schema.Struct({
  Province: OptionalText,
  Street: OptionalText,
  HouseNo: OptionalText,
  City: OptionalText
}).annotate({ identifier: "Address" })

const BuyerContact = Schema.Struct({
  Name: OptionalText,
  TradeName: OptionalText,
  Tin: OptionalText,
  VatNumber: OptionalText,
  Phone: OptionalText,
  Email: OptionalText,
  Address: Schema.NullOr(Address).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "BuyerContact" })

const LineItem = Schema.Struct({
  Description: OptionalText,
  UnitAmount: Decimal,
  TaxCode: OptionalText,
  ProductCode: OptionalText,
  LineAmount: Decimal,
  DiscountAmount: OptionalDecimal,
  Quantity: Decimal,
  CustomFields: Schema.optionalKey(Schema.Unknown)
}).annotate({ identifier: "LineItem" })

const shared = {
  Reference: OptionalText,
  IsDiscounted: OptionalFlag,
  IsTaxInclusive: Schema.Boolean,
  BuyerContact: Schema.NullOr(BuyerContact).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  Date: ReceiptDate,
  LineItems: Schema.NullOr(Schema.Array(LineItem)).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  PaymentMethod: OptionalText,
  SubTotal: Decimal,
  TotalTax: Decimal,
  Total: Decimal,
  CurrencyCode: Schema.NonEmptyString,
  IsRetry: OptionalFlag
}

/** Body of POST /invoice. */
export const Invoice = Schema.Struct({
  InvoiceId: Schema.NonEmptyString,
  InvoiceNumber: Schema.NonEmptyString,
  ...shared
}).annotate({ identifier: "Invoice" })

/** Body of POST /creditnote. */
export const CreditNote = Schema.Struct({
  CreditNoteId: Schema.NonEmptyString,
  OriginalInvoiceId: OptionalText,
  CreditNoteNumber: Schema.NonEmptyString,
  ...shared
}).annotate({ identifier: "CreditNote" })

export type DocumentKind = "invoice" | "credit-note"

/** A line of a document; amounts in the document's currency, null where the body has nothing. */
export interface Line {
  readonly description: string | null
  readonly unitAmount: BigDecimal.BigDecimal
  readonly taxCode: string | null
  readonly productCode: string | null
  readonly lineAmount: BigDecimal.BigDecimal
  readonly discountAmount: BigDecimal.BigDecimal | null
  readonly quantity: BigDecimal.BigDecimal
}

export type Buyer = typeof BuyerContact.Type

/** An invoice or a credit note as submitted. A buyer in whom nothing is stated is null: a walk-in customer (DOC-16). */
export interface Document {
  readonly kind: DocumentKind
  readonly id: string
  readonly number: string
  readonly originalInvoiceId: string | null
  readonly reference: string | null
  readonly amounts: "inclusive" | "exclusive"
  readonly buyer: Buyer | null
  readonly date: ReceiptDate
  readonly lines: ReadonlyArray<Line>
  readonly paymentMethod: string | null
  readonly subTotal: BigDecimal.BigDecimal
  readonly totalTax: BigDecimal.BigDecimal
  readonly total: BigDecimal.BigDecimal
  readonly currencyCode: string
  /** What IsRetry said: `again` for true. */
  readonly sent: "first" | "again"
}

const isWalkIn = (buyer: Buyer): boolean => {
  const { Address: address, ...rest } = buyer
  return (
    Object.values(rest).every((value) => value === null) &&
    (address === null || Object.values(address).every((value) => value === null))
  )
}

const common = (body: typeof Invoice.Type | typeof CreditNote.Type) => ({
  reference: body.Reference,
  amounts: body.IsTaxInclusive ? ("inclusive" as const) : ("exclusive" as const),
  buyer: body.BuyerContact === null || isWalkIn(body.BuyerContact) ? null : body.BuyerContact,
  date: body.Date,
  lines: (body.LineItems ?? []).map((line) => ({
    description: line.Description,
    unitAmount: line.UnitAmount,
    taxCode: line.TaxCode,
    productCode: line.ProductCode,
    lineAmount: line.LineAmount,
    discountAmount: line.DiscountAmount,
    quantity: line.Quantity
  })),
  paymentMethod: body.PaymentMethod,
  subTotal: body.SubTotal,
  totalTax: body.TotalTax,
  total: body.Total,
  currencyCode: body.CurrencyCode,
  sent: body.IsRetry === true ? ("again" as const) : ("first" as const)
})

export const fromInvoice = (body: typeof Invoice.Type): Document => ({
  kind: "invoice",
  id: body.InvoiceId,
  number: body.InvoiceNumber,
  originalInvoiceId: null,
  ...common(body)
})

export const fromCreditNote = (body: typeof CreditNote.Type): Document => ({
  kind: "credit-note",
  id: body.CreditNoteId,
  number: body.CreditNoteNumber,
  originalInvoiceId: body.OriginalInvoiceId,
  ...common(body)
})
