/**
 * Reads one export with and without an additional column or field: returns the sent documents, and
 * the list of unread fields.
 */
import { adapter as csv, type CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as erpnextLike } from "@fiscal-connector/adapter-erpnext-like"
import { adapter as odooLike } from "@fiscal-connector/adapter-odoo-like"
import { adapter as quickBooksLike } from "@fiscal-connector/adapter-quickbooks-like"
import { adapter as xeroLike } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import { adapter as xlsx } from "@fiscal-connector/adapter-xlsx/XlsxAdapter"
import { refuses } from "../../packages/core/src/finding/Finding.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import type { Adapter, Input } from "../../packages/core/src/source/Adapter.ts"
import { ExportStatements } from "../../packages/core/src/source/ExportStatements.ts"
import * as Readings from "../../packages/core/src/source/Readings.ts"
import { translate } from "../../packages/core/src/translate/translate.ts"
import * as WireCodec from "../../packages/core/src/document/WireCodec.ts"
import { stamp } from "../../packages/core/src/document/FiscalDocument.ts"
import * as Instant from "../../packages/core/src/document/Instant.ts"
import { Effect, Stream } from "effect"
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import { usual } from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import { type Format, formats, gridOf, type Grid, textOf } from "../csv/ExportFormats.ts"
import { documentsOf } from "../csv/ExportFormats.ts"
import { book as csvBook } from "../csv/StatedTrial.ts"
import { alterations } from "../joined/JoinedAlterations.ts"
import { book as joinedBook } from "../joined/JoinedTrial.ts"
import * as Random from "../Random.ts"

/** Documents sent of an export, by number, and the findings about the whole file. */
export interface Sent {
  readonly documents: ReadonlyMap<string, string>
  readonly said: ReadonlyArray<string>
  /** Refused documents with their codes. */
  readonly refused: ReadonlyMap<string, ReadonlyArray<string>>
}

const none: Sent = { documents: new Map(), said: ["stopped"], refused: new Map() }

const sentOf = <Options>(
  adapter: Adapter<Options>,
  input: Input,
  options: Options,
  book: MappingBook
): Effect.Effect<Sent> =>
  Readings.entering(adapter.read(input, options)).pipe(
    Stream.runCollect,
    Effect.map((readings): Sent => {
      const documents = new Map<string, string>()
      const refused = new Map<string, ReadonlyArray<string>>()
      const said: Array<string> = []
      const statements = new ExportStatements()
      for (const { reading } of readings) {
        if (reading._tag === "Finding" && reading.statements !== undefined) statements.add(reading)
        else if (reading._tag === "Finding") said.push(`${reading.code}: ${reading.message}`)
        if (reading._tag !== "SourceDocument") continue
        statements.take(reading)
        const { findings, translated } = translate(reading, book)
        const errors = findings.filter(refuses)
        if (translated === undefined || errors.length > 0) {
          refused.set(
            reading.number,
            errors.map(({ code }) => code)
          )
          continue
        }
        documents.set(
          reading.number,
          WireCodec.encode(stamp(translated.document, Instant.fromSeconds(0, book.zone), "first"))
        )
      }
      for (const { code, statements: list = [] } of statements.findings(() => false))
        for (const { name, treatment } of list)
          if (treatment === "named") said.push(`${code}: "${name.replace(/^.*\//, "")}"`)
      return { documents, said, refused }
    }),
    Effect.orElseSucceed(() => none)
  )

/** Place for an additional column or field. */
export interface Place {
  readonly name: string
  /** Names that the layout itself reads. */
  readonly own: ReadonlyArray<string>
  /**
   * Returns the documents sent with and without the column or field; `others` is its value in other
   * documents.
   */
  tried(field: string, word: string, others: string, seed: number): Effect.Effect<Trial>
}

export interface Trial {
  readonly before: Sent
  readonly after: Sent
  /** Number of the document with the word. */
  readonly number: string
  /** True if the document has a tax above 0 %. */
  readonly taxed: boolean
}

const csvOptions: CsvOptions = {
  settings: { amounts: "exclusive", currency: "USD", dates: "dmy", decimalMark: "point" }
}

const withColumn = (grid: Grid, name: string, word: string, others: string, random: Random.Random): Grid => {
  const at = grid.format.layout === "report" ? grid.header.length : random.between(1, grid.header.length)
  const insert = (row: ReadonlyArray<string>, cell: string) => [...row.slice(0, at), cell, ...row.slice(at)]
  const header = [...grid.format.header.slice(0, at), [name, "none"] as const, ...grid.format.header.slice(at)]
  const repeats = grid.format.layout !== "continuation"
  return {
    format: { ...grid.format, header },
    header: insert(grid.header, name),
    documents: grid.documents.map(({ of, rows }, i) => ({
      of,
      rows: rows.map((row, r) => insert(row, i === 0 ? (r === 0 || repeats ? word : "") : r === 0 ? others : ""))
    }))
  }
}

