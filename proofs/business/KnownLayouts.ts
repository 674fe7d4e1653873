/**
 * Known layouts as their products write them, with additional columns that do not state a total.
 */
import {
  cellsOfLine,
  type Format,
  formats,
  money,
  type Role,
  type StatedDocument,
  type StatedLine,
  type TaxName,
  written
} from "../csv/ExportFormats.ts"
import type { Random } from "../Random.ts"
import * as Decimal from "./Decimal.ts"
import { firm, type Firm, type Sale, type Traits } from "./Firm.ts"

type Rounds = Traits["rounds"]

/** A document in whole cents. */
export interface HonestDocument extends StatedDocument {
  /** Total if the tax of each rate is rounded once: see `Sale`. */
  readonly grouped: number
}

/** Returns the document as a known layout states it. */
const statedOf = (
  { buyer, date, due, grouped, lines, net, number, tax, total }: Sale,
  status: string
): HonestDocument => ({
  number,
  date,
  due,
  buyer: buyer.name,
  status,
  lines: lines.map(({ amount, discount, price, quantity, tax, taxAmount, text }) => ({
    text,
    quantity: Number(Decimal.text(quantity)),
    price: Decimal.cents(price),
    discount: Number(Decimal.text(discount)),
    tax: tax.name as TaxName,
    amount: Decimal.cents(amount),
    taxAmount: Decimal.cents(taxAmount)
  })),
  net: Decimal.cents(net),
  tax: Decimal.cents(tax),
  total: Decimal.cents(total),
  grouped: Decimal.cents(grouped)
})

interface HonestLayout {
  readonly format: Format
  readonly rounds: ReadonlyArray<Rounds>
  readonly discounts: Traits["discounts"]
}

const columns = (text: string): Format["header"] =>
  text.split(",").map((cell) => {
    const [column = "", role = "none"] = cell.split("=")
    return [column, role as Format["header"][number][1]] as const
  })

const common = { issued: [""], unissued: [], invoice: "", dates: "days", taxes: "of lines" } as const

/** Layouts read by a column map, because their headers are not known yet. */
const mapped: ReadonlyArray<Format> = [
  {
    ...common,
    name: "woocommerce by a column map",
    layout: "rows",
    header: columns(
      "Order Number=number,Order Date=date,Company (Billing)=buyer,Order Total Amount=total,Order Total Tax Amount=tax,Item Name=text,Quantity=quantity,Item Price=unitPrice,Order Line (w/o tax)=lineAmount,Order Line Tax=taxAmount,Tax Class=taxCode"
    ),
    map: {
      version: 1,
      columns: {
        number: "Order Number",
        date: "Order Date",
        customerName: "Company (Billing)",
        total: "Order Total Amount",
        tax: "Order Total Tax Amount",
        description: "Item Name",
        quantity: "Quantity",
        unitPrice: "Item Price",
        lineAmount: "Order Line (w/o tax)",
        taxes: [{ code: "Tax Class", amount: "Order Line Tax" }]
      }
    }
  },
  {
    ...common,
    name: "odoo by a column map",
    layout: "continuation",
    header: columns(
      "Number=number,Invoice Partner Display Name=buyer,Invoice/Bill Date=date,Due Date=due,Untaxed Amount=net,Total=total,Invoice lines/Label=text,Invoice lines/Quantity=quantity,Invoice lines/Unit Price=unitPrice,Invoice lines/Taxes=taxCode,Invoice lines/Subtotal=lineAmount"
    ),
    map: {
      version: 1,
      layout: "continuation",
      columns: {
        number: "Number",
        date: "Invoice/Bill Date",
        customerName: "Invoice Partner Display Name",
        net: "Untaxed Amount",
        total: "Total",
        description: "Invoice lines/Label",
        quantity: "Invoice lines/Quantity",
        unitPrice: "Invoice lines/Unit Price",
        lineAmount: "Invoice lines/Subtotal",
        taxes: [{ code: "Invoice lines/Taxes" }]
      },
      // the export lacks its column of kinds
      settings: { contents: { "no-kinds": "invoices" } }
    }
  }
]

