/**
 * Writes the documents of a firm in any layout and shape: a known layout of a product, a table with
 * headers of the firm's own language, a workbook, a JSON export, or the state of a live source.
 */
import * as OtherWriter from "../../packages/adapter-xlsx/test/OtherWriter.ts"
import { type Cell, usual } from "../../packages/adapter-xlsx/test/WorkbookParts.ts"
import type { CsvOptions } from "@fiscal-connector/adapter-csv/CsvAdapter"
import * as Random from "../Random.ts"
import * as Decimal from "./Decimal.ts"
import { contactOf, exportOf, inputOf, recordOf } from "./Documents.ts"
import type { Firm, Line, Sale } from "./Firm.ts"
import { knownFile } from "./KnownLayouts.ts"
import { type Column, columns, words } from "./Languages.ts"

export type Layout =
  /** Documents of the promise package, as JSON. */
  | { readonly shape: "documents" }
  /** Export of a JSON adapter, or the state of a live source of that system. */
  | { readonly shape: "xero-like" }
  /** A layout of `KnownLayouts.layouts`; the firm is `knownFirm` of it. */
  | { readonly shape: "csv"; readonly known: string }
  | { readonly shape: "csv" | "workbook"; readonly rows: Rows; readonly taxes?: StatedTaxes }

/**
 * `line`: a row for each line, with the document's cells repeated. `fill-down`: with the document's
 * cells in the first row only. `document`: a row for each document, which has one line.
 */
export type Rows = "line" | "fill-down" | "document"

/**
 * `amounts`: no column names the tax of a line or its percent. `some`: both columns are blank for
 * every second item. `none`: the tax of a line is not stated. Default: `named`.
 */
export type StatedTaxes = "named" | "amounts" | "some" | "none"

export interface Written {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Header of a table: the truth about each column. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly is: Column }>
  /** Returns true for a line whose tax has no name in the table. */
  readonly isUnnamed?: (line: Line) => boolean
  /** How a table writes its values; absent for other shapes. */
  readonly writing?: Writing
  /** Map of a known layout whose header is not known. */
  readonly map?: CsvOptions["columns"]
}

export interface Writing {
  readonly delimiter: "," | ";" | "\t"
  readonly decimalMark: "." | ","
  readonly groups: "" | "." | "," | " "
  readonly dates: "ymd" | "dmy" | "mdy"
  readonly money: "" | "$"
  /** Row of the header, counted from 1. */
  readonly headerRow: number
  /** Row of sums below the table. */
  readonly footer: "none" | "sums"
}

const writingFrom = (random: Random.Random, shape: "csv" | "workbook"): Writing => {
  const decimalMark = shape === "workbook" ? "." : random.pick([".", ","] as const)
  return {
    delimiter: decimalMark === "," ? random.pick([";", "\t"] as const) : random.pick([",", ";", "\t"] as const),
    decimalMark,
    groups:
      shape === "workbook"
        ? ""
        : random.pick(decimalMark === "." ? (["", "", ","] as const) : (["", "", ".", " "] as const)),
    dates: random.pick(["ymd", "ymd", "dmy", "mdy"]),
    money: shape === "csv" && random.chance(0.15) ? "$" : "",
    headerRow: random.chance(0.25) ? 3 : 1,
    footer: random.chance(0.2) ? "sums" : "none"
  }
}

const ofLines: ReadonlySet<Column> = new Set<Column>([
  "text",
  "quantity",
  "price",
  "discount",
  "taxName",
  "taxPercent",
  "lineNet",
  "lineTax",
  "lineGross"
])
const ofMoney: ReadonlySet<Column> = new Set<Column>([
  "price",
  "lineNet",
  "lineTax",
  "lineGross",
  "shipping",
  "net",
  "tax",
  "total"
])
const ofNumbers: ReadonlySet<Column> = new Set<Column>([...ofMoney, "quantity", "discount", "taxPercent"])