const bytesOf = (text: string) => Stream.succeed(new TextEncoder().encode(text))

/** Returns a workbook with every cell as text. */
const workbookOf = (text: string): Buffer => {
  const rows = text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) => {
        const cell = quoted?.replaceAll('""', '"') ?? plain ?? ""
        return cell === "" ? undefined : { text: cell }
      })
    )
  return OtherWriter.workbook([{ name: "Sheet1", rows }], usual) as unknown as Buffer
}

const tabular = (format: Format, kind: "csv" | "xlsx"): Place => ({
  name: `${kind} ${format.name}`,
  own: format.header.map(([name]) => name),
  tried: (field, word, others, seed) =>
    Effect.gen(function* () {
      const random = Random.make(seed)
      const documents = documentsOf(format, random)
      const grid = gridOf(format, documents)
      const options: CsvOptions = { ...csvOptions, ...(format.map && { columns: format.map }) }
      const read = (text: string) =>
        kind === "csv"
          ? sentOf(csv, { files: [{ name: "proof.csv", bytes: bytesOf(text) }] }, options, csvBook)
          : sentOf(
              xlsx,
              { files: [{ name: "proof.xlsx", bytes: Stream.succeed(new Uint8Array(workbookOf(text))) }] },
              options as never,
              csvBook
            )
      const before = yield* read(textOf(grid))
      const after = yield* read(textOf(withColumn(grid, field, word, others, random)))
      const [first] = documents
      return { before, after, number: first!.number, taxed: first!.lines[0]!.tax === "VAT 15%" }
    })
})

type Json = Record<string, unknown>

/** The book's defaults knowingly replace item codes. */
const passing = { unmapped: "unread" } as const

const insertedIn = (record: Json, field: string, word: string): Json => ({ ...record, [field]: word })

const loaded = (text: string) => Effect.runSync(BookFile.load("proof.book.json", text))
const bookOfJoined = loaded(joinedBook)
const bookOfXero = loaded(
  JSON.stringify({
    ...(JSON.parse(joinedBook) as Json),
    taxes: [{ from: ["OUTPUT"], code: "STANDARD", device: 515, percent: "15" }]
  })
)

const jsonFiles = (text: string): Input => ({ files: [{ name: "proof.json", bytes: bytesOf(text) }] })

/**
 * Adds a second document like the first to the lists of an export: a word about one can contradict
 * the other.
 */
const doubled = (lists: Record<string, Array<Json>>): Record<string, Array<Json>> => {
  const { "account.move": moves, "account.move.line": lines, Invoice: invoices } = lists
  if (invoices !== undefined)
    return { ...lists, Invoice: [...invoices, { ...invoices[0]!, Id: "2", DocNumber: "S-2" }] }
  const own = lines!.map((line) => ({ ...line, id: Number(line["id"]) + 1_000_000, move_id: [2, "S-2"] }))
  const other = { ...moves![0]!, id: 2, name: "S-2", invoice_line_ids: own.map(({ id }) => id) }
  return { ...lists, "account.move": [...moves!, other], "account.move.line": [...lines!, ...own] }
}

const joined = (system: "quickbooks-like" | "odoo-like", at: "document" | "line"): Place => ({
  name: `${system} ${at}`,
  own: system === "odoo-like" ? ["move_type", "state", "currency_id", "reversed_entry_id"] : ["status"],
  tried: (field, word, others, seed) =>
    Effect.gen(function* () {
      const [{ id, original }] = alterations(system, seed, 1) as [ReturnType<typeof alterations>[number]]
      const parsed = JSON.parse(original[0]!.text) as Json
      const lists = doubled((parsed["QueryResponse"] ?? parsed) as Record<string, Array<Json>>)
      const records = parsed["QueryResponse"] === undefined ? lists : { QueryResponse: lists }
      const text = JSON.stringify(records)
      const name = system === "odoo-like" ? "account.move" : "Invoice"
      lists[name] = lists[name]!.map((record) => {
        const own = `${system === "odoo-like" ? "" : "Invoice-"}${String(record["Id"] ?? record["id"])}` === id
        const said = own ? word : others
        if (said === "") return record
        if (at === "document") return insertedIn(record, field, said)
        const [first, ...rest] = record["Line"] as Array<Json>
        return { ...record, Line: [insertedIn(first!, field, said), ...rest] }
      })
      const adapter = system === "odoo-like" ? odooLike : quickBooksLike
      const before = yield* sentOf(adapter as typeof odooLike, jsonFiles(text), passing, bookOfJoined)
      const after = yield* sentOf(adapter as typeof odooLike, jsonFiles(JSON.stringify(records)), passing, bookOfJoined)
      return { before, after, number: [...before.documents.keys()][0] ?? "", taxed: true }
    })
})

