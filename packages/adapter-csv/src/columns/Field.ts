export const taxFields = { code: "TaxCode", percent: "TaxPercent", amount: "TaxAmount" } as const

export const chargeFields = {
  shipping: "Shipping",
  fee: "Fee",
  adjustment: "Adjustment",
  rounding: "Rounding",
  documentDiscount: "DocumentDiscount"
} as const

export type TaxField = keyof typeof taxFields
export type ChargeField = keyof typeof chargeFields
type TaxPart = (typeof taxFields)[TaxField]

const chargeTaxFields = Object.fromEntries(
  Object.entries(chargeFields).flatMap(([field, header]) =>
    Object.values(taxFields).map((part) => [field + part, header + part])
  )
) as { readonly [Field in `${ChargeField}${TaxPart}`]: string }

/**
 * Rows that repeat a field must agree. `replaces`: number of the document of the same kind that
 * this one replaces. `linesTotal`: sum of the line amounts as stated. Value: header of the plain
 * layout.
 */
export const documentFields = {
  kind: "Kind",
  status: "Status",
  id: "InvoiceId",
  number: "InvoiceNumber",
  date: "InvoiceDate",
  currency: "Currency",
  amounts: "AmountsAre",
  customerName: "CustomerName",
  customerTradeName: "CustomerTradeName",
  customerTin: "CustomerTIN",
  customerVat: "CustomerVAT",
  customerPhone: "CustomerPhone",
  customerEmail: "CustomerEmail",
  province: "Province",
  street: "Street",
  houseNo: "HouseNo",
  city: "City",
  original: "OriginalInvoice",
  originalId: "OriginalInvoiceId",
  replaces: "Replaces",
  reason: "Reason",
  reference: "Reference",
  paymentMethod: "PaymentMethod",
  net: "SubTotal",
  tax: "TotalTax",
  total: "Total",
  ...chargeFields,
  ...chargeTaxFields,
  linesTotal: "LinesTotal",
  refunded: "Refunded",
  cancelled: "CancelledAt",
  failed: "Error",
  modified: "ModifiedAt",
  customerId: "CustomerID"
} as const

/**
 * `account`: ledger account. `discount` is an amount, `discountPercent` a percent as 15,
 * `lineTotal` the line with tax, `lineNet` the line without tax where prices and `lineAmount`
 * include it, `lineGross` the line before discount.
 */
export const lineFields = {
  description: "Description",
  quantity: "Quantity",
  unitPrice: "UnitPrice",
  discount: "Discount",
  discountPercent: "DiscountPercent",
  lineAmount: "LineAmount",
  lineTotal: "LineTotal",
  lineNet: "LineNet",
  lineGross: "LineGross",
  productCode: "ProductCode",
  account: "Account",
  lineId: "LineID"
} as const

export type DocumentField = keyof typeof documentFields
export type LineField = keyof typeof lineFields

export const moneyFields = [
  "net",
  "tax",
  "total",
  "shipping",
  "fee",
  "adjustment",
  "rounding",
  "documentDiscount",
  "linesTotal",
  "refunded",
  "shippingTaxAmount",
  "feeTaxAmount",
  "adjustmentTaxAmount",
  "roundingTaxAmount",
  "documentDiscountTaxAmount"
] as const satisfies ReadonlyArray<DocumentField>

export const percentFields = [
  "shippingTaxPercent",
  "feeTaxPercent",
  "adjustmentTaxPercent",
  "roundingTaxPercent",
  "documentDiscountTaxPercent"
] as const satisfies ReadonlyArray<DocumentField>

export type NumberField =
  | (typeof moneyFields)[number]
  | (typeof percentFields)[number]
  | Exclude<LineField, "description" | "productCode" | "account" | "lineId">

const timeFields: ReadonlySet<DocumentField> = new Set(["date", "cancelled", "modified"])

export const statesTime = (field: DocumentField): boolean => timeFields.has(field)

const numberFields: ReadonlySet<string> = new Set<NumberField>([
  ...moneyFields,
  ...percentFields,
  "quantity",
  "unitPrice",
  "discount",
  "discountPercent",
  "lineAmount",
  "lineTotal",
  "lineNet",
  "lineGross"
])

export const isNumberField = (field: string): boolean => numberFields.has(field)

const inCharges = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, ["charges"]])) as unknown as {
    readonly [Field in keyof Fields]: ReadonlyArray<string>
  }

export const pathOf: { readonly [Field in DocumentField]: ReadonlyArray<string> } = {
  kind: ["kind"],
  status: [],
  id: ["id"],
  number: ["number"],
  date: ["date"],
  currency: ["currency"],
  amounts: ["taxMode"],
  customerName: ["buyer", "name"],
  customerTradeName: ["buyer", "tradeName"],
  customerTin: ["buyer", "tin"],
  customerVat: ["buyer", "vatNumber"],
  customerPhone: ["buyer", "phone"],
  customerEmail: ["buyer", "email"],
  province: ["buyer", "address", "province"],
  street: ["buyer", "address", "street"],
  houseNo: ["buyer", "address", "houseNo"],
  city: ["buyer", "address", "city"],
  original: ["originals"],
  originalId: ["originals"],
  replaces: ["replaces"],
  reason: ["reason"],
  reference: ["reference"],
  paymentMethod: ["paymentMethod"],
  net: ["totals", "net"],
  tax: ["totals", "tax"],
  total: ["totals", "total"],
  ...inCharges(chargeFields),
  ...inCharges(chargeTaxFields),
  linesTotal: ["totals"],
  refunded: [],
  cancelled: [],
  failed: [],
  modified: [],
  customerId: ["buyer"]
}
