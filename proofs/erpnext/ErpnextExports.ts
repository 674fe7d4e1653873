/**
 * Generates exports of ERPNext with ERPNext's own arithmetic: amounts in hundred-millionths, in the
 * order of ERPNext's calculation (formats: line amounts, net amounts, the tax of each row rounded
 * once, the discount on the document, everything again). An independent witness: nothing is shared
 * with the adapter.
 */
import { make, type Random } from "../Random.ts"

/** Hundred-millionths of the currency. */
type Units = bigint
const cent = 1_000_000n
const ofCents = (cents: number): Units => BigInt(cents) * cent

/** Rounding method of a site; `legacy` rounds a tie up to the greater number. */
export type Method = "legacy" | "commercial" | "bankers"

const floorTo = (amount: Units): Units => {
  const rest = ((amount % cent) + cent) % cent
  return amount - rest
}

const round = (amount: Units, method: Method): Units => {
  const below = floorTo(amount)
  const twice = (amount - below) * 2n
  if (twice !== cent) return twice > cent ? below + cent : below
  const isUp =
    method === "legacy" ? true : method === "commercial" ? amount >= 0n : (((below / cent) % 2n) + 2n) % 2n === 1n
  return isUp ? below + cent : below
}

const divided = (of: bigint, by: bigint): bigint => {
  const sign = of < 0n !== by < 0n ? -1n : 1n
  const [a, b] = [of < 0n ? -of : of, by < 0n ? -by : by]
  return (sign * (2n * a + b)) / (2n * b)
}

const sum = (amounts: ReadonlyArray<Units>): Units => amounts.reduce((a, b) => a + b, 0n)
const numberOf = (amount: Units): number => Number(amount / 10_000n) / 10_000

/** Expected content of the adapter's documents and of the plan. */
export interface Truth {
  readonly name: string
  readonly kind: "invoice" | "credit-note"
  readonly total: string
  readonly currency: string
  readonly buyer: string
  readonly day: string
  readonly lines: number
  readonly original: string | undefined
}

export interface Export {
  readonly text: string
  readonly sent: ReadonlyArray<Truth>
  /** Names of documents that are not sales. */
  readonly skipped: ReadonlyArray<string>
}

interface Line {
  readonly code: string
  readonly quantity: number
  /** Rate in cents. */
  readonly rate: number
  readonly template: Template
}

interface Template {
  readonly name: string
  /** Rate in tenths of a percent; undefined if the row's own rate applies. */
  readonly rate: number | undefined
}

const standard: Template = { name: "", rate: undefined }
const templates: ReadonlyArray<Template> = [
  standard,
  standard,
  { name: "Std - EX", rate: 155 },
  { name: "Low - EX", rate: 50 },
  { name: "Zero - EX", rate: 0 }
]
const standardRate = 150
const buyers = ["Kestrel Tools", "Heron & Söhne", "Moyo & Sons"]
const head = "VAT - EX"

interface Plan {
  readonly lines: ReadonlyArray<Line>
  readonly prices: "include" | "exclude"
  readonly version: "old" | "new"
  readonly method: Method
  readonly shipping: { readonly cents: number; readonly tax: "own row" | "with the lines" | "none" } | undefined
  readonly discount: { readonly on: "Grand Total" | "Net Total"; readonly permille: number } | undefined
}

interface Row {
  readonly charge_type: string
  readonly row_id: string | null
  readonly account_head: string
  readonly rate: number
  readonly included: 0 | 1
  readonly before: Units
  readonly after: Units
}

