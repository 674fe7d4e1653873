/**
 * Generates documents of QuickBooks-, Odoo- and ERPNext-shaped exports, each altered in one
 * statement. The generator has its own arithmetic, in whole cents. It labels the alteration with
 * the contradicting statement of the export; no reader is involved.
 */
import * as Random from "../Random.ts"
import type { File } from "../xero/XeroFiles.ts"

/**
 * Export of one document, original and altered. `witness` contradicts the alteration; without a
 * witness, the document must be sent exactly as stated.
 */
export interface JoinedAlteration {
  readonly what: string
  readonly witness: string | undefined
  readonly id: string
  readonly original: ReadonlyArray<File>
  readonly altered: ReadonlyArray<File>
}

type Json = Record<string, unknown>

interface Line {
  readonly name: string
  readonly quantity: number
  readonly cents: number
  readonly taxed: boolean
}

/** Document in whole cents, with 15 % tax on the taxed lines, rounded on each line. */
interface Sale {
  readonly id: string
  readonly number: string
  readonly day: string
  readonly customer: number
  readonly lines: ReadonlyArray<Line>
}

const netOf = ({ cents, quantity }: Line) => quantity * cents
const taxOf = (line: Line) => (line.taxed ? Math.floor((netOf(line) * 15 + 50) / 100) : 0)
const sum = (figures: ReadonlyArray<number>) => figures.reduce((a, b) => a + b, 0)
const money = (cents: number) => Number((cents / 100).toFixed(2))
const totalsOf = ({ lines }: Sale) => {
  const [net, tax] = [sum(lines.map(netOf)), sum(lines.map(taxOf))]
  return { net, tax, total: net + tax }
}

const saleOf = (random: Random.Random, n: number): Sale => ({
  id: String(1000 + n),
  number: `S-${1000 + n}`,
  day: `2026-0${random.between(1, 9)}-${String(random.between(10, 28))}`,
  customer: random.between(1, 4),
  lines: Array.from({ length: random.between(1, 4) }, (_, i) => ({
    name: `Article ${i + 1}`,
    quantity: random.between(1, 9),
    cents: random.between(100, 50_000),
    // At least one taxed line, so that an altered tax is visible.
    taxed: i === 0 || random.chance(0.6)
  }))
})

/** Change of one document's records. */
interface Change {
  readonly what: string
  readonly witness: string | undefined
  alter(made: Records): void | "not here"
}

/** Records by collection, changed in place. */
type Records = Record<string, Array<Json>>

const at = (from: Json | undefined, ...path: ReadonlyArray<string | number>): Json =>
  path.reduce<unknown>((value, key) => (value as Json)[key], from) as Json

const more = (record: Json, field: string, by: number) => {
  record[field] = money(Math.round((record[field] as number) * 100) + by)
}

// QuickBooks

const quickBooksOf = (sale: Sale, inclusive: boolean): Records => {
  const { tax, total } = totalsOf(sale)
  const taxable = sum(sale.lines.filter(({ taxed }) => taxed).map(netOf))
  const Line = sale.lines.map((line, i) => ({
    Id: String(i + 1),
    Description: line.name,
    Amount: money(netOf(line)),
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: {
      ItemRef: { value: String(i), name: line.name },
      Qty: line.quantity,
      UnitPrice: money(line.cents),
      TaxCodeRef: { value: line.taxed ? "7" : "8" },
      ...(inclusive && { TaxInclusiveAmt: money(netOf(line) + taxOf(line)) })
    }
  }))
  const subtotal = {
    Amount: money(sum(sale.lines.map(netOf))),
    DetailType: "SubTotalLineDetail",
    SubTotalLineDetail: {}
  }
  const detail = { TaxRateRef: { value: "3" }, PercentBased: true, TaxPercent: 15, NetAmountTaxable: money(taxable) }
  return {
    Invoice: [
      {
        Id: sale.id,
        DocNumber: sale.number,
        TxnDate: sale.day,
        MetaData: { LastUpdatedTime: "2026-10-01T08:00:00-07:00" },
        CurrencyRef: { value: "USD" },
        GlobalTaxCalculation: inclusive ? "TaxInclusive" : "TaxExcluded",
        CustomerRef: { value: String(sale.customer), name: `Customer ${sale.customer}` },
        Line: [...Line, subtotal],
        TxnTaxDetail: {
          TotalTax: money(tax),
          TaxLine: [{ Amount: money(tax), DetailType: "TaxLineDetail", TaxLineDetail: detail }]
        },
        TotalAmt: money(total)
      }
    ],
    Customer: [1, 2, 3, 4].map((n) => ({ Id: String(n), DisplayName: `Customer ${n}` })),
    TaxCode: [
      { Id: "7", SalesTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: "3" } }] } },
      { Id: "8", SalesTaxRateList: { TaxRateDetail: [{ TaxRateRef: { value: "4" } }] } }
    ],
    TaxRate: [
      { Id: "3", RateValue: 15 },
      { Id: "4", RateValue: 0 }
    ]
  }
}

