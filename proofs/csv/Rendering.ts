/**
 * Writes known documents as CSV: dialect, encoding, forms of dates and numbers, and layout are
 * drawn from a seed.
 */
import type { WholeMap } from "../../packages/adapter-csv/src/columns/ColumnMap.ts"
import type { Delimiter, Quotes } from "../../packages/adapter-csv/src/scan/Dialect.ts"
import type { Encoding } from "../../packages/adapter-csv/src/scan/Encoding.ts"
import type { Random } from "../Random.ts"
import type { Decimal, Script, TrueDocument, TrueLine } from "./Truth.ts"

export interface Style {
  readonly encoding: Encoding
  readonly mark: "with" | "without"
  readonly delimiter: Delimiter
  readonly quotes: Quotes
  readonly quoting: "needed" | "all" | "some"
  readonly lineEnd: "\n" | "\r\n" | "\r" | "mixed"
  readonly separatorLine: "with" | "without"
  readonly layout: "plain" | "rows" | "continuation" | "report"
  readonly dates: "iso" | "dmy" | "mdy" | "words" | "compact"
  readonly dateSeparator: "/" | "-" | "."
  readonly padding: 1 | 2
  readonly yearDigits: 2 | 4
  readonly decimal: "point" | "comma"
  /** Decimal mark of the quantity column, which another program may have written. */
  readonly quantityDecimal: "point" | "comma"
  readonly groups: "" | "mark" | "\u00a0" | " " | "'" | "indian"
  readonly places: "fixed" | "trimmed"
  readonly sign: "" | "$" | "€"
  readonly titles: number
  readonly totals: "stated" | "unstated"
  readonly currency: "column" | "sign" | "none"
  readonly order: "together" | "apart"
}

const decimalOf = (style: Style, column: "quantity" | "money") =>
  column === "quantity" ? style.quantityDecimal : style.decimal

export const style = (random: Random, script: Script): Style => {
  const encoding: Encoding =
    script === "chinese"
      ? random.pick(["utf-8", "utf-16le", "utf-16be", "gbk", "gbk"])
      : script === "cyrillic"
        ? random.pick(["utf-8", "utf-16le", "utf-16be"])
        : random.pick(["utf-8", "utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1"])
  const wide = encoding.startsWith("utf-16")
  const decimal = random.pick(["point", "point", "comma"] as const)
  const layout = random.pick(["plain", "rows", "continuation", "report"] as const)
  const currency = random.pick(["column", "column", "sign", "none"] as const)
  // Signs that the encoding contains.
  const sign =
    currency === "column"
      ? ""
      : currency === "none"
        ? ""
        : encoding === "iso-8859-1" || encoding === "gbk"
          ? "$"
          : random.pick(["$", "€"] as const)
  return {
    encoding,
    mark: encoding === "utf-8" || wide ? random.pick(["with", "without"]) : "without",
    delimiter: random.pick([",", ";", "\t", "|"]),
    quotes: random.chance(0.15) ? "backslash" : "doubled",
    quoting: random.pick(["needed", "all", "some"]),
    lineEnd: random.pick(["\n", "\r\n", "\r\n", "\r", "mixed"]),
    separatorLine: random.chance(0.1) ? "with" : "without",
    layout,
    dates: random.pick(["iso", "dmy", "dmy", "mdy", "mdy", "words", "compact"]),
    dateSeparator: random.pick(["/", "/", "-", "."]),
    padding: random.pick([1, 2]),
    yearDigits: random.chance(0.15) ? 2 : 4,
    decimal,
    quantityDecimal: random.chance(0.1) ? random.pick(["point", "comma"]) : decimal,
    groups: random.pick([
      "",
      "",
      "mark",
      "mark",
      encoding === "gbk" ? "" : "\u00a0",
      " ",
      "'",
      decimal === "point" ? "indian" : "mark"
    ]),
    places: random.pick(["fixed", "trimmed"]),
    sign,
    titles: layout === "report" ? random.between(1, 4) : random.chance(0.2) ? random.between(1, 3) : 0,
    totals: random.pick(["stated", "unstated"]),
    currency,
    order: layout === "plain" || layout === "rows" ? random.pick(["together", "together", "apart"]) : "together"
  }
}