/** Calculates a document's figures as ERPNext does. */
const calculated = ({ discount, lines, method, prices, shipping, version }: Plan) => {
  const rates = lines.map(({ template }) => BigInt(template.rate ?? standardRate))
  const amounts = lines.map(({ quantity, rate }) => ofCents(rate * quantity))
  const unrounded = amounts.map((amount, i) =>
    prices === "include" ? divided(amount * 1000n, 1000n + rates[i]!) : amount
  )
  const fixed = shipping === undefined ? 0n : ofCents(shipping.cents)
  const taxOn = (nets: ReadonlyArray<Units>) =>
    round(
      divided(
        sum(nets.map((net, i) => net * rates[i]!)) +
          (shipping?.tax === "with the lines" ? fixed * BigInt(standardRate) : 0n),
        1000n
      ),
      method
    )
  const ownTax = shipping?.tax === "own row" ? round(divided(fixed * BigInt(standardRate), 1000n), method) : 0n
  const total = sum(amounts)
  const first = unrounded.map((net) => round(net, method))
  const taxBefore = taxOn(prices === "include" && version === "new" ? unrounded : first)
  const added = sum(first) + taxBefore + fixed + ownTax
  const correct = (sum: Units, due: Units) => {
    const rest = due - sum
    return prices === "include" && (rest < 0n ? -rest : rest) <= 5n * cent ? due : sum
  }
  const grandBefore = correct(added, total + fixed + ownTax)
  if (discount === undefined)
    return { amounts, nets: first, taxBefore, tax: taxBefore, ownTax, fixed, total, grand: grandBefore, off: 0n }
  const base = discount.on === "Grand Total" ? grandBefore : sum(first)
  const off = round(divided(base * BigInt(discount.permille), 1000n), method)
  // Rows of a fixed amount, and rows based on them, do not take part in the discount.
  const spreadOver = discount.on === "Grand Total" ? grandBefore - fixed - ownTax : sum(first)
  const nets = first.map((net) => round(net - divided(off * net, spreadOver), method))
  const tax = taxOn(nets)
  const again = sum(nets) + tax + fixed + ownTax
  const grand = discount.on === "Grand Total" ? grandBefore - off : again
  return { amounts, nets, taxBefore, tax, ownTax, fixed, total, grand, off }
}

const rowsOf = (plan: Plan, figures: ReturnType<typeof calculated>): ReadonlyArray<Row> => {
  const { prices, shipping } = plan
  const included = prices === "include" ? 1 : 0
  const freight: Row = {
    charge_type: "Actual",
    row_id: null,
    account_head: "Freight - EX",
    rate: 0,
    included: 0,
    before: figures.fixed,
    after: figures.fixed
  }
  const vat = (charge_type: string, row_id: string | null): Row => ({
    charge_type,
    row_id,
    account_head: head,
    rate: standardRate / 10,
    included,
    before: figures.taxBefore,
    after: figures.tax
  })
  if (shipping === undefined) return [vat("On Net Total", null)]
  if (shipping.tax === "with the lines") return [freight, vat("On Previous Row Total", "1")]
  const own: Row = {
    ...freight,
    charge_type: "On Previous Row Amount",
    row_id: "1",
    account_head: head,
    rate: standardRate / 10,
    before: figures.ownTax,
    after: figures.ownTax
  }
  return shipping.tax === "own row" ? [freight, vat("On Net Total", null), own] : [freight, vat("On Net Total", null)]
}

const recordOf = (name: string, plan: Plan, more: Record<string, unknown>) => {
  const figures = calculated(plan)
  const rows = rowsOf(plan, figures)
  let running = sum(figures.nets)
  const record = {
    doctype: "Sales Invoice",
    name,
    docstatus: 1,
    is_return: 0,
    is_opening: "No",
    is_consolidated: 0,
    is_debit_note: 0,
    conversion_rate: 2,
    total: numberOf(figures.total),
    net_total: numberOf(sum(figures.nets)),
    total_taxes_and_charges: numberOf(sum(rows.map(({ after }) => after))),
    grand_total: numberOf(figures.grand),
    base_grand_total: numberOf(figures.grand * 2n),
    rounded_total: numberOf(
      round(figures.grand, "legacy") - (((figures.grand % (100n * cent)) + 100n * cent) % (100n * cent))
    ),
    apply_discount_on: plan.discount?.on ?? "Grand Total",
    discount_amount: numberOf(figures.off),
    items: plan.lines.map(({ code, quantity, rate, template }, i) => ({
      doctype: "Sales Invoice Item",
      item_code: code,
      item_name: `Item ${code}`,
      description: `<p>Item ${code}</p>`,
      qty: quantity,
      rate: rate / 100,
      amount: numberOf(figures.amounts[i]!),
      net_amount: numberOf(figures.nets[i]!),
      base_amount: numberOf(figures.amounts[i]! * 2n),
      item_tax_template: template.name || null,
      item_tax_rate: template.rate === undefined ? "{}" : JSON.stringify({ [head]: template.rate / 10 })
    })),
    taxes: rows.map((row) => {
      running += row.after
      return {
        doctype: "Sales Taxes and Charges",
        charge_type: row.charge_type,
        row_id: row.row_id,
        account_head: row.account_head,
        description: row.account_head,
        rate: row.rate,
        included_in_print_rate: row.included,
        tax_amount: numberOf(row.before),
        tax_amount_after_discount_amount: numberOf(row.after),
        total: numberOf(running)
      }
    }),
    ...more
  }
  return { record, figures }
}

