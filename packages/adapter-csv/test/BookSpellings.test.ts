/**
 * Proves that a text of the mapping book is plain text: no character in it is syntax for a reader
 * of exports.
 */
import { formatPlain } from "../../core/src/document/Money.ts"
import { refuses } from "../../core/src/finding/Finding.ts"
import * as BookFile from "../../core/src/mapping/BookFile.ts"
import { translate } from "../../core/src/translate/translate.ts"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Effect, Schema } from "effect"
import { under } from "../src/CsvAdapter.ts"
import * as CurrencySign from "../src/values/CurrencySign.ts"
import * as NumberForm from "../src/values/NumberForm.ts"
import { read } from "./Sample.ts"
import { seeded } from "../../core/test/Property.ts"

const currencies = [
  "€",
  "£",
  "₹",
  "US-Dollar",
  "Rand's",
  "R$",
  "Rs.",
  "Kč",
  "zł",
  "د.إ",
  "US Dollar",
  "e\u0301",
  "𠮷",
  "💰"
]
/** Syntax of patterns, of replacements and of JSON, and names of members that every object has. */
const syntax = [
  ..."^$\\.*+?()[]{}|/-&%_#~`!<>,;:=@\"'",
  "$&",
  "$1",
  "\\p{L}",
  "(?<!",
  "[a",
  "{name}",
  "constructor",
  "toString",
  "hasOwnProperty",
  "__proto__"
]
const known = [...currencies, ...syntax]

const int = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const part = Arbitrary.map(
  Arbitrary.all({ dice: int(0, 2), index: int(0, known.length - 1), point: int(0x21, 0x10_ffff) }),
  ({ dice, index, point }) => {
    if (dice === 0) return known[index]!
    const letter = dice === 1 ? point : 0x21 + (point % 0x500)
    return letter >= 0xd8_00 && letter < 0xe0_00 ? "ß" : String.fromCodePoint(letter)
  }
)

/** One to four parts, trimmed as the book requires. */
const text = Arbitrary.map(
  Arbitrary.array(part, { minLength: 1, maxLength: 4 }),
  (parts) => parts.join("").trim() || "€"
)

const bookWith = (fields: object) =>
  BookFile.load("test.book.json", JSON.stringify({ version: 1, zone: "+02:00", taxes: [], currencies: [], ...fields }))

const signsOf = (...from: ReadonlyArray<string>) => NumberForm.signsOf([{ from, code: "USD" }])

const numberOf = (cell: string, signs: NumberForm.MoneySigns) => {
  const value = NumberForm.read(cell, "point", signs)
  return BigDecimal.isBigDecimal(value) ? formatPlain(value) : undefined
}