const headers = {
  plain: [
    "InvoiceNumber",
    "InvoiceDate",
    "Currency",
    "CustomerName",
    "Description",
    "Quantity",
    "UnitPrice",
    "LineAmount",
    "TaxCode",
    "SubTotal"
  ],
  other: ["Doc", "Day", "Cur", "Who", "Text", "Pieces", "Each", "Worth", "VAT", "Sum"]
} as const

const mapUnder = (names: (typeof headers)["plain" | "other"], { currency, layout }: Style): WholeMap => {
  const [number, date, code, customerName, description, quantity, unitPrice, lineAmount, tax, net] = names
  return {
    version: 1,
    ...(layout !== "plain" && { layout }),
    columns: {
      number,
      date,
      ...(currency === "column" && { currency: code }),
      ...(layout !== "report" && { customerName, net }),
      description,
      quantity,
      unitPrice,
      lineAmount,
      taxes: [{ code: tax }]
    }
  }
}

export const mapOf = (style: Style): WholeMap | undefined =>
  style.layout === "plain" ? undefined : mapUnder(headers.other, style)

/** Returns the map in which every column states its decimal mark. */
export const withMarks = (style: Style): WholeMap => {
  const map = mapUnder(style.layout === "plain" ? headers.plain : headers.other, style)
  const { lineAmount, net, quantity, unitPrice } = map.columns
  const marked = (column: unknown, decimalMark: "point" | "comma") => ({ column: String(column), decimalMark })
  return {
    ...map,
    columns: {
      ...map.columns,
      quantity: marked(quantity, style.quantityDecimal),
      unitPrice: marked(unitPrice, style.decimal),
      lineAmount: marked(lineAmount, style.decimal),
      ...(net !== undefined && { net: marked(net, style.decimal) })
    }
  }
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const dateText = ({ day, month, year }: TrueDocument, style: Style): string => {
  const two = (value: number) => String(value).padStart(style.padding, "0")
  const padded = (value: number) => String(value).padStart(2, "0")
  const years = style.yearDigits === 2 ? String(year).slice(2) : String(year)
  switch (style.dates) {
    case "iso":
      return `${year}-${padded(month)}-${padded(day)}`
    case "compact":
      return `${year}${padded(month)}${padded(day)}`
    case "words":
      return `${day}-${monthNames[month - 1]!}-${years}`
    case "dmy":
      return [two(day), two(month), years].join(style.dateSeparator)
    case "mdy":
      return [two(month), two(day), years].join(style.dateSeparator)
  }
}

const grouped = (whole: string, style: Style, decimal: "point" | "comma"): string => {
  if (style.groups === "indian" && decimal === "point") {
    const [head, tail] = [whole.slice(0, -3), whole.slice(-3)]
    return head === "" ? tail : `${head.replaceAll(/\B(?=(\d{2})+(?!\d))/g, ",")},${tail}`
  }
  const separator =
    style.groups === "mark" || style.groups === "indian" ? (decimal === "point" ? "," : ".") : style.groups
  return whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, separator)
}

export const numberText = ({ places, value }: Decimal, style: Style, column: "quantity" | "money"): string => {
  const decimal = decimalOf(style, column)
  const digits = String(value).padStart(places + 1, "0")
  const whole = grouped(places === 0 ? digits : digits.slice(0, -places), style, decimal)
  const fraction = places === 0 ? "" : digits.slice(-places)
  const kept = style.places === "fixed" ? fraction : fraction.replace(/0+$/, "")
  const text = kept === "" ? whole : `${whole}${decimal === "point" ? "." : ","}${kept}`
  return column === "money" ? `${style.sign}${text}` : text
}

type Cells = ReadonlyArray<string>

const lineCells = (line: TrueLine, style: Style): Cells => [
  line.description,
  numberText(line.quantity, style, "quantity"),
  numberText(line.unitPrice, style, "money"),
  numberText(line.lineAmount, style, "money"),
  "S"
]

const sumOf = ({ lines }: TrueDocument): Decimal => ({
  value: lines.reduce((sum, { lineAmount }) => sum + lineAmount.value, 0),
  places: 2
})

