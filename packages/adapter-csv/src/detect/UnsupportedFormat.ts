/**
 * Recognizes files that are not lists of invoices with their lines, by their column names and by
 * the structure of their rows. The kind of the file is then the first question about it, and only
 * the operator's answer lets the reading go on.
 */
import { Buffer } from "node:buffer"
import type { AdapterError, InputFile } from "@fiscal-connector/core/source/Adapter"
import { Effect } from "effect"
import type { ColumnMap } from "../columns/ColumnMap.ts"
import { columnsNamed, type HeaderIndex, indexOf } from "../columns/Header.ts"
import type { Contents, Settings } from "../columns/Settings.ts"
import { delimiters } from "../scan/Dialect.ts"
import * as FileStructure from "./FileStructure.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { type Head, records, search } from "./HeaderSearch.ts"
import type { Interpretation } from "./Interpretation.ts"
import * as ListKind from "./ListKind.ts"
import * as Titles from "./Titles.ts"
import { ambiguous, contentsQuestion, type Recognised, unreadable } from "./Questions.ts"

interface UnsupportedFormat {
  readonly name: string
  readonly contents: Contents
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

/** Exported for a test that has one case for each row. */
export const unsupportedFormats: ReadonlyArray<UnsupportedFormat> = [
  {
    name: "JSON file",
    contents: "no-rows",
    begins: /^\s*[[{]/,
    rows: [],
    problem: "it has no rows",
    fix: "If it is Xero-shaped, read it as that and not as CSV; else export CSV"
  },
  {
    name: "web page or XML file",
    contents: "no-rows",
    begins: /^\s*<[!?a-z]/i,
    rows: [],
    problem: "it has no rows, even if a spreadsheet shows some",
    fix: "Open it in a spreadsheet and save it as CSV"
  },
  {
    name: "Sage Pastel batch",
    contents: "record-types",
    rows: [{ first: /^(header|detail)$/i }],
    problem: "its rows are of several record types (Header, Detail)",
    fix: exportLines
  },
  {
    name: "QuickBooks IIF file",
    contents: "record-types",
    rows: [{ first: /^!?(TRNS|SPL|ENDTRNS|HDR)$/i }],
    problem: "its rows are of several record types (TRNS, SPL, ENDTRNS)",
    fix: exportLines
  },
  {
    name: "MYOB export",
    contents: "blocks",
    rows: [{ names: ["Co./Last Name", "Invoice #"] }],
    problem: "blank lines separate its documents",
    fix: exportLines
  },
  {
    name: "SAP Business One template",
    contents: "record-types",
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
    contents: "ledger",
    rows: [{ first: /^(EXTF|DTVF)$/i }, { names: ["Umsatz (ohne Soll/Haben-Kz)"] }],
    problem: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Wave transactions export",
    contents: "ledger",
    rows: [{ names: ["Transaction ID", "Transaction Date", "Account Name", "Account Type"] }],
    problem: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Sage 50 audit trail",
    contents: "ledger",
    rows: [{ names: ["Account Reference", "Nominal A/C Ref", "Net Amount", "Tax Code"] }],
    problem: "it holds bookings of the ledger, split by tax, not invoices with lines",
    fix: exportLines
  },
  {
    name: "Stripe invoices export",
    contents: "no-lines",
    rows: [{ names: ["Amount Due", "Number", "Subtotal", "Total", "Customer"] }],
    problem: oneRowPerDocument,
    fix: "Export the invoice line items"
  },
  {
    name: "Tally register",
    contents: "no-lines",
    rows: [{ names: ["Particulars", "Vch Type", "Vch No."] }],
    problem: oneRowPerDocument,
    fix: exportLines
  },
  {
    name: "list of orders",
    contents: "orders",
    rows: [
      { names: ["PurchaseOrderNo"], without: ["InvoiceNo"] },
      { names: ["Purchase Order Number", "Vendor Name"], without: ["Invoice Number"] },
      { names: ["Order Reference", "Order Lines/Product"] }
    ],
    problem: "an order is not invoiced yet",
    fix: "Export the invoices"
  },
  {
    name: "list of payments received",
    contents: "payments",
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
    contents: "packed-lines",
    rows: [{ names: ["Id", "Items", "Client Name"], without: ["Quantity"] }],
    problem: "all lines of an invoice are packed into one cell",
    fix: exportLines
  },
  {
    name: "Odoo list of invoices",
    contents: "no-lines",
    rows: [
      { names: ["Number", "Invoice/Bill Date"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] },
      { names: ["Number", "Untaxed Amount Signed"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] }
    ],
    problem: oneRowPerDocument,
    fix: "Export it again with the fields Type and, of Invoice lines, Label, Quantity, Unit Price, Taxes and Subtotal"
  },
  {
    name: "Odoo export without the type of its documents",
    contents: "no-kinds",
    rows: [
      { names: ["Invoice lines/Quantity", "Invoice lines/Unit Price"], without: ["Type"] },
      { names: ["invoice_line_ids/quantity", "invoice_line_ids/price_unit"], without: ["move_type"] }
    ],
    problem: "it does not say which documents are credit notes, and their amounts are positive",
    fix: "Export it again with the field Type (move_type)"
  },
  {
    name: "WooCommerce revenue report",
    contents: "no-lines",
    rows: [{ names: ["Date", "Orders", "Gross sales", "Net sales"] }],
    problem: "it has one row per day and no orders",
    fix: "Export the orders with their items, one row per item"
  },
  {
    name: "WooCommerce orders export",
    contents: "packed-lines",
    rows: [{ names: ["order_id", "line_items"] }],
    problem: "all lines of an order are packed into one cell",
    fix: 'Export in the format "one row per line item"'
  }
]

/** Returns what the file is by its names and by its structure, each with the evidence. */
export const recognise = (what: Head, map?: ColumnMap): ReadonlyArray<Recognised> =>
  [byNames(what), byStructure(what, map)].filter((one) => one !== undefined)

const byNames = (what: Head): Recognised | undefined => {
  const start = Buffer.from(what.head.subarray(0, 64)).toString("latin1")
  const whole = unsupportedFormats.find(({ begins }) => begins?.test(start) === true)
  if (whole !== undefined) return named(whole, `it begins with "${start.trim().slice(0, 1)}"`)
  for (const delimiter of what.delimiter === undefined ? delimiters : [what.delimiter]) {
    for (const { cells, line } of records(what, delimiter)) {
      const index = indexOf(cells)
      for (const unsupported of unsupportedFormats) {
        const row = unsupported.rows.find((one) => isSuch(one, cells, index))
        if (row === undefined) continue
        const shown = "first" in row ? `begins with "${cells[0]}"` : `has the columns ${quoted(row.names)}`
        return named(unsupported, `line ${line} ${shown}`)
      }
    }
  }
  return undefined
}

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")

const named = ({ contents, fix, name, problem }: UnsupportedFormat, evidence: string): Recognised => ({
  contents,
  problem: `this looks like a ${name}: ${problem}`,
  evidence,
  fix
})

const isSuch = (row: UnsupportedFormat["rows"][number], cells: ReadonlyArray<string>, index: HeaderIndex): boolean =>
  "first" in row
    ? cells.length > 2 && row.first.test(cells[0] ?? "")
    : row.names.every((name) => columnsNamed(index, name).length > 0) &&
      !(row.without ?? []).some((name) => columnsNamed(index, name).length > 0)

/** Texts of a structure, which no column name decides. */
const structures: { readonly [Of in FileStructure.Structure["contents"]]: Pick<UnsupportedFormat, "problem" | "fix"> } =
  {
    ledger: { problem: "this looks like a ledger: it holds bookings, not invoices", fix: exportLines },
    "no-lines": { problem: `this looks like a list of documents: ${oneRowPerDocument}`, fix: exportLines },
    blocks: {
      problem: "this looks like printed documents: the number of each is above its rows, and not in them",
      fix: exportLines
    },
    "packed-lines": {
      problem: "all lines of a document are packed into one cell",
      fix: exportLines
    },
    "record-types": { problem: "its rows are of several record types", fix: exportLines }
  }

const byStructure = (what: Head, map: ColumnMap | undefined): Recognised | undefined => {
  const found = FileStructure.of(what, map)
  return found && { ...structures[found.contents], ...found }
}

/** A file whose header may be known. */
export interface OfFile {
  readonly file: InputFile
  readonly columns?: ColumnMap | undefined
  readonly settings: Settings
}

/**
 * Asks what the file is, unless the operator has answered: by its names and its structure, which a
 * known layout overrules, and by the kind that its titles and columns state. Every reader of a file
 * and every proposal of its columns calls this before any other question.
 */
export const check = (
  what: Head & { readonly headerLine: number | undefined },
  { columns: map, file, settings }: OfFile
): Effect.Effect<void, AdapterError> =>
  Effect.suspend(() => {
    const [known] = search({ ...what, map: undefined, layout: undefined }).found
    const recognised = known === undefined ? recognisedIn(what, map, settings) : undefined
    if (recognised !== undefined)
      return Effect.fail(
        recognised.answer === "stop"
          ? unreadable(file.name, recognised.problem, recognised.fix)
          : ambiguous([contentsQuestion(file.name, recognised)])
      )
    const list = listOf(what, { columns: map, file }, known)
    if (list === undefined) return Effect.void
    const verdict = ListKind.verdictOf(list, settings)
    if (verdict._tag === "Stopped") return Effect.fail(unreadable(file.name, verdict.problem, ListKind.fix))
    if (verdict._tag === "Asked") return Effect.fail(ambiguous([verdict.question]))
    const unit = Titles.unitOf(file.name, rowsAbove(list), settings)
    return unit === undefined
      ? Effect.void
      : Effect.fail("question" in unit ? ambiguous([unit.question]) : unreadable(file.name, unit.problem, unit.fix))
  })

const rowsAbove = ({ titles }: ListKind.TitledList): ReadonlyArray<string> =>
  titles.flatMap(({ place, text }) => (place === "title" ? [text] : []))

/** Returns what the file is, if that is not answered with invoices. */
const recognisedIn = (what: Head, map: ColumnMap | undefined, settings: Settings) => {
  const isKindStated = settings.kind !== undefined || map?.columns?.kind !== undefined
  return recognise(what, map)
    .map((one) => ({
      ...one,
      answer:
        settings.contents?.[one.contents] ?? (one.contents === "no-kinds" && isKindStated ? "invoices" : undefined)
    }))
    .find(({ answer }) => answer === undefined || answer === "stop")
}

/** Returns the header with the rows above it; undefined for a file without a header. */
const listOf = (
  what: Head & { readonly headerLine: number | undefined },
  { columns: map, file }: Pick<OfFile, "file" | "columns">,
  known: Pick<FoundHeader, "cells" | "line" | "delimiter"> | undefined
): ListKind.TitledList | undefined => {
  const [found] = known === undefined && map !== undefined ? search({ ...what, map, layout: undefined }).found : []
  const header = known ?? found
  const { delimiter, line } = header ?? {}
  const titled = FileStructure.titled({
    ...what,
    ...(delimiter !== undefined && { delimiter }),
    headerLine: line ?? what.headerLine
  })
  if (titled === undefined) return undefined
  return {
    file,
    cells: titled.header.cells,
    names: known === undefined ? "unknown" : "known",
    map,
    titles: ListKind.titlesOf(
      file,
      titled.above.map(({ cells }) => cells)
    )
  }
}

/** Returns the kind of the whole list by an answer, and what the titles state. */
export const titlesIn = (
  what: Head & { readonly headerLine: number | undefined },
  of: OfFile,
  header: FoundHeader
): Pick<Interpretation, "titles"> & Pick<Titles.TitleFacts, "basis"> & Pick<Settings, "kind"> => {
  const list = listOf(what, of, header.layout === "" ? undefined : header)
  if (list === undefined) return { titles: [], basis: undefined }
  const verdict = ListKind.verdictOf(list, of.settings)
  const { basis, words } = Titles.factsOf(of.file.name, rowsAbove(list), of.settings)
  return {
    titles: [...ListKind.heldTitles(list, of.settings), ...words],
    basis,
    ...(verdict._tag === "Settled" && verdict.kind && { kind: verdict.kind })
  }
}
