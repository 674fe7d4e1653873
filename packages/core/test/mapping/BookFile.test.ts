import { assert, describe, it } from "../It.ts"
import { BigDecimal, DateTime, Effect } from "effect"
import { readFileSync } from "node:fs"
import * as BookFile from "../../src/mapping/BookFile.ts"
import { format } from "../../src/finding/Provenance.ts"

/** Returns all problems as `line:column CODE path`. */
const problems = (text: string) =>
  BookFile.load("x.book.json", text).pipe(
    Effect.flip,
    Effect.map(({ findings }) =>
      findings.map(({ at, code, path }) =>
        `${format(at!).replace("x.book.json:", "")} ${code} ${path.join(".")}`.trim()
      )
    )
  )

const messages = (text: string) =>
  Effect.map(Effect.flip(BookFile.load("x.book.json", text)), ({ findings }) => findings.map(({ message }) => message))

const book = (fields: string) =>
  `{ "version": 1, "zone": "+02:00", ${fields}${fields.includes('"taxes"') ? "" : ', "taxes": []'}${fields.includes('"currencies"') ? "" : ', "currencies": []'} }`

describe("a valid mapping book", () => {
  it.effect("loads with its comments, and unset settings have their defaults", function* () {
    const loaded = yield* BookFile.load(
      "x.book.json",
      `\uFEFF// our book
        { "version": 1, "zone": "Africa/Harare", /* rates */
          "taxes": [{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" },
                    { "code": "EXEMPT", "name": "Exempt", "device": 3, "percent": null },],
          "currencies": [{ "code": "USD", "device": "USD" }] }`
    )
    assert.strictEqual(DateTime.zoneToString(loaded.zone), "Africa/Harare")
    assert.deepStrictEqual(
      [loaded.rounding, loaded.times, loaded.opens, loaded.late],
      ["per-group", "spread", 28_800, "hold"]
    )
    assert.deepStrictEqual(loaded.defaults, { payment: null, productCode: null, creditReason: null, cashBuyer: null })
    assert.deepStrictEqual(loaded.policies, {
      charges: "refuse",
      negativeLines: "refuse",
      textLines: "refuse",
      quantities: "stated",
      unitPrices: "stated",
      allocations: "refuse",
      longDescriptions: "refuse",
      namelessBuyers: "refuse",
      numberSpaces: "refuse",
      numberZeros: "refuse",
      addresses: "whole",
      controlCharacters: "refuse"
    })
    const [standard, exempt] = loaded.taxes
    assert.deepStrictEqual([standard!.from, standard!.name, standard!.since], [["Standard"], "VAT15", undefined])
    assert.isTrue(BigDecimal.equals(standard!.percent!, BigDecimal.fromStringUnsafe("15")))
    assert.deepStrictEqual([exempt!.from, exempt!.name, exempt!.percent], [[], "Exempt", null])
    assert.deepStrictEqual(loaded.currencies, [{ from: [], code: loaded.currencies[0]!.code, device: "USD" }])
  })

  it.effect("keeps all its settings", function* () {
    const loaded = yield* BookFile.load(
      "x.book.json",
      book(`"rounding": "as-inclusive", "times": "stated", "opens": "23:59", "late": "restamp",
          "payments": [{ "from": ["card"], "method": "Card" }, { "from": ["visa"], "method": "Card" }],
          "defaults": { "payment": "Cash", "productCode": "12345678", "creditReason": "Returned", "cashBuyer": "Cash sale {name}" },
          "policies": { "charges": "as-line", "negativeLines": "as-discount", "textLines": "append",
                        "quantities": "one-if-missing", "unitPrices": "from-line-amount", "allocations": "largest" },
          "taxes": [{ "code": "VAT155", "device": 515, "percent": 15.5, "since": "2026-01-01", "until": "2026-12-31" }]`)
    )
    assert.deepStrictEqual(
      [loaded.rounding, loaded.times, loaded.opens, loaded.late],
      ["as-inclusive", "stated", 86_340, "restamp"]
    )
    assert.deepStrictEqual(
      loaded.payments.map(({ from, method }) => [...from, method]),
      [
        ["card", "Card"],
        ["visa", "Card"]
      ]
    )
    assert.strictEqual(loaded.defaults.cashBuyer, "Cash sale {name}")
    assert.strictEqual(loaded.policies.charges, "as-line")
    assert.strictEqual(loaded.policies.allocations, "largest")
    const [tax] = loaded.taxes
    assert.deepStrictEqual([tax!.since, tax!.until], ["2026-01-01", "2026-12-31"] as Array<unknown>)
    assert.isTrue(BigDecimal.equals(tax!.percent!, BigDecimal.fromStringUnsafe("15.5")))
  })

  it.effect.each(["historical-invoices", "historical-invoices-with-faults"])("loads examples/%s.book.json", (name) =>
    Effect.gen(function* () {
      const file = new URL(`../../../../examples/${name}.book.json`, import.meta.url)
      assert.isNotEmpty((yield* BookFile.load(name, readFileSync(file, "utf8"))).taxes)
    })
  )

  it.effect.each([
    [
      "a rate that changes on a date",
      `"taxes": [{ "from": ["Standard"], "until": "2025-12-31", "code": "VAT15", "device": 1, "percent": "15" },
                 { "from": ["Standard"], "since": "2026-01-01", "code": "VAT155", "device": 515, "percent": "15.5" }]`
    ],
    [
      "one code in two entries for the same device tax",
      `"taxes": [{ "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" },
                 { "from": ["Old standard"], "until": "2020-12-31", "code": "VAT15", "device": 1, "percent": "15.0" }]`
    ],
    [
      "a rate of one day",
      `"taxes": [{ "code": "HOLIDAY", "device": 2, "percent": "0", "since": "2026-04-18", "until": "2026-04-18" }]`
    ],
    [
      "two codes for one device tax",
      `"taxes": [{ "from": ["Goods"], "code": "GOODS", "device": 1, "percent": "15" },
                 { "from": ["Services"], "code": "SERVICES", "device": 1, "percent": "15" }]`
    ],
    [
      "a blank that is one tax in one account and another in a second, and of a product",
      `"taxes": [{ "from": [""], "accounts": ["200", "201"], "code": "A", "device": 1, "percent": "15" },
                 { "from": [""], "accounts": ["400"], "products": ["BOOK"], "code": "B", "device": 3, "percent": null }]`
    ],
    [
      "a wire name as the spelling of another method",
      `"payments": [{ "from": ["Credit"], "method": "Card" }, { "from": ["on account"], "method": "Credit" }]`
    ]
  ] as const)("may have %s", ([, fields]) =>
    Effect.map(BookFile.load("x.book.json", book(fields)), ({ zone }) => assert.isDefined(zone))
  )
})

