/** Documents with an equal fold that may be one sale: no question too few, few too many. */
import { assert, describe, it } from "@effect/vitest"
import * as NumberFold from "../../src/document/NumberFold.ts"
import * as SameSale from "../../src/submission/ledger/SameSale.ts"
import type { CivilDate } from "../../src/document/CivilDate.ts"

/** Returns a generator of numbers below a limit (mulberry32). */
const drawn = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Firms and exports. `FOLDS=whole pnpm test` looks at the whole. */
const [firms, exports] = process.env["FOLDS"] === "whole" ? [5, 1000] : [1, 100]
const seed = Number(process.env["PROPERTY_SEED"] ?? "1")
const pad = (n: number, places: number) => String(n).padStart(places, "0")

const sale = (fields: Partial<SameSale.Sale> = {}): SameSale.Sale => ({
  kind: "invoice",
  number: "5",
  day: "2026-02-03" as CivilDate,
  currency: "USD",
  total: "10.00",
  buyer: { _tag: "Named", name: "Ada Example" },
  ...fields
})

const walkIn = { _tag: "WalkIn" } as const
const other = { number: "00005" } as const

describe("two documents with an equal fold", () => {
  const cases: ReadonlyArray<
    readonly [string, Partial<SameSale.Sale>, Partial<SameSale.Sale>, SameSale.Differs | null]
  > = [
    ["that agree in all", other, {}, "nothing"],
    ["that agree in all, without buyers", { ...other, buyer: walkIn }, { buyer: walkIn }, "nothing"],
    ["of a forgotten buyer", { ...other, buyer: { _tag: "Unknown" } }, {}, "nothing"],
    ["of a buyer in another spelling", { ...other, buyer: { _tag: "Named", name: "ADA  EXAMPLE" } }, {}, "nothing"],
    ["with another total", { ...other, total: "11.00" }, {}, "total"],
    ["of another day", { ...other, day: "2026-02-04" as CivilDate }, {}, "day"],
    ["of another buyer", { ...other, buyer: { _tag: "Named", name: "Bo Example" } }, {}, "buyer"],
    ["with two differences", { ...other, total: "11.00", day: "2026-02-04" as CivilDate }, {}, null],
    ["with another total, without buyers", { ...other, total: "11.00", buyer: walkIn }, { buyer: walkIn }, null],
    ["in another currency", { ...other, currency: "ZAR" }, {}, null],
    ["of another kind", { ...other, kind: "credit-note" }, {}, null],
    ["with one number", {}, {}, null]
  ]
  it.each(cases)("%s", (_, one, two, expected) => {
    assert.strictEqual(SameSale.differs(sale(one), sale(two)), expected)
    assert.strictEqual(SameSale.differs(sale(two), sale(one)), expected)
  })
})

/** Number formats of series: the place of the year and of the count, and what separates the two. */
const formats: ReadonlyArray<(prefix: string, year: number, n: number) => string> = [
  (prefix, _, n) => `${prefix}-${pad(n, 5)}`,
  (prefix, _, n) => `${prefix}${n}`,
  (prefix, year, n) => `${prefix}/${year}/${pad(n, 4)}`,
  (prefix, year, n) => `${year}-${prefix}-${n}`,
  (prefix, year, n) => `${n}/${year}/${prefix}`,
  (prefix, year, n) => `${prefix}.${String(year).slice(2)}.${pad(n, 6)}`,
  (prefix, year, n) => `${prefix}${year}${pad(n, 4)}`
]
const withoutPrefix: typeof formats = [
  (_, __, n) => pad(n, 7),
  (_, year, n) => `${year}/${n}`,
  (_, year, n) => `${n}-${year}`
]

interface Written extends SameSale.Sale {
  readonly folded: string
}

/**
 * Returns a firm's documents: 20 series of 10 000 numbers with few prices. A series has no buyers,
 * or customers that repeat every month; it goes on for years, or restarts each January.
 */
const firm = (seed: number): ReadonlyArray<Written> => {
  const draw = drawn(seed)
  const documents: Array<Written> = []
  const prices = ["10.00", "12.50", "20.00", "99.99"]
  for (let series = 0; series < 20; series++) {
    const prefix = `${["S", "INV", "BR", "Till "][draw(4)]}${String.fromCodePoint(65 + series)}`
    // numbers are unique for a taxpayer, so at most one series is without a prefix
    const format = series === 0 ? withoutPrefix[draw(withoutPrefix.length)]! : formats[series % formats.length]!
    const perYear = draw(2) === 0 ? 10_000 : 2500
    const customers = draw(2) === 0 ? 0 : 40
    for (let n = 0; n < 10_000; n++) {
      const year = 2022 + Math.floor(n / perYear)
      const inYear = n % perYear
      const day = `${year}-${pad(1 + Math.floor((inYear * 12) / perYear), 2)}-${pad(1 + (inYear % 28), 2)}` as CivilDate
      const number = format(prefix, year, 1 + inYear)
      const buyer = customers === 0 ? walkIn : ({ _tag: "Named", name: `Customer ${inYear % customers}` } as const)
      const total = customers === 0 ? prices[draw(4)]! : prices[(inYear % customers) % 4]!
      documents.push({ kind: "invoice", number, folded: NumberFold.of(number), day, currency: "USD", total, buyer })
    }
  }
  return documents
}

/** Ways in which a program saves the numbers of an export again. */
const saved: ReadonlyArray<(number: string) => string> = [
  (number) => number.replace(/(^|\D)0+(?=\d)/g, "$1"),
  (number) => number.replace(/\d+/g, (digits) => digits.padStart(9, "0")),
  (number) => number.toLowerCase(),
  (number) => number.toUpperCase(),
  (number) => number.replaceAll(/[-/.]/g, "\u2013"),
  (number) => number.replaceAll(/[-/.]/g, " "),
  (number) => number.replaceAll(/[-/.]/g, "\u00a0-\u00a0"),
  (number) => number.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))
]

describe("the documents of a firm", () => {
  const documents = firm(seed)
  const byFold = Map.groupBy(documents, ({ folded }) => folded)

  it("ask at most 1 question per 100 000 documents, in 20 series of 10 000 numbers", () => {
    let [questions, all] = [0, 0]
    for (let n = 0; n < firms; n++) {
      const documents = firm(seed * firms + n)
      all += documents.length
      for (const alike of Map.groupBy(documents, ({ folded }) => folded).values())
        for (const [n, one] of alike.entries())
          if (alike.slice(0, n).some((earlier) => SameSale.differs(one, earlier) !== null)) questions++
    }
    assert.isAtMost((questions / all) * 100_000, 1, `${questions} of ${all}`)
  })

  it("are all asked about when their export is saved again", () => {
    const draw = drawn(seed + 1)
    let sentAgain = 0
    for (let n = 0; n < exports; n++) {
      const way = saved[draw(saved.length)]!
      for (let row = 0; row < 50; row++) {
        const known = documents[draw(documents.length)]!
        const number = way(known.number)
        const again = { ...known, number }
        const isAsked = (byFold.get(NumberFold.of(number)) ?? []).some(
          (one) => one.number === number || SameSale.differs(again, one) === "nothing"
        )
        if (!isAsked) sentAgain++
      }
    }
    assert.strictEqual(sentAgain, 0)
  })
})
