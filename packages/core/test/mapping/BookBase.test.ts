import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { productCodeOf } from "../../src/mapping/MappingBook.ts"

const base = `{
  "version": 1, "zone": "+02:00", "times": "stated",
  "taxes": [{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" }],
  "currencies": [{ "code": "USD", "device": "USD" }],
  "defaults": { "productCode": "99990000", "cashBuyer": "Cash {name}" }
}`

const over = (own: string, shared = base) =>
  BookFile.load("own.book.json", own, (name) => Effect.succeed({ file: name, text: shared }))

const places = (effect: ReturnType<typeof over>) =>
  Effect.map(Effect.flip(effect), ({ findings }) =>
    findings.map(({ at, code }) => `${code} ${at?.file}:${at?.line}:${at?.column}`)
  )

describe("a book with a shared base", () => {
  it.effect("has its own entries in addition to the base's, and its own settings before the base's", function* () {
    const book = yield* over(`{ "version": 1, "extends": "base.book.json", "late": "restamp",
        "taxes": [{ "from": ["Exempt"], "code": "EXEMPT", "device": 3, "percent": null }],
        "defaults": { "cashBuyer": null, "payment": "Card" } }`)
    assert.deepStrictEqual(
      book.taxes.map(({ code }) => code as string),
      ["EXEMPT", "VAT15"]
    )
    assert.deepStrictEqual(
      [book.times, book.late, book.currencies.length, book.defaults.payment, book.defaults.productCode],
      ["stated", "restamp", 1, "Card", "99990000"]
    )
    assert.isNull(book.defaults.cashBuyer)
  })

  it.effect("reports each problem at its place in the file with the problem", function* () {
    const own = `{ "version": 1, "extends": "base.book.json",
  "rounding": "up",
  "taxes": [{ "code": "A", "device": "one", "percent": null }] }`
    const shared = base.replace('"percent": "15"', '"percent": "much"')
    assert.deepStrictEqual(yield* places(over(own, shared)), [
      "BOOK_SHAPE own.book.json:2:15",
      "BOOK_SHAPE own.book.json:3:38",
      "BOOK_SHAPE base.book.json:3:78"
    ])
  })

  it.effect("cannot give another meaning to a spelling or a code of the base", function* () {
    const own = `{ "version": 1, "extends": "base.book.json",
  "taxes": [{ "from": ["Standard"], "code": "VAT5", "device": 5, "percent": "5" },
            { "code": "VAT15", "device": 9, "percent": "15" }] }`
    assert.deepStrictEqual(yield* places(over(own)), [
      "BOOK_SPELLING_AMBIGUOUS base.book.json:3:13",
      "BOOK_CODE_REUSED base.book.json:3:45"
    ])
  })

  it.effect(
    "is not loaded without its base, with a base that extends another, or with a base that is not a book",
    function* () {
      const own = `{ "version": 1, "extends": "base.book.json" }`
      const detail = (effect: ReturnType<typeof over>) =>
        Effect.map(Effect.flip(effect), ({ findings }) => findings.map(({ code, detail }) => `${code}: ${detail}`))
      assert.deepStrictEqual(yield* detail(BookFile.load("own.book.json", own)), [
        "BOOK_BASE: this book was loaded from text alone, without its base"
      ])
      assert.deepStrictEqual(yield* detail(over(own, `{ "version": 1, "extends": "own.book.json" }`)), [
        "BOOK_BASE: base.book.json extends another book itself"
      ])
      assert.deepStrictEqual(yield* detail(over(own, "[]")), ["BOOK_BASE: base.book.json is not a mapping book"])
      assert.deepStrictEqual(yield* places(over(own, "{")), ["BOOK_SYNTAX base.book.json:1:2"])
    }
  )
})

describe("the product codes of a book", () => {
  const load = (productCodes: string) =>
    BookFile.load("x.book.json", base.replace('"version": 1,', `"version": 1, "productCodes": ${productCodes},`))

  it.effect("map the source's code to the HS code, or the description if there is no code", function* () {
    const book = yield* load(
      `[{ "from": ["SKU-1"], "productCode": "72142000" }, { "descriptions": ["Freight"], "productCode": "99010000" }]`
    )
    assert.deepStrictEqual(
      [
        { productCode: "SKU-1" },
        { productCode: "12345678", description: "Freight" },
        { description: " Freight " },
        { productCode: " ", description: "freight" },
        {}
      ].map((line) => productCodeOf(book, line)),
      ["72142000", "12345678", "99010000", "99990000", "99990000"]
    )
  })

  it.effect("must be HS codes, and a spelling must not have two of them", function* () {
    const problems = yield* Effect.flip(
      load(`[{ "from": ["A"], "productCode": "72142000" }, { "from": ["A"], "productCode": "99010000" },
               { "descriptions": ["A"], "productCode": "123" }]`)
    )
    assert.deepStrictEqual(
      problems.findings.map(({ code, path }) => `${code} ${path.join(".")}`),
      ["BOOK_SPELLING_AMBIGUOUS productCodes.1", "BOOK_SHAPE productCodes.2.productCode"]
    )
  })
})

describe("the relaxed rules of a book", () => {
  it.effect("must be relaxable, and need a reason in words", function* () {
    const load = (relaxed: string) =>
      BookFile.load("x.book.json", base.replace('"version": 1,', `"version": 1, "relaxed": ${relaxed},`))
    const book = yield* load(`[{ "rule": "RCPT033", "because": "agreed with the authority on 2026-02-01" }]`)
    assert.strictEqual(book.relaxed[0]?.rule, "RCPT033")
    const error = yield* Effect.flip(
      load(`[{ "rule": "RCPT019", "because": "agreed with the authority" }, { "rule": "RCPT033", "because": "ok" }]`)
    )
    assert.deepStrictEqual(
      error.findings.map(({ path }) => path.join(".")),
      ["relaxed.0.rule", "relaxed.1.because"]
    )
  })
})
