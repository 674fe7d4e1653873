/** Tables of honest firms with the relation of their columns, made without the profile's lists. */
import * as Money from "../../src/document/Money.ts"
import { Option } from "effect"
import type { Random } from "../../../../proofs/Random.ts"

export interface Made {
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly texts: ReadonlyArray<ReadonlyArray<string>>
  readonly documents: ReadonlyArray<string>
  /** Names of columns that no relation uses. */
  readonly unrelated: ReadonlySet<string>
  readonly rates: "one" | "several"
}

/** Whole hundredths as text. */
const cents = (amount: number): string => (amount / 100).toFixed(2)
const half = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount) + 1e-9)

/** Makes the rows of documents: prices, discounts, taxes, totals, and unrelated numbers. */
export const made = (random: Random): Made => {
  const rates = random.pick([[15], [15.5, 0], [20, 10, 0], [7.5], [16, 0], [21, 9]])
  const discounts = random.pick(["none", "none", "percent", "amount"] as const)
  const places = random.pick([2, 2, 2, 3, 4])
  const states = {
    amount: random.chance(0.85),
    tax: random.chance(0.6),
    gross: random.chance(0.5),
    percent: random.chance(0.6),
    total: random.chance(0.7),
    net: random.chance(0.4),
    totalTax: random.chance(0.3)
  }
  const rows: Array<Record<string, string>> = []
  const documents: Array<string> = []
  const codes: Array<string> = []
  const weightOf = () => String(random.between(1, 5000) / 100)
  const count = random.between(2, 40)
  for (let document = 0; document < count; document++) {
    const lines: Array<Record<string, string>> = []
    let [net, tax] = [0, 0]
    const discount = discounts !== "none" && random.chance(0.5)
    for (let i = random.between(1, 5); i > 0; i--) {
      const quantity = random.chance(0.7) ? random.between(1, 20) : random.between(1, 400) / 4
      const price = Number(
        (random.between(50, 200_00) / 100 + (places > 2 ? random.between(0, 99) / 10_000 : 0)).toFixed(places)
      )
      const rate = random.pick(rates)
      const gross = half(quantity * price * 100)
      const percent = discount ? random.pick([5, 10, 12.5, 25]) : 0
      const off =
        discounts === "percent"
          ? half((gross * percent) / 100)
          : discounts === "amount" && discount
            ? half((gross * random.between(1, 30)) / 100)
            : 0
      const amount = discounts === "percent" ? half(quantity * price * 100 * (1 - percent / 100)) : gross - off
      const due = half((amount * rate) / 100)
      net += amount
      tax += due
      documents.push(`D-${document}`)
      codes.push(`code ${rates.indexOf(rate)}`)
      lines.push({
        quantity: String(quantity),
        price: price.toFixed(places),
        ...(discounts === "percent" && { discountPercent: String(percent) }),
        ...(discounts === "amount" && { discount: cents(off) }),
        ...(states.amount && { amount: cents(amount) }),
        ...(states.percent && { percent: String(rate) }),
        ...(states.tax && { tax: cents(due) }),
        ...(states.gross && { gross: cents(amount + due) }),
        weight: weightOf(),
        stock: String(random.between(0, 300))
      })
    }
    for (const line of lines)
      rows.push({
        ...line,
        ...(states.net && { net: cents(net) }),
        ...(states.totalTax && { totalTax: cents(tax) }),
        ...(states.total && { total: cents(net + tax) }),
        limit: cents(100_00 * ((document * 7) % 13))
      })
  }
  const names = Object.keys(rows[0]!).toSorted(() => random.next() - 0.5)
  return {
    names,
    rows: rows.map((row) => names.map((name) => row[name]!)),
    texts: [codes],
    documents,
    unrelated: new Set(["weight", "stock", "limit"]),
    rates: new Set(codes).size === 1 ? "one" : "several"
  }
}

export const figuresOf = ({ names, rows }: Pick<Made, "names" | "rows">) =>
  names.map((_, column) => rows.map((row) => Option.getOrUndefined(Money.parse(row[column]!))))

/** Changes one cell of a table by a usual mistake. */
export const planted = (
  table: Made,
  random: Random
): { readonly table: Made; readonly row: number; readonly name: string } => {
  const names = table.names.filter((name) => !table.unrelated.has(name))
  const name = random.pick(names)
  const row = random.between(0, table.rows.length - 1)
  const column = table.names.indexOf(name)
  const before = table.rows[row]![column]!
  const value = Number(before)
  const scale = before.split(".")[1]?.length ?? 0
  const after = random.pick([value * 10, value * 1.1, value * 0.9, value + 1, value + 10]).toFixed(Math.max(scale, 0))
  const changed = Number(after) === value ? String(value + 7) : after
  return {
    table: { ...table, rows: table.rows.map((cells, at) => (at === row ? cells.with(column, changed) : cells)) },
    row,
    name
  }
}
