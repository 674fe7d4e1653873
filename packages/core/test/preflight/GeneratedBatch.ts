/**
 * Seeded batches of invoices and credit notes as sources state them, mostly correct, with
 * occasional mistakes of each kind.
 */
import { BigDecimal } from "effect"
import type { CivilDate } from "../../src/document/CivilDate.ts"
import type { Instant } from "../../src/document/Instant.ts"
import * as Money from "../../src/document/Money.ts"
import type { SourceBuyer, SourceDocument, SourceLine } from "../../src/source/SourceDocument.ts"

/** Returns a generator (mulberry32): the same seed, the same batches. */
export const randomness = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    int,
    chance: (share: number) => next() < share,
    one: <A>(of: ReadonlyArray<A>): A => of[int(0, of.length - 1)]!
  }
}
type Randomness = ReturnType<typeof randomness>

/**
 * Dates for the generator: a day, or an instant, a number of days before now; negative is the
 * future.
 */
export interface Calendar {
  day(daysAgo: number): CivilDate
  instant(daysAgo: number, second: number): Instant
}

const cents = (amount: number): Money.Money => BigDecimal.make(BigInt(amount), 2)

const buyers: ReadonlyArray<SourceBuyer | undefined> = [
  undefined,
  { name: "Baobab Hardware", tin: "2000000001" },
  { name: "Cash" },
  { name: "Café Zoë", tin: "2000000002", vatNumber: "220000002" }
]

const line = ({ chance, int, one }: Randomness, taxes: ReadonlyArray<string>): SourceLine => {
  const quantity = BigDecimal.make(BigInt(int(1, 4000)), int(0, 3))
  const unitAmount = BigDecimal.make(BigInt(int(1, 99_999)), int(0, 3))
  const product = Money.round(BigDecimal.multiply(quantity, unitAmount), 2)
  const discounted = chance(0.15) && BigDecimal.isGreaterThan(product, cents(100))
  return {
    description: one(["Steel bar", "Freight", "Book"]),
    quantity,
    unitPrice: chance(0.01) ? Money.zero : unitAmount,
    ...(discounted && { discount: chance(0.5) ? { percent: cents(int(100, 5000)) } : { amount: cents(int(1, 100)) } }),
    taxes: [{ code: one(taxes) }],
    ...(chance(0.985) && { productCode: chance(0.96) ? "72142000" : one(["7214", "721420", "7214200X"]) })
  }
}

/**
 * Draws taxes: mostly `Standard` at the rate of the day; `Frozen` is an old rate without an end in
 * the book, `Gone` a tax that the device lacks.
 */
const taxesOf = ({ chance }: Randomness): ReadonlyArray<string> =>
  chance(0.03)
    ? ["Frozen"]
    : chance(0.01)
      ? ["Gone"]
      : chance(0.01)
        ? ["Unheard"]
        : ["Standard", "Standard", "Zero", "Exempt"]

const document = (
  random: Randomness,
  kind: SourceDocument["kind"],
  number: string,
  order: number
): Omit<SourceDocument, "date"> => {
  const { chance, int, one } = random
  const taxes = taxesOf(random)
  const buyer = chance(0.02) ? one<SourceBuyer>([{ name: "Nameless" }, { tin: "2000000003" }]) : one(buyers)
  return {
    _tag: "SourceDocument",
    kind,
    id: `${kind}-${number}`,
    number,
    order,
    currency: chance(0.01) ? "BTC" : chance(0.005) ? "XXX" : one(["USD", "ZAR"]),
    taxMode: one(["inclusive", "exclusive"]),
    ...(buyer && { buyer }),
    lines: Array.from({ length: chance(0.01) ? 0 : int(1, 6) }, () => line(random, taxes)),
    charges: [],
    totals: chance(0.01) ? { total: cents(int(1, 999_999)) } : {},
    originals: [],
    ...(kind === "credit-note" && chance(0.97) && { reason: "Returned" }),
    findings: [],
    where: () => ({ file: "generated", line: order + 1 })
  }
}

/**
 * Draws a credit note for some lines of the invoice, dated some days later; sometimes for too much,
 * too late, in another tax or currency, or for nothing.
 */
const creditNote = (
  random: Randomness,
  invoice: SourceDocument,
  at: number,
  number: string,
  order: number,
  calendar: Calendar
): SourceDocument => {
  const { chance, int } = random
  const base = document(random, "credit-note", number, order)
  const kept = invoice.lines.filter(() => chance(0.6))
  const lines = kept.length > 0 ? kept : invoice.lines
  return {
    ...base,
    date: calendar.day(Math.max(at - int(0, chance(0.1) ? 500 : 40), 0)),
    currency: chance(0.97) ? (invoice.currency ?? "USD") : base.currency!,
    taxMode: invoice.taxMode,
    lines: chance(0.04) ? base.lines : chance(0.06) ? [...invoice.lines, ...invoice.lines] : lines,
    totals: {},
    originals: chance(0.02) ? [] : [{ by: "number", value: chance(0.02) ? `NONE-${number}` : invoice.number }]
  }
}

/**
 * Draws a batch. `span`: number of days ago of the documents. `earlier`: invoices that notes may
 * credit, and numbers that may be repeated.
 */
export const batch = (
  random: Randomness,
  size: number,
  prefix: string,
  span: { readonly from: number; readonly to: number },
  earlier: ReadonlyArray<{ readonly invoice: SourceDocument; readonly daysAgo: number }>,
  calendar: Calendar
): ReadonlyArray<{ readonly invoice: SourceDocument; readonly daysAgo: number }> => {
  const { chance, int, one } = random
  const made: Array<{ readonly invoice: SourceDocument; readonly daysAgo: number }> = []
  for (let i = 0; i < size; i++) {
    const credited = [...earlier, ...made].filter(({ invoice }) => invoice.kind === "invoice")
    const isRepeat = chance(0.03) && credited.length > 0
    const number = isRepeat ? one(credited).invoice.number : `${prefix}-${i}`
    if (credited.length > 0 && chance(0.3)) {
      const original = one(credited)
      const latest = Math.min(original.daysAgo, span.from)
      const note = creditNote(random, original.invoice, latest, number, i, calendar)
      made.push({ invoice: { ...note, id: `credit-note-${prefix}-${i}` }, daysAgo: 0 })
      continue
    }
    const daysAgo = chance(0.005) ? -int(1, 9) : int(span.to, span.from)
    const date = chance(0.2) && daysAgo > 0 ? calendar.instant(daysAgo, int(0, 86_399)) : calendar.day(daysAgo)
    made.push({ invoice: { ...document(random, "invoice", number, i), id: `invoice-${prefix}-${i}`, date }, daysAgo })
  }
  return made
}
