import { defineAdapter, type Item, type Kit, type LineFields, type UnmappedFields } from "@fiscal-connector/adapter-kit"
import type { ComputedTax } from "@fiscal-connector/adapter-kit/TaxTable"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { options, type ErpnextLikeOptions } from "./ErpnextLikeOptions.ts"
import { notASale, otherDoctype } from "./NotASale.ts"
import { tableLine, taxesOf } from "./Taxes.ts"

export type { ErpnextLikeOptions } from "./ErpnextLikeOptions.ts"

type ErpnextKit = Kit<ErpnextLikeOptions, undefined>

/**
 * States of a document. `docstatus` decides if the document was issued; `status` is only a derived
 * text.
 */
const states = { "0": "draft", "1": "submitted", "2": "cancelled" } as const

const unissued = new Set(["Draft", "Cancelled"])

const lineOf =
  (kind: "invoice" | "credit-note", { productCode }: ErpnextLikeOptions, { discounts, taxes }: ComputedTax) =>
  (line: Item, i: number): LineFields => {
    const quantity = line.decimal("qty")
    const { amount } = tableLine(line)
    const off = discounts?.[i]
    const isDiscounted = off !== undefined && !BigDecimal.isZero(off)
    return {
      description: line.optional.text("item_name") ?? line.optional.text("item_code"),
      // a return that changes only the rate has an amount and no quantity
      quantity: kind === "credit-note" && BigDecimal.isZero(quantity) ? undefined : quantity,
      unitPrice: line.decimal("rate"),
      lineAmount: isDiscounted ? BigDecimal.subtract(amount, off) : amount,
      discount: isDiscounted ? { amount: BigDecimal.abs(off) } : undefined,
      taxes: taxes[i] ?? [],
      productCode: productCode === undefined ? undefined : line.optional.text("item_code"),
      account: line.optional.text("income_account")
    }
  }

const documentOf = (row: Item, { document, options, skip }: ErpnextKit): Adapter.Reading => {
  const number = row.text("name")
  const date = row.optional.date("posting_date")
  const other = otherDoctype(row)
  if (other !== undefined) return skip(row, other)
  const isReturn = row.flag("is_return")
  const kind = isReturn ? "credit-note" : "invoice"
  const self = { kind, id: number, number } as const
  // in the site's zone, which is not stated: usable only for comparisons with each other
  const modified = row.optional.instant("modified", { zone: "+00:00" })
  const state = row.choice("docstatus", states)
  if (state === "draft") return skip(row, "draft", { document: self, modified })
  const reason = notASale(row)
  if (reason !== undefined) return skip(row, reason, { modified })
  const amended = row.optional.text("amended_from")
  const replaces = amended === undefined ? undefined : ({ by: "id", value: amended } as const)
  if (state === "cancelled")
    return skip(row, "cancelled", { document: self, cancelled: { ...self, ...(replaces && { replaces }) }, modified })
  const status = row.optional.text("status")
  if (status !== undefined && unissued.has(status))
    row.refuse("status", `it is submitted, and its status is ${status}`, "Export it again.")
  const isDebit = row.flag("is_debit_note")
  if (isDebit && options.debitNotes === "skip") return skip(row, "debit note", { document: self, modified })
  if (isDebit && options.debitNotes === undefined)
    row.refuse(
      "is_debit_note",
      "the document is a debit note, which raises an earlier invoice",
      "Decide whether debit notes are sent as invoices of their own or left out (the adapter's option debitNotes)."
    )
  // the taxes depend on the amounts of all lines, which are read again below with their findings
  const settled = taxesOf(row, row.quietly().optional.each("items", tableLine) ?? [])
  const paid = row.flag("is_pos") ? (row.optional.each("payments", paymentOf) ?? []) : []
  const [method, another] = paid.filter((one) => one !== undefined)
  const original = row.optional.text("return_against")
  if (!isReturn && !isDebit && original !== undefined)
    row.refuse("return_against", "an invoice names an invoice that it returns", "Export it again.")
  holdRestated(row)
  return document(row, {
    kind,
    id: number,
    number,
    date,
    due: row.compared("due_date"),
    currency: row.text("currency"),
    taxMode: settled.taxMode,
    buyer: {
      id: row.optional.text("customer"),
      name: row.optional.text("customer_name") ?? row.optional.text("customer"),
      tin: options.tin && row.optional.text(options.tin),
      vatNumber: options.vatNumber && row.optional.text(options.vatNumber),
      phone: row.optional.text("contact_mobile") ?? row.optional.text("contact_phone"),
      email: row.optional.text("contact_email")
    },
    lines: row.each("items", lineOf(kind, options, settled)),
    charges: settled.charges,
    totals: settled.totals,
    originals: isReturn ? [{ by: "id", value: original }] : [],
    replaces,
    reference: row.optional.text("po_no"),
    paymentMethod: another === undefined ? method : undefined,
    modified,
    unmapped: unmappedOf(row, options)
  })
}

