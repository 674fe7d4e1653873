import { assert, describe, it } from "../It.ts"
import { BigDecimal } from "effect"
import type { CivilDate } from "../../src/document/CivilDate.ts"
import * as BookEditing from "../../src/mapping/BookEditing.ts"
import { load } from "../../src/mapping/BookFile.ts"
import * as BookChoice from "../../src/preflight/BookChoice.ts"
import type { DeviceTax } from "../../src/preflight/DeviceFacts.ts"
import type { UnmappedCode } from "../../src/preflight/Unmapped.ts"

const day = (text: string) => text as CivilDate
const taxes: ReadonlyArray<DeviceTax> = [
  { id: 1, percent: BigDecimal.fromStringUnsafe("15"), name: "Standard 15", since: null, until: day("2025-12-31") },
  {
    id: 515,
    percent: BigDecimal.fromStringUnsafe("15.5"),
    name: "Standard 15.5",
    since: day("2026-01-01"),
    until: null
  },
  { id: 3, percent: null, name: "Exempt", since: null, until: null }
]
const device = { taxes, currencies: new Set(["USD", "ZAR"]) }
const code = (changes: Partial<UnmappedCode> = {}): UnmappedCode => ({
  what: "tax",
  spelling: "Std",
  documents: 1,
  examples: ["A-1"],
  percents: [],
  since: "2026-02-01",
  until: "2026-02-03",
  ...changes
})
const empty = load("b.json", BookEditing.blank("+02:00"))

describe("the choices for a spelling missing from the book", () => {
  it.effect("are the device's taxes of those days, with taxes of the stated percent first", function* () {
    const book = yield* empty
    assert.deepStrictEqual(
      BookChoice.of(code(), book, device).map(({ id, standing }) => [id, standing]),
      [
        ["515", "possible"],
        ["3", "possible"]
      ]
    )
    assert.deepStrictEqual(
      BookChoice.of(code({ percents: ["0"] }), book, device).map(({ id, standing }) => [id, standing]),
      [
        ["3", "fits"],
        ["515", "possible"]
      ]
    )
  })

  it.effect(
    "include a sequence of taxes if each covers a part of the days, and a choice loads as a book",
    function* () {
      const book = yield* empty
      const spanning = code({ percents: ["15", "15.5"], since: "2025-12-01", until: "2026-01-31" })
      const [together] = BookChoice.of(spanning, book, device)
      assert.strictEqual(together?.id, "1+515")
      const edited = BookEditing.apply(BookEditing.blank("+02:00"), together?.edits ?? [])
      const loaded = yield* load("b.json", edited)
      assert.deepStrictEqual(
        loaded.taxes.map(({ code, device, since, until }) => [code, device, since, until]),
        [
          ["Std-1", 1, undefined, "2025-12-31"],
          ["Std-515", 515, "2026-01-01", undefined]
        ]
      )
    }
  )

  it.effect("use an existing code of the book for its tax, since one code is one device tax forever", function* () {
    const text =
      '{ "version": 1, "zone": "+02:00", "taxes": [{ "from": ["S"], "code": "VAT155", "device": 515, "percent": "15.5" }], "currencies": [] }'
    const book = yield* load("b.json", text)
    const [choice] = BookChoice.of(code(), book, device)
    const [edit] = choice?.edits ?? []
    assert.strictEqual(edit?.what === "tax" ? edit.code : "", "VAT155")
    // Another device tax does not get the existing code: the spelling becomes the code.
    const other = BookChoice.of(code({ spelling: "VAT 155" }), book, device).find(({ id }) => id === "3")
    assert.strictEqual(other?.edits[0]?.what === "tax" ? other.edits[0].code : "", "VAT 155")
    assert.deepStrictEqual(BookChoice.of(code({ spelling: "S" }), book, device), [])
  })

  it.effect(
    "prefer a code that the gateway already maps to the tax, but never one that the book uses otherwise",
    function* () {
      const mapped = [
        { taxCode: "OUTPUT", taxName: "Output tax", destinationTaxId: 515 },
        { taxCode: "EX", taxName: null, destinationTaxId: 3 }
      ]
      const chosen = (book: Parameters<typeof BookChoice.of>[1], id: string, spelling = "Std") => {
        const edit = BookChoice.of(code({ spelling }), book, device, mapped).find((one) => one.id === id)?.edits[0]
        return edit?.what === "tax" ? [edit.code, edit.name] : []
      }
      const book = yield* empty
      assert.deepStrictEqual(chosen(book, "515"), ["OUTPUT", "Output tax"])
      assert.deepStrictEqual(chosen(book, "3"), ["EX", "Exempt"])
      const text =
        '{ "version": 1, "zone": "+02:00", "taxes": [{ "code": "OUTPUT", "device": 3, "percent": null }], "currencies": [] }'
      assert.deepStrictEqual(chosen(yield* load("b.json", text), "515")[0], "Std")
      // a code of the gateway means its tax for ever: a changed answer needs another code
      const other = BookChoice.of(code({ spelling: "OUTPUT" }), book, device, mapped.slice(0, 1))
      assert.deepInclude(other.find(({ id }) => id === "3")?.edits[0], { code: "OUTPUT-3" })
    }
  )

  it.effect("are the device's currencies, and the known payment methods", function* () {
    const book = yield* empty
    const currencies = BookChoice.of(code({ what: "currency", spelling: "zar" }), book, device)
    assert.deepStrictEqual(
      currencies.map(({ id, standing }) => [id, standing]),
      [
        ["ZAR", "fits"],
        ["USD", "possible"]
      ]
    )
    const methods = BookChoice.of(code({ what: "payment method", spelling: "mobile-wallet" }), book, device)
    assert.strictEqual(methods.find(({ standing }) => standing === "fits")?.id, "MobileWallet")
  })
})
