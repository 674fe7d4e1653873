/** Documents of a firm as a program hands them over, and as records of a Xero-shaped system. */
import type {
  BuyerInput,
  CreditNoteInput,
  InvoiceInput,
  LineInput
} from "../../packages/core/src/source/DocumentInput.ts"
import * as Decimal from "./Decimal.ts"
import { type Customer, type Firm, type Line, linesOf, type Sale } from "./Firm.ts"

const productCode = "85131000"

const inputLine = ({ amount, discount, price, quantity, tax, taxAmount, text }: Line): LineInput => ({
  description: text,
  quantity: Decimal.text(quantity),
  unitPrice: Decimal.text(price, 2),
  taxCode: tax.name,
  tax: { percent: String(tax.percent), amount: Decimal.text(taxAmount, 2) },
  productCode,
  ...(discount.units !== 0n && { discount: { percent: Decimal.text(discount) } }),
  amount: Decimal.text(amount, 2)
})

const inputBuyer = ({ name, taxId }: Customer): BuyerInput => ({ name, tin: taxId })

/** Returns the document as the promise package takes it. */
export const inputOf = (sale: Sale): InvoiceInput | CreditNoteInput => {
  const { buyer, credits, currency, date, id, lines, net, number, prices, reason, shipping, tax, total } = sale
  const common = {
    id,
    number,
    date,
    currency,
    taxMode: prices === "net" ? ("exclusive" as const) : ("inclusive" as const),
    buyer: inputBuyer(buyer),
    lines: lines.map(inputLine),
    ...(shipping !== null && {
      charges: [{ kind: "shipping" as const, amount: Decimal.text(shipping.amount, 2), taxCode: shipping.tax.name }]
    }),
    totals: { net: Decimal.text(net, 2), tax: Decimal.text(tax, 2), total: Decimal.text(total, 2) }
  }
  return sale.kind === "invoice"
    ? { kind: "invoice", ...common }
    : {
        kind: "credit-note",
        ...common,
        ...(credits !== null && { original: { id: credits.id } }),
        ...(reason !== null && { reason })
      }
}

const figure = (amount: Decimal.Decimal, places = 2): unknown => JSON.rawJSON(Decimal.text(amount, places))

const recordLine = ({ amount, discount, price, quantity, tax, taxAmount, text }: Line) => ({
  Description: text,
  Quantity: figure(quantity, 4),
  UnitAmount: figure(price),
  TaxType: tax.name,
  TaxAmount: figure(taxAmount),
  LineAmount: figure(amount),
  ItemCode: productCode,
  ...(discount.units !== 0n && { DiscountRate: figure(discount) })
})

/** Record of a list of the system; the fields are texts and raw numbers. */
export interface SourceRecord {
  readonly list: "Invoices" | "CreditNotes" | "Contacts"
  readonly fields: Readonly<Record<string, unknown>>
}

/** Returns the record of the document. `status`: of the system. */
export const recordOf = (
  sale: Sale,
  status: "AUTHORISED" | "PAID" | "DRAFT" | "VOIDED" = "AUTHORISED"
): SourceRecord => {
  const { buyer, credits, currency, date, id, kind, net, number, prices, reason, tax, total } = sale
  const isNote = kind === "credit-note"
  const common = {
    Status: status,
    Contact: { ContactID: buyer.id, Name: buyer.name },
    DateString: `${date}T00:00:00`,
    LineAmountTypes: prices === "net" ? "Exclusive" : "Inclusive",
    CurrencyCode: currency,
    LineItems: linesOf(sale).map(recordLine),
    SubTotal: figure(net),
    TotalTax: figure(tax),
    Total: figure(total)
  }
  if (!isNote) return { list: "Invoices", fields: { Type: "ACCREC", InvoiceID: id, InvoiceNumber: number, ...common } }
  const Allocations = credits === null ? [] : [{ Amount: figure(total), Invoice: { InvoiceID: credits.id } }]
  return {
    list: "CreditNotes",
    fields: {
      Type: "ACCRECCREDIT",
      CreditNoteID: id,
      CreditNoteNumber: number,
      ...(reason !== null && { Reference: reason }),
      ...common,
      Allocations
    }
  }
}

/** Returns the record of a customer. */
export const contactOf = ({ id, name, taxId }: Customer): SourceRecord => ({
  list: "Contacts",
  fields: { ContactID: id, Name: name, TaxNumber: taxId }
})

/** Returns the state of the system as its export states it. */
export const exportOf = (records: ReadonlyArray<SourceRecord>): string =>
  JSON.stringify(
    Object.fromEntries(
      (["Invoices", "CreditNotes", "Contacts"] as const).map((name) => [
        name,
        records.filter(({ list }) => list === name).map(({ fields }) => fields)
      ])
    )
  )

/**
 * Returns the taxes of a firm as a mapping book has them; the device numbers them from 1. The first
 * is the tax of charges.
 */
export const bookTaxes = (taxes: Firm["taxes"]) => {
  const entries = taxes.map(({ name, percent }, nth) => ({
    from: [name],
    code: `TAX${percent}`,
    device: nth + 1,
    percent: String(percent)
  }))
  return [...entries, { ...entries[0]!, from: [""], lines: "charges" }]
}
