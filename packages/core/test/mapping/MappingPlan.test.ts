import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import * as BookFile from "../../src/mapping/BookFile.ts"
import type { GatewayMappings } from "../../src/mapping/GatewayMappings.ts"
import * as MappingPlan from "../../src/mapping/MappingPlan.ts"
import { consequence, describe as describeStep } from "../../src/mapping/MappingStep.ts"
import { currency, day, deviceTax, gateway, mapping } from "./Mappings.ts"

const standard = `[
  { "from": ["Standard"], "until": "2025-12-31", "code": "VAT15", "name": "VAT 15 %", "device": 1, "percent": "15.00" },
  { "from": ["Standard"], "since": "2026-01-01", "code": "VAT155", "device": 515, "percent": "15.5" },
  { "from": ["Zero"], "code": "ZERO", "device": 2, "percent": "0" },
  { "from": ["Exempt"], "code": "EXEMPT", "device": 3, "percent": null }]`

const options: MappingPlan.MappingPlanOptions = {
  extras: "keep",
  inUse: { taxCodes: new Set(), currencies: new Set() },
  today: day("2026-01-15")
}

const plan = (
  given: Partial<GatewayMappings>,
  change: Partial<MappingPlan.MappingPlanOptions> = {},
  taxes = standard,
  currencies = `[{ "code": "USD", "device": "USD" }]`
) =>
  Effect.map(
    BookFile.load("x.book.json", `{ "version": 1, "zone": "+02:00", "taxes": ${taxes}, "currencies": ${currencies} }`),
    (book) => {
      const made = MappingPlan.make(book, gateway(given), { ...options, ...change })
      return {
        ...made,
        said: [...made.steps.map(describeStep), ...made.findings.map(({ code, message }) => `${code}: ${message}`)]
      }
    }
  )

const all = [
  mapping(1, "VAT15", 1, "VAT 15 %"),
  mapping(2, "VAT155", 515),
  mapping(3, "ZERO", 2),
  mapping(4, "EXEMPT", 3)
]
const usd = [currency(9, "USD", "USD")]

