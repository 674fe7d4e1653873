/**
 * Fiscal document of each kind, with the request body that the contract requires
 * (docs/gateway.md#invoice), written by hand.
 */
import { Option } from "effect"
import type { FiscalDocument } from "../../src/document/FiscalDocument.ts"
import { CreditNoteId, CurrencyCode, DocumentNumber, InvoiceId, TaxCode } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"

const money = (text: string) => Option.getOrThrow(Money.parse(text))

const common = {
  reference: "PO 77/é",
  isDiscounted: true,
  isTaxInclusive: true,
  buyerContact: {
    name: "Zażółć & Co",
    tradeName: null,
    tin: "2000123456",
    vatNumber: "220012345",
    phone: null,
    email: null,
    address: { province: "HRE", street: "Main/2nd", houseNo: "12", city: "Harbour" }
  },
  date: Option.getOrThrow(Instant.parse("2026-02-03T08:00:01+02:00")),
  lineItems: [
    {
      description: "Tea",
      unitAmount: money("12345678901234567.89"),
      taxCode: TaxCode.make("VAT15"),
      productCode: "09021000",
      lineAmount: money("10.1"),
      discountAmount: money("0.5"),
      quantity: money("0.0000001"),
      customFields: null
    }
  ],
  paymentMethod: "Card" as const,
  subTotal: money("8.78"),
  totalTax: money("1.32"),
  total: money("10.1"),
  currencyCode: CurrencyCode.make("USD"),
  isRetry: false
}

export const invoice: FiscalDocument = {
  kind: "invoice",
  payload: { invoiceId: InvoiceId.make("I-1"), invoiceNumber: DocumentNumber.make("INV-1"), ...common }
}

export const creditNote: FiscalDocument = {
  kind: "credit-note",
  payload: {
    creditNoteId: CreditNoteId.make("C-1"),
    originalInvoiceId: InvoiceId.make("I-1"),
    creditNoteNumber: DocumentNumber.make("CN-1"),
    ...common,
    isRetry: true
  }
}

const commonText =
  '"Reference":"PO 77/é","IsDiscounted":true,"IsTaxInclusive":true,' +
  '"BuyerContact":{"Name":"Zażółć & Co","TradeName":null,"Tin":"2000123456","VatNumber":"220012345","Phone":null,"Email":null,' +
  '"Address":{"Province":"HRE","Street":"Main/2nd","HouseNo":"12","City":"Harbour"}},' +
  '"Date":"2026-02-03T08:00:01+02:00",' +
  '"LineItems":[{"Description":"Tea","UnitAmount":12345678901234567.89,"TaxCode":"VAT15","ProductCode":"09021000",' +
  '"LineAmount":10.10,"DiscountAmount":0.50,"Quantity":0.0000001,"CustomFields":null}],' +
  '"PaymentMethod":"Card","SubTotal":8.78,"TotalTax":1.32,"Total":10.10,"CurrencyCode":"USD"'

export const invoiceText = `{"InvoiceId":"I-1","InvoiceNumber":"INV-1",${commonText},"IsRetry":false}`

export const creditNoteText = `{"CreditNoteId":"C-1","OriginalInvoiceId":"I-1","CreditNoteNumber":"CN-1",${commonText},"IsRetry":true}`
