import { assert, describe, it } from "../It.ts"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { SourceAmount } from "../../src/source/SourceDocument.ts"
import { creditNote, invoice, memory, money, planned, outcomesOf } from "./SampleSources.ts"

const amount = (name: string, ...values: ReadonlyArray<string>): SourceAmount => ({ name, values: values.map(money) })

/** `total`: `stated` if another column states the total of every document, 100.00. */
const of = (documents: ReadonlyArray<ReadonlyArray<SourceAmount>>, total: "stated" | "unstated" = "unstated") =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
    const totals = total === "stated" ? { total: money("100.00") } : {}
    const made = yield* planned(
      documents.map((amounts, i) => invoice(`INV-${i + 1}`, "2026-01-05", { amounts, totals }))
    )
    return {
      refused: Object.entries(outcomesOf(made.entries)).flatMap(([number, how]) =>
        /^[A-Z]/.test(how) ? [number] : []
      ),
      listed: made.unattached.map(({ code, message }) => `${code} ${message}`)
    }
  }).pipe(Effect.provide(memory))

describe("an unread amount column", () => {
  it.effect("refuses documents with another total if it equals the total of half of the documents", function* () {
    const { listed, refused } = yield* of([
      [amount("Charged", "100.00")],
      [amount("Charged", "100.00")],
      [amount("Charged", "90.00")],
      [amount("Charged", "110.00")]
    ])
    assert.deepStrictEqual(refused, ["INV-3", "INV-4"])
    assert.deepStrictEqual(listed, [])
  })

  it.effect("is listed as unread if it equals the total of fewer documents", function* () {
    const { listed, refused } = yield* of(
      [[amount("Charged", "100.00")], [amount("Charged", "90.00")], [amount("Charged", "80.00"), amount("Shelf", "7")]],
      "stated"
    )
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(listed, ['STATEMENTS_NOT_READ not read: numbers "Charged", "Shelf"'])
  })

  it.effect("refuses every document with another total if it has the name of a total", function* () {
    const { refused } = yield* of([[amount("Grand Total", "90.00")], [amount("Grand Total", "80.00")]])
    assert.deepStrictEqual(refused, ["INV-1", "INV-2"])
  })

  it.effect.each(["InvoiceAmountPaid", "Balance Due", "Item Cost", "Refunded", "Fee", "Bezahlt", "Rounded Total"])(
    "is not a total under the name %s, whatever most documents state",
    (name) =>
      Effect.gen(function* () {
        const { refused } = yield* of(
          [[amount(name, "100.00")], [amount(name, "100.00")], [amount(name, "40.00")]],
          "stated"
        )
        assert.deepStrictEqual(refused, [])
      })
  )

  it.effect("of payments refuses a document that it states with another rounding, and no other one", function* () {
    const refused = (...due: ReadonlyArray<string>) =>
      Effect.map(of(due.map((paid) => [amount("Total due", paid)])), (outcome) => outcome.refused)
    assert.deepStrictEqual(yield* refused("100.00", "100.00", "99.99", "100.01", "99.95", "40.00", "0.00"), [])
    // one line, whose amount and tax are rounded: a cent, and never two
    for (const paid of ["99.99", "100.01", "-99.99"])
      assert.deepStrictEqual(yield* refused("100.00", "100.00", "100.00", paid, "99.95", "0.00"), ["INV-4"])
    for (const paid of ["99.98", "100.02"])
      assert.deepStrictEqual(yield* refused("100.00", "100.00", "100.00", paid, "99.95", "0.00"), [])
  })

  it.effect("agrees if one of its rows, or their sum, equals the total", function* () {
    const { refused } = yield* of([
      [amount("Charged", "100.00")],
      [amount("Charged", "60.00", "40.00", "100.00")],
      [amount("Charged", "60.00", "100.00", "160.00")],
      [amount("Charged", "60.00", "41.00", "101.00")]
    ])
    assert.deepStrictEqual(refused, ["INV-4"])
  })

  it.effect("refuses the only document with another net amount or tax, unless all figures are the same", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const outcomes = (stated: (nth: number) => string, priceOf = (nth: number) => `${nth}00`) =>
        Effect.map(
          planned(
            [1, 2, 3, 4].map((nth) => {
              const source = invoice(`INV-${nth}`, "2026-01-05", { amounts: [amount("Zxq", stated(nth))] })
              const lines = source.lines.map((line) => ({ ...line, unitPrice: money(priceOf(nth)) }))
              return {
                ...source,
                taxMode: "exclusive" as const,
                totals: { total: money(`${Number(priceOf(nth)) * 1.155}`) },
                lines
              }
            })
          ),
          ({ entries }) =>
            Object.entries(outcomesOf(entries)).flatMap(([number, how]) =>
              /^[A-Z]/.test(how) ? [`${number} ${how}`] : []
            )
        )
      assert.deepStrictEqual(yield* outcomes((nth) => (nth === 2 ? "190.00" : `${nth}00.00`)), [
        "INV-2 AMOUNT_CONTRADICTS"
      ])
      assert.deepStrictEqual(yield* outcomes((nth) => (nth === 3 ? "40" : `${nth * 15.5}`)), [
        "INV-3 AMOUNT_CONTRADICTS"
      ])
      assert.deepStrictEqual(yield* outcomes((nth) => (nth < 3 ? "40" : `${nth * 15.5}`)), [])
      // a zero too, unless half of the documents have one
      for (const part of [15.5, 100, 115.5]) {
        const zero = (from: number) => outcomes((nth) => (nth < from ? `${nth * part}` : "0.00"))
        assert.deepStrictEqual(yield* zero(4), ["INV-4 AMOUNT_CONTRADICTS"], `${part}`)
        assert.deepStrictEqual(yield* zero(3), [], `${part}`)
      }
      assert.deepStrictEqual(
        yield* outcomes(
          (nth) => (nth === 4 ? "7" : "100"),
          () => "100"
        ),
        []
      )
    }).pipe(Effect.provide(memory))
  )

  it.effect("refuses an invoice whose total it states with a minus, or in another currency", function* () {
    const charged = amount("Charged", "100.00")
    const { refused } = yield* of(
      [
        [charged],
        [charged],
        [amount("Charged", "-100.00")],
        [{ ...charged, currency: "EUR" }],
        [amount("Charged", "150.00", "-100.00", "100.00"), { ...amount("In EUR", "88.00"), currency: "EUR" }]
      ],
      "stated"
    )
    assert.deepStrictEqual(refused, ["INV-3", "INV-4"])
  })

  it.effect("is compared with a credit note in either sign", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const amounts = (text: string) => ({ amounts: [amount("Charged", text)] })
      const { entries } = yield* planned([
        invoice("INV-1", "2026-01-05", amounts("100.00")),
        invoice("INV-2", "2026-01-05", amounts("100.00")),
        creditNote("CN-1", "2026-01-06", "INV-1", amounts("-100.00")),
        creditNote("CN-2", "2026-01-06", "INV-2", amounts("-90.00"))
      ])
      assert.deepStrictEqual(outcomesOf(entries)["CN-1"], "2026-01-06")
      assert.deepStrictEqual(outcomesOf(entries)["CN-2"], "AMOUNT_CONTRADICTS")
    }).pipe(Effect.provide(memory))
  )
})

