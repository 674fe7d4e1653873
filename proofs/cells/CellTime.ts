/**
 * Reads exports with one very long cell, and measures CPU time: twice the text may take about twice
 * the time. Every field of every adapter gets texts that make a backtracking pattern work hardest.
 */
import * as Csv from "@fiscal-connector/adapter-csv"
import * as Erpnext from "@fiscal-connector/adapter-erpnext-like"
import * as Odoo from "@fiscal-connector/adapter-odoo-like"
import * as QuickBooks from "@fiscal-connector/adapter-quickbooks-like"
import * as Xero from "@fiscal-connector/adapter-xero-like"
import * as Xlsx from "@fiscal-connector/adapter-xlsx"
import type { Adapter, Reading } from "../../packages/core/src/source/Adapter.ts"
import { checked } from "../../packages/core/src/source/ReadingCheck.ts"
import { Effect, Stream } from "effect"
import { readFileSync } from "node:fs"
import * as WorkbookParts from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import { invoice } from "../../packages/adapter-xero-like/test/Sample.ts"

/** Adapter with exports that contain the text in one of its fields. */
export interface Subject {
  readonly name: string
  readonly read: (bytes: Uint8Array) => Stream.Stream<Reading, unknown>
  readonly fields: ReadonlyArray<string>
  readonly exportWith: (field: string, text: string) => Promise<Uint8Array>
  /** Returns the number of characters of the shorter text; default 32 768. */
  readonly shorter?: (field: string) => number
}

export const usualShorter = 32 * 1024

const input = (bytes: Uint8Array, name: string) => ({ files: [{ name, bytes: Stream.make(bytes) }] })

const reading =
  <Options>(adapter: Adapter<Options>, options: Options, name: string) =>
  (bytes: Uint8Array): Stream.Stream<Reading, unknown> =>
    adapter.read(input(bytes, name), options)

const columns: ReadonlyArray<readonly [name: string, value: string]> = [
  ["InvoiceNumber", "INV-1"],
  ["Kind", "invoice"],
  ["InvoiceDate", "2026-02-03"],
  ["Description", "Pen"],
  ["Quantity", "2"],
  ["UnitPrice", "9.50"],
  ["TaxCode", "VAT15"],
  ["CustomerName", "Ada"],
  ["CustomerTIN", "2000667788"],
  ["City", "Harare"],
  ["DiscountPercent", "10"],
  ["ProductCode", "11022000"],
  ["PaymentMethod", "cash"],
  ["CustomerEmail", "ada@example.com"],
  ["Total", "21.85"],
  ["Reference", "as agreed"],
  ["Currency", "USD"]
]

const settled = { settings: { amounts: "exclusive", currency: "USD" } } as const

const csv: Subject = {
  name: "csv",
  read: reading(Csv.CsvAdapter.adapter, settled, "in.csv"),
  fields: [...columns.map(([name]) => name), "header"],
  exportWith: async (field, text) => {
    const quoted = (content: string) => `"${content.replaceAll('"', '""')}"`
    const header = columns.map(([name]) => name)
    const cells = columns.map(([name, value]) => (name === field ? text : value))
    const rows = [field === "header" ? [...header, text] : header, field === "header" ? [...cells, "x"] : cells]
    return Buffer.from(rows.map((row) => `${row.map(quoted).join(",")}\n`).join(""))
  }
}

const xlsx: Subject = {
  name: "xlsx",
  read: reading(Xlsx.XlsxAdapter.adapter, settled, "in.xlsx"),
  fields: [...columns.map(([name]) => name), "number", "format", "sheet name"],
  // A workbook with more than 32 767 characters in a cell is refused.
  shorter: (field) => (field === "format" || field === "sheet name" ? usualShorter : 16_000),
  exportWith: (field, text) => {
    const header = columns.map(([name]) => ({ text: name }))
    const cells = columns.map(([name, value]): WorkbookParts.Cell => {
      if (name === "Quantity" && field === "number") return { number: text }
      if (name === "Quantity" && field === "format") return { number: "2", format: text }
      return { text: name === field ? text : value }
    })
    return WorkbookParts.workbook([{ name: field === "sheet name" ? text : "Sales", rows: [header, cells] }])
  }
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** Returns the paths of all texts and numbers. */
const leaves = (json: Json, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof json === "object" && json !== null
    ? Object.entries(json).flatMap(([name, value]) => leaves(value as Json, [...path, name]))
    : [path]

const replaced = (json: Json, [head, ...rest]: ReadonlyArray<string>, text: string): Json => {
  if (head === undefined) return text
  const inner = replaced((json as { readonly [name: string]: Json })[head]!, rest, text)
  return Array.isArray(json) ? json.with(Number(head), inner) : { ...(json as object), [head]: inner }
}

const ofJson = (name: string, read: Subject["read"], example: Json): Subject => ({
  name,
  read,
  fields: leaves(example).map((path) => path.join("/")),
  exportWith: async (field, text) => Buffer.from(JSON.stringify(replaced(example, field.split("/"), text)))
})

const example = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8")) as Json

/** Returns the JSON with only the first element of every list: the others have the same fields. */
const shortened = (json: Json): Json => {
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.slice(0, 1).map(shortened)
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, shortened(value as Json)]))
}

