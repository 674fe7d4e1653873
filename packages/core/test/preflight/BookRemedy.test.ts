import { assert, describe, it } from "../It.ts"
import * as BookEditing from "../../src/mapping/BookEditing.ts"
import { load } from "../../src/mapping/BookFile.ts"
import * as BookRemedy from "../../src/preflight/BookRemedy.ts"

const text = `{
  "version": 1,
  "zone": "+02:00", // as the till
  "taxes": [],
  "currencies": []
}
`
const codes = [
  "RCPT034",
  "RCPT047",
  "LINE_INCOMPLETE",
  "LINE_AMOUNT_MISMATCH",
  "LINE_TEXT_ONLY",
  "LINE_NEGATIVE",
  "LENGTH_EXCEEDED",
  "TEXT_CONTROL",
  "BUYER_NUMBER_SPACED",
  "CHARGE_UNDECIDED",
  "TAX_TOTAL_MISMATCH",
  "ORIGINAL_SEVERAL"
]
const answers = new Map([
  ["cash-buyer", new Map([["", "Cash sale {name}"]])],
  ["product-code", new Map([["", "87168000"]])],
  ["product-codes", new Map([["Delivery, local", "99680000"]])],
  ["credit-reason", new Map([["", "Returned goods"]])]
])

describe("a remedy in the mapping book", () => {
  it.effect(
    "writes for every code a book that loads, keeps comments, and does not need the remedy again",
    function* () {
      const before = yield* load("b.json", text)
      const found = [
        ...codes.map((code) => ({ code, path: [] })),
        { code: "RCPT043", path: ["buyer", "name"] },
        { code: "RCPT043", path: ["buyer", "tin"] }
      ]
      for (const one of found) {
        const offered = BookRemedy.of(one, before)
        assert.isAbove(offered.length, 0, one.code)
        for (const remedy of offered) {
          const edits = remedy.edits(answers.get(remedy.id) ?? new Map())
          assert.isDefined(edits, remedy.id)
          const written = BookEditing.apply(text, edits!)
          assert.include(written, "// as the till")
          const after = yield* load("b.json", written)
          assert.notDeepEqual(after, before, remedy.id)
          if (remedy.asks?.of !== "each-item")
            assert.notInclude(
              BookRemedy.of(one, after).map(({ id }) => id),
              remedy.id
            )
        }
      }
      assert.deepStrictEqual(BookRemedy.of({ code: "TOTAL_MISMATCH", path: [] }, before), [])
    }
  )

  it.effect("refuses an answer with which the book would not load", function* () {
    const book = yield* load("b.json", text)
    const edits = (code: string, id: string, answer: ReadonlyMap<string, string>) =>
      BookRemedy.of({ code, path: [] }, book)
        .find((one) => one.id === id)
        ?.edits(answer)
    assert.isUndefined(edits("RCPT043", "cash-buyer", new Map([["", "Sale"]])))
    assert.isUndefined(edits("RCPT047", "product-code", new Map([["", "8716800O"]])))
    assert.isUndefined(edits("RCPT047", "product-codes", new Map([["Lamp", "12"]])))
    assert.isUndefined(edits("RCPT047", "product-codes", new Map([["Lamp", ""]])))
  })

  it.effect("replaces the product code of an item instead of adding a second one", function* () {
    const edit = (productCode: string) => ({ what: "described product", description: "Lamp", productCode }) as const
    const written = BookEditing.apply(text, [edit("87168000"), edit("94050000")])
    const { productCodes } = yield* load("b.json", written)
    assert.deepStrictEqual(productCodes, [{ from: [], descriptions: ["Lamp"], productCode: "94050000" }])
  })
})
