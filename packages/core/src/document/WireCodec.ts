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
import { listed, quoted, repeating } from "./JsonText.ts"
import type { LineItem } from "./LineItem.ts"
import * as Money from "./Money.ts"

const text = (value: string | null): string => (value === null ? "null" : quoted(value))

const street = repeating()
const city = repeating()
const province = repeating()

const address = (address: Address): string =>
  `{"Province":${province(address.province)}` +
  `,"Street":${street(address.street)}` +
  `,"HouseNo":${text(address.houseNo)}` +
  `,"City":${city(address.city)}}`

const name = repeating()
const tin = repeating()
const vatNumber = repeating()
const phone = repeating()
const email = repeating()

const buyer = (buyer: BuyerContact): string =>
  `{"Name":${name(buyer.name)}` +
  `,"TradeName":${text(buyer.tradeName)}` +
  `,"Tin":${tin(buyer.tin)}` +
  `,"VatNumber":${vatNumber(buyer.vatNumber)}` +
  `,"Phone":${phone(buyer.phone)}` +
  `,"Email":${email(buyer.email)}` +
  `,"Address":${buyer.address === null ? "null" : address(buyer.address)}}`

let ofCodes: { readonly taxCode: string; readonly productCode: string | null; readonly text: string } | undefined

/** Neighbouring lines have them in common. What stands between two figures is one text: each that is put to another takes room of its own. */
const codes = ({ productCode, taxCode }: LineItem): string => {
  if (ofCodes === undefined || ofCodes.taxCode !== taxCode || ofCodes.productCode !== productCode) {
    ofCodes = {
      taxCode,
      productCode,
      text: `,"TaxCode":${text(taxCode)},"ProductCode":${text(productCode)},"LineAmount":`
    }
  }
  return ofCodes.text
}

const discount = (amount: Money.Money | null): string =>
  amount === null ? ',"DiscountAmount":null,"Quantity":' : `,"DiscountAmount":${Money.formatAmount(amount)},"Quantity":`

const customFields = (said: LineItem["customFields"]): string =>
  said === null ? ',"CustomFields":null}' : `,"CustomFields":${JSON.stringify(said)}}`

const line = (line: LineItem): string =>
  `{"Description":${text(line.description)}` +
  `,"UnitAmount":${Money.formatPlain(line.unitAmount)}` +
  codes(line) +
  Money.formatAmount(line.lineAmount) +
  discount(line.discountAmount) +
  Money.formatPlain(line.quantity) +
  customFields(line.customFields)

/** An id is most often the number. */
const identifier = repeating()

const identity = ({ kind, payload }: FiscalDocument): string =>
  kind === "invoice"
    ? `"InvoiceId":${identifier(payload.invoiceId)},"InvoiceNumber":${identifier(payload.invoiceNumber)}`
    : `"CreditNoteId":${text(payload.creditNoteId)}` +
      `,"OriginalInvoiceId":${text(payload.originalInvoiceId)}` +
      `,"CreditNoteNumber":${text(payload.creditNoteNumber)}`

const paymentMethod = repeating()
const date = repeating()
const currencyCode = repeating()

// Optional on the wire: a method nobody stated is left out rather than sent as null (DOC-1).
const payment = (method: Invoice["paymentMethod"]): string =>
  method === null ? "" : `,"PaymentMethod":${paymentMethod(method)}`

/** The exact text of the request body; sign and send these very bytes (AUTH-3). */
export const encode = (document: FiscalDocument): string => {
  const { payload } = document
  return (
    `{${identity(document)}` +
    `,"Reference":${text(payload.reference)}` +
    `,"IsDiscounted":${payload.isDiscounted}` +
    `,"IsTaxInclusive":${payload.isTaxInclusive}` +
    `,"BuyerContact":${payload.buyerContact === null ? "null" : buyer(payload.buyerContact)}` +
    `,"Date":${date(Instant.format(payload.date))}` +
    `,"LineItems":[${listed(payload.lineItems, line)}]` +
    payment(payload.paymentMethod) +
    `,"SubTotal":${Money.formatAmount(payload.subTotal)}` +
    `,"TotalTax":${Money.formatAmount(payload.totalTax)}` +
    `,"Total":${Money.formatAmount(payload.total)}` +
    `,"CurrencyCode":${currencyCode(payload.currencyCode)}` +
    `,"IsRetry":${payload.isRetry}}`
  )
}

const rawNumber = (_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value

/** The document as an object of the wire's fields, its numbers as raw JSON literals: for `JSON.stringify`. */
export const toWire = (document: FiscalDocument): object => JSON.parse(encode(document), rawNumber)

const decodeInvoice = Schema.decodeUnknownResult(Invoice)
const decodeCreditNote = Schema.decodeUnknownResult(CreditNote)

const fromWire = (kind: DocumentKind, wire: unknown): Result.Result<FiscalDocument, Schema.SchemaError> =>
  kind === "invoice"
    ? Result.map(decodeInvoice(wire), (payload) => ({ kind: "invoice", payload }))
    : Result.map(decodeCreditNote(wire), (payload) => ({ kind: "credit-note", payload }))

/** Reads a request body back. Fails with the field that does not fit; the text itself is not quoted. */
export const decode = (kind: DocumentKind, body: string): Result.Result<FiscalDocument, string> =>
  Result.flatMap(Money.parseJson(body), (wire) => Result.mapError(fromWire(kind, wire), (error) => error.message))