const invoice = (made: Records) => made["Invoice"]![0]!
const beside = (records: Records, changes: Json) => void records["Invoice"]!.push({ ...invoice(records), ...changes })

const quickBooks: ReadonlyArray<Change> = [
  { what: "another total", witness: "lines and tax", alter: (made) => more(invoice(made), "TotalAmt", 111) },
  {
    what: "another tax",
    witness: "tax lines and total",
    alter: (made) => more(at(invoice(made), "TxnTaxDetail"), "TotalTax", 5)
  },
  {
    what: "a tax of nothing",
    witness: "tax lines and total",
    alter: (made) => void (at(invoice(made), "TxnTaxDetail")["TotalTax"] = 0)
  },
  {
    what: "another amount of a line",
    witness: "subtotal and total",
    alter: (made) => more(at(invoice(made), "Line", 0), "Amount", 30)
  },
  {
    what: "another unit price",
    witness: "the line's amount",
    alter: (made) => more(at(invoice(made), "Line", 0, "SalesItemLineDetail"), "UnitPrice", 300)
  },
  {
    what: "another quantity",
    witness: "the line's amount",
    alter: (made) => more(at(invoice(made), "Line", 0, "SalesItemLineDetail"), "Qty", 100)
  },
  {
    what: "another tax code",
    witness: "the document's tax",
    alter: (made) => void (at(invoice(made), "Line", 0, "SalesItemLineDetail", "TaxCodeRef")["value"] = "8")
  },
  {
    what: "another percent of the tax",
    witness: "its amount",
    alter: (made) => void (at(invoice(made), "TxnTaxDetail", "TaxLine", 0, "TaxLineDetail")["TaxPercent"] = 5)
  },
  {
    what: "another subtotal",
    witness: "the lines",
    alter: (made) => more((invoice(made)["Line"] as Array<Json>).at(-1)!, "Amount", 100)
  },
  {
    what: "a line left out",
    witness: "subtotal and total",
    alter: (made) => void (invoice(made)["Line"] as Array<Json>).shift()
  },
  {
    what: "a line twice",
    witness: "subtotal and total",
    alter: (made) => void (invoice(made)["Line"] as Array<Json>).unshift(at(invoice(made), "Line", 0))
  },
  {
    what: "a discount that the total has not",
    witness: "the total",
    alter: (made) =>
      void (invoice(made)["Line"] as Array<Json>).push({
        Amount: 1,
        DetailType: "DiscountLineDetail",
        DiscountLineDetail: {}
      })
  },
  {
    what: "void, by its note",
    witness: "the amounts",
    alter: (made) => void (invoice(made)["PrivateNote"] = "Voided? ask Rudo")
  },
  {
    what: "untaxed",
    witness: "its tax",
    alter: (made) => void (invoice(made)["GlobalTaxCalculation"] = "NotApplicable")
  },
  {
    what: "another date beside it, undated",
    witness: "the other statement",
    alter: (made) => beside(made, { TxnDate: "2026-10-02" })
  },
  {
    what: "another date beside it, earlier",
    witness: "the later statement",
    alter: (made) => beside(made, { TxnDate: "2026-10-02", MetaData: { LastUpdatedTime: "2026-09-01T08:00:00-07:00" } })
  },
  {
    what: "a date that is none",
    witness: "the calendar",
    alter: (made) => void (invoice(made)["TxnDate"] = "2026-02-30")
  },
  {
    what: "a customer left out",
    witness: "the document's customer",
    alter: (made) => void (made["Customer"] = [{ Id: "9", DisplayName: "Nobody" }])
  },
  {
    what: "another name in the document",
    witness: "the customer",
    alter: (made) => void (at(invoice(made), "CustomerRef")["name"] = "Somebody else")
  },
  {
    what: "a customer stated in two ways",
    witness: "the other statement",
    alter: (made) =>
      void made["Customer"]!.push({
        Id: at(invoice(made), "CustomerRef")["value"],
        DisplayName: at(invoice(made), "CustomerRef")["name"],
        CompanyName: "Other Ltd"
      })
  },
  {
    what: "another gross amount of a line",
    witness: "the line's amount and tax code",
    alter: (made) => {
      const detail = at(invoice(made), "Line", 0, "SalesItemLineDetail")
      if (detail["TaxInclusiveAmt"] === undefined) return "not here"
      more(detail, "TaxInclusiveAmt", 700)
    }
  },
  {
    what: "another description",
    witness: undefined,
    alter: (made) => void (at(invoice(made), "Line", 0)["Description"] = "Other")
  },
  { what: "another date", witness: undefined, alter: (made) => void (invoice(made)["TxnDate"] = "2026-10-02") }
]