/** Draws the columns of a table. A column that the documents need is always among them. */
const columnsFrom = (
  { documents, traits }: Firm,
  random: Random.Random,
  taxes: StatedTaxes = "named"
): ReadonlyArray<Column> => {
  const needed = new Set<Column>(["number", "date", "buyer", "text", "quantity", "price", "taxName"])
  if (traits.discounts === "percent") needed.add("discount")
  if (documents.some(({ shipping }) => shipping !== null)) needed.add("shipping")
  if (documents.some(({ kind }) => kind === "credit-note"))
    for (const column of ["kind", "original", "reason"] as const) needed.add(column)
  // an export states the amount of a line and the charge in most cases
  needed.add(traits.prices === "net" ? "lineNet" : "lineGross")
  // without a total, only the lines say how the tax was rounded
  if (traits.rounds === "document" || random.chance(0.9)) needed.add("total")
  const optional = [
    "due",
    "taxId",
    "currency",
    "taxPercent",
    "lineNet",
    "lineTax",
    "lineGross",
    "net",
    "tax",
    "note"
  ] as const
  for (const column of optional) if (random.chance(0.4)) needed.add(column)
  if (taxes === "amounts") {
    for (const column of ["taxName", "taxPercent"] as const) needed.delete(column)
    // a map has no field for the net of a line beside gross prices
    needed.add(traits.prices === "net" ? random.pick(["lineTax", "lineGross"] as const) : "lineTax")
  }
  if (taxes === "none")
    for (const column of [
      "taxName",
      "taxPercent",
      "lineTax",
      traits.prices === "net" ? "lineGross" : "lineNet"
    ] as const)
      needed.delete(column)
  return columns.filter((column) => needed.has(column))
}

const number = (amount: Decimal.Decimal, { decimalMark, groups }: Writing, places?: number): string => {
  const [whole = "", fraction] = Decimal.text(amount, places).split(".")
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, groups)
  return fraction === undefined ? grouped : `${grouped}${decimalMark}${fraction}`
}

const dateOf = (date: string, { dates }: Writing): string => {
  const [year, month, day] = date.split("-")
  // the name of a row of sums
  if (day === undefined) return date
  return dates === "ymd" ? date : dates === "dmy" ? `${day}.${month}.${year}` : `${month}/${day}/${year}`
}

type Value = string | Decimal.Decimal

const valueOf = (column: Column, { traits }: Firm, sale: Sale, line: Line, random: Random.Random): Value => {
  const { invoice, note, remarks } = words[traits.language]
  const values: Readonly<Record<Column, () => Value>> = {
    number: () => sale.number,
    date: () => sale.date,
    due: () => sale.due,
    buyer: () => sale.buyer.name,
    taxId: () => sale.buyer.taxId,
    currency: () => sale.currency,
    kind: () => (sale.kind === "invoice" ? invoice : note),
    original: () => sale.credits?.number ?? "",
    reason: () => sale.reason ?? "",
    text: () => line.text,
    quantity: () => line.quantity,
    price: () => line.price,
    discount: () => (line.discount.units === 0n ? "" : line.discount),
    taxName: () => line.tax.name,
    taxPercent: () => Decimal.of(line.tax.percent),
    lineNet: () => line.net,
    lineTax: () => line.taxAmount,
    lineGross: () => line.gross,
    shipping: () => sale.shipping?.amount ?? "",
    net: () => sale.net,
    tax: () => sale.tax,
    total: () => sale.total,
    note: () => random.pick(remarks)
  }
  return values[column]()
}

const textOf = (column: Column, value: Value, writing: Writing): string => {
  if (typeof value !== "string") {
    return `${ofMoney.has(column) ? writing.money : ""}${number(value, writing, ofMoney.has(column) ? 2 : undefined)}`
  }
  return (column === "date" || column === "due") && value !== "" ? dateOf(value, writing) : value
}

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell

const cellOf = (column: Column, value: Value): Cell =>
  value === ""
    ? undefined
    : typeof value === "string"
      ? column === "date" || column === "due"
        ? { date: value }
        : { text: value }
      : {
          number: Decimal.text(value, ofMoney.has(column) ? 2 : undefined),
          ...(ofMoney.has(column) && { format: "#,##0.00" })
        }