const xeroInvoice = (n: number): Json => ({
  Type: "ACCREC",
  InvoiceID: `00000000-0000-4000-8000-00000000000${n}`,
  InvoiceNumber: `X-${n}`,
  Contact: { ContactID: "c1", Name: "Kestrel Tools" },
  DateString: "2026-03-02T00:00:00",
  Status: "AUTHORISED",
  LineAmountTypes: "Exclusive",
  LineItems: [
    {
      Description: "Lamp",
      Quantity: "2",
      UnitAmount: "10.00",
      LineAmount: "20.00",
      TaxType: "OUTPUT",
      TaxAmount: "3.00"
    }
  ],
  SubTotal: "20.00",
  TotalTax: "3.00",
  Total: "23.00",
  CurrencyCode: "USD"
})

const xero = (at: "document" | "line"): Place => ({
  name: `xero-like ${at}`,
  own: at === "document" ? ["Type", "Status", "CurrencyCode"] : [],
  tried: (field, word, others) =>
    Effect.gen(function* () {
      const invoices = [xeroInvoice(1), xeroInvoice(2)]
      const altered = invoices.map((invoice, i) => {
        const said = i === 0 ? word : others
        if (said === "") return invoice
        if (at === "document") return insertedIn(invoice, field, said)
        return { ...invoice, LineItems: [insertedIn((invoice["LineItems"] as Array<Json>)[0]!, field, said)] }
      })
      const read = (list: ReadonlyArray<Json>) =>
        sentOf(xeroLike, jsonFiles(JSON.stringify({ Invoices: list })), {}, bookOfXero)
      return { before: yield* read(invoices), after: yield* read(altered), number: "X-1", taxed: true }
    })
})

const erpnextInvoice = (n: number): Json => ({
  doctype: "Sales Invoice",
  name: `E-${n}`,
  docstatus: 1,
  is_return: 0,
  customer_name: "Kestrel Tools",
  posting_date: "2026-03-02",
  currency: "USD",
  total: 20,
  net_total: 20,
  grand_total: 23,
  items: [{ item_code: "LAMP", item_name: "Lamp", qty: 2, rate: 10, amount: 20, net_amount: 20 }],
  taxes: [
    {
      charge_type: "On Net Total",
      account_head: "OUTPUT",
      rate: 15,
      tax_amount: 3,
      tax_amount_after_discount_amount: 3
    }
  ]
})

const erpnext = (at: "document" | "line"): Place => ({
  name: `erpnext-like ${at}`,
  // The adapter itself reads these names; an unknown word there refuses the document.
  own:
    at === "document"
      ? [
          "docstatus",
          "status",
          "currency",
          "is_return",
          "return_against",
          "is_opening",
          "is_consolidated",
          "is_internal_customer",
          "is_debit_note"
        ]
      : [],
  tried: (field, word, others) =>
    Effect.gen(function* () {
      const invoices = [erpnextInvoice(1), erpnextInvoice(2)]
      const altered = invoices.map((invoice, i) => {
        const said = i === 0 ? word : others
        if (said === "") return invoice
        if (at === "document") return insertedIn(invoice, field, said)
        return { ...invoice, items: [insertedIn((invoice["items"] as Array<Json>)[0]!, field, said)] }
      })
      const read = (list: ReadonlyArray<Json>) =>
        sentOf(erpnextLike, jsonFiles(JSON.stringify(list)), passing, bookOfXero)
      return { before: yield* read(invoices), after: yield* read(altered), number: "E-1", taxed: true }
    })
})

/** Layouts and shapes; `line` only for shapes with lines inside their documents. */
export const places: ReadonlyArray<Place> = [
  ...formats.flatMap((format) => [tabular(format, "csv"), tabular(format, "xlsx")]),
  joined("quickbooks-like", "document"),
  joined("quickbooks-like", "line"),
  joined("odoo-like", "document"),
  xero("document"),
  xero("line"),
  erpnext("document"),
  erpnext("line")
]
