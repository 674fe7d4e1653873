/**
 * Series of numbers as firms make them: few are asked about, and no document of an export that was
 * saved again in other spellings is sent without a question.
 */
import { acceptPlan } from "../../packages/core/src/session/Acceptance.ts"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { formatAmount } from "../../packages/core/src/document/Money.ts"
import type { ImportEntry } from "../../packages/core/src/import/ImportEntry.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { invoice, memory, money, plan, planned } from "../../packages/core/test/import/SampleSources.ts"
import * as NumberFold from "../../packages/core/src/document/NumberFold.ts"
import * as SameSale from "../../packages/core/src/submission/ledger/SameSale.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"

const { count, extent, seed } = given("identity")

/** Number of series of a firm. */
const series = 20

const prefixes = "INV SI R A FT BILL 2 Z-N NC shop POS W. K/A ÜB no EXP T1 BR-2 web".split(" ")

/** Returns the numbers of a series; some begin again each January, with the year in the number. */
const numbersOf = (nth: number, size: number, random: Random.Random): ReadonlyArray<string> => {
  const prefix = prefixes[nth] ?? ""
  const mark = random.pick(["-", "/", " ", ".", ""])
  const digits = random.pick([1, 4, 6])
  const year = random.pick(["none", "before", "after", "short"])
  const perYear = Math.ceil(size / 5)
  return Array.from({ length: size }, (_, at) => {
    const of = 2020 + Math.floor(at / perYear)
    const number = String(year === "none" ? at + 1 : (at % perYear) + 1).padStart(digits, "0")
    const named = prefix === "" ? number : `${prefix}${mark}${number}`
    if (year === "none") return named
    if (year === "after") return `${named}/${of}`
    const shown = year === "short" ? of - 2000 : of
    return prefix === "" ? `${shown}/${number}` : `${prefix}${mark || "-"}${shown}${mark || "-"}${number}`
  })
}

const price = (unitPrice: string): Partial<SourceDocument> => ({
  lines: [{ ...invoice("x", "2026-01-01").lines[0]!, unitPrice: money(unitPrice) }]
})

const dayOf = (at: number, size: number): string =>
  new Date(Date.parse("2025-03-01T00:00:00Z") + Math.floor((at * 360) / size) * 86_400_000).toISOString().slice(0, 10)

/**
 * Returns the invoices of a series: of a till without buyers and with five prices, or of customers
 * who pay the same every month.
 */
const invoicesOf = (nth: number, size: number, random: Random.Random): ReadonlyArray<SourceDocument> => {
  const isTill = random.chance(0.5)
  return numbersOf(nth, size, random).map((number, at) =>
    invoice(number, dayOf(at, size), {
      ...price(isTill ? random.pick(["1", "2", "5", "9.99", "10"]) : String(20 + (at % 40))),
      ...(!isTill && { buyer: { name: `Customer ${at % 40}`, tin: String(2_000_000_000 + (at % 40)) } })
    })
  )
}

/** Ways in which a spreadsheet or a program writes a number again. */
const respelled: ReadonlyArray<(number: string) => string> = [
  (number) => number.replaceAll(/(?<!\d)0+(?=\d)/g, ""),
  (number) => number.replaceAll(/\d+/g, (digits) => digits.padStart(8, "0")),
  (number) => number.toLowerCase(),
  (number) => number.toUpperCase(),
  (number) => number.replaceAll("-", "–"),
  (number) => number.replaceAll(/[-/. ]/g, " "),
  (number) => number.replaceAll(/[-/. ]/g, "/"),
  (number) => number.replaceAll(/[-/ ]/g, "--"),
  (number) => number.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)),
  (number) => ` ${number.replaceAll(/(?<=\p{L})(?=\d)/gu, " ")}`.trim()
]

const isAsked = (entry: ImportEntry): boolean => entry._tag === "Planned" && entry.planned.heldCause === "duplicate"

/** Returns the facts by which a document of an equal fold is compared. */
const saleOf = ({ buyer, date, lines, number }: SourceDocument): SameSale.Sale => ({
  kind: "invoice",
  number,
  day: date as SameSale.Sale["day"],
  currency: "USD",
  total: formatAmount(lines[0]!.unitPrice!),
  buyer: buyer?.name === undefined ? { _tag: "WalkIn" } : { _tag: "Named", name: buyer.name }
})

describe("numbers of a firm", () => {
  it.effect(`of ${series} series with ${count} invoices each raise at most one question in 100 000 documents`, () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-31T12:00:00Z"))
      const random = Random.make(seed)
      const asked: Array<string> = []
      const folds = new Map<string, Array<SameSale.Sale>>()
      for (let nth = 0; nth < series; nth++) {
        const invoices = invoicesOf(nth, count, random)
        const { entries } = yield* planned(invoices)
        assert.lengthOf(
          entries.filter(({ _tag }) => _tag === "Planned"),
          count
        )
        const own = new Set(entries.filter(isAsked).map(({ source }) => source.number))
        for (const sale of invoices.map(saleOf)) {
          const folded = NumberFold.of(sale.number)
          const others = folds.get(folded) ?? []
          // the plan compares within the series, and this across all
          if (own.has(sale.number) || others.some((other) => SameSale.differs(sale, other) !== null))
            asked.push(sale.number)
          folds.set(folded, [...others, sale])
        }
      }
      console.log(`${asked.length} questions about ${series * count} documents`)
      assert.isAtMost(asked.length, Math.floor((series * count) / 100_000), asked.slice(0, 20).join(", "))
    }).pipe(Effect.provide(memory))
  )

  it.effect("written again in another spelling are not sent again without a question", function* () {
    yield* TestClock.setTime(Date.parse("2026-03-31T12:00:00Z"))
    const exports = extent === "full" ? 1000 : Math.min(20, count)
    let [known, asked] = [0, 0]
    const sent: Array<string> = []
    for (let nth = 0; nth < exports; nth++) {
      const random = Random.make(seed + nth)
      const of = invoicesOf(nth % series, 12, random)
      const first = yield* Effect.gen(function* () {
        yield* acceptPlan(yield* plan(of))
        const spell = respelled[nth % respelled.length]!
        return yield* planned(of.map((one) => ({ ...one, id: spell(one.id), number: spell(one.number) })))
      }).pipe(Effect.provide(memory), Effect.scoped)
      for (const entry of first.entries) {
        const { number } = entry.source
        const isSame = of.some((one) => one.number === number)
        if (isSame) known++
        else if (isAsked(entry)) asked++
        else if (entry._tag !== "Planned") assert.fail(`${number} is ${entry._tag}`)
        else sent.push(`seed ${seed + nth}: ${number}`)
      }
    }
    console.log(`${exports} exports: ${known} numbers as before, ${asked} asked, ${sent.length} sent again`)
    assert.deepStrictEqual(sent.slice(0, 20), [])
  })
})
