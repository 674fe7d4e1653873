/** What a column can stand for. A column map names these; the plain layout has one header for each. */

/** Stated once per document; where a row repeats it, it must say the same. Value: the plain layout's header. */
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
  reason: "Reason",
  reference: "Reference",
  paymentMethod: "PaymentMethod",
  net: "SubTotal",
  tax: "TotalTax",
  total: "Total",
  shipping: "Shipping",
  fee: "Fee",
  adjustment: "Adjustment",
  rounding: "Rounding",
  documentDiscount: "DocumentDiscount",
  refunded: "Refunded"
} as const

/** Stated on every line. `discount` is an amount, `discountPercent` a percent as 15. */
export const lineFields = {
  description: "Description",
  quantity: "Quantity",
  unitPrice: "UnitPrice",
  discount: "Discount",
  discountPercent: "DiscountPercent",
  lineAmount: "LineAmount",
  productCode: "ProductCode"
} as const

/** Stated for every tax of a line; most exports have one. */
export const taxFields = { code: "TaxCode", percent: "TaxPercent", amount: "TaxAmount" } as const

export type DocumentField = keyof typeof documentFields
export type LineField = keyof typeof lineFields
export type TaxField = keyof typeof taxFields

/** The document's own amounts. */
export const moneyFields = [
  "net",
  "tax",
  "total",
  "shipping",
  "fee",
  "adjustment",
  "rounding",
  "documentDiscount",
  "refunded"
] as const satisfies ReadonlyArray<DocumentField>

/** Every field that holds a number. */
export type NumberField = (typeof moneyFields)[number] | Exclude<LineField, "description" | "productCode">

const numberFields: ReadonlySet<string> = new Set<NumberField>([
  ...moneyFields,
  "quantity",
  "unitPrice",
  "discount",
  "discountPercent",
  "lineAmount"
])

export const isNumberField = (field: string): boolean => numberFields.has(field)

/** Where a field stands in a source document. */
export const pathOf: { readonly [Field in DocumentField]: ReadonlyArray<string> } = {
  kind: ["kind"],
  status: [],
  id: ["id"],
  number: ["number"],
  date: ["date"],
  currency: ["currency"],
  amounts: ["amounts"],
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
  reason: ["reason"],
  reference: ["reference"],
  paymentMethod: ["paymentMethod"],
  net: ["totals", "net"],
  tax: ["totals", "tax"],
  total: ["totals", "total"],
  shipping: ["charges"],
  fee: ["charges"],
  adjustment: ["charges"],
  rounding: ["charges"],
  documentDiscount: ["charges"],
  refunded: []
}
