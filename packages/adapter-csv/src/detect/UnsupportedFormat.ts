/** Recognizes invoice files that this adapter does not read, to refuse them by name. */
import { Buffer } from "node:buffer"
import { delimiters } from "../scan/Dialect.ts"
import { columnsNamed, type HeaderIndex, indexOf } from "../columns/Header.ts"
import { type Head, records } from "./HeaderSearch.ts"

interface UnsupportedFormat {
  readonly name: string
  /**
   * Start of the file. Otherwise one of `rows` is near the top: a row with all of `names` and none
   * of `without`, or with the first cell `first`.
   */
  readonly begins?: RegExp
  readonly rows: ReadonlyArray<
    { readonly names: ReadonlyArray<string>; readonly without?: ReadonlyArray<string> } | { readonly first: RegExp }
  >
  readonly problem: string
  readonly fix: string
}

const oneRowPerDocument = "it has one row per document and no lines, and the device wants the lines"
const exportLines = "Export the invoices with their lines, one row per line"

const unsupportedFormats: ReadonlyArray<UnsupportedFormat> = [
  {
    name: "JSON file",
    begins: /^\s*[[{]/,
    rows: [],
    problem: "it has no rows",
    fix: "If it is Xero-shaped, read it as that and not as CSV; else export CSV"
  },
  {
    name: "web page or XML file",
    begins: /^\s*<[!?a-z]/i,
    rows: [],
    problem: "it has no rows, even if a spreadsheet shows some",
    fix: "Open it in a spreadsheet and save it as CSV"
  },
  {
    name: "Sage Pastel batch",
    rows: [{ first: /^(header|detail)$/i }],
    problem: "its rows are of several record types (Header, Detail)",
    fix: exportLines
  },
  {
    name: "QuickBooks IIF file",
    rows: [{ first: /^!?(TRNS|SPL|ENDTRNS|HDR)$/i }],
    problem: "its rows are of several record types (TRNS, SPL, ENDTRNS)",
    fix: exportLines
  },
  {
    name: "MYOB export",
    rows: [{ names: ["Co./Last Name", "Invoice #"] }],
    problem: "blank lines separate its documents",
    fix: exportLines
  },
  {
    name: "SAP Business One template",
    rows: [
      { names: ["DocNum", "DocType"] },
      { names: ["DocNum", "DocDate", "CardCode"] },
      { names: ["ParentKey", "LineNum"] }
    ],
    problem: "its documents and lines are in two files with two header rows each",
    fix: "Export the joined list of documents and lines, one row per line"
  },
  {
    name: "DATEV file",
    rows: [{ first: /^(EXTF|DTVF)$/i }, { names: ["Umsatz (ohne Soll/Haben-Kz)"] }],
    problem: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Wave transactions export",
    rows: [{ names: ["Transaction ID", "Transaction Date", "Account Name", "Account Type"] }],
    problem: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Sage 50 audit trail",
    rows: [{ names: ["Account Reference", "Nominal A/C Ref", "Net Amount", "Tax Code"] }],
    problem: "it holds bookings of the ledger, split by tax, not invoices with lines",
    fix: exportLines
  },
  {
    name: "Stripe invoices export",
    rows: [{ names: ["Amount Due", "Number", "Subtotal", "Total", "Customer"] }],
    problem: oneRowPerDocument,
    fix: "Export the invoice line items"
  },
  {
    name: "Tally register",
    rows: [{ names: ["Particulars", "Vch Type", "Vch No."] }],
    problem: oneRowPerDocument,
    fix: exportLines
  },
  {
    name: "list of quotations",
    rows: [
      { names: ["Quote Number"], without: ["Invoice Number"] },
      { names: ["Quotation Number"], without: ["Invoice Number"] },
      { names: ["Estimate Number"], without: ["Invoice Number"] },
      { names: ["EstimateNo"], without: ["InvoiceNo"] },
      { names: ["Quote #"], without: ["Invoice #"] },
      { names: ["Estimate #"], without: ["Invoice #"] }
    ],
    problem: "what it lists is offered, not sold",
    fix: "Export the invoices"
  },
  {
    name: "list of orders",
    rows: [
      { names: ["SalesOrder Number"], without: ["Invoice Number"] },
      { names: ["Sales Order Number"], without: ["Invoice Number"] },
      { names: ["PurchaseOrderNo"], without: ["InvoiceNo"] },
      { names: ["Purchase Order Number", "Vendor Name"], without: ["Invoice Number"] },
      { names: ["Order Reference", "Order Lines/Product"] }
    ],
    problem: "an order is not invoiced yet",
    fix: "Export the invoices"
  },
  {
    name: "list of payments received",
    rows: [
      { names: ["Payment Number", "Amount"], without: ["Item Name", "Description"] },
      { names: ["CustomerPayment ID"] },
      { names: ["Payment Date", "Amount", "Mode"], without: ["Item Name", "Description"] },
      { names: ["Receipt Number", "Amount"], without: ["Item Name", "Description", "Item", "Quantity", "Qty"] }
    ],
    problem: "it holds money received, not what was sold for it; a cash sale among it is left out",
    fix: "Export the invoices and cash sales with their lines"
  },
  {
    name: "Invoice2go export",
    rows: [{ names: ["Id", "Items", "Client Name"], without: ["Quantity"] }],
    problem: "all lines of an invoice are packed into one cell",
    fix: exportLines
  },
  {
    name: "Odoo list of invoices",
    rows: [
      { names: ["Number", "Invoice/Bill Date"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] },
      { names: ["Number", "Untaxed Amount Signed"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] }
    ],
    problem: oneRowPerDocument,
    fix: "Export it again with the fields Type and, of Invoice lines, Label, Quantity, Unit Price, Taxes and Subtotal"
  },
  {
    name: "Odoo export without the type of its documents",
    rows: [
      { names: ["Invoice lines/Quantity", "Invoice lines/Unit Price"], without: ["Type"] },
      { names: ["invoice_line_ids/quantity", "invoice_line_ids/price_unit"], without: ["move_type"] }
    ],
    problem: "it does not say which documents are credit notes, and their amounts are positive",
    fix: "Export it again with the field Type (move_type)"
  },
  {
    name: "WooCommerce revenue report",
    rows: [{ names: ["Date", "Orders", "Gross sales", "Net sales"] }],
    problem: "it has one row per day and no orders",
    fix: "Export the orders with their items, one row per item"
  },
  {
    name: "WooCommerce orders export",
    rows: [{ names: ["order_id", "line_items"] }],
    problem: "all lines of an order are packed into one cell",
    fix: 'Export in the format "one row per line item"'
  }
]

const unless = "or, if it is another kind of file, name its columns in a column map"

export interface Recognised {
  readonly problem: string
  readonly fix: string
  /** True if no column map can turn the file into invoices. */
  readonly certain: boolean
}

/**
 * Returns the problem and the fix if the start of the file or its first rows show a known format
 * that cannot be read; undefined otherwise.
 */
export const recognise = (what: Head): Recognised | undefined => {
  const start = Buffer.from(what.head.subarray(0, 64)).toString("latin1")
  const whole = unsupportedFormats.find(({ begins }) => begins?.test(start) === true)
  if (whole !== undefined) return notSupported(whole)
  for (const delimiter of what.delimiter === undefined ? delimiters : [what.delimiter]) {
    for (const { cells } of records(what, delimiter)) {
      const index = indexOf(cells)
      const unsupported = unsupportedFormats.find(({ rows }) => rows.some((row) => isSuch(row, cells, index)))
      if (unsupported !== undefined) return notSupported(unsupported)
    }
  }
  return undefined
}

const notSupported = ({ fix, name, problem }: UnsupportedFormat): Recognised => ({
  certain: name.startsWith("list of"),
  problem: `this looks like a ${name}: ${problem}`,
  fix: `${fix}, ${unless}`
})

const isSuch = (row: UnsupportedFormat["rows"][number], cells: ReadonlyArray<string>, index: HeaderIndex): boolean =>
  "first" in row
    ? cells.length > 2 && row.first.test(cells[0] ?? "")
    : row.names.every((name) => columnsNamed(index, name).length > 0) &&
      !(row.without ?? []).some((name) => columnsNamed(index, name).length > 0)