describe("a number that is not read, in documents that state no total", () => {
  const found = (documents: ReadonlyArray<ReadonlyArray<SourceAmount>>, code = "TOTAL_UNWITNESSED") =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const made = yield* planned(documents.map((amounts, i) => invoice(`INV-${i + 1}`, "2026-01-05", { amounts })))
      return made.entries.flatMap((entry) =>
        "findings" in entry
          ? entry.findings.filter((finding) => finding.code === code).map(({ message }) => message)
          : []
      )
    }).pipe(Effect.provide(memory))

  it.effect("refuses the documents that it could change, with all such numbers in one list", function* () {
    const asked = 'no column states the total, and these numbers are not read: "Disc" 10, 25; "Freight" 3.5'
    assert.deepStrictEqual(
      yield* found([[amount("Disc", "10")], [amount("Disc", "25"), amount("Freight", "3.50")], [amount("Disc", "0")]]),
      [asked, asked]
    )
  })

  it.effect.each([
    ["another column equals every total", [[amount("Disc", "10"), amount("Sum", "100")], [amount("Sum", "100")]]],
    ["it repeats a figure that is read", [[amount("Tax", "13.42")], [amount("Tax", "13.42")]]],
    ["it is the price times the quantity, less nothing", [[amount("Gross", "100.00")], [amount("Gross", "100.00")]]],
    ["it is nothing", [[amount("Disc", "0.00")], [amount("Disc", "0")]]],
    ["it is too large for an amount", [[amount("Phone", "263772123456")], [amount("Phone", "263712345678")]]],
    ["it counts the documents", [[amount("No", "41")], [amount("No", "42")], [amount("No", "43")]]],
    ["its name counts the rows", [[amount("Line No", "1")]]],
    ["its name is a place", [[amount("Store", "1"), amount("Branch", "501"), amount("Order Number", "112")]]],
    ["its name is a period", [[amount("Year", "2026"), amount("Month", "1")]]],
    ["its name is the name of a payment", [[amount("Amount Paid", "40")], [amount("Amount Paid", "60")]]]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<ReadonlyArray<SourceAmount>>]>)(
    "is not asked if %s",
    ([, documents]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* found(documents), [])
      })
  )

  it.effect.each(["Delivery", "Zuschlag", "Line fee", "Order", "X"])(
    "is asked although it is above the total: %s",
    (name) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* found([[amount(name, "500")], [amount(name, "620")]])).length, 2)
        assert.strictEqual((yield* found([[amount("Line No", "1.50")]])).length, 1)
      })
  )

  it.effect(
    "is asked where it only happens to be a figure of the document, as a discount of 1 beside a quantity of 1",
    function* () {
      assert.strictEqual((yield* found([[amount("Disc", "1")]])).length, 1)
    }
  )

  it.effect("refuses documents whose rows repeat one amount, until a document shows that it is of rows", function* () {
    const ofRows = (of: "rows" | "repeated"): SourceAmount => ({ ...amount("Sum", "50.00"), of })
    assert.deepStrictEqual(yield* found([[ofRows("repeated")], [amount("Disc", "0")]], "AMOUNT_REPEATED"), [
      'every row of a document states the same amount in "Sum", as 50.00'
    ])
    assert.deepStrictEqual(yield* found([[ofRows("repeated")], [ofRows("rows")]], "AMOUNT_REPEATED"), [])
    assert.deepStrictEqual(yield* found([[ofRows("repeated"), amount("Due", "100.00")]], "AMOUNT_REPEATED"), [])
  })
})
