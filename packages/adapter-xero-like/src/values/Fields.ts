import { field } from "../json/Place.ts"

export const Document = {
  type: field("Type", "InvoiceType", "CreditNoteType"),
  status: field("Status", "InvoiceStatus", "CreditNoteStatus"),
  invoiceId: field("InvoiceID"),
  creditNoteId: field("CreditNoteID"),
  id: field("ID"),
  invoiceNumber: field("InvoiceNumber"),
  creditNoteNumber: field("CreditNoteNumber"),
  date: field("Date", "InvoiceDate", "CreditNoteDate"),
  dateString: field("DateString", "InvoiceDateString", "CreditNoteDateString"),
  due: field("DueDate"),
  dueString: field("DueDateString"),
  currency: field("CurrencyCode", "Currency"),
  taxMode: field("LineAmountTypes", "LineAmountType"),
  reference: field("Reference", "InvoiceReference", "CreditNoteReference"),
  net: field("SubTotal", "InvoiceSubTotal"),
  tax: field("TotalTax", "InvoiceTotalTax"),
  total: field("Total", "InvoiceTotal"),
  discount: field("TotalDiscount"),
  rounding: field("RoundingAmount"),
  lines: field("LineItems"),
  contact: field("Contact"),
  allocations: field("Allocations"),
  creditNotes: field("CreditNotes"),
  payments: field("Payments"),
  outcome: field("StatusAttributeString"),
  hasErrors: field("HasErrors"),
  sent: field("SentToContact"),
  paid: field("AmountPaid"),
  credited: field("AmountCredited"),
  paidOn: field("FullyPaidOnDate"),
  modified: field("UpdatedDateUTC", "InvoiceUpdatedDateUTC", "CreditNoteUpdatedDateUTC"),
  validationErrors: field("ValidationErrors"),
  message: field("Message"),
  prepaymentId: field("PrepaymentID"),
  overpaymentId: field("OverpaymentID")
}

export const Line = {
  id: field("LineItemID"),
  description: field("Description"),
  quantity: field("Quantity"),
  unitPrice: field("UnitAmount"),
  lineAmount: field("LineAmount"),
  discountRate: field("DiscountRate"),
  discountAmount: field("DiscountAmount"),
  discountIsPercent: field("DiscountEnteredAsPercent"),
  taxType: field("TaxType"),
  taxAmount: field("TaxAmount"),
  itemCode: field("ItemCode"),
  accountCode: field("AccountCode"),
  item: field("Item"),
  code: field("Code")
}
export type XeroLineFields = typeof Line

export const RowLine: XeroLineFields = {
  ...Line,
  ...Object.fromEntries(
    Object.entries(Line).map(([name, { key }]) => [name, field(key, `LineItem${key}`, `LineItems${key}`, `Line${key}`)])
  )
}

export const Contact = {
  id: field("ContactID"),
  modified: field("UpdatedDateUTC"),
  name: field("Name"),
  email: field("EmailAddress"),
  phones: field("Phones"),
  addresses: field("Addresses"),
  TaxNumber: field("TaxNumber"),
  CompanyNumber: field("CompanyNumber"),
  AccountNumber: field("AccountNumber"),
  ContactNumber: field("ContactNumber")
}
export type ContactFields = typeof Contact

export const RowContact: ContactFields = {
  id: field("ContactID"),
  modified: field("ContactUpdatedDateUTC"),
  name: field("ContactName"),
  email: field("ContactEmailAddress", "ContactEmail"),
  phones: field("ContactPhones"),
  addresses: field("ContactAddresses"),
  TaxNumber: field("ContactTaxNumber", "TaxNumber"),
  CompanyNumber: field("ContactCompanyNumber", "CompanyNumber"),
  AccountNumber: field("ContactAccountNumber"),
  ContactNumber: field("ContactNumber")
}

export const Phone = {
  type: field("PhoneType"),
  country: field("PhoneCountryCode"),
  area: field("PhoneAreaCode"),
  number: field("PhoneNumber")
}

export const Address = {
  type: field("AddressType"),
  lines: [field("AddressLine1"), field("AddressLine2"), field("AddressLine3"), field("AddressLine4")] as const,
  city: field("City"),
  region: field("Region")
}

export const Allocation = {
  invoice: field("Invoice"),
  invoiceId: field("InvoiceID"),
  invoiceNumber: field("InvoiceNumber"),
  amount: field("Amount", "AppliedAmount"),
  isDeleted: field("IsDeleted"),
  status: field("Status")
}

export const RowAllocation: typeof Allocation = {
  invoice: field("Invoice"),
  invoiceId: field("AllocationInvoiceID", "AllocatedInvoiceID", "OriginalInvoiceID", "InvoiceID"),
  invoiceNumber: field("AllocationInvoiceNumber", "AllocatedInvoiceNumber", "OriginalInvoiceNumber", "InvoiceNumber"),
  amount: field("AllocationAmount", "AllocatedAmount", "AppliedAmount"),
  isDeleted: field("AllocationIsDeleted"),
  status: field("AllocationStatus")
}

export const Payment = {
  id: field("PaymentID"),
  status: field("Status", "PaymentStatus"),
  account: field("Account"),
  accountCode: field("AccountCode"),
  code: field("Code"),
  invoice: field("Invoice"),
  creditNote: field("CreditNote"),
  invoiceId: field("InvoiceID"),
  creditNoteId: field("CreditNoteID")
}

export const TaxRate = {
  taxType: field("TaxType"),
  percent: field("EffectiveRate")
}
