/**
 * Alters one statement in an export of known content. The label names the contradicting statement
 * of the export; this generator sets the label, no reader does.
 */
import {
  amountOf,
  cellsOf,
  type Document,
  type Format,
  type Grid,
  gridOf,
  has,
  ofDocument,
  type Role,
  type Row,
  textOf
} from "./ExportFormats.ts"
import type { Random } from "../Random.ts"

export const kinds = ["figure", "status", "date", "buyer", "row"] as const
export type Kind = (typeof kinds)[number]

export interface Altered {
  readonly text: string
  /** Number of the altered document. */
  readonly number: string
  readonly what: string
  /** Contradicting statement; undefined if none exists. */
  readonly witness: string | undefined
  /**
   * Required result. `refused`: not sent, unless a stated total proves the amounts. `unissued`: not
   * sent. `same`: sent as before.
   */
  readonly must: "refused" | "unissued" | "same" | "as stated"
  /** `stated` if a total is stated and was not altered. */
  readonly total: "stated" | "unstated"
  /** Document as the altered export states it, if no statement contradicts the alteration. */
  readonly stated: Document | undefined
}

type Alteration = (grid: Grid, random: Random) => Omit<Altered, "text" | "number" | "total"> | undefined

const money = (cents: number): string => (cents / 100).toFixed(2)

const set = (rows: ReadonlyArray<Row>, format: Format, role: Role, change: (cell: string) => string): void => {
  for (const row of rows) {
    for (const cell of cellsOf(format, role)) if (row[cell] !== "") row[cell] = change(row[cell]!)
  }
}

/** Changes a figure of one line, or of the document, that other figures contradict. */
const figure: Alteration = (grid, random) => {
  const { format } = grid
  const { of, rows } = grid.documents[0]!
  const line = random.between(0, rows.length - 1)
  const row = [rows[line]!]
  const role = random.pick(
    (
      [
        "quantity",
        "unitPrice",
        "lineAmount",
        "taxAmount",
        "taxPercent",
        "lineTotal",
        "net",
        "tax",
        "total",
        "taxes",
        "linesTotal"
      ] as const
    ).filter((role) => has(format, role))
  )
  const witnesses = {
    quantity: ["lineAmount", "total", "taxAmount"],
    unitPrice: ["lineAmount", "total", "taxAmount"],
    lineAmount: ["unitPrice", "gross", "total", "taxAmount"],
    taxAmount: ["taxCode"],
    taxPercent: ["taxCode"],
    lineTotal: ["lineAmount"],
    net: ["unitPrice", "lineAmount"],
    tax: ["taxCode"],
    total: ["unitPrice", "lineAmount"],
    taxes: ["tax"],
    linesTotal: ["unitPrice", "lineAmount"]
  } as const satisfies Record<typeof role, ReadonlyArray<Role>>
  const amount = amountOf(of.lines[line]!)
  const by = random.pick([100, 250, -100])
  const add = (cell: string) => money(Math.round(Number(cell) * 100) + by)
  const of15 = of.lines[line]!.tax === "VAT 15%"
  if (role === "quantity") set(row, format, role, (cell) => String(Number(cell) + random.between(1, 3)))
  else if (role === "taxPercent") set(row, format, role, () => (of15 ? random.pick(["5", "0", "20"]) : "15"))
  else if (role === "taxAmount")
    set(row, format, role, () => (of15 ? random.pick(["0.00", money(amount / 10)]) : money(amount / 5)))
  else set(ofDocument.has(role) ? rows : row, format, role, add)
  // A quantity without a price is not contradicted by any figure.
  const isAlone = role === "quantity" && !has(format, "unitPrice")
  const other = witnesses[role].find((role) => has(format, role))
  const witness = isAlone ? undefined : (other ?? (format.layout === "report" ? "group total" : undefined))
  return { what: `${role} changed`, witness, must: witness === undefined ? "as stated" : "refused", stated: undefined }
}

/** Changes a figure to another currency than the document's, by its sign only. */
const sign: Alteration = (grid, random) => {
  const { format } = grid
  const { rows } = grid.documents[0]!
  const role = random.pick((["unitPrice", "lineAmount", "total"] as const).filter((role) => has(format, role)))
  const mark = random.pick(["R ", "R", "P", "ZiG ", "K", "€", "£", "N$", "MK", "EUR "])
  set(ofDocument.has(role) ? rows : [rows[0]!], format, role, (cell) => mark + cell)
  // Without a currency column, the operator named the currency.
  return { what: `the sign ${mark.trim()}`, witness: "the currency, USD", must: "refused", stated: undefined }
}

/** Changes all figures consistently, so that none contradicts the change. */
const restated =
  (change: (document: Document) => Document): Alteration =>
  (grid) => {
    const first = grid.documents[0]!
    const stated = change(first.of)
    grid.documents[0] = gridOf(grid.format, [stated]).documents[0]!
    return { what: "stated otherwise throughout", witness: undefined, must: "as stated", stated }
  }

