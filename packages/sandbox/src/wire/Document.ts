import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Decimal, OptionalDecimal } from "./Decimal.ts"
import * as ExactJson from "./ExactJson.ts"
import { ReceiptDate } from "./ReceiptDate.ts"
import { byDefault } from "../Default.ts"

/** Text that may be absent, null or `""`, each decoded as null (DOC-16). */
const OptionalText = Schema.NullOr(Schema.String).pipe(
  Schema.decodeTo(Schema.NullOr(Schema.String), {
    decode: SchemaGetter.transform((text) => (text === "" ? null : text)),
    encode: SchemaGetter.transform((text) => text)
  }),
  byDefault(null)
)

const OptionalFlag = Schema.NullOr(Schema.Boolean).pipe(byDefault(null))

const Address = ExactJson.objectOf(
  Schema.Struct({
    Province: OptionalText,
    Street: OptionalText,
    HouseNo: OptionalText,
    City: OptionalText
  }).annotate({ identifier: "Address" })
)

const BuyerContact = ExactJson.objectOf(
  Schema.Struct({
    Name: OptionalText,
    TradeName: OptionalText,
    Tin: OptionalText,
    VatNumber: OptionalText,
    Phone: OptionalText,
    Email: OptionalText,
    Address: Schema.NullOr(Address).pipe(byDefault(null))
  }).annotate({ identifier: "BuyerContact" })
)

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
  BuyerContact: Schema.NullOr(BuyerContact).pipe(byDefault(null)),
  Date: ReceiptDate,
  LineItems: Schema.NullOr(Schema.Array(LineItem)).pipe(byDefault(null)),
  PaymentMethod: OptionalText,
  SubTotal: Decimal,
  TotalTax: Decimal,
  Total: Decimal,
  CurrencyCode: Schema.NonEmptyString,
  IsRetry: OptionalFlag
}

export const Invoice = Schema.Struct({
  InvoiceId: Schema.NonEmptyString,
  InvoiceNumber: Schema.NonEmptyString,
  ...shared
}).annotate({ identifier: "Invoice" })

export const CreditNote = Schema.Struct({
  CreditNoteId: Schema.NonEmptyString,
  OriginalInvoiceId: OptionalText,
  CreditNoteNumber: Schema.NonEmptyString,
  ...shared
}).annotate({ identifier: "CreditNote" })

const Line = Schema.Struct({
  description: Schema.NullOr(Schema.String),
  unitAmount: Schema.BigDecimal,
  taxCode: Schema.NullOr(Schema.String),
  productCode: Schema.NullOr(Schema.String),
  lineAmount: Schema.BigDecimal,
  discountAmount: Schema.NullOr(Schema.BigDecimal),
  quantity: Schema.BigDecimal
})
export type Line = typeof Line.Type

export type Buyer = typeof BuyerContact.Type

/**
 * Invoice or credit note as submitted. A buyer without any value is null: a walk-in customer
 * (DOC-16). `sent` is the value of IsRetry: `again` for true.
 */
export const Document = Schema.Struct({
  kind: Schema.Literals(["invoice", "credit-note"]),
  id: Schema.String,
  number: Schema.String,
  originalInvoiceId: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String),
  amounts: Schema.Literals(["inclusive", "exclusive"]),
  buyer: Schema.NullOr(Schema.toType(BuyerContact)),
  date: Schema.toType(ReceiptDate),
  lines: Schema.Array(Line),
  paymentMethod: Schema.NullOr(Schema.String),
  subTotal: Schema.BigDecimal,
  totalTax: Schema.BigDecimal,
  total: Schema.BigDecimal,
  currencyCode: Schema.String,
  sent: Schema.Literals(["first", "again"])
})
export type Document = typeof Document.Type
export type DocumentKind = Document["kind"]

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