/** Returns the rows of the file, including the header. */
export const rowsOf = (documents: ReadonlyArray<TrueDocument>, style: Style, random: Random): ReadonlyArray<Cells> => {
  const header: Cells = style.layout === "plain" ? headers.plain : headers.other
  const titles = Array.from({ length: style.titles }, (_, i) => [`Title ${i}`])
  if (style.layout === "report") return [...titles, header, ...reportRows(documents, style)]
  const blocks = documents.map((document) => {
    const head = [
      document.number,
      dateText(document, style),
      style.currency === "column" ? "USD" : "",
      document.customer
    ]
    const total = style.totals === "stated" ? numberText(sumOf(document), style, "money") : ""
    return document.lines.map((line, i) =>
      style.layout === "continuation" && i > 0
        ? ["", "", "", "", ...lineCells(line, style), ""]
        : [...head, ...lineCells(line, style), total]
    )
  })
  const together = blocks.flat()
  const body = style.order === "apart" ? shuffled(together, random) : together
  return [...titles, header, ...body]
}

const reportRows = (documents: ReadonlyArray<TrueDocument>, style: Style): ReadonlyArray<Cells> => {
  const customers = [...new Set(documents.map(({ customer }) => customer))]
  return customers.flatMap((customer) => {
    const own = documents.filter((document) => document.customer === customer)
    const rows = own.flatMap((document) =>
      document.lines.map((line) => [
        document.number,
        dateText(document, style),
        style.currency === "column" ? "USD" : "",
        "",
        ...lineCells(line, style),
        ""
      ])
    )
    const total = { value: own.reduce((sum, document) => sum + sumOf(document).value, 0), places: 2 }
    // Groups and totals are in a column that contains no document numbers.
    return [
      ["", "", "", customer],
      ...rows,
      ["", "", "", `Total for ${customer}`, "", "", "", numberText(total, style, "money")]
    ]
  })
}

const shuffled = (rows: ReadonlyArray<Cells>, random: Random): ReadonlyArray<Cells> =>
  rows
    .map((row) => ({ row, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)

const cellText = (cell: string, style: Style, random: Random): string => {
  const needed =
    cell.includes(style.delimiter) ||
    /["\r\n]|^\s|\s$/.test(cell) ||
    (style.quotes === "backslash" && cell.includes("\\"))
  if (!needed && (style.quoting === "needed" || (style.quoting === "some" && random.chance(0.5)))) return cell
  return style.quotes === "doubled"
    ? `"${cell.replaceAll('"', '""')}"`
    : `"${cell.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

export const textOf = (rows: ReadonlyArray<Cells>, style: Style, random: Random): string => {
  const width = 10
  const lines = rows.map((row) =>
    [...row, ...Array.from({ length: row.length > 1 ? Math.max(0, width - row.length) : 0 }, () => "")]
      .map((cell) => cellText(cell, style, random))
      .join(style.delimiter)
  )
  const end = () => (style.lineEnd === "mixed" ? random.pick(["\n", "\r\n"]) : style.lineEnd)
  return (
    (style.separatorLine === "with" ? `sep=${style.delimiter}${end()}` : "") +
    lines.map((line) => line + end()).join("")
  )
}

const gbkBytes = new Map<string, readonly [number, number]>()
const gbk = new TextDecoder("gbk")
for (let lead = 0x81; lead < 0xff; lead++) {
  for (let trail = 0x40; trail < 0xff; trail++) {
    if (trail !== 0x7f) gbkBytes.set(gbk.decode(Uint8Array.from([lead, trail])), [lead, trail])
  }
}

const windows = new Map([["\u20ac", 0x80]])

export const bytesOf = (text: string, { encoding, mark }: Style): Uint8Array => {
  const marked = mark === "with" ? `\ufeff${text}` : text
  switch (encoding) {
    case "utf-8":
      return new TextEncoder().encode(marked)
    case "utf-16le":
    case "utf-16be": {
      const bytes = new Uint8Array(marked.length * 2)
      const view = new DataView(bytes.buffer)
      for (let i = 0; i < marked.length; i++) view.setUint16(i * 2, marked.charCodeAt(i), encoding === "utf-16le")
      return bytes
    }
    case "gbk":
      return Uint8Array.from(
        Array.from(text).flatMap((c) => (c.charCodeAt(0) < 0x80 ? [c.charCodeAt(0)] : (gbkBytes.get(c) ?? [0x3f])))
      )
    default:
      return Uint8Array.from(text, (c) => windows.get(c) ?? c.charCodeAt(0))
  }
}
