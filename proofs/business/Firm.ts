/**
 * A firm with customers, prices, taxes, invoices and credit notes, generated from a seed. It knows
 * the charge of each document to the cent, by separate decimals.
 *
 * `firm(seed, traits)` returns the documents with their truth, and `written(firm, layout, seed)` of
 * Layouts.ts the bytes of a file or of a source's state. A proof adds layouts, not generators.
 */
import * as Random from "../Random.ts"
import * as Decimal from "./Decimal.ts"
import { type Language, languages, words } from "./Languages.ts"

/** Tax of the firm; `name` is the spelling in its documents. */
export interface Tax {
  readonly name: string
  readonly percent: 15 | 5 | 0
}

export interface Customer {
  readonly id: string
  readonly name: string
  readonly taxId: string
}

/** Line or shipping charge. `amount`: after the discount, on the basis of the firm's prices. */
export interface Line {
  readonly text: string
  readonly quantity: Decimal.Decimal
  readonly price: Decimal.Decimal
  /** Percent; zero without a discount. */
  readonly discount: Decimal.Decimal
  readonly tax: Tax
  readonly amount: Decimal.Decimal
  readonly net: Decimal.Decimal
  readonly taxAmount: Decimal.Decimal
  readonly gross: Decimal.Decimal
}

/** Invoice or credit note, with the sums that the customer was charged. */
export interface Sale {
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
  /** Day, such as 2026-01-31. */
  readonly date: string
  readonly due: string
  readonly buyer: Customer
  readonly currency: string
  readonly prices: Traits["prices"]
  readonly lines: ReadonlyArray<Line>
  /** Shipping charge; a further line in layouts without such a field. */
  readonly shipping: Line | null
  /** Invoice that a credit note credits. */
  readonly credits: { readonly id: string; readonly number: string } | null
  readonly reason: string | null
  readonly net: Decimal.Decimal
  readonly tax: Decimal.Decimal
  readonly total: Decimal.Decimal
  /** Total if the tax of each rate is rounded once, whatever the firm rounds. */
  readonly grouped: Decimal.Decimal
}

/** Habits of a firm. A layout may state only some: see `traits` of the layouts. */
export interface Traits {
  readonly language: Language
  /** Basis of the prices: without tax, or with tax. */
  readonly prices: "net" | "gross"
  /** `line`: each line's tax is rounded. `document`: the tax of each rate is rounded once. */
  readonly rounds: "line" | "document"
  readonly discounts: "none" | "percent"
  /** `two`: 15 and 0 percent. `three`: also 5 percent. */
  readonly rates: "two" | "three"
  /** `of documents`: lines of a document have the same tax. `of items`: lines of an item have. */
  readonly taxes: "of lines" | "of documents" | "of items"
  readonly shipping: "none" | "some"
  readonly quantities: "whole" | "broken"
  readonly notes: "none" | "some"
  /** Numbers of invoices. */
  readonly documents: readonly [from: number, to: number]
  readonly lines: readonly [from: number, to: number]
  readonly currency: string
}

export interface Firm {
  readonly traits: Traits
  readonly taxes: ReadonlyArray<Tax>
  readonly customers: ReadonlyArray<Customer>
  /** Invoices by date of issue in the file's order; a credit note comes after its invoice. */
  readonly documents: ReadonlyArray<Sale>
}

const percentOf = ({ percent }: Tax) => Decimal.of(percent)
const hundred = Decimal.of(100)

/** Returns the exact tax of an amount on the given basis, rounded to cents. */
const taxOn = (amount: Decimal.Decimal, tax: Tax, prices: Traits["prices"]): Decimal.Decimal =>
  Decimal.over(
    Decimal.times(amount, percentOf(tax)),
    prices === "net" ? hundred : Decimal.plus(hundred, percentOf(tax)),
    2
  )

/** Calculates the amounts of a line. */
export const lineOf = (
  { discount, price, quantity, tax, text }: Pick<Line, "text" | "quantity" | "price" | "discount" | "tax">,
  prices: Traits["prices"]
): Line => {
  const whole = Decimal.times(quantity, price)
  const amount = Decimal.over(Decimal.times(whole, Decimal.minus(hundred, discount)), hundred, 2)
  const taxAmount = taxOn(amount, tax, prices)
  const net = prices === "net" ? amount : Decimal.minus(amount, taxAmount)
  return { text, quantity, price, discount, tax, amount, net, taxAmount, gross: Decimal.plus(net, taxAmount) }
}

/** Calculates the sums of a document's lines. */
export const sumsOf = (
  lines: ReadonlyArray<Line>,
  { prices, rounds }: Pick<Traits, "prices" | "rounds">
): Pick<Sale, "net" | "tax" | "total" | "grouped"> => {
  const amount = Decimal.sum(lines.map(({ amount }) => amount))
  const groups = Map.groupBy(lines, ({ tax }) => tax.percent)
  const grouped = Decimal.sum(
    Array.from(groups.values(), (group) => taxOn(Decimal.sum(group.map(({ amount }) => amount)), group[0]!.tax, prices))
  )
  const tax = rounds === "line" ? Decimal.sum(lines.map(({ taxAmount }) => taxAmount)) : grouped
  return prices === "net"
    ? { net: amount, tax, total: Decimal.plus(amount, tax), grouped: Decimal.plus(amount, grouped) }
    : { net: Decimal.minus(amount, tax), tax, total: amount, grouped: amount }
}

/** Returns the lines of a document with its shipping charge. */
export const linesOf = ({ lines, shipping }: Pick<Sale, "lines" | "shipping">): ReadonlyArray<Line> =>
  shipping === null ? lines : [...lines, shipping]

