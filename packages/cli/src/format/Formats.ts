/**
 * The one table of formats. Commands, flags, help, the page and the recognition of a file are
 * derived from it. A row needs no loading; its adapter is loaded when a command reads files.
 */
import type { Table } from "@fiscal-connector/adapter-csv/CsvFormat"
import type { Adapter } from "@fiscal-connector/core/source/Adapter"
import type { Content } from "@fiscal-connector/core/unstable/source/FileContent"
import type { Schema } from "effect"

/** An adapter as the command loads it: ours, or an operator's own. */
export interface FormatAdapter extends Adapter<object> {
  /** Endings to look for in folders. Empty: any. */
  readonly extensions: ReadonlyArray<string>
  /**
   * Schema of the settings, each a flag with its description. An `optionsOf` of the adapter makes
   * options of settings; without one the settings are the options.
   */
  readonly options: Schema.Decoder<object>
  writeRefused: Required<Adapter<object>>["writeRefused"]
  /** Absent for JSON, where the names of fields state their meaning. */
  readonly table?: Table<object>
  /** Flags that name further files of the export, with their descriptions. */
  readonly alongside?: Readonly<Record<string, string>>
}

/** A format that comes with the command. */
export interface Row {
  readonly name: string
  /** Name on the page. */
  readonly title: string
  /** The exports in a sentence: "Draft a mapping book from CSV exports". */
  readonly exports: string
  readonly content: Exclude<Content, "empty" | "other">
  /** Columns in the help of `connector columns`. Absent for JSON. */
  readonly columns?: { readonly of: string; readonly file: string }
  /** Flags in the examples of the help. */
  readonly example?: string
  readonly load: () => Promise<{ readonly adapter: FormatAdapter }>
}

const json = (name: string, system: string, load: Row["load"]): Row => ({
  name,
  title: `JSON, ${system}-shaped`,
  exports: `${system}-shaped JSON`,
  content: "json",
  load
})

/** All formats. The first suitable format is preferred. */
export const formats: ReadonlyArray<Row> = [
  {
    name: "csv",
    title: "CSV or text, with a header",
    exports: "CSV exports",
    content: "text",
    columns: { of: "a CSV file", file: "the exported file" },
    load: () => import("@fiscal-connector/adapter-csv/CsvFormat")
  },
  {
    name: "xlsx",
    title: "Excel workbook",
    exports: "Excel workbooks",
    content: "workbook",
    columns: { of: "a sheet of a workbook", file: "the workbook" },
    load: () => import("@fiscal-connector/adapter-xlsx/XlsxAdapter")
  },
  {
    ...json("xero-like", "Xero", () => import("@fiscal-connector/adapter-xero-like/XeroLikeAdapter")),
    example: " --tin TaxNumber --product-code item-code"
  },
  json("quickbooks-like", "QuickBooks", () => import("@fiscal-connector/adapter-quickbooks-like")),
  json("odoo-like", "Odoo", () => import("@fiscal-connector/adapter-odoo-like")),
  json("erpnext-like", "ERPNext", () => import("@fiscal-connector/adapter-erpnext-like"))
]

/** Names of all formats. */
export const names: ReadonlySet<string> = new Set(formats.map(({ name }) => name))
