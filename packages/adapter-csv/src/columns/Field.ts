/** What a column can stand for. A column map names these; the plain layout has one header for each. */

/** Stated for every tax of a line; most exports have one. */
export const taxFields = { code: "TaxCode", percent: "TaxPercent", amount: "TaxAmount" } as const

/** Amounts of the document that are no line. */
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

/** The tax of each charge: `shippingTaxCode` and so on. */
const chargeTaxFields = Object.fromEntries(
  Object.entries(chargeFields).flatMap(([field, header]) =>
    Object.values(taxFields).map((part) => [field + part, header + part])
  )
) as { readonly [Field in `${ChargeField}${TaxPart}`]: string }

/**
 * Stated once per document; where a row repeats it, it must say the same. `linesTotal`: what the lines come to, as they stand. Value: the plain
 * layout's header.
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

/** Stated on every line. `account`: the ledger account it is booked to. `discount` is an amount, `discountPercent` a percent as 15, `lineTotal` the line with its tax, `lineGross` before its discount. */
export const lineFields = {
  description: "Description",
  quantity: "Quantity",
  unitPrice: "UnitPrice",
  discount: "Discount",
  discountPercent: "DiscountPercent",
  lineAmount: "LineAmount",
  lineTotal: "LineTotal",
  lineGross: "LineGross",
  productCode: "ProductCode",
  account: "Account",
  lineId: "LineID"
} as const

export type DocumentField = keyof typeof documentFields
export type LineField = keyof typeof lineFields

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
  "linesTotal",
  "refunded",
  "shippingTaxAmount",
  "feeTaxAmount",
  "adjustmentTaxAmount",
  "roundingTaxAmount",
  "documentDiscountTaxAmount"
] as const satisfies ReadonlyArray<DocumentField>

/** Percents that stand for the whole document. */
export const percentFields = [
  "shippingTaxPercent",
  "feeTaxPercent",
  "adjustmentTaxPercent",
  "roundingTaxPercent",
  "documentDiscountTaxPercent"
] as const satisfies ReadonlyArray<DocumentField>

/** Every field that holds a number. */
export type NumberField =
  | (typeof moneyFields)[number]
  | (typeof percentFields)[number]
  | Exclude<LineField, "description" | "productCode" | "account" | "lineId">

const timeFields: ReadonlySet<DocumentField> = new Set(["date", "cancelled", "modified"])

/** Whether the field is a date or a time. */
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
  "lineGross"
])

export const isNumberField = (field: string): boolean => numberFields.has(field)

const inCharges = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, ["charges"]])) as unknown as {
    readonly [Field in keyof Fields]: ReadonlyArray<string>
  }

/** Where a field stands in a source document. */
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
