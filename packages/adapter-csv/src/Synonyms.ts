/** Names that columns have in exports (formats.md, B2): what a column probably stands for. Only ever a proposal. */
import { type DocumentField, documentFields, type LineField, lineFields, taxFields } from "./Field.ts"
import { normalise } from "./Header.ts"

export type Meaning = DocumentField | LineField | "taxCode" | "taxPercent" | "taxAmount"

const seen: { readonly [Field in Meaning]?: string } = {
  kind: "Type|Transaction Type|Vch Type|move_type|Is Return (Credit Note)|doc_type|Document Type|Bilagstype|Event Type",
  status: "Status|Invoice Status|Financial Status|State",
  id: "Invoice ID|Document ID|order_id",
  number:
    "Invoice Number|Invoice #|Invoice No|Invoice No.|Number|Num|Vch No.|Voucher/Bill Number|DocNum|Doc Ref|Document No|Document Number|Bilagsnummer|RefNumber|external_document_no|order_number|Credit Note Number|CreditMemoNo",
  date: "Invoice Date|Date|Date Issued|IssueDate|Txn Dt|TxnDate|DocDate|Document Date|invoice_date|Created at|Dato|Voucher/Bill Date|Date (UTC)|order_date|Credit Note Date|CreditMemoDate|Credit Memo Date",
  currency: "Currency|Currency Code|currency_id|order_currency|CurrencyCode",
  amounts: "Amounts Are|Is Inclusive Tax|Line Amount Types|Tax Inclusive",
  customerName:
    "Customer Name|Customer|Client Name|Client|Contact Name|Party Name|Particulars|Kontakt|CardName|Billing Name|partner_id|Buyer|Bill To",
  customerTin: "TIN|Customer TIN|Buyer TIN|Tax Id|Tax Number",
  customerVat: "VAT Number|VAT No|VAT Reg No|Customer VAT",
  customerPhone: "Phone|Customer Phone|Telephone",
  customerEmail: "Email|Email Address|Customer Email",
  city: "City|Town",
  street: "Street|Address",
  province: "Province|Region",
  original:
    "Return Against|Associated Invoice Number|Original Invoice|Original Invoice Number|reversed_entry_id|Credited Invoice",
  reason: "Reason|Credit Reason",
  reference: "Reference|PO Number|Memo|Your Reference",
  paymentMethod: "Payment Method|Payment Type",
  net: "SubTotal|Sub Total|Net Total|Taxable Value",
  tax: "TaxTotal|TotalTax|Total Tax|Taxes",
  total: "Total|Grand Total|Invoice Amount|TotalAmount|Total Amount|Gross Val|Invoice Total|order_total",
  shipping: "Shipping|Shipping Charge|shipping_total",
  shippingTaxCode: "Shipping Charge Tax Name",
  shippingTaxPercent: "Shipping Charge Tax %",
  shippingTaxAmount: "Shipping Charge Tax Amount|shipping_tax_total",
  fee: "Fee|fee_total",
  feeTaxAmount: "fee_tax_total",
  adjustment: "Adjustment",
  rounding: "Round Off|Rounding|Rounding Adjustment",
  documentDiscount: "Entity Discount Amount|Invoice Discount",
  description:
    "Description|Item Description|Item Desc|Details|Item Name|Item|Lineitem name|Product/Service|Product|Memo/Description",
  quantity: "Quantity|Qty|ItemQuantity|Item Quantity|Lineitem quantity|Quantity (Items)",
  unitPrice:
    "Unit Price|UnitAmount|Unit Amount|Item Price|Rate|ItemRate|Item Rate|Item Cost|Sales Price|Price|Lineitem price|price_unit|Rate (Items)",
  discount: "Discount Amount|Lineitem discount|Discounts",
  discountPercent: "Discount %|Discount Percent|Discount Percentage|DiscPrcnt",
  lineAmount: "Line Amount|Line Total|Item Total|ItemAmount|Item Amount|Amount|Line Subtotal|Amount (Items)|Net Amount",
  productCode: "HS Code|Product Code|Commodity Code",
  taxCode:
    "Tax Code|TaxType|Tax Type|Item Tax|Item Tax Code|ItemTaxCode|Tax 1 Type|Tax Name|VAT Code|Item Tax Template (Items)",
  taxPercent: "Item Tax %|Tax %|Tax Rate|VAT %|Item Tax Rate",
  taxAmount: "Tax Amount|Item Tax Amount|Tax 1 Amount|VAT Amount"
}

const ours: { readonly [Field in Meaning]: string } = {
  ...documentFields,
  ...lineFields,
  taxCode: taxFields.code,
  taxPercent: taxFields.percent,
  taxAmount: taxFields.amount
}

const meanings = new Map(
  (Object.keys(ours) as Array<Meaning>).flatMap((field) =>
    [ours[field], ...(seen[field]?.split("|") ?? [])].map((name) => [normalise(name), field] as const)
  )
)

/** What a column of that name probably stands for. */
export const meaningOf = (name: string): Meaning | undefined => meanings.get(normalise(name))
