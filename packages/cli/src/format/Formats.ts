/**
 * The one table of systems: formats of files, live sources, or both. Commands, flags, help, the
 * page, recognition of a file, kinds of sources and the list of codes are derived from it. Packages
 * of a row are loaded when a command reads files or a source.
 */
import type { Table } from "@fiscal-connector/adapter-csv/CsvFormat"
import type { SourceKind } from "@fiscal-connector/adapter-kit"
import type { Adapter, FindingCode } from "@fiscal-connector/core/adapter"
import type { FileContent } from "@fiscal-connector/core/host"
import type { Schema } from "effect"

export interface FormatAdapter extends Adapter.Adapter<object> {
  readonly extensions: ReadonlyArray<string>
  /**
   * Schema of the settings, each a flag with its description. An `optionsOf` of the adapter makes
   * options of settings; without one the settings are the options.
   */
  readonly options: Schema.Decoder<object>
  writeRefused: Required<Adapter.Adapter<object>>["writeRefused"]
  /** Absent for JSON, where the names of fields state their meaning. */
  readonly table?: Table<object>
  readonly alongside?: Readonly<Record<string, string>>
}

interface System {
  readonly name: string
  readonly title: string
  readonly codes?: {
    readonly about: string
    readonly load: () => Promise<Readonly<Record<string, FindingCode.FindingCode>>>
  }
}

export interface LiveRow extends System {
  readonly live: () => Promise<{ readonly kind: SourceKind }>
}

export interface FormatRow extends System, Partial<Pick<LiveRow, "live">> {
  readonly exports: string
  readonly content: Exclude<FileContent.Content, "empty" | "other">
  readonly columns?: { readonly of: string; readonly file: string }
  readonly example?: string
  readonly load: () => Promise<{ readonly adapter: FormatAdapter }>
}

const json = (name: string, system: string, load: FormatRow["load"]): FormatRow => ({
  name,
  title: `JSON, ${system}-shaped`,
  exports: `${system}-shaped JSON`,
  content: "json",
  load
})

export const systems: ReadonlyArray<FormatRow | LiveRow> = [
  {
    name: "csv",
    title: "CSV or text, with a header",
    exports: "CSV exports",
    content: "text",
    columns: { of: "a CSV file", file: "the exported file" },
    codes: {
      about: "a CSV export",
      load: async () => (await import("@fiscal-connector/adapter-csv/CsvFinding")).CsvFinding
    },
    load: () => import("@fiscal-connector/adapter-csv/CsvFormat")
  },
  {
    name: "xlsx",
    title: "Excel workbook",
    exports: "Excel workbooks",
    content: "workbook",
    columns: { of: "a sheet of a workbook", file: "the workbook" },
    codes: {
      about: "an Excel workbook",
      load: async () => (await import("@fiscal-connector/adapter-xlsx/XlsxFinding")).XlsxFinding
    },
    load: () => import("@fiscal-connector/adapter-xlsx/XlsxAdapter")
  },
  {
    ...json("xero-like", "Xero", () => import("@fiscal-connector/adapter-xero-like/XeroLikeAdapter")),
    example: " --tin TaxNumber --product-code item-code",
    codes: {
      about: "a Xero-shaped export",
      load: async () => (await import("@fiscal-connector/adapter-xero-like/XeroFinding")).XeroFinding
    },
    live: () => import("@fiscal-connector/adapter-xero-like/XeroLikeKind")
  },
  json("quickbooks-like", "QuickBooks", () => import("@fiscal-connector/adapter-quickbooks-like")),
  {
    ...json("odoo-like", "Odoo", () => import("@fiscal-connector/adapter-odoo-like")),
    live: () => import("@fiscal-connector/adapter-odoo-like/OdooLikeKind")
  },
  json("erpnext-like", "ERPNext", () => import("@fiscal-connector/adapter-erpnext-like"))
]

export const formats: ReadonlyArray<FormatRow> = systems.filter((row) => "load" in row)

export const kinds: ReadonlyArray<LiveRow> = systems.filter((row): row is FormatRow & LiveRow => row.live !== undefined)

export const names: ReadonlySet<string> = new Set(formats.map(({ name }) => name))
