/**
 * Recognizes files that are not lists of invoices with their lines. The kind of the file is then
 * the first question, and only the operator's answer lets the reading go on.
 */
import { Buffer } from "node:buffer"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect } from "effect"
import type { ColumnMap } from "../columns/ColumnMap.ts"
import { columnsNamed, type HeaderIndex, indexOf } from "../columns/Header.ts"
import type { Contents, Settings } from "../columns/Settings.ts"
import { delimiters } from "../scan/Dialect.ts"
import * as FileStructure from "./FileStructure.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { type FileHead, records, search } from "./HeaderSearch.ts"
import type { Interpretation } from "./Interpretation.ts"
import * as ListKind from "./ListKind.ts"
import { lacked } from "./Mappable.ts"
import * as Titles from "./Titles.ts"
import { ambiguous, contentsQuestion, type RecognizedFile, unreadable } from "./Questions.ts"

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
  readonly text: string
  readonly fix: string
}

const oneRowPerDocument = "it has one row per document and no lines, and the device wants the lines"
const exportLines = "Export the invoices with their lines, one row per line"

export const unsupportedFormats: ReadonlyArray<UnsupportedFormat> = [
  {
    name: "JSON file",
    contents: "no-rows",
    begins: /^\s*[[{]/,
    rows: [],
    text: "it has no rows",
    fix: "If it is Xero-shaped, read it as that and not as CSV; else export CSV"
  },
  {
    name: "web page or XML file",
    contents: "no-rows",
    begins: /^\s*<[!?a-z]/i,
    rows: [],
    text: "it has no rows, even if a spreadsheet shows some",
    fix: "Open it in a spreadsheet and save it as CSV"
  },
  {
    name: "Sage Pastel batch",
    contents: "record-types",
    rows: [{ first: /^(header|detail)$/i }],
    text: "its rows are of several record types (Header, Detail)",
    fix: exportLines
  },
  {
    name: "QuickBooks IIF file",
    contents: "record-types",
    rows: [{ first: /^!?(TRNS|SPL|ENDTRNS|HDR)$/i }],
    text: "its rows are of several record types (TRNS, SPL, ENDTRNS)",
    fix: exportLines
  },
  {
    name: "MYOB export",
    contents: "blocks",
    rows: [{ names: ["Co./Last Name", "Invoice #"] }],
    text: "blank lines separate its documents",
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
    text: "its documents and lines are in two files with two header rows each",
    fix: "Export the joined list of documents and lines, one row per line"
  },
  {
    name: "DATEV file",
    contents: "ledger",
    rows: [{ first: /^(EXTF|DTVF)$/i }, { names: ["Umsatz (ohne Soll/Haben-Kz)"] }],
    text: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Wave transactions export",
    contents: "ledger",
    rows: [{ names: ["Transaction ID", "Transaction Date", "Account Name", "Account Type"] }],
    text: "it holds bookings of the ledger, not invoices",
    fix: exportLines
  },
  {
    name: "Sage 50 audit trail",
    contents: "ledger",
    rows: [{ names: ["Account Reference", "Nominal A/C Ref", "Net Amount", "Tax Code"] }],
    text: "it holds bookings of the ledger, split by tax, not invoices with lines",
    fix: exportLines
  },
  {
    name: "Stripe invoices export",
    contents: "no-lines",
    rows: [{ names: ["Amount Due", "Number", "Subtotal", "Total", "Customer"] }],
    text: oneRowPerDocument,
    fix: "Export the invoice line items"
  },
  {
    name: "Tally register",
    contents: "no-lines",
    rows: [{ names: ["Particulars", "Vch Type", "Vch No."] }],
    text: oneRowPerDocument,
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
    text: "an order is not invoiced yet",
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
    text: "it holds money received, not what was sold for it; a cash sale among it is left out",
    fix: "Export the invoices and cash sales with their lines"
  },
  {
    name: "Invoice2go export",
    contents: "packed-lines",
    rows: [{ names: ["Id", "Items", "Client Name"], without: ["Quantity"] }],
    text: "all lines of an invoice are packed into one cell",
    fix: exportLines
  },
  {
    name: "Odoo list of invoices",
    contents: "no-lines",
    rows: [
      { names: ["Number", "Invoice/Bill Date"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] },
      { names: ["Number", "Untaxed Amount Signed"], without: ["Invoice lines/Quantity", "Invoice lines/Label"] }
    ],
    text: oneRowPerDocument,
    fix: "Export it again with the fields Type and, of Invoice lines, Label, Quantity, Unit Price, Taxes and Subtotal"
  },
  {
    name: "Odoo export without the type of its documents",
    contents: "no-kinds",
    rows: [
      { names: ["Invoice lines/Quantity", "Invoice lines/Unit Price"], without: ["Type"] },
      { names: ["invoice_line_ids/quantity", "invoice_line_ids/price_unit"], without: ["move_type"] }
    ],
    text: "it does not say which documents are credit notes, and their amounts are positive",
    fix: "Export it again with the field Type (move_type)"
  },
  {
    name: "WooCommerce revenue report",
    contents: "no-lines",
    rows: [{ names: ["Date", "Orders", "Gross sales", "Net sales"] }],
    text: "it has one row per day and no orders",
    fix: "Export the orders with their items, one row per item"
  },
  {
    name: "WooCommerce orders export",
    contents: "packed-lines",
    rows: [{ names: ["order_id", "line_items"] }],
    text: "all lines of an order are packed into one cell",
    fix: 'Export in the format "one row per line item"'
  }
]

export const recognize = (what: FileHead, map?: ColumnMap): ReadonlyArray<RecognizedFile> =>
  [byNames(what), byStructure(what, map)].filter((one) => one !== undefined)

const byNames = (what: FileHead): RecognizedFile | undefined => {
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

const named = ({ contents, fix, name, text }: UnsupportedFormat, evidence: string): RecognizedFile => ({
  contents,
  text: `this looks like a ${name}: ${text}`,
  evidence,
  fix
})

const isSuch = (row: UnsupportedFormat["rows"][number], cells: ReadonlyArray<string>, index: HeaderIndex): boolean =>
  "first" in row
    ? cells.length > 2 && row.first.test(cells[0] ?? "")
    : row.names.every((name) => columnsNamed(index, name).length > 0) &&
      !(row.without ?? []).some((name) => columnsNamed(index, name).length > 0)

const structures: { readonly [Of in FileStructure.Structure["contents"]]: Pick<UnsupportedFormat, "text" | "fix"> } = {
  ledger: { text: "this looks like a ledger: it holds bookings, not invoices", fix: exportLines },
  "no-lines": { text: `this looks like a list of documents: ${oneRowPerDocument}`, fix: exportLines },
  blocks: {
    text: "this looks like printed documents: the number of each is above its rows, and not in them",
    fix: exportLines
  },
  "packed-lines": {
    text: "all lines of a document are packed into one cell",
    fix: exportLines
  },
  "record-types": { text: "its rows are of several record types", fix: exportLines }
}

const byStructure = (what: FileHead, map: ColumnMap | undefined): RecognizedFile | undefined => {
  const found = FileStructure.of(what, map)
  return found && { ...structures[found.contents], ...found }
}

export interface OfFile {
  readonly file: Adapter.InputFile
  readonly columns?: ColumnMap | undefined
  readonly settings: Settings
}

/**
 * Asks what the file is, unless the operator has answered: by its names and its structure, which a
 * known layout overrules, and by the kind that its titles and columns state. Every reader of a file
 * and every proposal of its columns calls this before any other question.
 */
export const check = (
  what: FileHead & { readonly headerLine: number | undefined },
  { columns: map, file, settings }: OfFile
): Effect.Effect<void, Adapter.AdapterError> =>
  Effect.suspend(() => {
    const [known] = search({ ...what, map: undefined, layout: undefined }).found
    const recognized = known === undefined ? recognizedIn(what, map, settings) : undefined
    if (recognized !== undefined)
      return Effect.fail(
        recognized.answer === "stop"
          ? unreadable(file.name, recognized.text, recognized.fix)
          : ambiguous([contentsQuestion(file.name, recognized)])
      )
    const list = listOf(what, { columns: map, file }, known)
    if (list === undefined) return Effect.void
    const verdict = ListKind.verdictOf(list, settings)
    // no answer makes documents of rows without a date or an amount
    if (verdict._tag === "Asked" && ListKind.isUnstated(verdict.question) && lacked(what) !== undefined)
      return Effect.void
    if (verdict._tag === "Stopped") return Effect.fail(unreadable(file.name, verdict.text, ListKind.fix))
    if (verdict._tag === "Asked") return Effect.fail(ambiguous([verdict.question]))
    const unit = Titles.unitOf(file.name, [...list.titles, ...list.below], settings)
    return unit === undefined
      ? Effect.void
      : Effect.fail("question" in unit ? ambiguous([unit.question]) : unreadable(file.name, unit.problem, unit.fix))
  })

const recognizedIn = (what: FileHead, map: ColumnMap | undefined, settings: Settings) => {
  const isKindStated = settings.kind !== undefined || map?.columns?.kind !== undefined
  return recognize(what, map)
    .map((one) => ({
      ...one,
      answer:
        settings.contents?.[one.contents] ?? (one.contents === "no-kinds" && isKindStated ? "invoices" : undefined)
    }))
    .find(({ answer }) => answer === undefined || answer === "stop")
}

const listOf = (
  what: FileHead & { readonly headerLine: number | undefined },
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
    below: ListKind.aloneIn(titled.below.map(({ cells }) => cells)),
    titles: ListKind.titlesOf(
      file,
      titled.above.map(({ cells }) => cells)
    )
  }
}

export const titlesIn = (
  what: FileHead & { readonly headerLine: number | undefined },
  of: OfFile,
  header: FoundHeader
): Pick<Interpretation, "titles" | "tableStatements"> & Pick<Titles.TitleFacts, "basis"> & Pick<Settings, "kind"> => {
  const list = listOf(what, of, header.layout === "" ? undefined : header)
  if (list === undefined) return { titles: [], tableStatements: [], basis: undefined }
  const verdict = ListKind.verdictOf(list, of.settings)
  const { basis, words } = Titles.factsOf(of.file.name, [...list.titles, ...list.below], of.settings)
  return {
    titles: [...ListKind.heldTitles(list, of.settings), ...words],
    tableStatements: ListKind.kindNamed(list, of.settings),
    basis,
    ...(verdict._tag === "Settled" && verdict.kind && { kind: verdict.kind })
  }
}
