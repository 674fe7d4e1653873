/** Documents as a client would send them; tests replace single fields. */
type Members = { readonly [field: string]: unknown }

export const line: Members = {
  Description: "Widget",
  UnitAmount: 115,
  TaxCode: "VAT15",
  ProductCode: "12345678",
  LineAmount: 115,
  DiscountAmount: null,
  Quantity: 1,
  CustomFields: null
}

export const buyer: Members = {
  Name: "Example Stores",
  TradeName: "Example Stores",
  Tin: "1234567890",
  VatNumber: "123456789",
  Phone: null,
  Email: null,
  Address: { Province: "HA", Street: "Main Road", HouseNo: "12", City: "Harbour" }
}

/** Returns an invoice of 115.00, including 15 %: 15.00 tax, 100.00 net. */
export const invoice = (change: Members = {}): Members => ({
  InvoiceId: "inv-1",
  InvoiceNumber: "INV-1",
  Reference: "Order 7",
  IsDiscounted: false,
  IsTaxInclusive: true,
  BuyerContact: buyer,
  Date: "2025-06-02T10:00:00+02:00",
  LineItems: [line],
  PaymentMethod: "Card",
  SubTotal: 100,
  TotalTax: 15,
  Total: 115,
  CurrencyCode: "USD",
  IsRetry: false,
  ...change
})

/** Returns a credit note for the whole of `invoice()`. */
export const creditNote = (change: Members = {}): Members => {
  const { InvoiceId: _, InvoiceNumber: __, ...rest } = invoice()
  return {
    CreditNoteId: "cn-1",
    CreditNoteNumber: "CN-1",
    OriginalInvoiceId: "inv-1",
    ...rest,
    Reference: "Returned",
    Date: "2025-06-02T11:00:00+02:00",
    ...change
  }
}
