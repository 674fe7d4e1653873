/**
 * The wire's spelling of fiscal documents, in one place: typed documents to JSON text and back, numbers exact to the last digit.
 * Written by hand towards the gateway, because this runs once per document of an import; the tests hold it against the schema.
 */
import { Result, Schema } from "effect"
import type { Address, BuyerContact } from "./BuyerContact.ts"
import { CreditNote } from "./CreditNote.ts"
import type { DocumentKind, FiscalDocument } from "./FiscalDocument.ts"
import * as Instant from "./Instant.ts"
import { Invoice } from "./Invoice.ts"
import type { LineItem } from "./LineItem.ts"
import * as Money from "./Money.ts"

const amount = (money: Money.Money) => JSON.rawJSON(Money.formatAmount(money))
const decimal = (money: Money.Money) => JSON.rawJSON(Money.formatPlain(money))

const wireAddress = (address: Address) => ({
  Province: address.province,
  Street: address.street,
  HouseNo: address.houseNo,
  City: address.city
})

const wireBuyer = (buyer: BuyerContact) => ({
  Name: buyer.name,
  TradeName: buyer.tradeName,
  Tin: buyer.tin,
  VatNumber: buyer.vatNumber,
  Phone: buyer.phone,
  Email: buyer.email,
  Address: buyer.address === null ? null : wireAddress(buyer.address)
})

const wireLine = (line: LineItem) => ({
  Description: line.description,
  UnitAmount: decimal(line.unitAmount),
  TaxCode: line.taxCode,
  ProductCode: line.productCode,
  LineAmount: amount(line.lineAmount),
  DiscountAmount: line.discountAmount === null ? null : amount(line.discountAmount),
  Quantity: decimal(line.quantity),
  CustomFields: line.customFields
})

const wireRest = (payload: Omit<Invoice, "invoiceId" | "invoiceNumber">) => ({
  Reference: payload.reference,
  IsDiscounted: payload.isDiscounted,
  IsTaxInclusive: payload.isTaxInclusive,
  BuyerContact: payload.buyerContact === null ? null : wireBuyer(payload.buyerContact),
  Date: Instant.format(payload.date),
  LineItems: payload.lineItems.map(wireLine),
  // Optional on the wire: a method nobody stated is left out rather than sent as null (DOC-1).
  ...(payload.paymentMethod === null ? undefined : { PaymentMethod: payload.paymentMethod }),
  SubTotal: amount(payload.subTotal),
  TotalTax: amount(payload.totalTax),
  Total: amount(payload.total),
  CurrencyCode: payload.currencyCode,
  IsRetry: payload.isRetry
})

/** The document as an object of the wire's fields, its numbers as raw JSON literals: for `JSON.stringify`. */
export const toWire = (document: FiscalDocument): object =>
  document.kind === "invoice"
    ? {
        InvoiceId: document.payload.invoiceId,
        InvoiceNumber: document.payload.invoiceNumber,
        ...wireRest(document.payload)
      }
    : {
        CreditNoteId: document.payload.creditNoteId,
        OriginalInvoiceId: document.payload.originalInvoiceId,
        CreditNoteNumber: document.payload.creditNoteNumber,
        ...wireRest(document.payload)
      }

/** The exact text of the request body; sign and send these very bytes (AUTH-3). */
export const encode = (document: FiscalDocument): string => JSON.stringify(toWire(document))

const decodeInvoice = Schema.decodeUnknownResult(Invoice)
const decodeCreditNote = Schema.decodeUnknownResult(CreditNote)

const fromWire = (kind: DocumentKind, wire: unknown): Result.Result<FiscalDocument, Schema.SchemaError> =>
  kind === "invoice"
    ? Result.map(decodeInvoice(wire), (payload) => ({ kind: "invoice", payload }))
    : Result.map(decodeCreditNote(wire), (payload) => ({ kind: "credit-note", payload }))

/** Reads a request body back. Fails with the field that does not fit; the text itself is not quoted. */
export const decode = (kind: DocumentKind, body: string): Result.Result<FiscalDocument, string> =>
  Result.flatMap(Money.parseJson(body), (wire) => Result.mapError(fromWire(kind, wire), (error) => error.message))
