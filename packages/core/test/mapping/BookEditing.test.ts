import { assert, describe, it } from "../It.ts"
import * as BookEditing from "../../src/mapping/BookEditing.ts"
import { load } from "../../src/mapping/BookFile.ts"
import { type BlankLine, blankTaxesOf } from "../../src/mapping/MappingBook.ts"

const book = `{
  // the shop's book, looked after by hand
  "version": 1,
  "zone": "+02:00", // as the till
  "taxes": [
    { "from": ["Standard"], "code": "VAT155", "device": 515, "percent": "15.5" }, // since January
    { "from": [""], "accounts": ["400"], "code": "BLANK", "device": 2, "percent": "0" }
  ],
  "currencies": [{ "code": "USD", "device": "USD" }]
}
`

const tax: BookEditing.BookEdit = {
  what: "tax",
  spelling: "Luxury",
  code: "VAT155",
  device: 515,
  name: "Standard",
  percent: "15.5",
  since: null,
  until: null
}

describe("an edit of a mapping book", () => {
  it("is taken back alone: a spelling, an entry without another spelling, a blank and a setting", () => {
    const edits: ReadonlyArray<BookEditing.BookEdit> = [
      tax,
      { ...tax, spelling: "N", code: "N", device: 2, percent: "0" },
      { ...tax, spelling: "", code: "TAX-3", device: 3, percent: null, lines: "exempt" },
      { what: "currency", spelling: "$", code: "USD", device: "USD" },
      { what: "product code", spelling: "A1", productCode: "12345678" },
      { what: "setting", path: ["policies", "charges"], value: "as-line" }
    ]
    const parsed = (text: string) => JSON.parse(text.replaceAll(/\/\/.*$/gm, "")) as object
    const text = BookEditing.apply(book, edits)
    for (const edit of edits) {
      const others = edits.filter((other) => other !== edit)
      assert.deepStrictEqual(
        BookEditing.undone(text, [edit]).includes("12345678"),
        edit.what !== "product code",
        edit.what
      )
      assert.notDeepEqual(parsed(BookEditing.undone(text, [edit])), parsed(text))
      assert.deepStrictEqual(parsed(BookEditing.undone(BookEditing.undone(text, [edit]), others)), {
        ...parsed(book),
        currencies: [{ code: "USD", device: "USD", from: [] }],
        productCodes: [],
        policies: {}
      })
    }
    assert.strictEqual(BookEditing.undone(text, [{ what: "setting", path: ["zone"], value: "UTC" }]), text)
    assert.include(BookEditing.undone(text, edits), "// since January")
  })

  it.effect("removes a spelling wherever it is, and leaves the codes", function* () {
    const text = BookEditing.apply(book, [{ what: "forgotten spelling", list: "taxes", spelling: "Standard" }])
    assert.deepStrictEqual(
      (yield* load("b.json", text)).taxes.map(({ code, from }) => `${code}: ${from.join(", ")}`),
      ["VAT155: ", "BLANK: "]
    )
    assert.include(text, "// since January")
  })

  it.effect("adds the spelling to an existing code of the book, and changes nothing else", function* () {
    const text = BookEditing.apply(book, [tax])
    assert.deepStrictEqual((yield* load("b.json", text)).taxes[0]?.from, ["Standard", "Luxury"])
    const lines = book.split("\n")
    const kept = text.split("\n").filter((line) => lines.includes(line))
    assert.includeMembers(
      kept,
      lines.filter((line) => !line.includes('"VAT155"'))
    )
    assert.include(text, "// since January")
  })

  it.effect("adds an entry at the end, with its days, if the book does not have the code", function* () {
    const text = BookEditing.apply(book, [{ ...tax, code: "VAT5", device: 5, percent: "5" }])
    const { taxes } = yield* load("b.json", text)
    assert.strictEqual(taxes.length, 3)
    assert.deepStrictEqual([taxes[2]?.code, taxes[2]?.device, taxes[2]?.from], ["VAT5", 5, ["Luxury"]])
    for (const line of book.split("\n").filter((one) => one.includes("//")))
      assert.include(text, line.trim().replace(/,$/, ""))
  })

  it.effect("writes a blank in a separate entry, and does not write an existing spelling twice", function* () {
    const blank = { ...tax, spelling: "", code: "VAT155", account: "500" }
    const { taxes } = yield* load("b.json", BookEditing.apply(book, [blank]))
    assert.deepInclude(taxes[2], { accounts: ["500"], from: [""] })
    assert.strictEqual(BookEditing.apply(book, [{ ...tax, spelling: "Standard" }]), book)
  })

  it.effect("creates missing lists: a blank book, currencies without spellings, payments", function* () {
    const text = BookEditing.apply(BookEditing.blank("Africa/Harare"), [
      tax,
      { what: "currency", spelling: "US$", code: "USD", device: "USD" },
      { what: "payment method", spelling: 'a "card"', method: "Card" },
      { what: "currency", spelling: "$", code: "USD", device: "USD" }
    ])
    const made = yield* load("b.json", text)
    assert.deepStrictEqual(made.currencies[0]?.from, ["US$", "$"])
    assert.deepStrictEqual(made.payments[0]?.from, ['a "card"'])
    const spelled = BookEditing.apply(book, [{ what: "currency", spelling: "US$", code: "USD", device: "USD" }])
    assert.deepStrictEqual((yield* load("b.json", spelled)).currencies[0]?.from, ["US$"])
  })

  it("leaves a text that is not a book unchanged", () => {
    assert.strictEqual(BookEditing.apply("", [tax]), "")
  })

  it.effect("sets a policy, a default and a product code, and keeps the comments", function* () {
    const text = BookEditing.apply(book, [
      { what: "setting", path: ["policies", "charges"], value: "as-line" },
      { what: "setting", path: ["defaults", "creditReason"], value: "Returned" },
      { what: "product code", spelling: "1234567", productCode: "01234567" },
      { what: "product code", spelling: "1234568", productCode: "01234567" }
    ])
    const { defaults, policies, productCodes } = yield* load("b.json", text)
    assert.deepStrictEqual([policies.charges, defaults.creditReason], ["as-line", "Returned"])
    assert.deepStrictEqual(productCodes[0]?.from, ["1234567", "1234568"])
    assert.include(text, "// since January")
  })

  it.effect("states the tax of lines without a tax code if no account and no product settles it", function* () {
    const text = BookEditing.apply(book, [
      { ...tax, spelling: "", code: "VAT155", lines: "taxable" },
      { ...tax, spelling: "", code: "ZERO", device: 2, percent: "0", lines: "all" }
    ])
    const loaded = yield* load("b.json", text)
    const codes = (line: BlankLine) => blankTaxesOf(loaded, line).map(({ code }) => code)
    assert.deepStrictEqual(codes({ account: "400", flag: "taxable" }), ["BLANK"])
    assert.deepStrictEqual(codes({ account: "401", flag: "taxable" }), ["VAT155"])
    assert.deepStrictEqual(codes({ flag: "exempt" }), ["ZERO"])
    assert.deepStrictEqual(codes({}), ["ZERO"])
  })
})
