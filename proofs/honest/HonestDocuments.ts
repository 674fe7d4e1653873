/** Generates documents as a product writes them, with the customer's charges in whole cents. */
import { type StatedDocument, type StatedLine, type TaxName, taxPercents } from "../csv/ExportFormats.ts"
import type { Random } from "../Random.ts"

/** `line`: each line's tax is rounded. `document`: the tax of each rate is rounded once. */
export type Rounds = "line" | "document"

export interface HonestDocument extends StatedDocument {
  /**
   * Total if the tax of each rate is rounded once: sent if the export states neither totals nor
   * taxes and the book rounds this way.
   */
  readonly grouped: number
}

const percents = taxPercents

/** Rounds a positive fraction half-up. */
const rounded = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator))

const amountOf = (quantity: number, price: number, discount: number): number =>
  rounded(BigInt(quantity) * BigInt(price) * BigInt(1000 - discount * 10), 1000n)

const taxOn = (amount: number, tax: TaxName): number => rounded(BigInt(amount) * BigInt(percents[tax]), 100n)

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((a, b) => a + b, 0)

const texts = ["Pen", "Cable 5 m", "Paper, A4", "Tray", "Desk mat", "Solar lamp", "Kettle", "Rope 10 m"]
/** Maximum number of lines of a document. */
const mostLines = 5

const itemName = (text: string, i: number): string => `${text} ${i + 1}`

/**
 * All possible item names of lines. Layouts with item names state them as item codes, which only
 * the mapping book can settle.
 */
export const itemNames: ReadonlyArray<string> = texts.flatMap((text) =>
  Array.from({ length: mostLines }, (_, i) => itemName(text, i))
)

const buyers = ["Ada Ltd", "Moyo & Sons", "Baobab Traders", "Nyika Foods", "Kestrel Tools"]

export interface Style {
  readonly rounds: Rounds
  /** Discounts of the lines. */
  readonly discounts: "none" | "percent"
  readonly taxes: "of lines" | "of documents"
  readonly statuses: ReadonlyArray<string>
}

export const documentOf = (
  nth: number,
  { discounts, rounds, statuses, taxes }: Style,
  random: Random
): HonestDocument => {
  const shared = random.pick(["VAT 15%", "VAT 15%", "Zero rated"] as const)
  const lines = random.times(1, mostLines, (i): StatedLine => {
    const tax = taxes === "of documents" ? shared : random.pick(["VAT 15%", "VAT 15%", "Zero rated"] as const)
    const [quantity, price] = [random.between(1, 12), random.between(5, 90_000)]
    const discount = discounts === "percent" && random.chance(0.3) ? random.pick([5, 10, 12.5]) : 0
    const amount = amountOf(quantity, price, discount)
    const text = itemName(random.pick(texts), i)
    return { text, quantity, price, discount, tax, amount, taxAmount: taxOn(amount, tax) }
  })
  const net = sum(lines.map(({ amount }) => amount))
  const groupTax = sum(
    (Object.keys(percents) as Array<TaxName>).map((name) =>
      taxOn(sum(lines.filter((line) => line.tax === name).map(({ amount }) => amount)), name)
    )
  )
  const tax = rounds === "line" ? sum(lines.map(({ taxAmount }) => taxAmount)) : groupTax
  const [month, day] = [random.between(1, 9), random.between(1, 28)].map((part) => String(part).padStart(2, "0"))
  return {
    number: `INV-${10_000 + nth}`,
    date: `2026-${month}-${day}`,
    due: `2026-${String(Number(month) + 1).padStart(2, "0")}-${day}`,
    buyer: random.pick(buyers),
    status: random.pick(statuses),
    lines,
    net,
    tax,
    total: net + tax,
    grouped: net + groupTax
  }
}
