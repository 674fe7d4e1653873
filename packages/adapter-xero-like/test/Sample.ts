/**
 * Sales invoice, credit note, line and contact as the API returns them, each with the changes that
 * a test needs.
 */

type Fields = { readonly [name: string]: unknown }

export const line = (fields: Fields = {}) => ({
  Description: "Consulting",
  Quantity: 1,
  UnitAmount: 100,
  LineAmount: 100,
  TaxType: "OUTPUT",
  TaxAmount: 15,
  ...fields
})

export const invoice = (fields: Fields = {}) => ({
  Type: "ACCREC",
  InvoiceID: "6f9d2a10-0000-4000-8000-000000000001",
  InvoiceNumber: "INV-0001",
  Reference: "",
  Contact: { ContactID: "6f9d2a10-0000-4000-8000-0000000000c1", Name: "Baobab Traders" },
  DateString: "2026-03-05T00:00:00",
  Date: "/Date(1772668800000+0000)/",
  Status: "AUTHORISED",
  LineAmountTypes: "Exclusive",
  LineItems: [line()],
  SubTotal: 100,
  TotalTax: 15,
  Total: 115,
  CurrencyCode: "USD",
  ...fields
})

export const creditNote = (fields: Fields = {}) => {
  const { InvoiceID: _id, InvoiceNumber: _number, ...shared } = invoice()
  return {
    CreditNoteID: "6f9d2a10-0000-4000-8000-000000000002",
    CreditNoteNumber: "CN-0001",
    ...shared,
    Type: "ACCRECCREDIT",
    Reference: "Goods returned",
    Allocations: [],
    ...fields
  }
}

export const allocation = (fields: Fields = {}) => ({
  Amount: 115,
  Date: "/Date(1773014400000+0000)/",
  Invoice: { InvoiceID: "6f9d2a10-0000-4000-8000-000000000001", InvoiceNumber: "INV-0001" },
  ...fields
})

export const contact = (fields: Fields = {}) => ({
  ContactID: "6f9d2a10-0000-4000-8000-0000000000c1",
  Name: "Baobab Traders",
  TaxNumber: "2000000001",
  EmailAddress: "",
  Addresses: [
    { AddressType: "POBOX" },
    { AddressType: "STREET", AddressLine1: "7 Samora Machel Avenue\r\n", City: "Harare", Region: "HRE" }
  ],
  Phones: [{ PhoneType: "DEFAULT", PhoneNumber: "123456", PhoneAreaCode: "4", PhoneCountryCode: "263" }],
  ...fields
})

/** Returns the record without the named fields. */
export const without = (record: Fields, ...names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
