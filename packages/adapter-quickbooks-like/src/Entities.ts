/**
 * Collections of an export by name. Only the name of its collection identifies the type of a
 * record.
 */

export const sales = {
  Invoice: "invoice",
  SalesReceipt: "invoice",
  CreditMemo: "credit-note",
  RefundReceipt: "credit-note"
} as const

export type QuickBooksSale = keyof typeof sales

export const others: { readonly [entity: string]: string } = {
  Estimate: "an estimate, no invoice",
  SalesOrder: "a sales order, no invoice",
  PurchaseOrder: "a purchase order",
  Bill: "a bill, which is a purchase",
  BillPayment: "the payment of a bill",
  Purchase: "a purchase",
  VendorCredit: "a supplier's credit",
  CreditCardPayment: "the payment of a credit card",
  Deposit: "a bank deposit: a sale that was entered as one is not fiscalised",
  JournalEntry: "a journal entry: a sale that was entered as one is not fiscalised",
  Charge: "a charge that is not invoiced yet",
  ReimburseCharge: "a charge that is not invoiced yet",
  TimeActivity: "a timesheet entry",
  Transfer: "a transfer",
  InventoryAdjustment: "a change of stock",
  RecurringTransaction: "a template"
}

export const companions: ReadonlySet<string> = new Set([
  "Account",
  "Attachable",
  "Budget",
  "Class",
  "CompanyCurrency",
  "CompanyInfo",
  "Customer",
  "CustomerType",
  "Department",
  "Employee",
  "ExchangeRate",
  "Item",
  "Payment",
  "PaymentMethod",
  "Preferences",
  "TaxAgency",
  "TaxCode",
  "TaxRate",
  "Term",
  "Vendor"
])

const single = [...Object.keys(sales), ...Object.keys(others), ...companions, "Fault"]

export const places: ReadonlyArray<string> = ["", "/data"].flatMap((outer) => [
  `${outer}/QueryResponse/*`,
  ...single.map((entity) => `${outer}/${entity}`)
])

export const isSale = (entity: string): entity is QuickBooksSale => Object.hasOwn(sales, entity)

/** Returns an id that is unique over all types, because ids are unique only within a type. */
export const idOf = (entity: QuickBooksSale, id: string): string => `${entity}-${id}`