// Odoo

const odooOf = (sale: Sale, inclusive: boolean): Records => {
  const { net, tax, total } = totalsOf(sale)
  const id = Number(sale.id)
  const move = [id, sale.number]
  return {
    "account.move": [
      {
        id,
        name: sale.number,
        move_type: "out_invoice",
        state: "posted",
        payment_state: "not_paid",
        invoice_date: sale.day,
        currency_id: [1, "USD"],
        partner_id: [sale.customer, `Customer ${sale.customer}`],
        reversed_entry_id: false,
        write_date: "2026-10-01 08:00:00",
        amount_untaxed: money(net),
        amount_tax: money(tax),
        amount_total: money(total),
        invoice_line_ids: sale.lines.map((_, i) => id * 10 + i)
      }
    ],
    "account.move.line": sale.lines.map((line, i) => ({
      id: id * 10 + i,
      move_id: move,
      display_type: "product",
      name: line.name,
      quantity: inclusive ? 1 : line.quantity,
      price_unit: inclusive ? money(netOf(line) + taxOf(line)) : money(line.cents),
      discount: 0,
      price_subtotal: money(netOf(line)),
      price_total: money(netOf(line) + taxOf(line)),
      tax_ids: [line.taxed ? 5 : 6]
    })),
    "account.tax": [
      { id: 5, name: "15%", amount_type: "percent", amount: 15, price_include: inclusive },
      { id: 6, name: "Zero", amount_type: "percent", amount: 0, price_include: inclusive }
    ],
    "res.partner": [1, 2, 3, 4].map((n) => ({ id: n, name: `Customer ${n}`, vat: false }))
  }
}

const move = (made: Records) => made["account.move"]![0]!
const line = (made: Records) => made["account.move.line"]![0]!
const moveBeside = (made: Records, changes: Json) => void made["account.move"]!.push({ ...move(made), ...changes })

