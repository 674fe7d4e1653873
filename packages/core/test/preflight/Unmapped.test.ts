import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Money from "../../src/document/Money.ts"
import * as BatchDocument from "../../src/import/BatchDocument.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as BookAddition from "../../src/preflight/BookAddition.ts"
import type { DeviceTax } from "../../src/preflight/DeviceFacts.ts"
import * as Unmapped from "../../src/preflight/Unmapped.ts"
import type { SourceDocument, SourceTax } from "../../src/source/SourceDocument.ts"
import { bookWith, invoice, money } from "../import/SampleSources.ts"

const tax = (
  id: number,
  percent: string | null,
  since: string | null = null,
  until: string | null = null
): DeviceTax => ({
  id,
  name: `Tax ${id}`,
  percent: percent === null ? null : Option.getOrThrow(Money.parse(percent)),
  since: since === null ? null : CivilDate.CivilDate.make(since),
  until: until === null ? null : CivilDate.CivilDate.make(until)
})

/** Taxes: a rate that changed, a constant rate, zero and exempt. */
const taxes = [
  tax(1, "15", null, "2025-12-31"),
  tax(515, "15.50", "2026-01-01"),
  tax(5, "5"),
  tax(2, "0"),
  tax(3, null)
]
const device = { taxes, currencies: new Set(["USD", "ZAR", "EUR"]) }

const taxed = (number: string, date: string, stated: SourceTax, fields: Partial<SourceDocument> = {}) => {
  const plain = invoice(number, date, fields)
  return { ...plain, lines: [...plain.lines, ...plain.lines].map((line) => ({ ...line, taxes: [stated] })) }
}

const book = bookWith()

/** Returns the missing mappings of a batch. */
const lacking = (...documents: ReadonlyArray<SourceDocument>) => {
  const unmapped = Unmapped.make()
  for (const document of documents) {
    const { findings } = BatchDocument.examine(document, { account: "main", book, originals: new Map() })
    unmapped.add(document.number, findings)
  }
  return unmapped
}

const suggested = (...documents: ReadonlyArray<SourceDocument>) =>
  lacking(...documents).codes.flatMap((code) =>
    BookAddition.of(code, book, device).map(({ list, text }) => `${list} ${text}`)
  )

describe("a spelling of a batch that is missing from the book", () => {
  it("is listed once, with the number of documents, the first three numbers and the days", () => {
    const { beyond, codes } = lacking(
      ...["1", "2", "3", "4"].map((number) => taxed(number, `2025-06-0${number}`, { code: "Luxury" })),
      taxed("5", "2025-06-30", { code: "Standard" }, { currency: "GBP", paymentMethod: "gold" }),
      invoice("6", "2025-06-30")
    )
    assert.deepStrictEqual(codes, [
      {
        what: "tax",
        spelling: "Luxury",
        documents: 4,
        examples: ["1", "2", "3"],
        percents: [],
        since: "2025-06-01",
        until: "2025-06-04"
      },
      ...(["currency", "payment method"] as const).map((what) => ({
        what,
        spelling: what === "currency" ? "GBP" : "gold",
        documents: 1,
        examples: ["5"],
        percents: [],
        since: undefined,
        until: undefined
      }))
    ])
    assert.strictEqual(beyond, "none")
  })

  it("may be a tax that the book knows at another time", () => {
    const ended = Effect.runSync(
      BookFile.load(
        "ended.book.json",
        JSON.stringify({
          version: 1,
          zone: "+02:00",
          taxes: [{ from: ["Standard"], until: "2025-12-31", code: "VAT15", device: 1, percent: "15" }],
          currencies: [{ code: "USD", device: "USD" }]
        })
      )
    )
    const unmapped = Unmapped.make()
    const { findings } = BatchDocument.examine(invoice("1", "2026-02-01"), {
      account: "main",
      book: ended,
      originals: new Map()
    })
    unmapped.add("1", findings)
    const [code] = unmapped.codes
    assert.strictEqual(code?.spelling, "Standard")
    assert.deepStrictEqual(
      BookAddition.of(code!, ended, device).map(({ text }) => text),
      ['{ "from": ["Standard"], "since": "", "until": "", "code": "", "device": "", "percent": "" }']
    )
  })

  it("is listed among at most two hundred spellings; with more, the column does not contain taxes", () => {
    const { beyond, codes } = lacking(
      ...Array.from({ length: 201 }, (_, i) => taxed(String(i), "2025-06-01", { code: `Text ${i}` }))
    )
    assert.strictEqual(codes.length, 200)
    assert.strictEqual(beyond, "some")
  })
})

