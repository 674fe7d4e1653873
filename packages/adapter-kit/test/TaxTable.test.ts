/**
 * Reads tables of taxes and charges with figures of real systems, entered by hand, as taxes of
 * lines and as charges.
 */
import { formatPlain, type Money, parse } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import {
  type TableProblem,
  ratesIn,
  type ComputedTax,
  settle,
  type TableLine,
  type TableRow,
  type TableTotals
} from "../src/TaxTable.ts"

const money = (text: string): Money => Option.getOrThrow(parse(text))

const row = (code: string, percent: string, amount: string, more: Partial<TableRow> = {}): TableRow => ({
  basis: "lines",
  code,
  percent: money(percent),
  amount: money(amount),
  prices: "exclude",
  ...more
})

const line = (amount: string, net?: string, rates = "{}", code?: string): TableLine => ({
  amount: money(amount),
  net: net === undefined ? undefined : money(net),
  rates: ratesIn(rates),
  code
})

const stated = (
  rows: ReadonlyArray<TableRow>,
  lines: ReadonlyArray<TableLine>,
  totals: Record<string, string>
): ComputedTax => {
  const settled = settle(
    rows,
    lines,
    Object.fromEntries(Object.entries(totals).map(([key, text]) => [key, money(text)])) as TableTotals
  )
  if ("message" in settled) throw new Error(settled.message)
  return settled
}

const problem = (
  rows: ReadonlyArray<TableRow>,
  lines: ReadonlyArray<TableLine>,
  totals: TableTotals = {}
): TableProblem => {
  const settled = settle(rows, lines, totals)
  if (!("message" in settled)) throw new Error("settled")
  return settled
}

const inShort = ({ charges, discounts, rounded, taxMode, taxes, totals }: ComputedTax) => ({
  taxMode,
  taxes: taxes.map((own) =>
    own.map(({ amount, code, percent }) => [code, percent && formatPlain(percent), amount && formatPlain(amount)])
  ),
  charges: charges.map(({ amount, kind, taxes }) => [
    kind,
    formatPlain(amount),
    ...taxes.map(({ code, percent }) => `${code} ${percent && formatPlain(percent)}`)
  ]),
  discounts: discounts?.map(formatPlain),
  totals: Object.fromEntries(Object.entries<Money>(totals).map(([key, amount]) => [key, formatPlain(amount)])),
  rounded: formatPlain(rounded)
})