const unissued: Alteration = (grid, random) => {
  const { format } = grid
  const { rows } = grid.documents[0]!
  if (has(format, "cancelled") && random.chance(0.4)) {
    for (const cell of cellsOf(format, "cancelled")) rows[0]![cell] = "2026-09-30 10:00:00 +0200"
    return { what: "cancelled", witness: "the time of its cancellation", must: "unissued", stated: undefined }
  }
  if (format.unissued.length === 0) return undefined
  const word = random.pick(format.unissued)
  if (random.chance(0.6) || format.layout === "continuation" || rows.length < 2) {
    set(rows, format, "status", () => word)
    return { what: `status ${word}`, witness: "the format's own word", must: "unissued", stated: undefined }
  }
  const row = rows[random.between(0, rows.length - 1)]!
  set([row], format, "status", () => word)
  return { what: `status ${word} on one row`, witness: "status of its other rows", must: "unissued", stated: undefined }
}

/** Sets a kind on one row that other rows contradict, or an unknown kind. */
const kind: Alteration = (grid, random) => {
  const { format } = grid
  const { rows } = grid.documents[0]!
  if (!has(format, "kind")) return undefined
  const many = format.layout === "rows" && rows.length > 1 && format.name !== "square-items"
  const some = many ? [rows[random.between(0, rows.length - 1)]!] : rows
  const word = random.pick(many ? ["Estimate", "Quote", "Bill"] : ["Quotation 7", "Pledge"])
  set(some, format, "kind", () => word)
  return {
    what: `kind ${word}`,
    witness: many ? "kind of its other rows" : "no such kind is issued",
    must: "unissued",
    stated: undefined
  }
}

const date: Alteration = (grid, random) => {
  const { format } = grid
  const { of, rows } = grid.documents[0]!
  const choice = random.between(0, 2)
  if (choice === 0 && format.layout !== "continuation" && rows.length > 1) {
    const row = rows[random.between(0, rows.length - 1)]!
    set([row], format, "date", (cell) => cell.replace(of.date, nextDay(of.date)))
    return {
      what: "date of one row a day later",
      witness: "date of its other rows",
      must: "refused",
      stated: undefined
    }
  }
  if (choice === 1 && format.dates === "days") {
    const time = random.pick(["T22:00:00Z", "T00:00:00+00:00", " 23:30:00 -0500", "T21:59:59.000Z"])
    set(rows, format, "date", () => `${previousDay(of.date)}${time}`)
    return {
      what: `date as a time ${time.trim()}`,
      witness: "documents without a time of day",
      must: "refused",
      stated: undefined
    }
  }
  if (choice === 2 && !format.header.some(([column]) => column === "DateString" || column === "Date")) {
    grid.header.push("DateString")
    for (const document of grid.documents) for (const row of document.rows) row.push(document.of.date)
    for (const row of rows) row[row.length - 1] = `${nextDay(of.date)}T00:00:00`
    return { what: "a second date a day later", witness: "the other date column", must: "refused", stated: undefined }
  }
  return undefined
}

const buyer: Alteration = (grid, random) => {
  const { format } = grid
  const { rows } = grid.documents[0]!
  if (format.layout === "report") return undefined
  const choice = random.between(0, 2)
  if (choice === 0 && format.layout === "rows" && rows.length > 1) {
    set([rows[random.between(0, rows.length - 1)]!], format, "buyer", (cell) => `${cell} West`)
    return { what: "another buyer on one row", witness: "buyer of its other rows", must: "refused", stated: undefined }
  }
  if (choice === 1 && has(format, "buyerId")) {
    set(rows, format, "buyer", () => "")
    return { what: "a buyer with an id alone", witness: "the buyer's id", must: "refused", stated: undefined }
  }
  if (choice === 2 && has(format, "buyerId") && !has(format, "tin")) {
    // Gives another document's buyer the same id.
    const [, next] = grid.documents
    if (next === undefined) return undefined
    const name = `${grid.documents[0]!.of.buyer} West`
    set(next.rows, format, "buyerId", () => "C-77")
    set(rows, format, "buyerId", () => "C-77")
    set(rows, format, "buyer", () => name)
    return {
      what: "two buyers under one id",
      witness: "the other document's buyer",
      must: "refused",
      stated: undefined
    }
  }
  if (choice === 2 && has(format, "tin")) {
    set(
      rows,
      format,
      "tin",
      (cell) => cell.slice(0, 5) + random.pick(["\u200b", "\u00a0", "\u202f", "\u00ad"]) + cell.slice(5)
    )
    return { what: "a TIN with an unseen character", witness: "what a person sees", must: "refused", stated: undefined }
  }
  return undefined
}

