/** Rows of taxes and charges, and the parts of lines that determine their taxes. */
import type { Item } from "@fiscal-connector/adapter-kit"
import {
  ratesIn,
  type ComputedTax,
  settle,
  type TableLine,
  type TableRow
} from "@fiscal-connector/adapter-kit/TaxTable"
import { BigDecimal } from "effect"

const bases = {
  Actual: "fixed",
  "On Net Total": "lines",
  "On Previous Row Amount": "row-amount",
  "On Previous Row Total": "row-total",
  "On Item Quantity": "quantity"
} as const

const rowOf = (tax: Item): TableRow => ({
  basis: tax.choice("charge_type", bases) ?? "lines",
  row: Number(tax.optional.text("row_id") ?? 0),
  code: tax.text("account_head"),
  text: tax.optional.text("description"),
  percent: tax.optional.decimal("rate"),
  amount: tax.optional.decimal("tax_amount_after_discount_amount") ?? tax.decimal("tax_amount"),
  prices: tax.flag("included_in_print_rate") ? "include" : "exclude"
})

export const tableLine = (line: Item): TableLine => ({
  amount: line.decimal("amount"),
  net: line.optional.decimal("net_amount"),
  code: line.optional.text("item_tax_template"),
  rates: ratesIn(line.optional.text("item_tax_rate") ?? "{}")
})

const nothing: ComputedTax = {
  taxMode: "unstated",
  taxes: [],
  discounts: undefined,
  charges: [],
  totals: {},
  rounded: BigDecimal.make(0n, 0)
}

/**
 * Returns the document's taxes as taxes of lines and as charges. Refuses the document at the row
 * that has no equivalent.
 */
export const taxesOf = (row: Item, lines: ReadonlyArray<TableLine>): ComputedTax => {
  const rows = row.optional.each("taxes", rowOf) ?? []
  const nets = lines.map(({ net }) => net)
  const tolerance = BigDecimal.make(5n * BigInt(rows.length), 2)
  row.hold("total", { sum: lines.map(({ amount }) => amount) })
  if (nets.every((net) => net !== undefined)) row.hold("net_total", { sum: nets })
  row.hold("total_taxes_and_charges", { sum: rows.map(({ amount }) => amount), within: tolerance })
  const discount = row.optional.decimal("discount_amount")
  if (row.flag("is_cash_or_non_trade_discount") && discount !== undefined && !BigDecimal.isZero(discount))
    row.refuse(
      "discount_amount",
      "a cash discount lessens what is paid and leaves the taxes as they are",
      "Record it with the payment in the source; the gateway takes discounts that lessen the taxes."
    )
  const settled = settle(rows, lines, {
    net: row.decimal("net_total"),
    total: row.decimal("grand_total"),
    discount: discount && BigDecimal.abs(discount)
  })
  if (!("message" in settled)) {
    if (!BigDecimal.isZero(settled.rounded))
      row.warn("total_taxes_and_charges", "the taxes that the prices contain are stated a few cents off")
    return settled
  }
  row.refuse(
    settled.row === undefined ? "grand_total" : `/taxes/${settled.row}/account_head`,
    settled.message,
    settled.fix
  )
  return nothing
}