const planOf = (random: Random, method: Method): Plan => {
  const prices = random.chance(0.45) ? "include" : "exclude"
  const isPlain = random.chance(0.5)
  const lines = random.times(1, 5, (i): Line => ({
    code: `A${i}`,
    quantity: random.between(1, 9),
    rate: random.between(random.chance(0.3) ? 5 : 300, 25_000),
    template: isPlain ? standard : random.pick(templates)
  }))
  const isAllStandard = lines.every(({ template }) => template === standard)
  const tax = random.pick(
    prices === "exclude" && isAllStandard
      ? (["own row", "with the lines", "none"] as const)
      : (["own row", "none"] as const)
  )
  const shipping = random.chance(0.25) ? { cents: random.between(100, 4000), tax } : undefined
  const worth = lines.reduce((total, { quantity, rate }) => total + quantity * rate, 0)
  // A discount that would make the lines negative is not given.
  const isSmall = shipping !== undefined && shipping.cents > worth
  const discount =
    random.chance(0.25) && shipping?.tax !== "with the lines" && !isSmall
      ? { on: random.pick(["Grand Total", "Net Total"] as const), permille: random.pick([50, 100, 125, 330]) }
      : undefined
  return { lines, prices, version: random.pick(["old", "new"]), method, shipping, discount }
}

/** Records other than sales, with the fields of each kind. */
const others: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ["draft", { docstatus: 0, status: "Draft" }],
  ["cancelled", { docstatus: 2, status: "Cancelled" }],
  ["opening", { is_opening: "Yes" }],
  ["consolidated", { is_consolidated: 1 }],
  ["internal", { status: "Internal Transfer", is_internal_customer: 1, represents_company: "Example Ltd" }],
  ["debit", { is_debit_note: 1 }]
]

const textOf = (amount: Units): string => {
  const size = (amount < 0n ? -amount : amount) / cent
  return `${size / 100n}.${String(size % 100n).padStart(2, "0")}`
}

/** Generates an export of several documents; returns follow the credited invoices. */
export const exportOf = (seed: number): Export => {
  const random = make(seed)
  const method = random.pick(["legacy", "legacy", "commercial", "bankers"] as const)
  const records: Array<Record<string, unknown>> = []
  const sent: Array<Truth> = []
  const skipped: Array<string> = []
  const count = random.between(2, 5)
  for (let i = 1; i <= count; i++) {
    const name = `ACC-SINV-2026-${String(seed).padStart(5, "0")}-${i}`
    const buyer = random.pick(buyers)
    const currency = random.pick(["USD", "USD", "EUR"])
    const day = `2026-03-${String(random.between(1, 28)).padStart(2, "0")}`
    const common = {
      status: random.pick(["Paid", "Unpaid", "Overdue", "Credit Note Issued", "Partly Paid and Discounted"]),
      customer: `C-${buyers.indexOf(buyer)}`,
      customer_name: buyer,
      company: "Example Ltd",
      currency,
      posting_date: day,
      posting_time: "10:15:00.000001"
    }
    const plan = planOf(random, method)
    if (random.chance(0.2)) {
      const [, fields] = random.pick(others)
      records.push(recordOf(name, plan, { ...common, ...fields }).record)
      skipped.push(name)
      continue
    }
    const { figures, record } = recordOf(
      name,
      plan,
      random.chance(0.1) ? { ...common, amended_from: `${name}-0` } : common
    )
    records.push(record)
    const truth: Truth = {
      name,
      kind: "invoice",
      total: textOf(figures.grand),
      currency,
      buyer,
      day,
      lines: plan.lines.length + (plan.shipping === undefined ? 0 : 1),
      original: undefined
    }
    sent.push(truth)
    if (!random.chance(0.35)) continue
    const back: Plan = {
      ...plan,
      shipping: undefined,
      discount: undefined,
      lines: plan.lines
        .filter((_, at) => at === 0 || random.chance(0.5))
        .map((line) => ({ ...line, quantity: -random.between(1, line.quantity) }))
    }
    const returned = recordOf(`${name}-RET`, back, { ...common, status: "Return", is_return: 1, return_against: name })
    records.push(returned.record)
    sent.push({
      ...truth,
      name: `${name}-RET`,
      kind: "credit-note",
      total: textOf(returned.figures.grand),
      lines: back.lines.length,
      original: name
    })
  }
  const shape = random.pick(["list", "answer", "lines"])
  const text =
    shape === "list"
      ? JSON.stringify(records)
      : shape === "answer"
        ? JSON.stringify({ data: records })
        : records.map((record) => JSON.stringify(record)).join("\n")
  return { text, sent, skipped }
}