const known = (name: string, rounds: ReadonlyArray<Rounds>, discounts: Traits["discounts"] = "none"): HonestLayout => ({
  format: [...formats, ...mapped].find((format) => format.name === name)!,
  rounds,
  discounts
})

/** Layouts with their rounding. Without any stated total, a tax is rounded on each line. */
export const layouts: ReadonlyArray<HonestLayout> = [
  known("shopify", ["document"]),
  known("zoho-invoices", ["line", "document"]),
  known("woocommerce", ["line", "document"]),
  known("woocommerce by a column map", ["line", "document"]),
  known("freshbooks", ["line"], "percent"),
  known("quickbooks-invoices", ["line"]),
  known("invoice-ninja", ["line", "document"]),
  known("erpnext", ["document"]),
  known("square-items", ["line"]),
  known("xero-template", ["line"], "percent"),
  known("odoo", ["line", "document"]),
  known("odoo by a column map", ["line", "document"]),
  known("busy", ["line"]),
  known("plain", ["line", "document"]),
  known("a till by a column map", ["line", "document"])
]

/** Column that the product or its user adds, with its statement about a document or a line. */
interface Extra {
  readonly name: string
  readonly of: "document" | "line"
  cell(document: HonestDocument, line: StatedLine, random: Random): string
}

const ofDocuments = (name: string, cell: (document: HonestDocument, random: Random) => string): Extra => ({
  name,
  of: "document",
  cell: (document, _, random) => cell(document, random)
})

const share = (amount: number, part: number): string => money(Math.round(amount * part))

/**
 * Draws the paid amount. Most documents are paid, so that payment columns usually state the total.
 */
const paid = ({ total }: HonestDocument, random: Random): number =>
  random.chance(0.7) ? total : random.chance(0.5) ? 0 : random.between(0, total)

/** States the total of every document under an unknown name. */
const charged = ofDocuments("Charged", ({ total }) => money(total))

const extras: ReadonlyArray<Extra> = [
  ofDocuments("Amount Paid", (document, random) => money(paid(document, random))),
  ofDocuments("Payments Received", (document, random) => money(paid(document, random))),
  ofDocuments("Balance Due", ({ total }, random) => money(random.chance(0.6) ? 0 : total)),
  ofDocuments("Outstanding", ({ total }, random) => money(random.chance(0.6) ? total : 0)),
  ofDocuments("Card", ({ total }, random) => (random.chance(0.7) ? money(total) : money(random.between(0, total)))),
  ofDocuments("Fee", ({ total }) => share(total, 0.029)),
  charged,
  ofDocuments("Processing Fee", ({ total }) => share(total, 0.029)),
  ofDocuments("Refund", ({ total }, random) => (random.chance(0.8) ? "" : share(total, 0.5))),
  ofDocuments("Total Cost", ({ net }) => share(net, 0.6)),
  ofDocuments("Margin %", (_, random) => money(random.between(500, 6000))),
  ofDocuments("Deposit", ({ total }, random) => (random.chance(0.5) ? money(total) : share(total, 0.3))),
  ofDocuments("Rounded Total", ({ total }) => money(Math.round(total / 5) * 5)),
  ofDocuments("Total (Company Currency)", ({ total }) => share(total, 3.6)),
  ofDocuments("Exchange Rate", () => "1.00"),
  ofDocuments("Store Credit", ({ total }, random) => (random.chance(0.3) ? share(total, 0.2) : "0.00")),
  ofDocuments("Total Discount", ({ lines }) =>
    money(lines.reduce((sum, { amount, price, quantity }) => sum + quantity * price - amount, 0))
  ),
  ofDocuments("Weight (kg)", (_, random) => money(random.between(10, 9000))),
  ofDocuments("Order Status", (_, random) => random.pick(["pending", "processing", "completed", "on-hold"])),
  ofDocuments("Financial Status", (_, random) => random.pick(["pending", "paid", "partially_paid"])),
  ofDocuments("Payment Status", (_, random) => random.pick(["Pending", "Paid", "Failed"])),
  ofDocuments("Fulfillment Status", (_, random) => random.pick(["pending", "unfulfilled", "fulfilled", ""])),
  ofDocuments("Sync Status", (_, random) => random.pick(["pending", "rejected", "ok"])),
  ofDocuments("Sales Rep", (_, random) => random.pick(["Rudo", "Tariro", "Void Moyo"])),
  ofDocuments("Ship Date", ({ due }) => due),
  { name: "Unit Cost", of: "line", cell: (_, { price }) => share(price, 0.6) },
  { name: "Cost Price", of: "line", cell: (_, { price }) => share(price, 0.7) },
  { name: "Stock Left", of: "line", cell: (_, __, random) => String(random.between(0, 99)) },
  { name: "Commission", of: "line", cell: (_, { amount }) => share(amount, 0.05) }
]

