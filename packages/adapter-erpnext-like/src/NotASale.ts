import type { Item } from "@fiscal-connector/adapter-kit"

const doctypes: { readonly [doctype: string]: string } = {
  "Purchase Invoice": "a bill, which is a purchase",
  "Purchase Order": "a purchase order",
  "Purchase Receipt": "a purchase receipt",
  Quotation: "a quotation",
  "Sales Order": "an order",
  "Delivery Note": "a delivery",
  "Payment Entry": "a payment",
  "Journal Entry": "a journal entry: a sale that was entered as one is not fiscalised"
}

const sales = new Set(["Sales Invoice", "POS Invoice"])

export const otherDoctype = (row: Item): string | undefined => {
  const doctype = row.optional.text("doctype")
  if (doctype === undefined) return row.has("supplier") ? "a bill, which is a purchase" : undefined
  if (sales.has(doctype)) return undefined
  const other = doctypes[doctype]
  if (other === undefined) row.refuse("doctype", `it is not known whether ${doctype.slice(0, 60)} is a sale`)
  return other
}

const yes = { Yes: "yes", No: "no", "1": "yes", "0": "no" } as const

export const notASale = (row: Item): string | undefined => {
  if (row.optional.choice("is_opening", yes) === "yes")
    return "opening entry, a balance taken over from an earlier system"
  if (row.flag("is_consolidated")) return "consolidated invoice, the sum of sales at a till"
  const represented = row.flag("is_internal_customer") ? row.optional.text("represents_company") : undefined
  const isInternal = row.optional.text("status") === "Internal Transfer"
  return isInternal || (represented !== undefined && represented === row.optional.text("company"))
    ? "internal transfer, buyer and seller are one company"
    : undefined
}
