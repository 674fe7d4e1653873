import { assert, describe, it } from "../It.ts"
import { Effect, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as Money from "../../src/document/Money.ts"
import * as BookExplanation from "../../src/mapping/BookExplanation.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as BookPull from "../../src/mapping/BookPull.ts"
import { currency, deviceTax, gateway, mapping } from "./Mappings.ts"

const text = `{
  "version": 1, // the only version
  "zone": "+02:00",
  "taxes": [
    // the rate of old
    { "from": ["Standard"], "until": "2025-12-31", "code": "VAT15", "device": 1, "percent": "15" },
    { "from": ["Standard"], "since": "2026-01-01", "code": "VAT155", "device": 515, "percent": "15.5" }, // since January
    // { "code": "OFF", "device": 9, "percent": null },
  ],
  "currencies": [{ "from": ["US$"], "code": "USD", "device": "USD" }],
  "payments": [{ "from": ["card"], "method": "Card" }],
}
`

describe("explaining a spelling", () => {
  it.effect("states the meaning on the day and at other times", function* () {
    const book = yield* BookFile.load("x.book.json", text)
    const day = Option.getOrThrow(CivilDate.parse("2026-01-01"))
    const standard = BookExplanation.explain(book, "Standard", day)
    assert.deepStrictEqual(
      standard.taxes.map(({ applies, code }) => `${code} ${applies}`),
      ["VAT15 no", "VAT155 yes"]
    )
    assert.strictEqual(BookExplanation.explain(book, "US$", undefined).currency?.code, "USD")
    assert.strictEqual(BookExplanation.explain(book, "card", undefined).payment, "Card")
  })

  it.effect("suggests spellings of the book that differ only in case or white space, without using them", function* () {
    const book = yield* BookFile.load("x.book.json", text)
    const explanation = BookExplanation.explain(book, "stan dard", undefined)
    assert.isFalse(BookExplanation.isKnown(explanation))
    assert.deepStrictEqual(explanation.near, ["Standard"])
  })
})

describe("pulling a book from the gateway", () => {
  const pulledFrom = gateway({
    taxes: [mapping(1, "VAT15", 1, "VAT 15 %"), mapping(2, "ZERO", 2), mapping(3, "LOST", 77)],
    currencies: [currency(4, "USD", "USD"), currency(5, "RAND", "ZAR")],
    deviceTaxes: [deviceTax(1, "15", null, "2025-12-31"), deviceTax(2, "0"), deviceTax(3, null)]
  })

  it.effect("drafts a book that loads after its zone is set, and invents nothing", function* () {
    const pulled = BookPull.entries(pulledFrom, undefined)
    const book = yield* BookFile.load("x.book.json", BookPull.draft(pulled, "+02:00"))
    assert.deepStrictEqual(
      book.taxes.map(({ code, device, name, percent, until }) => [
        code,
        name,
        device,
        percent && Money.formatPlain(percent),
        until
      ]),
      [
        ["VAT15", "VAT 15 %", 1, "15", "2025-12-31"],
        ["ZERO", "ZERO", 2, "0", undefined]
      ]
    )
    assert.deepStrictEqual(
      book.currencies.map(({ code, device }) => `${code} ${device}`),
      ["USD USD", "RAND ZAR"]
    )
    const unfinished = yield* Effect.flip(BookFile.load("x.book.json", BookPull.draft(pulled, undefined)))
    assert.deepStrictEqual(
      unfinished.findings.map(({ path }) => path.join(".")),
      ["zone"]
    )
    assert.deepStrictEqual(
      pulled.comments.map((comment) => comment.split(";")[0]!.split(":")[0]),
      ["tax code LOST is mapped to device tax 77", "not mapped yet"]
    )
  })

  it.effect("adds missing entries to a book, and leaves all comments and entries in place", function* () {
    const before = yield* BookFile.load("x.book.json", text)
    const added = BookPull.addTo(text, BookPull.entries(pulledFrom, before))
    const book = yield* BookFile.load("x.book.json", added)
    assert.deepStrictEqual(
      book.taxes.map(({ code }) => code as string),
      ["VAT15", "VAT155", "ZERO"]
    )
    assert.deepStrictEqual(
      book.currencies.map(({ code }) => code as string),
      ["USD", "RAND"]
    )
    for (const line of text.split("\n").filter((line) => line.includes("//") || line.includes("payments"))) {
      assert.include(added, line)
    }
    const again = BookPull.entries(pulledFrom, book)
    assert.deepStrictEqual([again.taxes, again.currencies], [[], []])
  })

  it.effect("adds to empty lists, lists with a trailing comma, and missing lists", function* () {
    const pulled = { ...BookPull.entries(pulledFrom, undefined), comments: [] }
    for (const lists of [
      `"taxes": [], "currencies": []`,
      `"taxes": [/* none, yet */], "currencies": [ ]`,
      `"taxes": [{ "code": "A", "device": 8, "percent": null },], "currencies": [{ "code": "B", "device": "B" } /* , */]`,
      `"times": "spread"`
    ]) {
      const book = yield* BookFile.load(
        "x.book.json",
        BookPull.addTo(`\uFEFF{ "version": 1, "zone": "+02:00", ${lists} }`, pulled)
      )
      assert.includeMembers(
        book.taxes.map(({ code }) => code as string),
        ["VAT15", "ZERO"]
      )
      assert.includeMembers(
        book.currencies.map(({ code }) => code as string),
        ["USD", "RAND"]
      )
    }
  })
})
