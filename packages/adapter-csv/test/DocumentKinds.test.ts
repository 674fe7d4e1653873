import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { codes, found, header, numbers, plainly, row, table } from "./PlainTable.ts"
import { read } from "./Sample.ts"

describe("a row's kind", () => {
  it.effect("skips bills among sales, and counts them", () =>
    Effect.gen(function* () {
      const sorted = yield* read(
        table(`Kind,${header}`, `Bill,${row("B-1")}`, `Invoice,${row("INV-1")}`, `in_invoice,${row("B-2")}`)
      )
      assert.deepStrictEqual(numbers(sorted), ["INV-1"])
      assert.deepStrictEqual(
        sorted.skipped.map(({ key, reason }) => `${key}: ${reason}`),
        ['B-1: kind "Bill"', 'B-2: kind "in_invoice"']
      )
    })
  )

  it.effect("makes no invoice of a payment, unless the column map says so", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(table(`Kind,${header}`, `Payment,${row("P-1")}`))
      assert.deepStrictEqual(codes(documents[0]!.findings), ["CSV_KIND_UNKNOWN"])
    })
  )
})

describe("a row's status", () => {
  const stated = read(
    table(
      `Status,${header}`,
      `Draft,${row("1")}`,
      `Voided,${row("2")}`,
      `Cancelled,${row("3")}`,
      `Paid,${row("4")}`,
      `Maybe,${row("5")}`
    )
  )

  it.effect("skips drafts, voids and cancelled documents", () =>
    Effect.gen(function* () {
      const { skipped } = yield* stated
      assert.deepStrictEqual(
        skipped.map(({ key }) => key),
        ["1", "2", "3"]
      )
    })
  )

  it.effect("refuses its document where nobody knows it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(found(yield* stated), [["4"], ["5", "CSV_STATUS_UNKNOWN"]])
    })
  )
})

describe("a credit note", () => {
  const negative = table(header, row("1", { qty: "-1", amount: "-10.00", total: "-10.00" }))

  it.effect("is not made by a negative total alone, which is stated as it is", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(negative)
      assert.strictEqual(documents[0]!.kind, "invoice")
      assert.strictEqual(plainly(documents[0]!.totals.total), "-10")
    })
  )

  it.effect("is what has a negative total, where the person says so", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(negative, { settings: { negativeTotals: "credit-note" } })
      assert.strictEqual(documents[0]!.kind, "credit-note")
    })
  )

  it.effect("is what has negative lines and no total, where the person says so", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(table(header, row("1", { qty: "-1", amount: "-10.00", total: "" })), {
        settings: { negativeTotals: "credit-note" }
      })
      assert.strictEqual(documents[0]!.kind, "credit-note")
    })
  )

  it.effect("is told by its number's prefix, where the person names one", () =>
    Effect.gen(function* () {
      const { documents } = yield* read(table(header, row("CN-1")), { settings: { creditNotePrefixes: ["CN-"] } })
      assert.strictEqual(documents[0]!.kind, "credit-note")
    })
  )
})
