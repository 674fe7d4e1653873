/** Workbook as an input, read to the end. */
import { CsvDocument } from "@fiscal-connector/adapter-csv/CsvDocument"
import { refuses } from "../../core/src/finding/Finding.ts"
import type { Finding } from "../../core/src/finding/Finding.ts"
import { formatPlain } from "../../core/src/document/Money.ts"
import { Effect, Stream } from "effect"
import type { Cell } from "./WorkbookParts.ts"
import * as WorkbookParts from "./WorkbookParts.ts"
import { adapter, type XlsxOptions } from "../src/XlsxAdapter.ts"

export const settled: XlsxOptions = { settings: { amounts: "exclusive", currency: "USD" } }

export const input = (bytes: Uint8Array, name = "sales.xlsx") => ({ files: [{ name, bytes: Stream.make(bytes) }] })

export const readingsOf = (bytes: Uint8Array, options: XlsxOptions = settled) =>
  Stream.runCollect(adapter.read(input(bytes), options))

export const read = (bytes: Uint8Array, options: XlsxOptions = settled) =>
  Effect.map(readingsOf(bytes, options), (readings) => {
    const documents = readings.filter((reading) => reading instanceof CsvDocument)
    const findings = readings.filter((reading) => reading._tag === "Finding")
    return { readings, documents, findings, codes: findings.map(({ code }) => code) }
  })

/** Returns the reason why the whole file is refused. */
export const refusal = (bytes: Uint8Array, options: XlsxOptions = settled) =>
  Effect.map(Effect.flip(readingsOf(bytes, options)), (error) => error.message)

/** Returns the questions about the file. */
export const asked = (bytes: Uint8Array, options: XlsxOptions = settled) =>
  Effect.flatMap(Effect.flip(readingsOf(bytes, options)), ({ message, reason }) =>
    reason._tag === "ReadingAmbiguous" ? Effect.succeed(reason.questions) : Effect.die(message)
  )

/** Returns the codes with which a document is refused. */
export const refusing = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) =>
  findings.filter(refuses).map(({ code }) => code)

export const linesOf = ({ lines }: CsvDocument) =>
  lines.map(({ description, lineAmount, quantity, taxes, unitPrice }) =>
    [
      description,
      ...[quantity, unitPrice, lineAmount].map((number) => number && formatPlain(number)),
      taxes.map(({ code, percent }) => `${code}${percent === undefined ? "" : ` ${formatPlain(percent)}`}`).join("+")
    ].join("|")
  )

export const t = (text: string): Cell => ({ text })
export const n = (number: string, format?: string): Cell => ({ number, ...(format !== undefined && { format }) })
export const d = (date: string): Cell => ({ date })

export const header = ["InvoiceNumber", "InvoiceDate", "Description", "Quantity", "UnitPrice", "TaxCode"].map(t)

/** Returns the row of one invoice with one line, with the given cells replaced. */
export const row = (number: string, cells: { readonly [column: number]: Cell } = {}): ReadonlyArray<Cell> =>
  [t(number), d("2026-02-03"), t("Pen"), n("2"), n("99.90000000000001"), t("VAT15")].map((cell, column) =>
    column in cells ? cells[column] : cell
  )

export const sheetOf = (...rows: ReadonlyArray<ReadonlyArray<Cell>>): ReadonlyArray<WorkbookParts.SheetSpec> => [
  { name: "Sales", rows: [header, ...rows] }
]

export const workbook = (...rows: ReadonlyArray<ReadonlyArray<Cell>>) =>
  Effect.promise(() => WorkbookParts.workbook(sheetOf(...rows)))