const holdRestated = (row: Item): void => {
  const { decimal, each } = row.quietly().optional
  const [total, rounded, rate] = ["grand_total", "rounded_total", "conversion_rate"].map(decimal)
  const adjustment = decimal("rounding_adjustment")
  if (total !== undefined && rounded !== undefined && adjustment !== undefined && !BigDecimal.isZero(rounded))
    row.hold("rounded_total", { sum: [total, adjustment] })
  if (rate === undefined || BigDecimal.isZero(rate)) return
  // each line and tax is converted and rounded separately
  const parts = [...each("items", () => 1), ...each("taxes", () => 1)].length + 1
  const within = BigDecimal.make(BigInt(parts), 2)
  for (const field of ["total", "net_total", "total_taxes_and_charges", "grand_total"]) {
    const own = decimal(field)
    if (own !== undefined) row.hold(`base_${field}`, { sum: [BigDecimal.multiply(own, rate)], within })
  }
}

const unmappedOf = (row: Item, { productCode, tin, vatNumber }: ErpnextLikeOptions): ReadonlyArray<UnmappedFields> => [
  ...(tin !== undefined || vatNumber !== undefined
    ? []
    : [
        {
          subject: "buyer-number" as const,
          item: row,
          key: "tax_id",
          answers: [{ settings: { tin: "tax_id" } }, { settings: { vatNumber: "tax_id" } }]
        }
      ]),
  ...(productCode !== undefined
    ? []
    : row.quietly().optional.each("items", (item, line): UnmappedFields => ({
        subject: "item-code",
        item,
        key: "item_code",
        line,
        answers: [{ settings: { productCode: "item-code" } }]
      })))
]

const paymentOf = (payment: Item): string | undefined => {
  const amount = payment.optional.decimal("amount")
  return amount === undefined || BigDecimal.isZero(amount) ? undefined : payment.optional.text("mode_of_payment")
}

const readingOf = (row: Item, kit: ErpnextKit): Adapter.Reading => {
  if (row.has("exc_type") || row.has("exc"))
    return kit.refuse(
      row,
      "this is the answer of a request that failed, and not an export",
      "Fetch the document again."
    )
  if (!row.has("items") && !row.has("docstatus"))
    return kit.refuse(
      row,
      "the record has neither items nor a docstatus, as the answers of a list",
      "Fetch every document by its name, so that it has its items and taxes."
    )
  return documentOf(row, kit)
}

/** Documents are a single document, a list, or one after the other. */
async function* documentsIn(file: Adapter.InputFile, { json }: ErpnextKit): AsyncIterable<Item> {
  let isAnswer = false
  try {
    for await (const row of json.items(file, "/data", "/message")) {
      isAnswer = true
      yield row
    }
    return
  } catch (thrown) {
    if (isAnswer) throw thrown
  }
  yield* json.items(file)
}

const harmless = {
  "administration of the record":
    "*/doctype|*/parentfield|*/parenttype|*/parent|*/idx|*/owner|*/creation|*/modified_by|items/docstatus|taxes/docstatus|payments/docstatus|" +
    "items/name|items/modified|taxes/name|taxes/modified|payments/name|payments/modified|naming_series|title|language|letter_head|print_heading|" +
    "select_print_heading|group_same_items|_user_tags|_comments|_assign|_liked_by|tax_category|posting_time|set_posting_time|company|company_address|" +
    "company_address_display|ignore_pricing_rule|update_stock|party_account_currency|is_internal_customer|address_display|shipping_address|territory|customer_group|remarks",
  "bookkeeping of the seller":
    "*/cost_center|project|*/project|debit_to|against_income_account|items/income_account|items/expense_account|items/deferred_revenue_account|" +
    "account_for_change_amount|payments/account|payments/type|taxes/account_head|taxes/account_currency|taxes/cost_center|payment_schedule/due_date|payment_schedule/payment_amount|payment_schedule/invoice_portion|" +
    "outstanding_amount|paid_amount|base_paid_amount|total_advance|write_off_amount|base_write_off_amount|change_amount|base_change_amount",
  "stated again by a field that is read":
    "items/description|items/image|items/uom|items/stock_uom|items/conversion_factor|items/stock_qty|items/discount_percentage|items/discount_amount|items/price_list_rate|" +
    "items/rate_with_margin|items/item_group|items/net_rate|taxes/description|taxes/total|taxes/tax_amount|taxes/item_wise_tax_detail|apply_discount_on|" +
    "additional_discount_percentage|selling_price_list|price_list_currency|plc_conversion_rate|total_qty|rounding_adjustment|conversion_rate",
  "an amount of a line in the currency of the company":
    "items/base_rate|items/base_amount|items/base_net_rate|items/base_net_amount|items/base_price_list_rate|taxes/base_tax_amount|taxes/base_total|" +
    "taxes/base_tax_amount_after_discount_amount|payments/base_amount|base_discount_amount|base_rounding_adjustment|base_rounded_total"
}

/**
 * Reads the sales invoices and returns of an ERPNext-shaped export. Anything outside its scope is
 * refused or skipped with a reason.
 */
export const adapter = defineAdapter<typeof options>({
  name: "erpnext-like",
  extensions: [".json", ".jsonl", ".ndjson"],
  options,
  harmless,
  async *read(file, kit) {
    for await (const row of documentsIn(file, kit)) yield readingOf(row, kit)
  }
})
