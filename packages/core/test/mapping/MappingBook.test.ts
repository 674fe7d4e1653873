import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as CivilDate from "../../src/document/CivilDate.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { currencyOf, paymentOf, taxesOf, taxOn } from "../../src/mapping/MappingBook.ts"

const day = (text: string) => Option.getOrThrow(CivilDate.parse(text))

const book = Effect.runSync(
  BookFile.load(
    "x.book.json",
    `{ "version": 1, "zone": "+02:00",
       "taxes": [
         { "from": ["Standard", "15%"], "until": "2025-12-31", "code": "VAT15", "device": 1, "percent": "15" },
         { "from": ["Standard"], "since": "2026-01-01", "code": "VAT155", "device": 515, "percent": "15.5" },
         { "from": ["Exempt"], "code": "EXEMPT", "device": 3, "percent": null } ],
       "currencies": [{ "from": ["usd", "US$"], "code": "USD", "device": "USD" },
                      { "from": ["R"], "code": "RAND", "device": "ZAR" }],
       "payments": [{ "from": ["card", "visa"], "method": "Card" }, { "from": ["Credit"], "method": "Card" }] }`
  )
)
const codeOn = (spelling: string, date: string) => taxOn(book, spelling, day(date))?.code

describe("the tax of a spelling on a day", () => {
  it("is the tax whose period contains the day, both ends included", () => {
    assert.strictEqual(codeOn("Standard", "2020-01-01"), "VAT15")
    assert.strictEqual(codeOn("Standard", "2025-12-31"), "VAT15")
    assert.strictEqual(codeOn("Standard", "2026-01-01"), "VAT155")
    assert.strictEqual(codeOn("Standard", "2030-06-30"), "VAT155")
  })

  it("is absent outside of every period, even if the spelling is known", () => {
    assert.strictEqual(codeOn("15%", "2026-01-01"), undefined)
    assert.deepStrictEqual(
      taxesOf(book, "Standard").map(({ code }) => code as string),
      ["VAT15", "VAT155"]
    )
  })

  it("is also found by the account's own code", () => {
    assert.strictEqual(codeOn("VAT155", "2026-01-01"), "VAT155")
    assert.strictEqual(codeOn("VAT155", "2025-12-31"), undefined)
    assert.strictEqual(codeOn("EXEMPT", "2020-01-01"), "EXEMPT")
  })

  it("is absent for a spelling that differs in a letter or in its case", () => {
    assert.strictEqual(codeOn("standard", "2026-01-01"), undefined)
    assert.strictEqual(codeOn("Standard ", "2026-01-01"), undefined)
    assert.deepStrictEqual(taxesOf(book, ""), [])
  })
})

describe("currencies and payment methods", () => {
  it("finds a currency by spelling or by the account's own code, never by the device's code", () => {
    assert.deepStrictEqual(
      ["usd", "US$", "USD", "R", "RAND"].map((spelling) => currencyOf(book, spelling)?.device),
      ["USD", "USD", "USD", "ZAR", "ZAR"]
    )
    assert.strictEqual(currencyOf(book, "ZAR"), undefined)
    assert.strictEqual(currencyOf(book, "Usd"), undefined)
  })

  it("uses names of the wire for themselves unless the book spells them otherwise", () => {
    assert.deepStrictEqual(
      ["visa", "Cash", "Credit", "gold", "cash"].map((spelling) => paymentOf(book, spelling)),
      ["Card", "Cash", "Card", undefined, undefined]
    )
  })
})