describe("a table of taxes and charges", () => {
  it("reads the rate of a line from the line's own rates before those of the row", () => {
    const settled = stated(
      [row("VAT", "15.5", "14.11")],
      [line("91", "91", '{"VAT": 15.5}', "Std"), line("11.49", "11.49", '{"VAT": 0}', "Zero")],
      { net: "102.49", total: "116.60" }
    )
    assert.deepStrictEqual(inShort(settled), {
      taxMode: "exclusive",
      taxes: [[["Std", "15.5", undefined]], [["Zero", "0", undefined]]],
      charges: [],
      discounts: undefined,
      totals: { net: "102.49", tax: "14.11", total: "116.6" },
      rounded: "0"
    })
  })

  it("turns shipping into a charge with the tax of the following row", () => {
    const settled = stated(
      [
        row("Freight", "0", "20", { basis: "fixed" }),
        row("VAT", "15", "15"),
        row("VAT Freight", "15", "3", { basis: "row-amount", row: 1 })
      ],
      [line("100", "100")],
      { net: "100", total: "138" }
    )
    assert.deepStrictEqual(inShort(settled).charges, [["shipping", "20", "VAT Freight 15"]])
    assert.deepStrictEqual(inShort(settled).totals, { net: "100", tax: "18", total: "138" })
  })

  it("states a charge without tax under its own name at 0 %", () => {
    const settled = stated([row("Handling", "0", "5", { basis: "fixed" })], [line("100", "100")], {
      net: "100",
      total: "105"
    })
    assert.deepStrictEqual(inShort(settled).charges, [["fee", "5", "Handling 0"]])
  })

  it("taxes a charge like the lines if the tax applies to both", () => {
    const settled = stated(
      [row("Freight", "0", "20", { basis: "fixed" }), row("VAT", "15", "18", { basis: "row-total", row: 1 })],
      [line("100", "100")],
      { net: "100", total: "138" }
    )
    assert.deepStrictEqual(inShort(settled).charges, [["shipping", "20", "VAT 15"]])
    assert.deepStrictEqual(inShort(settled).taxes, [[["VAT", "15", undefined]]])
  })

  it("subtracts a discount on the grand total from each line in proportion to its net amount", () => {
    const settled = stated([row("VAT", "15", "13.5")], [line("80", "72"), line("20", "18")], {
      net: "90",
      total: "103.5",
      discount: "11.5"
    })
    assert.deepStrictEqual(inShort(settled).discounts, ["8", "2"])
    assert.deepStrictEqual(inShort(settled).charges, [])
  })

  it("subtracts it from the document if the net amounts of lines are not exported", () => {
    const settled = stated([row("VAT", "15", "13.5")], [line("80"), line("20")], {
      net: "90",
      total: "103.5",
      discount: "11.5"
    })
    assert.deepStrictEqual(inShort(settled).charges, [["discount", "10"]])
  })

  it("distributes a tax over the lines if a tie was rounded differently", () => {
    const back = stated([row("VAT", "15", "-6.82")], [line("-45.5", "-45.5")], { net: "-45.5", total: "-52.32" })
    assert.deepStrictEqual(inShort(back).taxes, [[["VAT", "15", "-6.82"]]])
    const two = stated([row("VAT", "15", "-6.82")], [line("-40.1", "-40.1"), line("-5.4", "-5.4")], {
      net: "-45.5",
      total: "-52.32"
    })
    assert.deepStrictEqual(
      inShort(two).taxes.map(([tax]) => tax?.[2]),
      ["-6.01", "-0.81"]
    )
  })

  it("keeps the total of prices that contain their tax, and states the rounding of the stated tax", () => {
    const older = stated([row("VAT", "15", "40.44", { prices: "include" })], [line("310", "269.57")], {
      net: "269.57",
      total: "310"
    })
    assert.deepStrictEqual(inShort(older), {
      taxMode: "inclusive",
      taxes: [[["VAT", "15", undefined]]],
      charges: [],
      discounts: undefined,
      totals: { total: "310" },
      rounded: "0.01"
    })
    const two = stated(
      [row("VAT", "15", "36.52", { prices: "include" })],
      [line("29.97", "26.06"), line("250", "217.39")],
      { net: "243.45", total: "279.97" }
    )
    assert.strictEqual(inShort(two).rounded, "0")
  })

  it("refuses a contained tax that the prices do not contain", () => {
    const { message } = problem([row("VAT", "15", "46.50", { prices: "include" })], [line("310", "263.5")], {
      total: money("310")
    })
    assert.include(message, "the prices contain 40.43")
  })

  it("refuses a row that is not a percent of the lines", () => {
    const lines = [line("100", "100")]
    assert.include(problem([row("Levy", "1", "5", { basis: "quantity" })], lines).message, "for each piece")
    assert.include(
      problem([row("VAT - EX", "0", "15", { basis: "fixed" })], lines).message,
      "fixed amount that is called a tax"
    )
    const onTax = [row("VAT", "15", "15"), row("Cess", "1", "0.15", { basis: "row-amount", row: 1 })]
    assert.deepInclude(problem(onTax, lines), { row: 1 })
    assert.include(problem(onTax, lines).message, "a tax on a tax")
    const compound = [row("VAT", "15", "15"), row("Cess", "1", "1.15", { basis: "row-total", row: 1 })]
    assert.include(problem(compound, lines).message, "a tax on a tax")
    assert.include(problem([row("Cess", "1", "1", { basis: "row-amount" })], lines).message, "does not say which")
    const mixed = [row("VAT", "15", "15"), row("Levy", "1", "1", { prices: "include" })]
    assert.include(problem(mixed, lines).message, "Some prices include")
  })

  it("refuses a stated discount that differs from its amounts", () => {
    const vat = [row("VAT", "15", "15")]
    const totals = { net: money("100"), total: money("115") }
    for (const discount of [{ discount: money("1") }, { discount: money("15") }])
      assert.include(
        problem(vat, [line("100", "100")], { ...totals, ...discount }).message,
        "its amounts have one of 0.00"
      )
    const off = problem(vat, [line("110", "100")], { ...totals, discount: money("0") })
    assert.strictEqual(off.message, "The document states a discount of 0.00, and its amounts have one of 10.00")
    const included = [row("VAT", "15", "15", { prices: "include" })]
    assert.include(problem(included, [line("115", "100")], { ...totals, discount: money("1") }).message, "of 1.00")
  })

  it("refuses prices with included tax that are stated as without tax", () => {
    const settled = problem([row("VAT", "15", "15")], [line("115", "100")], { net: money("100"), total: money("115") })
    assert.include(settled.message, "taxes come on top")
  })

  it("refuses totals that differ from the sum of its rows, except for the rounding of a discount", () => {
    const rows = [row("VAT", "15", "15")]
    assert.include(
      problem(rows, [line("100", "100")], { net: money("100"), total: money("115.01") }).message,
      "100.00 + 15.00 + 0.00"
    )
    const rest = stated([row("VAT", "15", "13.5")], [line("100", "90")], {
      net: "90",
      total: "103.49",
      discount: "11.51"
    })
    assert.deepStrictEqual(inShort(rest).totals, { net: "90", total: "103.49" })
    assert.deepStrictEqual(inShort(rest).taxes, [[["VAT", "15", "13.49"]]])
  })

  it("reads rates from JSON with all their digits, and skips rates that do not apply", () => {
    const rates = ratesIn('{"VAT 15% - EX": 15.5, "Levy \\u00e9": 0, "None - EX": "N/A"}')
    assert.deepStrictEqual(
      [...rates].map(([code, percent]) => [code, percent === "none" ? percent : formatPlain(percent)]),
      [
        ["VAT 15% - EX", "15.5"],
        ["Levy é", "0"],
        ["None - EX", "none"]
      ]
    )
  })
})
