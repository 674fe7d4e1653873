/** Kinds of files that hold invoices in a way this adapter does not read: recognised so that they are refused by name. */
import { Buffer } from "node:buffer"
import { delimiters } from "../scan/Dialect.ts"
import { columnsNamed, type HeaderIndex, indexOf } from "../columns/Header.ts"
import { type Head, records } from "./HeaderSearch.ts"

interface Family {
  readonly name: string
  /** How the file begins; else one of these rows stands near the top: all of its names, or its first cell. */
  readonly begins?: RegExp
  readonly rows: ReadonlyArray<{ readonly names: ReadonlyArray<string> } | { readonly first: RegExp }>
  readonly problem: string
  readonly fix: string
}

const oneRowPerDocument = "it has one row per document and no lines, and the device wants the lines"
const exportLines = "Export the invoices with their lines, one row per line"

const families: ReadonlyArray<Family> = [
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
    problem: "its documents and lines stand in two files with two header rows each",
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
    name: "WooCommerce orders export",
    rows: [{ names: ["order_id", "line_items"] }],
    problem: "all lines of an order are packed into one cell",
    fix: 'Export in the format "one row per line item"'
  }
]

const unless = "or, if it is another kind of file, name its columns in a column map"

/** What the file is, if it is one of these; told by its first rows. */
export const recognise = (what: Head): { readonly problem: string; readonly fix: string } | undefined => {
  const start = Buffer.from(what.head.subarray(0, 64)).toString("latin1")
  const whole = families.find(({ begins }) => begins?.test(start) === true)
  if (whole !== undefined) return said(whole)
  for (const delimiter of what.delimiter === undefined ? delimiters : [what.delimiter]) {
    for (const { cells } of records(what, delimiter)) {
      const index = indexOf(cells)
      const family = families.find(({ rows }) => rows.some((row) => isSuch(row, cells, index)))
      if (family !== undefined) return said(family)
    }
  }
  return undefined
}

const said = ({ fix, name, problem }: Family) => ({
  problem: `this looks like a ${name}: ${problem}`,
  fix: `${fix}, ${unless}`
})

const isSuch = (row: Family["rows"][number], cells: ReadonlyArray<string>, index: HeaderIndex): boolean =>
  "first" in row
    ? cells.length > 2 && row.first.test(cells[0] ?? "")
    : row.names.every((name) => columnsNamed(index, name).length > 0)