export const subjects: ReadonlyArray<Subject> = [
  csv,
  xlsx,
  ofJson("xero-like", reading(Xero.XeroLikeAdapter.adapter, {}, "in.json"), { Invoices: [invoice() as Json] }),
  ofJson("odoo-like", reading(Odoo.adapter, {} as never, "in.json"), shortened(example("odoo-like.json"))),
  ofJson(
    "quickbooks-like",
    reading(QuickBooks.adapter, {} as never, "in.json"),
    shortened(example("quickbooks-like.json"))
  ),
  ofJson("erpnext-like", reading(Erpnext.adapter, {}, "in.json"), shortened(example("erpnext-like.json")))
]

/** Repeated texts between two letters; a sample takes the first ones. */
export const pumps: ReadonlyArray<string> = [
  " ",
  "0",
  "[",
  "\t",
  "\u00a0",
  "1",
  "a",
  "é",
  "-",
  "+",
  "(",
  ")",
  "]",
  '"',
  "'",
  "$",
  ".",
  ",",
  "/",
  "=",
  ";",
  "%",
  "[$",
  "_",
  "\\",
  "a ",
  "1 ",
  "1,",
  "0.",
  "R",
  "quantity:1,",
  "total:",
  "\n",
  "&",
  "<",
  "{",
  "Date(",
  "2026-"
]

export const cellOf = (pump: string, length: number): string => `a${pump.repeat(Math.ceil(length / pump.length))}x`

/** Returns the CPU milliseconds for reading the export, including core's check of each reading. */
const cost = async (subject: Subject, bytes: Uint8Array): Promise<number> => {
  const from = process.cpuUsage()
  await Effect.runPromise(
    subject.read(bytes).pipe(
      Stream.runForEach((each) => Effect.sync(() => void checked(each, 1))),
      Effect.ignore
    )
  )
  const { user } = process.cpuUsage(from)
  return user / 1000
}

export interface Slow {
  readonly subject: string
  readonly field: string
  readonly pump: string
  readonly ratio: number
}

/** Maximum ratio of the times for twice the text. */
const most = 2.6

/**
 * Below this CPU time the result is noise. Measured for 64 KiB on a loaded machine: a linear field
 * takes 1 to 80 ms, a quadratic one 1 s and more.
 */
const noise = 120

/**
 * Returns the part of a text of spaces of this length that a quadratic pattern searches in three
 * times the noise on this machine; at most 1.
 */
export const partShowing = (quadratic: RegExp, length: number): number => {
  const measured = length / 4
  const text = `${" ".repeat(measured)}x`
  const times = [0, 1, 2].map(() => {
    const from = process.cpuUsage()
    text.replace(quadratic, "")
    return process.cpuUsage(from).user / 1000
  })
  return Math.min(1, Math.sqrt((3 * noise) / median(times)) / 4)
}

/** Median of measurements: a pause of the process falls into few of them and does not move it. */
const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/**
 * Returns the median ratio of the CPU times for the longer and the shorter text, measured in turns;
 * 1 if the longer one is too cheap to measure.
 */
const ratioOf = async (subject: Subject, once: Uint8Array, twice: Uint8Array): Promise<number> => {
  const [longer, ratios]: [Array<number>, Array<number>] = [[], []]
  for (let run = 0; run < 5; run++) {
    const shorter = await cost(subject, once)
    const ofLonger = await cost(subject, twice)
    longer.push(ofLonger)
    ratios.push(ofLonger / shorter)
  }
  return median(longer) < noise ? 1 : median(ratios)
}

/** Returns the fields and texts for which the time grows faster than the text. */
export const slowFields = async (
  subject: Subject,
  tried: ReadonlyArray<string> = pumps
): Promise<ReadonlyArray<Slow>> => {
  const found: Array<Slow> = []
  for (const field of subject.fields) {
    const shorterLength = subject.shorter?.(field) ?? usualShorter
    for (const pump of tried) {
      const twice = await subject.exportWith(field, cellOf(pump, 2 * shorterLength - 4))
      if ((await cost(subject, twice)) < noise) continue
      const once = await subject.exportWith(field, cellOf(pump, shorterLength))
      // Measured again: a full garbage collection may fall into one measurement, but not into the
      // second as well.
      const ratios = [await ratioOf(subject, once, twice), await ratioOf(subject, once, twice)]
      const ratio = Math.min(...ratios)
      if (ratio > most) found.push({ subject: subject.name, field, pump, ratio })
    }
  }
  return found
}
