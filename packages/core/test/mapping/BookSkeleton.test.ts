import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import * as Money from "../../src/document/Money.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import * as BookPull from "../../src/mapping/BookPull.ts"
import * as BookSkeleton from "../../src/mapping/BookSkeleton.ts"
import { money } from "../preflight/SampleTranslated.ts"

const found = (spelling: string, ...percents: ReadonlyArray<string>): BookSkeleton.FoundSpelling => ({
  spelling,
  count: 3,
  examples: ["INV-1", "INV-2"],
  ...(percents.length > 0 && { percents: percents.map(money) })
})

/** Returns the fields that the operator must fill in. */
const open = (text: string) =>
  Effect.map(Effect.flip(BookFile.load("x.book.json", text)), ({ findings }) =>
    findings.map(({ at, path }) => `${path.join(".")} ${at?.line}`)
  )

describe("a book drafted from an export", () => {
  const draft = BookSkeleton.ofExport(
    {
      taxes: [found("OUTPUT", "15"), found("TAX001"), found("OLD", "15", "15.5")],
      currencies: [found("USD"), found("US$")],
      payments: [found("Card"), found("090")]
    },
    "+02:00"
  )

  it.effect("does not load until every missing fact is filled in, each reported with its line", function* () {
    assert.deepStrictEqual(yield* open(draft), [
      "taxes.0.device 10",
      "taxes.1.device 12",
      "taxes.1.percent 12",
      "taxes.2.device 14",
      "taxes.2.percent 14",
      "currencies.1.code 20",
      "currencies.1.device 20",
      "payments.1.method 26"
    ])
  })

  it.effect("loads after that, with the export's spellings and percents", function* () {
    const text = draft
      .replaceAll('"device": "", "percent": ""', '"device": 2, "percent": null')
      .replaceAll('"device": "", "percent"', '"device": 1, "percent"')
      .replace('"code": "", "device": ""', '"code": "USD2", "device": "USD"')
      .replace('"method": ""', '"method": "BankTransfer"')
    const book = yield* BookFile.load("x.book.json", text)
    assert.deepStrictEqual(
      book.taxes.map(({ code, from, percent }) => [code, ...from, percent && Money.formatPlain(percent)]),
      [
        ["OUTPUT", "OUTPUT", "15"],
        ["TAX001", "TAX001", null],
        ["OLD", "OLD", null]
      ]
    )
    assert.deepStrictEqual(
      book.payments.map(({ from, method }) => [...from, method]),
      [
        ["Card", "Card"],
        ["090", "BankTransfer"]
      ]
    )
  })

  it("states next to each entry how often and where it occurs, and whether one code has two rates", () => {
    assert.include(draft, "// OUTPUT: 3 lines, as in INV-1, INV-2\n")
    assert.include(draft, "// OLD: 3 lines, as in INV-1, INV-2; 15 % and 15.5 %, each a separate tax\n")
    assert.include(draft, "// 090: 3 documents, as in INV-1, INV-2\n")
  })

  it.effect("leaves an unknown zone open, and omits payments if there are none", function* () {
    const text = BookSkeleton.ofExport({ taxes: [], currencies: [found("USD")], payments: [] }, undefined)
    assert.notInclude(text, "payment")
    assert.deepStrictEqual(yield* open(text), ["zone 4"])
    yield* BookFile.load("x.book.json", text.replace('"zone": ""', '"zone": "Africa/Harare"'))
  })

  it.effect("is valid whatever texts the export contains", function* () {
    const hostile = 'A"\n\u2028}, "relaxed": ['
    const taxes = [{ ...found(hostile, "15"), examples: ["INV\n1"] }]
    const text = BookSkeleton.ofExport({ taxes, currencies: [], payments: [] }, "+02:00")
    const book = yield* BookFile.load("x.book.json", text.replace('"device": ""', '"device": 1'))
    assert.deepStrictEqual([book.taxes[0]?.from, book.relaxed], [[hostile], []])
  })
})

describe("comments about the gateway's mappings", () => {
  it.effect("end with their line, whatever a code contains", function* () {
    const pulled = { taxes: [], currencies: [], comments: ['X\n], "late": "restamp", "taxes": ['] }
    for (const text of [
      BookPull.draft(pulled, "+02:00"),
      BookPull.addTo('{ "version": 1, "zone": "+02:00", "taxes": [], "currencies": [] }', pulled)
    ]) {
      assert.strictEqual((yield* BookFile.load("x.book.json", text)).late, "hold")
    }
  })
})