describe("the possible device taxes of a spelling", () => {
  const candidates = (...documents: ReadonlyArray<SourceDocument>) =>
    Unmapped.candidates(lacking(...documents).codes[0]!, taxes).map(({ id }) => id)

  it("are the taxes valid on its days", () => {
    assert.deepStrictEqual(candidates(taxed("1", "2025-12-31", { code: "Luxury" })), [1, 5, 2, 3])
    assert.deepStrictEqual(candidates(taxed("1", "2026-01-01", { code: "Luxury" })), [515, 5, 2, 3])
  })

  it("have the percents that the export states, where 0 may be exempt", () => {
    const percent = (text: string) => ({ code: "Luxury", percent: money(text) })
    assert.deepStrictEqual(candidates(taxed("1", "2026-01-01", percent("15.5"))), [515])
    assert.deepStrictEqual(candidates(taxed("1", "2026-01-01", percent("0.00"))), [2, 3])
    assert.deepStrictEqual(
      candidates(taxed("1", "2025-12-31", percent("15")), taxed("2", "2026-01-01", percent("15.5"))),
      [1, 515]
    )
    assert.deepStrictEqual(candidates(taxed("1", "2026-01-01", percent("20"))), [])
  })
})

describe("the suggested entry for the book", () => {
  const at = (number: string, date: string, percent: string) =>
    taxed(number, date, { code: "Luxury", percent: money(percent) })

  it("is incomplete if the export states no percent", () => {
    assert.deepStrictEqual(suggested(taxed("1", "2026-01-01", { code: "Luxury" })), [
      'taxes { "from": ["Luxury"], "code": "Luxury", "device": "", "percent": "" }'
    ])
  })

  it("has the device's tax of the stated percent, with its days", () => {
    assert.deepStrictEqual(suggested(at("1", "2026-01-01", "5")), [
      'taxes { "from": ["Luxury"], "code": "Luxury", "name": "Tax 5", "device": 5, "percent": "5" }'
    ])
  })

  it("adds the spelling to existing entries of this tax, period by period", () => {
    assert.deepStrictEqual(suggested(at("1", "2025-12-31", "15"), at("2", "2026-01-01", "15.5")), [
      'taxes "Luxury" into "from" of the entry VAT15',
      'taxes "Luxury" into "from" of the entry VAT155'
    ])
  })

  it("does not choose between 0 % and exempt, nor among taxes of one day", () => {
    assert.deepStrictEqual(suggested(at("1", "2026-01-01", "0")), [
      'taxes { "from": ["Luxury"], "code": "Luxury", "device": "", "percent": "" }'
    ])
    assert.deepStrictEqual(suggested(at("1", "2026-01-01", "5"), at("2", "2026-01-01", "15.5")), [
      'taxes { "from": ["Luxury"], "code": "", "device": "", "percent": "" }'
    ])
  })

  it("has a currency that the device supports, and a payment method by its own name", () => {
    const other = (fields: Partial<SourceDocument>) => suggested(invoice("1", "2026-01-01", fields))
    assert.deepStrictEqual(other({ currency: "EUR" }), [
      'currencies { "from": ["EUR"], "code": "EUR", "device": "EUR" }'
    ])
    assert.deepStrictEqual(other({ currency: "GBP" }), ['currencies { "from": ["GBP"], "code": "GBP", "device": "" }'])
    assert.deepStrictEqual(other({ currency: "€" }), ['currencies { "from": ["€"], "code": "", "device": "" }'])
    assert.deepStrictEqual(other({ currency: "usd" }), ['currencies "usd" into "from" of the entry USD'])
    assert.deepStrictEqual(other({ paymentMethod: "mobile wallet" }), [
      'payments { "from": ["mobile wallet"], "method": "MobileWallet" }'
    ])
    assert.deepStrictEqual(other({ paymentMethod: "gold" }), ['payments { "from": ["gold"], "method": "" }'])
  })
})
