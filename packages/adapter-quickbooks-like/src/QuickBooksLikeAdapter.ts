/**
 * Invoices, sales receipts, credit memos and refund receipts, joined with customers, tax codes and
 * rates, payment methods and payments.
 */
import { defineAdapter, type Item, type Kit } from "@fiscal-connector/adapter-kit"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { buyerOf } from "./Buyer.ts"
import { companions, idOf, isSale, others, places, type QuickBooksSale, sales } from "./Entities.ts"
import { isNought, isVoided } from "./Issued.ts"
import { join, type QuickBooksJoined, modifiedOf } from "./Joined.ts"
import { linesOf } from "./Lines.ts"
import { options, type QuickBooksLikeOptions } from "./QuickBooksLikeOptions.ts"
import { taxesOf } from "./Taxes.ts"

export type { QuickBooksLikeOptions } from "./QuickBooksLikeOptions.ts"

type QuickBooksKit = Kit<QuickBooksLikeOptions, QuickBooksJoined>

/** In both taxed modes the amounts exclude tax; the inclusive amount is a separate field. */
const modes = { TaxExcluded: "exclusive", TaxInclusive: "exclusive", NotApplicable: "untaxed" } as const

const documentOf = (
  entity: QuickBooksSale,
  row: Item,
  { document, joined, options, skip }: QuickBooksKit
): Adapter.Reading => {
  const kind = sales[entity]
  const id = row.text("Id")
  const number = row.optional.text("DocNumber")
  const date = row.optional.date("TxnDate")
  const state = isVoided(row)
  if (state === "voided" || state === "deleted" || (state === "issued" && isNought(row))) {
    const self = { kind, id: idOf(entity, id), number: number ?? "" }
    const reason = state === "issued" ? "every amount in it is nought, as in one that was voided" : state
    return skip(row, reason, { key: number ?? id, document: self, cancelled: self, modified: modifiedOf(row) })
  }
  if (state === "another status") row.refuse("status", "the status says that it is not issued", "Export it again.")
  if (state === "unclear")
    row.refuse(
      "PrivateNote",
      "the note begins with Voided, and the amounts are still there",
      "Void it in the source, or change the note, and export it again."
    )
  if (row.flag("sparse")) row.refuse("sparse", "this is only a part of the document", "Export the whole document.")
  const taxes = taxesOf(row, joined)
  const { charges, discounts, lines, sales: amounts, unmapped: codes } = linesOf(row, taxes, options)
  row.hold("TotalAmt", { sum: [...amounts, taxes.total], less: discounts })
  const rate = row.quietly().optional.decimal("ExchangeRate")
  const total = row.quietly().optional.decimal("TotalAmt")
  // the total in the currency of the company is rounded once
  if (rate !== undefined && total !== undefined)
    row.hold("HomeTotalAmt", { sum: [BigDecimal.multiply(total, rate)], within: BigDecimal.make(1n, 2) })
  const invoices = entity === "CreditMemo" ? [...(joined.invoicesOf.get(id) ?? [])] : []
  if (invoices.length > 1)
    row.warn(
      "Id",
      `payments set it against ${invoices.length} invoices, and no field states which of them it credits`,
      "Settle by hand which invoice it credits."
    )
  const { buyer, unmapped: numbers } = buyerOf(
    row,
    joined.customers,
    options,
    entity.endsWith("Receipt") ? "till" : "account"
  )
  return document(row, {
    kind,
    id: id === "" ? "" : idOf(entity, id),
    number,
    date,
    due: row.compared("DueDate"),
    currency: row.optional.text("/CurrencyRef/value") ?? options.currency,
    taxMode: row.has("GlobalTaxCalculation") ? row.choice("GlobalTaxCalculation", modes) : "exclusive",
    buyer,
    lines,
    charges,
    totals: { tax: taxes.total, total: row.decimal("TotalAmt") },
    originals: invoices.length === 1 ? [{ by: "id", value: idOf("Invoice", invoices[0]!) }] : [],
    paymentMethod: paymentOf(row, joined),
    modified: modifiedOf(row),
    unmapped: [...numbers, ...codes]
  })
}

const paymentOf = (row: Item, { paymentMethods }: QuickBooksJoined): string | undefined => {
  const id = row.optional.text("/PaymentMethodRef/value")
  const named = row.optional.text("/PaymentMethodRef/name")
  const method = id === undefined ? undefined : paymentMethods.latest(id, modifiedOf)
  if (method === "differ") row.refuse("PaymentMethodRef", `the export states the payment method ${id} in two ways`)
  return named ?? (method === "differ" ? undefined : method?.optional.text("Name")) ?? id
}

const harmless = {
  "administration of the record":
    "domain|SyncToken|MetaData/CreateTime|EmailStatus|PrintStatus|BillEmail/Address|DeliveryInfo/DeliveryType|EInvoiceStatus|AllowIPNPayment|AllowOnlinePayment|" +
    "AllowOnlineCreditCardPayment|AllowOnlineACHPayment|Line/Id|Line/LineNum|Line/GroupLineDetail/Line/Id|Line/GroupLineDetail/Line/LineNum|*/sparse|*/DetailType",
  "bookkeeping of the seller":
    "LinkedTxn/TxnId|LinkedTxn/TxnType|LinkedTxn/TxnLineId|Line/LinkedTxn/TxnId|Line/LinkedTxn/TxnType|Balance|HomeBalance|RemainingCredit|DepositToAccountRef/value|DepositToAccountRef/name|ClassRef/value|ClassRef/name|DepartmentRef/value|DepartmentRef/name|SalesTermRef/value|ApplyTaxAfterDiscount|ExchangeRate|" +
    "Line/SalesItemLineDetail/ItemAccountRef/value|Line/SalesItemLineDetail/ItemAccountRef/name|Line/SalesItemLineDetail/ClassRef/value|Line/SalesItemLineDetail/ClassRef/name|Line/SalesItemLineDetail/ServiceDate",
  "stated again by a field that is read":
    "CurrencyRef/name|CustomerRef/name|Line/SalesItemLineDetail/ItemRef/name|Line/GroupLineDetail/GroupItemRef/value|Line/GroupLineDetail/GroupItemRef/name|Line/GroupLineDetail/Quantity|" +
    "TxnTaxDetail/TxnTaxCodeRef/value|TxnTaxDetail/TaxLine/TaxLineDetail/PercentBased|TotalAmt",
  "an address, which a receipt does not need":
    "*/Line1|*/Line2|*/Line3|*/Line4|*/Line5|*/City|*/CountrySubDivisionCode|*/PostalCode|*/Country|*/Lat|*/Long|BillAddr/Id|ShipAddr/Id|FreeFormAddress|ShipDate|TrackingNum"
}

/**
 * Reads the documents of a QuickBooks-shaped export. Anything outside its scope is refused or
 * skipped with a reason.
 */
export const adapter = defineAdapter<typeof options, QuickBooksJoined>({
  name: "quickbooks-like",
  extensions: [".json", ".jsonl", ".ndjson"],
  options,
  harmless,
  join,
  async *read(file, kit) {
    for await (const record of kit.json.items(file, ...places)) {
      const entity = record.list
      if (isSale(entity)) yield documentOf(entity, record, kit)
      else if (companions.has(entity)) kit.companion(record)
      else if (Object.hasOwn(others, entity)) yield kit.skip(record, others[entity]!)
      else if (entity === "Fault")
        yield kit.refuse(record, "this is the answer of a request that failed, and no export")
      else yield kit.refuse(record, `it is under ${entity}, and the adapter does not know what that is`)
    }
  }
})