const odoo: ReadonlyArray<Change> = [
  { what: "another total", witness: "net and tax", alter: (made) => more(move(made), "amount_total", 111) },
  { what: "another tax", witness: "net and total", alter: (made) => more(move(made), "amount_tax", 5) },
  { what: "another net amount", witness: "tax and total", alter: (made) => more(move(made), "amount_untaxed", 100) },
  {
    what: "another net amount of a line",
    witness: "the document's",
    alter: (made) => more(line(made), "price_subtotal", 30)
  },
  {
    what: "another gross amount of a line",
    witness: "the document's",
    alter: (made) => more(line(made), "price_total", 30)
  },
  { what: "another unit price", witness: "the line's amounts", alter: (made) => more(line(made), "price_unit", 300) },
  { what: "another quantity", witness: "the line's amounts", alter: (made) => more(line(made), "quantity", 100) },
  { what: "a discount of 40 %", witness: "the line's amounts", alter: (made) => void (line(made)["discount"] = 40) },
  { what: "another tax on a line", witness: "the line's amounts", alter: (made) => void (line(made)["tax_ids"] = [6]) },
  {
    what: "another percent of the tax",
    witness: "the line's amounts",
    alter: (made) => void (at(made["account.tax"]![0])["amount"] = 5)
  },
  {
    what: "prices on the other basis",
    witness: "the line's amounts",
    alter: (made) => {
      for (const tax of made["account.tax"]!) tax["price_include"] = tax["price_include"] === false
    }
  },
  { what: "a tax left out", witness: "the line's tax", alter: (made) => void made["account.tax"]!.shift() },
  {
    what: "a line left out",
    witness: "the document's list of lines",
    alter: (made) => void made["account.move.line"]!.shift()
  },
  {
    what: "a line in the list of nobody",
    witness: "the document's amounts",
    alter: (made) => void (move(made)["invoice_line_ids"] as Array<number>).shift()
  },
  {
    what: "a line of another document",
    witness: "the document's list",
    alter: (made) => void (line(made)["move_id"] = [7, "S-7"])
  },
  {
    what: "a line stated in two ways",
    witness: "the other statement",
    alter: (made) => void made["account.move.line"]!.push({ ...line(made), name: "Other" })
  },
  {
    what: "a draft that was paid",
    witness: "its payment_state",
    alter: (made) => void Object.assign(move(made), { state: "draft", payment_state: "paid" })
  },
  {
    what: "a draft beside it, undated",
    witness: "the other statement",
    alter: (made) => moveBeside(made, { state: "draft" })
  },
  {
    what: "a cancelled one beside it, earlier",
    witness: "the later statement",
    alter: (made) => moveBeside(made, { state: "cancel", write_date: "2026-09-01 08:00:00" })
  },
  {
    what: "another date beside it",
    witness: "the other statement",
    alter: (made) => moveBeside(made, { invoice_date: "2026-10-02" })
  },
  {
    what: "a date that is none",
    witness: "the calendar",
    alter: (made) => void (move(made)["invoice_date"] = "2026-02-30")
  },
  {
    what: "a partner left out",
    witness: "the document's partner",
    alter: (made) => void (made["res.partner"] = [{ id: 9, name: "Nobody", vat: false }])
  },
  {
    what: "another name in the document",
    witness: "the partner",
    alter: (made) => void (at(move(made), "partner_id")[1] = "Somebody else")
  },
  {
    what: "a partner stated in two ways",
    witness: "the other statement",
    alter: (made) =>
      void made["res.partner"]!.push({
        id: at(move(made), "partner_id")[0],
        name: at(move(made), "partner_id")[1],
        vat: "220088812"
      })
  },
  { what: "another description", witness: undefined, alter: (made) => void (line(made)["name"] = "Other") },
  { what: "another date", witness: undefined, alter: (made) => void (move(made)["invoice_date"] = "2026-10-02") }
]

// ERPNext

const shared = 15

/**
 * Makes the ERPNext records. Taxes are rounded once per tax row: all lines of a document have the
 * same tax.
 */
const erpnextOf = (sale: Sale, inclusive: boolean): Records => {
  const amounts = sale.lines.map(netOf)
  const total = sum(amounts)
  const nets = inclusive ? amounts.map((amount) => Math.floor((amount * 200 + 115) / 230)) : amounts
  const net = sum(nets)
  const tax = inclusive ? total - net : Math.floor((net * shared + 50) / 100)
  return {
    data: [
      {
        doctype: "Sales Invoice",
        name: sale.number,
        docstatus: 1,
        status: "Unpaid",
        is_return: 0,
        customer: `C-${sale.customer}`,
        customer_name: `Customer ${sale.customer}`,
        posting_date: sale.day,
        currency: "USD",
        modified: "2026-10-01 08:00:00",
        total: money(total),
        net_total: money(net),
        total_taxes_and_charges: money(tax),
        grand_total: money(net + tax),
        items: sale.lines.map((line, i) => ({
          item_code: `A-${i + 1}`,
          item_name: line.name,
          qty: line.quantity,
          rate: money(line.cents),
          amount: money(amounts[i]!),
          net_amount: money(nets[i]!)
        })),
        taxes: [
          {
            charge_type: "On Net Total",
            account_head: "15%",
            rate: shared,
            included_in_print_rate: inclusive ? 1 : 0,
            tax_amount: money(tax),
            tax_amount_after_discount_amount: money(tax)
          }
        ]
      }
    ]
  }
}

const record = (made: Records) => made["data"]![0]!
const recordBeside = (made: Records, changes: Json) => void made["data"]!.push({ ...record(made), ...changes })