describe("a currency spelling of the mapping book next to a number", () => {
  for (const spelling of currencies) {
    it(`${spelling} is read before and after the number`, () => {
      const signs = signsOf(spelling)
      for (const cell of [`${spelling} 12.50`, `12.50 ${spelling}`]) {
        assert.strictEqual(numberOf(cell, signs), "12.5", cell)
        assert.strictEqual(signs.codeOf(NumberForm.moneySign(cell, signs) ?? ""), "USD", cell)
      }
      assert.strictEqual(numberOf(`-${spelling} 12.50`, signs), "-12.5")
      assert.strictEqual(numberOf(`(${spelling}12.50)`, signs), "-12.5")
    })
  }

  it("matches whole words only, and the longest spelling wins", () => {
    const signs = NumberForm.signsOf([
      { from: ["US"], code: "USD" },
      { from: ["US Dollar"], code: "USD" },
      { from: ["Bs"], code: "BOB" }
    ])
    assert.strictEqual(NumberForm.moneySign("US Dollar 5", signs), "US Dollar")
    assert.strictEqual(numberOf("Bsx 5", signs), undefined)
    assert.strictEqual(numberOf("5 xBs", signs), undefined)
    assert.strictEqual(numberOf("5 Bs.", signs), "5")
    assert.strictEqual(NumberForm.moneySign("US$ 5", signs), "US$")
  })

  it("never takes a digit or a minus sign of the number", () => {
    assert.notStrictEqual(numberOf("F100", signsOf("F1")), "0")
    assert.notStrictEqual(numberOf("1002F", signsOf("2F")), "100")
    assert.notStrictEqual(numberOf("-F 5", signsOf("-F")), "5")
    assert.notStrictEqual(numberOf("5 F-", signsOf("F-")), "5")
    assert.notStrictEqual(numberOf("(F 5", signsOf("(F")), "5")
  })

  it.prop(
    "never throws and never changes the number",
    { from: Arbitrary.array(text, { minLength: 1, maxLength: 3 }), cents: int(0, 9_999_999), negative: int(0, 1) },
    ({ cents, from, negative }) => {
      const figures = `${negative === 1 ? "-" : ""}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`
      const expected = formatPlain(BigDecimal.fromStringUnsafe(figures))
      const signs = NumberForm.signsOf([{ from, code: "EUR" }])
      for (const spelling of from) {
        for (const cell of [figures, `${spelling} ${figures}`, `${figures} ${spelling}`, `${spelling}${figures}`]) {
          const value = numberOf(cell, signs)
          if (cell === figures) assert.strictEqual(value, expected)
          else if (value !== undefined && !/[\d.,'’+()\u2212-]/u.test(spelling))
            assert.strictEqual(value, expected, cell)
          const sign = NumberForm.moneySign(cell, signs)
          if (sign !== undefined) CurrencySign.contradicts(sign, "USD", signs.codeOf)
        }
      }
      return true
    },
    seeded({ runs: 2000 })
  )

  it("may be the name of a property that every JavaScript object has", () => {
    for (const name of ["constructor", "toString", "__proto__", "valueOf"]) {
      assert.isFalse(CurrencySign.contradicts(name, "USD", signsOf("Zim").codeOf), name)
      assert.isBoolean(
        CurrencySign.contradicts("$", name, () => undefined),
        name
      )
    }
  })
})

/** Returns a quoted cell with any text. */
const cell = (text: string) => `"${text.replaceAll('"', () => '""')}"`

/**
 * Returns true if the text has no invisible or control characters and does not look like a
 * spreadsheet formula.
 */
const isOrdinary = (text: string) =>
  !/[\p{C}\p{Default_Ignorable_Code_Point}\p{Z}\ufffd]/u.test(text) && !/^[='+@-]/.test(text)

describe("a mapping book with arbitrary spellings", () => {
  it.effect.prop(
    "translates documents that use these spellings",
    {
      currency: text,
      tax: text,
      payment: text,
      product: text,
      described: text,
      account: text,
      buyer: text,
      filled: text
    },
    ({ account, buyer, currency, described, filled, payment, product, tax }) =>
      Effect.gen(function* () {
        const book = yield* bookWith({
          taxes: [
            { from: [tax], code: "VAT15", device: 1, percent: "15" },
            { from: [""], accounts: [account], products: [product], code: "VAT5", device: 2, percent: "5" }
          ],
          currencies: [{ from: [currency], code: "USD", device: "USD" }],
          payments: [{ from: [payment], method: "Card" }],
          productCodes: [{ from: [product], descriptions: [described], productCode: "12345678" }],
          defaults: { creditReason: filled, cashBuyer: `Cash {name} ${filled}` },
          address: { province: filled, street: filled, houseNo: filled, city: filled }
        })
        const header =
          "InvoiceNumber,InvoiceDate,Currency,CustomerName,City,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,PaymentMethod,AmountsAre"
        const row = (number: string, product: string, description: string) =>
          `${number},2026-01-05,${cell(currency)},${cell(buyer)},Harare,${cell(description)},2,5.00,${cell(`10.00 ${currency}`)},${cell(tax)},${cell(product)},${cell(payment)},exclusive`
        const options = under({ settings: { encoding: "utf-8", quotes: "doubled" } }, book)
        const { documents } = yield* read(
          [header, row("1", product, "Pen"), row("2", "", described), ""].join("\n"),
          options
        )
        assert.strictEqual(documents.length, 2)
        for (const document of documents) {
          const { findings, translated } = translate(document, book)
          const all = [currency, tax, payment, product, described, buyer, filled]
          const isMoney = NumberForm.read(`10.00 ${currency}`, "point", NumberForm.signsOf(book.currencies))
          if (!all.every(isOrdinary) || !BigDecimal.isBigDecimal(isMoney)) continue
          assert.deepStrictEqual(
            findings.filter(refuses).map(({ code, detail, message }) => [code, message, detail]),
            []
          )
          const { payload } = translated!.document
          assert.strictEqual(payload.currencyCode, "USD")
          assert.strictEqual(payload.paymentMethod, "Card")
          assert.deepStrictEqual(
            payload.lineItems.map(({ productCode, taxCode }) => [productCode, taxCode]),
            [["12345678", "VAT15"]]
          )
          assert.strictEqual(payload.buyerContact?.name, `Cash ${buyer} ${filled.replaceAll("{name}", buyer)}`)
        }
      }),
    seeded({ runs: 300 })
  )
})