const row: Alteration = (grid, random) => {
  const { format } = grid
  const { of, rows } = grid.documents[0]!
  const totals = has(format, "total") || has(format, "net") || format.layout === "report"
  const amounts = cellsOf(format, "lineAmount")
  const blank = () => grid.header.map(() => "")
  const sumRow = (name: string, cents: number): Row => {
    const row = format.layout === "rows" ? [...rows[0]!] : blank()
    for (const [cell, [, role]] of format.header.entries()) {
      if (!ofDocument.has(role) || format.layout === "continuation") row[cell] = ""
    }
    for (const cell of cellsOf(format, "text")) row[cell] = name
    for (const cell of amounts) row[cell] = money(cents)
    return row
  }
  const net = of.lines.reduce((total, line) => total + amountOf(line), 0)
  const choice = random.between(0, 7)
  if (choice === 0 && totals) {
    rows.splice(random.between(0, rows.length - 1), 1)
    return { what: "a row left out", witness: "stated total", must: "refused", stated: undefined }
  }
  if (choice === 1 && format.layout !== "continuation") {
    rows.push([...rows[random.between(0, rows.length - 1)]!])
    return {
      what: "a row twice",
      witness: totals ? "stated total" : "the row itself",
      must: "refused",
      stated: undefined
    }
  }
  if (choice === 2 && format.layout !== "report" && amounts.length > 0) {
    const name = random.pick(["Total", "Subtotal", "Grand Total", "Sub-total", "TOTAL:"])
    rows.push(sumRow(name, net))
    return { what: "a total row among the lines", witness: "the lines it adds up", must: "same", stated: undefined }
  }
  if (choice === 3 && format.layout !== "report" && amounts.length > 0) {
    rows.push(sumRow(random.pick(["Total", "Subtotal", "Grand Total"]), net + 500))
    return {
      what: "a total row that does not come out",
      witness: "the lines above it",
      must: "same",
      stated: undefined
    }
  }
  if (choice === 4) {
    rows.push([...grid.header])
    return { what: "the header again", witness: "the header", must: "same", stated: undefined }
  }
  if (choice === 5 && format.layout === "rows") {
    // The rows below it have the other order as well.
    const order = grid.header.map((_, i) => i).toReversed()
    const turned = (row: Row): Row => order.map((i) => row[i]!)
    const names = turned(grid.header)
    const others = grid.documents.slice(1)
    for (const { rows } of others) for (const [i, row] of rows.entries()) rows[i] = turned(row)
    rows.push(names)
    return { what: "the header in another order", witness: "the header", must: "same", stated: undefined }
  }
  if (choice === 6 && format.layout === "rows") {
    const footer = blank()
    footer[random.between(0, 1)] = "Page 1 of 3"
    rows.push(footer)
    return { what: "a page footer", witness: "its words", must: "same", stated: undefined }
  }
  if (choice === 7 && format.layout === "rows" && rows.length > 1) {
    set(
      [rows[random.between(0, rows.length - 1)]!],
      format,
      "number",
      (cell) => cell + random.pick(["\u200b", "\u00a0", "\u2060"])
    )
    return {
      what: "a number with an unseen character on one row",
      witness: "what a person sees",
      must: "refused",
      stated: undefined
    }
  }
  return undefined
}

const nextDay = (day: string): string => `${day.slice(0, 8)}${String(Number(day.slice(8)) + 1).padStart(2, "0")}`
const previousDay = (day: string): string => `${day.slice(0, 8)}${String(Number(day.slice(8)) - 1).padStart(2, "0")}`

const dearer = restated((document) => ({
  ...document,
  lines: document.lines.map((line, i) => (i === 0 ? { ...line, quantity: line.quantity + 1 } : line))
}))
const other: { readonly [K in Kind]: Alteration } = {
  figure: dearer,
  status: (grid, random) =>
    restated((document) => ({ ...document, status: random.pick(grid.format.issued) }))(grid, random),
  date: restated((document) => ({ ...document, date: nextDay(document.date) })),
  buyer: restated((document) => ({ ...document, buyer: `${document.buyer} East` })),
  row: restated((document) => ({
    ...document,
    lines: [...document.lines, { text: "Bolt 9", quantity: 2, price: 700, tax: document.lines[0]!.tax }]
  }))
}

const contradicted: { readonly [K in Kind]: ReadonlyArray<Alteration> } = {
  figure: [figure, figure, figure, figure, sign],
  status: [unissued, kind],
  date: [date],
  buyer: [buyer],
  row: [row]
}

/**
 * Returns the file with one alteration of the kind: mostly a contradicted one, or an uncontradicted
 * one if the format has no place.
 */
export const alter = (format: Format, documents: ReadonlyArray<Document>, kind: Kind, random: Random): Altered => {
  const number = documents[0]!.number
  const total = (what: string) =>
    has(format, "total") && !what.startsWith("total changed") ? ("stated" as const) : ("unstated" as const)
  if (random.chance(0.8)) {
    for (let tries = 0; tries < 4; tries++) {
      const grid = gridOf(format, documents)
      const done = random.pick(contradicted[kind])(grid, random)
      if (done !== undefined) return { ...done, number, total: total(done.what), text: textOf(grid) }
    }
  }
  const grid = gridOf(format, documents)
  const done = other[kind](grid, random)!
  return { ...done, number, total: total(done.what), text: textOf(grid) }
}
