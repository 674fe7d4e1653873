/**
 * Wire JSON, numbers exact to the last digit. The encoder is written by hand, because it runs once
 * per document of an import; the tests compare it with the schema.
 */
import { Result, Schema } from "effect"
import type { Address, BuyerContact } from "./BuyerContact.ts"
import { CreditNote } from "./CreditNote.ts"
import type { DocumentKind, FiscalDocument } from "./FiscalDocument.ts"
import * as Instant from "./Instant.ts"
import { Invoice } from "./Invoice.ts"
import { listed, quoted } from "./JsonText.ts"
import type { LineItem } from "./LineItem.ts"
import * as Money from "./Money.ts"

const text = (value: string | null): string => (value === null ? "null" : quoted(value))

const address = (address: Address): string =>
  `{"Province":${text(address.province)}` +
  `,"Street":${text(address.street)}` +
  `,"HouseNo":${text(address.houseNo)}` +
  `,"City":${text(address.city)}}`

const buyer = (buyer: BuyerContact): string =>
  `{"Name":${text(buyer.name)}` +
  `,"TradeName":${text(buyer.tradeName)}` +
  `,"Tin":${text(buyer.tin)}` +
  `,"VatNumber":${text(buyer.vatNumber)}` +
  `,"Phone":${text(buyer.phone)}` +
  `,"Email":${text(buyer.email)}` +
  `,"Address":${buyer.address === null ? "null" : address(buyer.address)}}`

const codes = ({ productCode, taxCode }: LineItem): string =>
  `,"TaxCode":${text(taxCode)},"ProductCode":${text(productCode)},"LineAmount":`

const discount = (amount: Money.Money | null): string =>
  amount === null ? ',"DiscountAmount":null,"Quantity":' : `,"DiscountAmount":${Money.formatAmount(amount)},"Quantity":`

const customFields = (fields: LineItem["customFields"]): string =>
  fields === null ? ',"CustomFields":null}' : `,"CustomFields":${JSON.stringify(fields)}}`

/** Consecutive lines share codes, and concatenating short strings allocates. */
const lines = (items: ReadonlyArray<LineItem>): string => {
  let last: LineItem | undefined
  let shared = ""
  return listed(items, (item) => {
    if (item.taxCode !== last?.taxCode || item.productCode !== last.productCode) shared = codes(item)
    last = item
    return line(item, shared)
  })
}

const line = (line: LineItem, codes: string): string =>
  `{"Description":${text(line.description)}` +
  `,"UnitAmount":${Money.formatPlain(line.unitAmount)}` +
  codes +
  Money.formatAmount(line.lineAmount) +
  discount(line.discountAmount) +
  Money.formatPlain(line.quantity) +
  customFields(line.customFields)

const identity = ({ kind, payload }: FiscalDocument): string =>
  kind === "invoice"
    ? `"InvoiceId":${text(payload.invoiceId)},"InvoiceNumber":${text(payload.invoiceNumber)}`
    : `"CreditNoteId":${text(payload.creditNoteId)}` +
      `,"OriginalInvoiceId":${text(payload.originalInvoiceId)}` +
      `,"CreditNoteNumber":${text(payload.creditNoteNumber)}`

// Optional on the wire: an unstated method is left out rather than sent as null (DOC-1).
const payment = (method: Invoice["paymentMethod"]): string =>
  method === null ? "" : `,"PaymentMethod":${text(method)}`

/** Returns the exact text of the request body. Sign and send exactly these bytes (AUTH-3). */
export const encode = (document: FiscalDocument): string => {
  const { payload } = document
  return (
    `{${identity(document)}` +
    `,"Reference":${text(payload.reference)}` +
    `,"IsDiscounted":${payload.isDiscounted}` +
    `,"IsTaxInclusive":${payload.isTaxInclusive}` +
    `,"BuyerContact":${payload.buyerContact === null ? "null" : buyer(payload.buyerContact)}` +
    `,"Date":${text(Instant.format(payload.date))}` +
    `,"LineItems":[${lines(payload.lineItems)}]` +
    payment(payload.paymentMethod) +
    `,"SubTotal":${Money.formatAmount(payload.subTotal)}` +
    `,"TotalTax":${Money.formatAmount(payload.totalTax)}` +
    `,"Total":${Money.formatAmount(payload.total)}` +
    `,"CurrencyCode":${text(payload.currencyCode)}` +
    `,"IsRetry":${payload.isRetry}}`
  )
}

const rawNumber = (_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value

/**
 * Returns the document as an object with wire field names and raw JSON numbers, for
 * `JSON.stringify`.
 */
export const toWire = (document: FiscalDocument): object => JSON.parse(encode(document), rawNumber)

const decodeInvoice = Schema.decodeUnknownResult(Invoice)
const decodeCreditNote = Schema.decodeUnknownResult(CreditNote)

const fromWire = (kind: DocumentKind, wire: unknown): Result.Result<FiscalDocument, Schema.SchemaError> =>
  kind === "invoice"
    ? Result.map(decodeInvoice(wire), (payload) => ({ kind: "invoice", payload }))
    : Result.map(decodeCreditNote(wire), (payload) => ({ kind: "credit-note", payload }))

/** Reads a request body back. Fails with the field that does not fit, without quoting the body. */
export const decode = (kind: DocumentKind, body: string): Result.Result<FiscalDocument, string> =>
  Result.flatMap(Money.parseJson(body), (wire) => Result.mapError(fromWire(kind, wire), (error) => error.message))