describe("a mapping book with problems", () => {
  it.effect.each([
    { wrong: '{ "from": [""], "code": "A", "device": 1, "percent": "15" }', code: "BOOK_BLANK_UNLIMITED" },
    {
      wrong: '{ "from": ["", "None"], "accounts": ["1"], "code": "A", "device": 1, "percent": "15" }',
      code: "BOOK_BLANK_UNLIMITED"
    },
    {
      wrong: '{ "from": ["None"], "accounts": ["1"], "code": "A", "device": 1, "percent": "15" }',
      code: "BOOK_BLANK_UNLIMITED"
    },
    {
      wrong: `{ "from": [""], "accounts": ["1"], "code": "A", "device": 1, "percent": "15" },
              { "from": [""], "accounts": ["1", "2"], "code": "B", "device": 2, "percent": "0" }`,
      code: "BOOK_SPELLING_AMBIGUOUS"
    }
  ])("does not accept a blank without a separate limit: $wrong", ({ code, wrong }) =>
    Effect.gen(function* () {
      const { findings } = yield* Effect.flip(BookFile.load("x.book.json", book(`"taxes": [${wrong}]`)))
      assert.deepStrictEqual(
        findings.map((finding) => finding.code),
        [code]
      )
    })
  )

  it.effect("reports all problems at once, each with its line and column, in the order of the file", function* () {
    const text = `{
  "version": 2,
  "zone": "Nowhere/City",
  "opens": "24:00",
  "taxes": [
    { "from": ["Standard"], "code": "VAT15", "device": 1, "percent": "15" },
    { "from": ["Standard"], "code": "VAT155", "device": 515, "percent": "15.5" },
    { "code": "VAT15", "device": 2, "percent": "15" },
    { "code": "", "device": 1.5, "percent": "15%" },
    { "code": "LATE", "device": 4, "percent": "0", "since": "2026-02-01", "until": "2026-01-31" }
  ],
  "currencies": {},
  "lates": "hold"
}`
    assert.deepStrictEqual(yield* problems(text), [
      "2:14 BOOK_SHAPE version",
      "3:11 BOOK_ZONE zone",
      "4:12 BOOK_SHAPE opens",
      "7:5 BOOK_SPELLING_AMBIGUOUS taxes.1",
      "8:15 BOOK_CODE_REUSED taxes.2.code",
      "9:15 BOOK_SHAPE taxes.3.code",
      "9:29 BOOK_SHAPE taxes.3.device",
      "9:45 BOOK_SHAPE taxes.3.percent",
      "10:84 BOOK_PERIOD_REVERSED taxes.4.until",
      "12:17 BOOK_SHAPE currencies",
      "13:12 BOOK_SHAPE lates"
    ])
  })

  it.effect("points to the object in which a field is missing", function* () {
    const text = '{ "version": 1,\n  "zone": "+02:00",\n  "taxes": [ {\n"code": "A", "percent": null } ] }'
    assert.deepStrictEqual(yield* problems(text), ["1:1 BOOK_SHAPE currencies", "3:14 BOOK_SHAPE taxes.0.device"])
  })

  it.effect.each([
    ["", "1:1 BOOK_SYNTAX"],
    ["{", "1:2 BOOK_SYNTAX"],
    ['{ "version": 1,\r\n  "zone": +02:00 }', "2:11 BOOK_SYNTAX"],
    ["[]", "1:1 BOOK_SHAPE"],
    ["null", "1:1 BOOK_SHAPE"]
  ] as const)("is reported for a text that is not a book: %j", ([text, first]) =>
    Effect.map(problems(text), ([problem]) => assert.strictEqual(problem, first))
  )

  it.effect("does not let a duplicate field hide another", function* () {
    const text =
      '{ "version": 1, "zone": "+02:00", "taxes": [{ "code": "A", "device": 1, "percent": null }],\n"currencies": [], "taxes": [] }'
    assert.deepStrictEqual(yield* problems(text), ["2:19 BOOK_SHAPE taxes"])
    assert.deepStrictEqual(yield* messages(text), ["taxes: appears twice in the same object"])
  })

  it.effect.each([
    ["an impossible offset", "+25:00"],
    ["impossible minutes", "+02:75"],
    ["half an offset", "+2"],
    ["an offset in another form", "GMT+02:00"],
    ["an unknown zone", "Middle/Earth"]
  ] as const)("refuses %s as its zone", ([, zone]) =>
    Effect.gen(function* () {
      const text = `{ "version": 1, "zone": "${zone}", "taxes": [], "currencies": [] }`
      assert.deepStrictEqual(yield* problems(text), ["1:25 BOOK_ZONE zone"])
      assert.deepStrictEqual(yield* messages(text), [`"${zone}" is not a zone`])
    })
  )

  it.effect.each(['"15%"', '"-1"', '""', '" 15"', "-0.5", '"fifteen"', "true", '"1,5"'])(
    "refuses %s as a percent",
    (percent) =>
      Effect.map(problems(book(`"taxes": [{ "code": "A", "device": 1, "percent": ${percent} }]`)), (found) =>
        assert.isTrue(found.every((problem) => problem.includes("BOOK_SHAPE taxes.0.percent")) && found.length > 0)
      )
  )

  it.effect.each([
    ["opens", '"opens": "8:00"'],
    ["rounding", '"rounding": "per-document"'],
    ["times", '"times": "now"'],
    ["late", '"late": "send"'],
    ["defaults.payment", '"defaults": { "payment": "Gold" }'],
    ["defaults.cashBuyer", '"defaults": { "cashBuyer": "Walk-in {name}" }'],
    ["defaults.creditReasons", '"defaults": { "creditReasons": "x" }'],
    ["policies.charges", '"policies": { "charges": "ignore" }'],
    ["payments.0.method", '"payments": [{ "from": ["x"], "method": "Gold" }]'],
    ["taxes.0.since", '"taxes": [{ "code": "A", "device": 1, "percent": null, "since": "2026-02-30" }]'],
    ["taxes.0.from.0", '"taxes": [{ "from": [" A"], "code": "A", "device": 1, "percent": null }]'],
    ["currencies.0.device", '"currencies": [{ "code": "USD", "device": "" }]']
  ] as const)("refuses a wrong %s: %s", ([path, fields]) =>
    Effect.map(problems(book(fields)), (found) => {
      assert.strictEqual(found.length, 1, found.join("\n"))
      assert.match(found[0]!, new RegExp(`BOOK_SHAPE ${path}$`))
    })
  )

  it.effect("does not let one code mean two device taxes, and gives the reason", function* () {
    const device = book(
      '"taxes": [{ "code": "A", "device": 1, "percent": "15" }, { "code": "A", "device": 2, "percent": "15", "since": "2026-01-01" }]'
    )
    assert.deepStrictEqual(yield* messages(device), ["A is device tax 1 at 15 % and device tax 2 at 15 %"])
    const percent = book(
      '"taxes": [{ "code": "A", "device": 1, "percent": "15" }, { "code": "A", "device": 1, "percent": "15.5", "since": "2026-01-01" }]'
    )
    assert.deepStrictEqual(yield* messages(percent), ["A is device tax 1 at 15 % and device tax 1 at 15.5 %"])
    const exempt = book(
      '"taxes": [{ "code": "A", "device": 1, "percent": "0" }, { "code": "A", "device": 1, "percent": null }]'
    )
    assert.deepStrictEqual(yield* messages(exempt), ["A is device tax 1 at 0 % and device tax 1 as exempt"])
  })

  it.effect("does not let a spelling mean two taxes on the same day", function* () {
    const tax = (from: string, code: string, device: number, period: string) =>
      `{ "from": ["${from}"], "code": "${code}", "device": ${device}, "percent": "15"${period} }`
    const taxes = (...entries: Array<string>) => messages(book(`"taxes": [${entries.join(", ")}]`))
    assert.deepStrictEqual(
      yield* taxes(tax("S", "A", 1, ', "until": "2026-01-01"'), tax("S", "B", 2, ', "since": "2026-01-01"')),
      ['"S" is both A and B at the same time']
    )
    assert.deepStrictEqual(yield* taxes(tax("S", "A", 1, ""), tax("A", "B", 2, "")), [
      '"A" is both A and B at the same time'
    ])
  })

  it.effect("does not let a spelling mean two currencies or two payment methods", function* () {
    assert.deepStrictEqual(
      yield* messages(
        book(
          '"currencies": [{ "from": ["$"], "code": "USD", "device": "USD" }, { "from": ["$"], "code": "AUD", "device": "AUD" }]'
        )
      ),
      ['"$" is both USD and AUD at the same time']
    )
    assert.deepStrictEqual(
      yield* messages(book('"currencies": [{ "code": "USD", "device": "USD" }, { "code": "USD", "device": "ZWG" }]')),
      ['"USD" is both USD and USD (ZWG) at the same time']
    )
    assert.deepStrictEqual(
      yield* messages(book('"payments": [{ "from": ["c"], "method": "Card" }, { "from": ["c"], "method": "Cash" }]')),
      ['"c" is both Card and Cash at the same time']
    )
  })

  it.effect("reports facts that a draft leaves to the operator as not filled in yet", function* () {
    const drafted = `{ "version": 1, "zone": "", "currencies": [{ "code": "USD", "device": "" }],
        "taxes": [{ "from": ["Luxury"], "since": "", "code": "", "device": "", "percent": "" }] }`
    assert.deepStrictEqual(
      (yield* messages(drafted)).toSorted(),
      ["currencies.0.device", ...["code", "device", "percent", "since"].map((name) => `taxes.0.${name}`), "zone"].map(
        (path) => `${path}: not filled in yet: ""`
      )
    )
  })

  it.effect("states the number of problems in one sentence", () =>
    Effect.map(Effect.flip(BookFile.load("x.book.json", "{")), (error) =>
      assert.strictEqual(error.message, "x.book.json: 1 problem in the mapping book")
    )
  )
})