describe("a mapping plan", () => {
  it.effect("adds codes that the gateway does not map yet, each once", function* () {
    assert.deepStrictEqual((yield* plan({})).said, [
      "map tax code VAT15 (VAT 15 %) to device tax 1",
      "map tax code VAT155 (VAT155) to device tax 515",
      "map tax code ZERO (ZERO) to device tax 2",
      "map tax code EXEMPT (EXEMPT) to device tax 3",
      "map currency USD to USD"
    ])
  })

  it.effect("is empty if the gateway has all mappings of the book, with 15.00 equal to 15", function* () {
    const made = yield* plan({ taxes: all, currencies: usd })
    assert.deepStrictEqual(made.said, [])
  })

  it.effect("changes a name that the book states, and no name that the book omits", function* () {
    const taxes = [mapping(1, "VAT15", 1, "Old"), mapping(2, "VAT155", 515, "Whatever"), ...all.slice(2)]
    assert.deepStrictEqual((yield* plan({ taxes, currencies: usd })).said, [
      `call tax code VAT15 "VAT 15 %" instead of "Old"`
    ])
  })

  it.effect("never changes the device tax of a mapped code, and states the next step", function* () {
    const made = yield* plan({ taxes: [mapping(1, "VAT15", 515, "VAT 15 %"), ...all.slice(1)], currencies: usd })
    assert.deepStrictEqual(made.said, [
      "MAPPING_REPOINTED: tax code VAT15 is mapped to device tax 515, the book says 1"
    ])
    assert.deepStrictEqual(made.findings[0]?.steps, [
      { do: "delete-mapping", of: "tax", id: 1 },
      { do: "compare-mappings" }
    ])
  })

  it.effect("changes the target of a currency only if the store has no document in the currency", function* () {
    const currencies = [currency(9, "USD", "ZAR")]
    assert.deepStrictEqual((yield* plan({ taxes: all, currencies })).said, ["map currency USD to USD instead of ZAR"])
    for (const used of [new Set(["USD"]), "unknown"] as const) {
      const made = yield* plan({ taxes: all, currencies }, { inUse: { ...options.inUse, currencies: used } })
      assert.deepStrictEqual(made.said, ["MAPPING_REPOINTED: currency USD is mapped to ZAR, the book says USD"])
    }
  })

  it.effect("leaves mappings missing from the book, and deletes them only on request and if unused", function* () {
    const given = { taxes: [...all, mapping(5, "OLD", 1)], currencies: [...usd, currency(10, "EUR", "EUR")] }
    assert.deepStrictEqual((yield* plan(given)).said, [
      "MAPPING_EXTRA: tax code OLD, mapped to device tax 1, is not in the book",
      "MAPPING_EXTRA: currency EUR, mapped to EUR, is not in the book"
    ])
    assert.deepStrictEqual((yield* plan(given, { extras: "delete" })).said, [
      "delete mapping 5: tax code OLD to device tax 1",
      "delete mapping 10: currency EUR to EUR"
    ])
    const inUse = { taxCodes: new Set(["OLD"]), currencies: "unknown" } as const
    assert.deepStrictEqual((yield* plan(given, { extras: "delete", inUse })).said, [
      "MAPPING_IN_USE: tax code OLD is in use",
      "MAPPING_IN_USE: currency EUR is in use"
    ])
  })

  it.effect("reports whether duplicate mappings agree, and deletes only the later of two equal mappings", function* () {
    const twice = { taxes: [...all, mapping(7, "ZERO", 2)], currencies: usd }
    assert.deepStrictEqual((yield* plan(twice)).said, [
      "MAPPING_REPEATED: the gateway maps tax code ZERO twice to the same"
    ])
    assert.deepStrictEqual((yield* plan(twice, { extras: "delete" })).said, [
      "delete mapping 7: tax code ZERO to device tax 2"
    ])
    const consequences = (given: Parameters<typeof plan>[0]) =>
      Effect.map(plan(given, { extras: "delete" }), ({ steps }) => steps.map(consequence))
    const [repeat] = yield* consequences(twice)
    assert.strictEqual(repeat, "Nothing changes for documents: mapping 3 says the same and stays.")
    const [extra] = yield* consequences({ taxes: [...all, mapping(5, "OLD", 1)], currencies: usd })
    assert.strictEqual(extra, "Documents with this code fail from then on (RCPT017, RCPT010).")
    const apart = { taxes: [...all, mapping(7, "ZERO", 3)], currencies: usd }
    assert.deepStrictEqual((yield* plan(apart, { extras: "delete" })).said, [
      "MAPPING_AMBIGUOUS: the gateway maps tax code ZERO to several device taxes"
    ])
  })
})