const statesCharged: ReadonlySet<string> = new Set(["total", "tax", "taxes", "taxAmount", "lineTotal"])

const isDiscount = (layout: HonestLayout, column: string): boolean =>
  layout.discounts === "percent" && column.startsWith("Discount")

export interface HonestFile {
  readonly layout: string
  readonly map: Format["map"]
  /** `stated` if the file states the customer's charge or the amount of tax. */
  readonly charged: "stated" | "unstated"
  readonly text: string
  readonly documents: ReadonlyArray<HonestDocument>
  /** Names of the added columns. */
  readonly extras: ReadonlyArray<string>
}

/** Habits that a known layout can state. */
const traitsOf = ({ discounts, format: { taxes } }: HonestLayout, rounds: Rounds, size: number): Traits => ({
  language: "en",
  prices: "net",
  rounds,
  discounts,
  rates: "two",
  taxes,
  shipping: "none",
  quantities: "whole",
  notes: "none",
  documents: [size, size],
  lines: [1, 5],
  currency: "USD"
})

/** Generates the firm of a seed for a known layout, with `size` documents. */
export const knownFirm = (name: string, seed: number, size: number): Firm => {
  const layout = layoutOf(name)
  return firm(seed, traitsOf(layout, layout.rounds[seed % layout.rounds.length]!, size))
}

const layoutOf = (name: string): HonestLayout => layouts.find(({ format }) => format.name === name)!

/**
 * Writes the firm's documents in a known layout. `contradicted`: the document for which an
 * additional column of totals states another total.
 */
export const knownFile = (
  name: string,
  { documents: sales }: Firm,
  random: Random,
  contradicted?: number
): HonestFile => {
  const layout = layoutOf(name)
  const { format } = layout
  const documents = sales.map((sale) => statedOf(sale, random.pick(format.issued)))
  // Without a total, the payer of a fee is unknown; in our own layout, the customer pays.
  const isFeeApart = format.name !== "plain" && format.header.some(([, role]) => role === "total")
  const names = new Set(format.header.map(([column]) => column.toLowerCase()))
  const added = random
    .shuffled(extras.filter(({ name }) => !names.has(name.toLowerCase()) && (name !== "Fee" || isFeeApart)))
    .slice(0, random.between(0, 6))
    .filter(({ name }) => contradicted === undefined || name !== charged.name)
    .concat(contradicted === undefined ? [] : [charged])
  const rows = documents.flatMap((document, nth) => {
    const shown = nth === contradicted ? { ...document, total: document.total + 100 * random.between(1, 99) } : document
    const once = added.map((extra) =>
      extra.of === "document" ? extra.cell(extra === charged ? shown : document, document.lines[0]!, random) : ""
    )
    return document.lines.map((line, i) => {
      const isBlank = format.layout === "continuation" && i > 0
      const roleOf = (column: string, role: Role) => (isDiscount(layout, column) ? "discount" : role)
      const own = cellsOfLine(format, document, i, roleOf)
      const beside = added.map((extra, at) =>
        extra.of === "line" ? extra.cell(document, line, random) : isBlank ? "" : once[at]!
      )
      return [...own, ...beside]
    })
  })
  const header = [...format.header.map(([column]) => column), ...added.map(({ name }) => name)]
  return {
    layout: format.name,
    map: format.map,
    charged: format.header.some(([, role]) => statesCharged.has(role)) ? "stated" : "unstated",
    text: written([header, ...rows]),
    documents,
    extras: added.map(({ name }) => name)
  }
}