const traitsFrom = (random: Random.Random): Traits => ({
  language: random.pick(languages),
  prices: random.pick(["net", "net", "gross"]),
  rounds: random.pick(["line", "document"]),
  discounts: random.pick(["none", "percent"]),
  rates: random.pick(["two", "three"]),
  taxes: random.pick(["of lines", "of documents"]),
  shipping: random.pick(["none", "none", "some"]),
  quantities: random.pick(["whole", "whole", "broken"]),
  notes: random.pick(["none", "some"]),
  documents: random.chance(0.25) ? [1, 5] : [6, 30],
  lines: random.pick([
    [1, 1],
    [1, 5],
    [2, 5]
  ]),
  currency: "USD"
})

const twoDigits = (part: number): string => String(part).padStart(2, "0")

const draftLine = (
  nth: number,
  shared: Tax,
  taxes: ReadonlyArray<Tax>,
  traits: Traits,
  random: Random.Random
): Line => {
  const item = random.pick(words[traits.language].items)
  return lineOf(
    {
      text: `${item} ${nth + 1}`,
      quantity:
        traits.quantities === "broken" && random.chance(0.4)
          ? Decimal.of(random.between(1, 40) * 25, 2)
          : Decimal.of(random.between(1, 12)),
      price: Decimal.of(random.between(5, 90_000), 2),
      discount:
        traits.discounts === "percent" && random.chance(0.3)
          ? Decimal.of(random.pick([50, 100, 125]), 1)
          : Decimal.zero,
      tax:
        traits.taxes === "of documents"
          ? shared
          : traits.taxes === "of items"
            ? taxes[(words[traits.language].items.indexOf(item) + nth) % taxes.length]!
            : random.pick(taxes)
    },
    traits.prices
  )
}

/** Returns a credit note for all of the invoice, or for one unit of some of its lines. */
const noteOf = (invoice: Sale, nth: number, traits: Traits, random: Random.Random): Sale => {
  const isWhole = random.chance(0.4)
  const some = invoice.lines.filter(() => random.chance(0.6))
  const lines = isWhole
    ? invoice.lines
    : (some.length === 0 ? invoice.lines.slice(0, 1) : some).map((line) =>
        lineOf({ ...line, quantity: line.quantity.places === 0 ? Decimal.of(1) : line.quantity }, traits.prices)
      )
  const shipping = isWhole ? invoice.shipping : null
  const note = { ...invoice, lines, shipping }
  return {
    ...note,
    ...sumsOf(linesOf(note), traits),
    kind: "credit-note",
    id: `note-${nth + 1}`,
    number: `CN-${500 + nth}`,
    date: `${invoice.date.slice(0, 8)}28`,
    credits: { id: invoice.id, number: invoice.number },
    reason: words[traits.language].returned
  }
}

/** Returns a document with other lines, and with their sums. */
export const withLines = (sale: Sale, lines: ReadonlyArray<Line>, rounds: Traits["rounds"]): Sale => ({
  ...sale,
  lines,
  ...sumsOf(linesOf({ ...sale, lines }), { ...sale, rounds })
})

/** Generates the firm of a seed. `given`: traits that are not drawn. */
export const firm = (seed: number, given: Partial<Traits> = {}): Firm => {
  const random = Random.make(seed)
  const traits = { ...traitsFrom(random), ...given }
  const { buyers, shipping, taxes: names } = words[traits.language]
  const [standard, reduced, free] = names.map((name, nth): Tax => ({ name, percent: ([15, 5, 0] as const)[nth]! })) as [
    Tax,
    Tax,
    Tax
  ]
  const taxes = traits.rates === "two" ? [standard, standard, free] : [standard, standard, reduced, free]
  const customers = buyers.map((name, nth) => ({ id: `C-${nth + 1}`, name, taxId: String(2_000_000_000 + nth) }))
  const documents = random
    .times(...traits.documents, (nth): ReadonlyArray<Sale> => {
      const shared = random.pick(taxes)
      const lines = random.times(...traits.lines, (line) => draftLine(line, shared, taxes, traits, random))
      const [month, day] = [random.between(1, 9), random.between(1, 28)]
      const price = Decimal.of(random.between(100, 2500), 2)
      // a charge has the tax of all lines, and the usual one beside lines with several
      const tax = new Set(lines.map(({ tax }) => tax)).size === 1 ? lines[0]!.tax : standard
      const charge = { text: shipping, quantity: Decimal.of(1), price, discount: Decimal.zero, tax }
      const isShipped = traits.shipping === "some" && random.chance(0.5)
      const own = { lines, shipping: isShipped ? lineOf(charge, traits.prices) : null }
      const invoice: Sale = {
        kind: "invoice",
        id: `invoice-${nth + 1}`,
        number: `INV-${10_000 + nth}`,
        date: `2026-${twoDigits(month)}-${twoDigits(day)}`,
        due: `2026-${twoDigits(month + 1)}-${twoDigits(day)}`,
        buyer: random.pick(customers),
        currency: traits.currency,
        prices: traits.prices,
        ...own,
        credits: null,
        reason: null,
        ...sumsOf(linesOf(own), traits)
      }
      const isCredited = traits.notes === "some" && random.chance(0.2)
      return isCredited ? [invoice, noteOf(invoice, nth, traits, random)] : [invoice]
    })
    .flat()
  return { traits, taxes: [...new Set(taxes)], customers, documents }
}

/**
 * Returns all possible item texts of the firm's language. A layout with item names states them as
 * item codes, which only the mapping book can settle.
 */
export const itemTexts = (language: Language): ReadonlyArray<string> =>
  words[language].items.flatMap((text) => Array.from({ length: 5 }, (_, nth) => `${text} ${nth + 1}`))