describe("drift between book and device", () => {
  const drift = (deviceTaxes: GatewayMappings["deviceTaxes"], taxes = standard) =>
    Effect.map(plan({ taxes: all, currencies: usd, deviceTaxes }, {}, taxes), ({ said }) => said)
  const rest = [deviceTax(2, "0"), deviceTax(3, null)]

  it.effect("reports a tax that is missing, not valid yet, or no longer valid", function* () {
    assert.deepStrictEqual(yield* drift([...rest, deviceTax(515, "15.5", "2026-01-01")]), [
      "DEVICE_TAX_ENDED: VAT15 is device tax 1, which the device does not have"
    ])
    assert.deepStrictEqual(yield* drift([...rest, deviceTax(1, "15", null, "2025-12-31")]), [
      "DEVICE_TAX_GONE: VAT155 is device tax 515, which the device does not have"
    ])
    const future = standard.replace("2025-12-31", "2026-02-28").replace("2026-01-01", "2026-03-01")
    assert.deepStrictEqual(yield* drift([...rest, deviceTax(1, "15")], future), [
      "DEVICE_TAX_GONE: VAT155 is device tax 515, which the device does not have yet"
    ])
  })

  it.effect("reports a different percent, with exempt different from 0, and adds no mapping to it", function* () {
    const deviceTaxes = [
      deviceTax(1, "14.5"),
      deviceTax(515, "15.50", "2026-01-01"),
      deviceTax(2, null),
      deviceTax(3, "0")
    ]
    const made = yield* plan({ deviceTaxes, currencies: usd })
    assert.deepStrictEqual(made.said, [
      "map tax code VAT155 (VAT155) to device tax 515",
      "DEVICE_TAX_PERCENT: VAT15 is 15 % in the book, device tax 1 is 14.5 %",
      "DEVICE_TAX_PERCENT: ZERO is 0 % in the book, device tax 2 is exempt",
      "DEVICE_TAX_PERCENT: EXEMPT is exempt in the book, device tax 3 is 0 %"
    ])
  })

  it.effect("reports days on which the book uses a tax that the device does not apply", function* () {
    const endless = `[{ "code": "VAT15", "device": 1, "percent": "15" }]`
    const made = yield* plan(
      { taxes: [all[0]!], currencies: usd, deviceTaxes: [deviceTax(1, "15", "2023-01-01", "2025-12-31")] },
      {},
      endless
    )
    assert.deepStrictEqual(made.said.slice(-1), [
      "DEVICE_TAX_PERIOD: VAT15 is used before 2023-01-01 and after 2025-12-31, when the device does not apply tax 1"
    ])
  })

  it.effect("reports a device tax missing from the book, and nothing if the device lists no taxes", function* () {
    const said = yield* drift([
      ...gateway().deviceTaxes!,
      deviceTax(516, "16", "2027-01-01"),
      deviceTax(14, "14", null, "2020-01-01")
    ])
    assert.deepStrictEqual(said, [
      "DEVICE_TAX_UNNAMED: the device has tax 516 Tax 516 (16 %) from 2027-01-01, and no entry names it"
    ])
    assert.deepStrictEqual(yield* drift(null), [])
  })

  it.effect("reports an unknown currency of the device, and maps nothing to it", function* () {
    const made = yield* plan({ taxes: all }, {}, standard, `[{ "code": "BTC", "device": "XBT" }]`)
    assert.deepStrictEqual(made.said, [
      "DEVICE_CURRENCY_UNSUPPORTED: currency BTC is XBT, which the device does not know"
    ])
  })

  it.effect("adds no mapping that an unreadable row may already contain", function* () {
    const row = (code: string | null) => ({ code, text: "row 0" })
    const [first, ...others] = all
    for (const lost of [row("VAT15"), row(null)]) {
      const made = yield* plan({ taxes: others, currencies: usd, lost: { taxes: [lost], currencies: [] } })
      assert.deepStrictEqual(made.said, [
        "MAPPING_UNREADABLE: a row of the gateway that cannot be read may map tax code VAT15"
      ])
    }
    const twice = yield* plan({ taxes: all, currencies: usd, lost: { taxes: [row(first!.taxCode)], currencies: [] } })
    assert.deepStrictEqual(twice.said, [
      "MAPPING_UNREADABLE: a row of the gateway that cannot be read may map tax code VAT15"
    ])
    const foreign = { taxes: [row("OLD")], currencies: [row("EUR")] }
    assert.deepStrictEqual((yield* plan({ taxes: others, currencies: [], lost: foreign })).said, [
      "map tax code VAT15 (VAT 15 %) to device tax 1",
      "map currency USD to USD"
    ])
    assert.deepStrictEqual(
      (yield* plan({ taxes: all, currencies: [], lost: { taxes: [], currencies: [row(null)] } })).said,
      ["MAPPING_UNREADABLE: a row of the gateway that cannot be read may map currency USD"]
    )
  })

  it.effect("does not compare currencies with the device if the gateway has no list of them", function* () {
    const made = yield* plan({ taxes: all, currencies: [], supportedCurrencies: null })
    assert.deepStrictEqual(made.said, ["map currency USD to USD"])
  })
})
