import type * as BigDecimal from "effect/BigDecimal"
import * as Decimal from "../wire/Decimal.ts"
import type { Document } from "../wire/Document.ts"

const paymentMethods = ["Cash", "Card", "MobileWallet", "Coupon", "Credit", "BankTransfer", "Other"]

interface TextField {
  readonly path: string
  readonly value: string | null | undefined
  readonly longest: number
}

const texts = (document: Document): ReadonlyArray<TextField> => {
  const number = document.kind === "invoice" ? "InvoiceNumber" : "CreditNoteNumber"
  const address = document.buyer?.Address
  return [
    { path: number, value: document.number, longest: 50 },
    { path: "BuyerContact.Name", value: document.buyer?.Name, longest: 250 },
    { path: "BuyerContact.TradeName", value: document.buyer?.TradeName, longest: 250 },
    { path: "BuyerContact.Phone", value: document.buyer?.Phone, longest: 20 },
    { path: "BuyerContact.Email", value: document.buyer?.Email, longest: 100 },
    { path: "BuyerContact.Address.Province", value: address?.Province, longest: 100 },
    { path: "BuyerContact.Address.Street", value: address?.Street, longest: 100 },
    { path: "BuyerContact.Address.HouseNo", value: address?.HouseNo, longest: 100 },
    { path: "BuyerContact.Address.City", value: address?.City, longest: 100 },
    ...document.lines.map((line, index) => ({
      path: `LineItems[${index}].Description`,
      value: line.description,
      longest: 200
    }))
  ]
}

interface DecimalField {
  readonly path: string
  readonly value: BigDecimal.BigDecimal | null
  readonly places: number
}

/** Currencies without a smaller unit (ISO 4217): the device accepts whole amounts only. */
const withoutCents = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "))

const figures = (document: Document, amounts: number): ReadonlyArray<DecimalField> => [
  { path: "SubTotal", value: document.subTotal, places: amounts },
  { path: "TotalTax", value: document.totalTax, places: amounts },
  { path: "Total", value: document.total, places: amounts },
  ...document.lines.flatMap((line, index) => [
    { path: `LineItems[${index}].UnitAmount`, value: line.unitAmount, places: 6 },
    { path: `LineItems[${index}].Quantity`, value: line.quantity, places: 6 },
    { path: `LineItems[${index}].LineAmount`, value: line.lineAmount, places: amounts },
    { path: `LineItems[${index}].DiscountAmount`, value: line.discountAmount, places: amounts }
  ])
]

/** Returns the problems, one sentence per field, without values. `currency` is the device's. */
export const problems = (document: Document, currency: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const { longest, path, value } of texts(document)) {
    if (value !== null && value !== undefined && value.length > longest) {
      found.push(`${path} is longer than ${longest} characters`)
    }
  }
  for (const { path, places, value } of figures(document, withoutCents.has(currency) ? 0 : 2)) {
    if (value !== null && Decimal.placesOf(value) > places) found.push(`${path} has more than ${places} places`)
  }
  if (document.paymentMethod !== null && !paymentMethods.includes(document.paymentMethod)) {
    found.push(`PaymentMethod is not one of ${paymentMethods.join(", ")}`)
  }
  const address = document.buyer?.Address
  if (address !== null && address !== undefined) {
    const parts = Object.values(address)
    if (parts.some((part) => part === null) && parts.some((part) => part !== null)) {
      found.push("BuyerContact.Address lacks one of Province, Street, HouseNo, City")
    }
  }
  return found
}