const isUnnamedIn =
  (taxes: StatedTaxes) =>
  ({ text }: Line): boolean =>
    taxes === "some" ? Number(text.at(-1)) % 2 === 0 : taxes !== "named"

/** Returns the rows of values of a table. */
const rowsOf = (
  firm: Firm,
  named: ReadonlyArray<Column>,
  { rows, taxes = "named" }: Extract<Layout, { readonly rows: Rows }>,
  random: Random.Random
) =>
  firm.documents.flatMap((sale) =>
    (rows === "document" ? sale.lines.slice(0, 1) : sale.lines).map((line, nth) =>
      named.map((column) =>
        (rows === "fill-down" && nth > 0 && !ofLines.has(column)) ||
        ((column === "taxName" || column === "taxPercent") && isUnnamedIn(taxes)(line))
          ? ""
          : valueOf(column, firm, sale, line, random)
      )
    )
  )

const table = (firm: Firm, layout: Extract<Layout, { readonly rows: Rows }>, random: Random.Random): Written => {
  const { shape, taxes } = layout
  const writing = writingFrom(random, shape)
  const { columns: spellings, sum, title } = words[firm.traits.language]
  const drawn = columnsFrom(firm, random, taxes)
  const named = random.chance(0.5) ? drawn : random.shuffled(drawn)
  const header = named.map((is) => ({ name: random.pick(spellings[is].split("|")), is }))
  const values = rowsOf(firm, named, layout, random)
  const isUnnamed = isUnnamedIn(taxes ?? "named")
  const total = Decimal.sum(firm.documents.map((sale) => sale.total))
  const sums = named.map((column, nth): Value => (column === "total" ? total : nth === 0 ? sum : ""))
  // a row of sums needs its own first column, and a column to sum
  const hasFooter =
    writing.footer === "sums" && named.includes("total") && named[0] !== "total" && !ofNumbers.has(named[0]!)
  const all = hasFooter ? [...values, sums] : values
  const written = { ...writing, footer: hasFooter ? ("sums" as const) : ("none" as const) }
  const titles = writing.headerRow === 1 ? [] : [[title], []]
  if (shape === "workbook") {
    const texts = [...titles, header.map(({ name }) => name)].map((row) => row.map((text): Cell => ({ text })))
    const cells = all.map((row) => row.map((value, nth) => cellOf(named[nth]!, value)))
    const bytes = OtherWriter.workbook([{ name: "Sheet1", rows: [...texts, ...cells] }], usual)
    return { name: "sales.xlsx", bytes: new Uint8Array(bytes), columns: header, isUnnamed, writing: written }
  }
  const texts = all.map((row) => row.map((value, nth) => textOf(named[nth]!, value, writing)))
  const lines = [...titles, header.map(({ name }) => name), ...texts].map((row) =>
    row.map((cell) => quoted(cell, writing.delimiter)).join(writing.delimiter)
  )
  return {
    name: "sales.csv",
    bytes: new TextEncoder().encode(`${lines.join("\r\n")}\r\n`),
    columns: header,
    isUnnamed,
    writing: written
  }
}

/** Writes the firm's documents in the layout; the seed decides what the layout leaves open. */
export const written = (firm: Firm, layout: Layout, seed: number): Written => {
  const random = Random.make(seed)
  const encoded = (text: string) => new TextEncoder().encode(text)
  switch (layout.shape) {
    case "documents":
      return { name: "documents.json", bytes: encoded(JSON.stringify(firm.documents.map(inputOf))), columns: [] }
    case "xero-like": {
      const records = [...firm.customers.map(contactOf), ...firm.documents.map((sale) => recordOf(sale))]
      return { name: "sales.json", bytes: encoded(exportOf(records)), columns: [] }
    }
    default: {
      if ("rows" in layout) return table(firm, layout, random)
      const { map, text } = knownFile(layout.known, firm, random)
      return { name: "sales.csv", bytes: encoded(text), columns: [], ...(map && { map }) }
    }
  }
}