const erpnext: ReadonlyArray<Change> = [
  { what: "another total", witness: "net and taxes", alter: (made) => more(record(made), "grand_total", 111) },
  { what: "another net amount", witness: "items and total", alter: (made) => more(record(made), "net_total", 100) },
  { what: "another sum of the items", witness: "the items", alter: (made) => more(record(made), "total", 100) },
  {
    what: "another sum of taxes",
    witness: "the rows of taxes",
    alter: (made) => more(record(made), "total_taxes_and_charges", 100)
  },
  {
    what: "another tax of a row",
    witness: "net and total",
    alter: (made) => {
      more(at(record(made), "taxes", 0), "tax_amount", 500)
      more(at(record(made), "taxes", 0), "tax_amount_after_discount_amount", 500)
    }
  },
  {
    what: "another percent of a row",
    witness: "its amount",
    alter: (made) => void (at(record(made), "taxes", 0)["rate"] = 5)
  },
  {
    what: "another amount of an item",
    witness: "the sum of the items",
    alter: (made) => more(at(record(made), "items", 0), "amount", 300)
  },
  {
    what: "another net amount of an item",
    witness: "the net amount of the document",
    alter: (made) => more(at(record(made), "items", 0), "net_amount", 300)
  },
  {
    what: "another rate",
    witness: "the amount of the item",
    alter: (made) => more(at(record(made), "items", 0), "rate", 300)
  },
  {
    what: "another quantity",
    witness: "the amount of the item",
    alter: (made) => more(at(record(made), "items", 0), "qty", 100)
  },
  {
    what: "an item left out",
    witness: "the sum of the items",
    alter: (made) => void (record(made)["items"] as Array<Json>).shift()
  },
  {
    what: "an item twice",
    witness: "the sum of the items",
    alter: (made) => void (record(made)["items"] as Array<Json>).unshift(at(record(made), "items", 0))
  },
  { what: "a row of taxes left out", witness: "net and total", alter: (made) => void (record(made)["taxes"] = []) },
  {
    what: "prices on the other basis",
    witness: "net and total",
    alter: (made) => {
      const row = at(record(made), "taxes", 0)
      row["included_in_print_rate"] = row["included_in_print_rate"] === 1 ? 0 : 1
    }
  },
  {
    what: "a discount that the total has not",
    witness: "net and total",
    alter: (made) => void Object.assign(record(made), { discount_amount: 1, apply_discount_on: "Net Total" })
  },
  {
    what: "cancelled, by its status",
    witness: "docstatus",
    alter: (made) => void (record(made)["status"] = "Cancelled")
  },
  {
    what: "an original of an invoice",
    witness: "its kind",
    alter: (made) => void (record(made)["return_against"] = "S-1")
  },
  {
    what: "a draft beside it, undated",
    witness: "the other statement",
    alter: (made) => recordBeside(made, { docstatus: 0 })
  },
  {
    what: "a cancelled one beside it, earlier",
    witness: "the later statement",
    alter: (made) => recordBeside(made, { docstatus: 2, modified: "2026-09-01 08:00:00" })
  },
  {
    what: "another date beside it",
    witness: "the other statement",
    alter: (made) => recordBeside(made, { posting_date: "2026-10-02" })
  },
  {
    what: "a date that is none",
    witness: "the calendar",
    alter: (made) => void (record(made)["posting_date"] = "2026-02-30")
  },
  {
    what: "another description",
    witness: undefined,
    alter: (made) => void (at(record(made), "items", 0)["item_name"] = "Other")
  },
  { what: "another date", witness: undefined, alter: (made) => void (record(made)["posting_date"] = "2026-10-02") }
]

const systems = {
  "quickbooks-like": {
    changes: quickBooks,
    recordsOf: quickBooksOf,
    idOf: ({ id }: Sale) => `Invoice-${id}`,
    written: (records: Records) => ({ QueryResponse: records })
  },
  "odoo-like": { changes: odoo, recordsOf: odooOf, idOf: ({ id }: Sale) => id, written: (records: Records) => records },
  "erpnext-like": {
    changes: erpnext,
    recordsOf: erpnextOf,
    idOf: ({ number }: Sale) => number,
    written: (records: Records) => records
  }
}

export type System = keyof typeof systems

/** Returns altered documents, with the changes in turn; the same seed makes the same documents. */
export const alterations = (system: System, seed: number, count: number): ReadonlyArray<JoinedAlteration> => {
  const { changes, idOf, recordsOf, written } = systems[system]
  const random = Random.make(seed)
  const made: Array<JoinedAlteration> = []
  const files = (records: Records) => [{ name: "export.json", text: JSON.stringify(written(records)) }]
  for (let n = 0; made.length < count; n++) {
    const [sale, inclusive] = [saleOf(random, n), random.chance(0.5)]
    const change = changes[n % changes.length]!
    const altered = structuredClone(recordsOf(sale, inclusive))
    if (change.alter(altered) === "not here") continue
    const { what, witness } = change
    const original = files(recordsOf(sale, inclusive))
    made.push({ what, witness, id: idOf(sale), original, altered: files(altered) })
  }
  return made
}
