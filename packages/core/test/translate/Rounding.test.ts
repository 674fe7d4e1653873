import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { formatAmount } from "../../src/document/Money.ts"
import * as Rounding from "../../src/translate/Rounding.ts"
import { amount, int } from "../document/Numbers.ts"
import { money, tax } from "../preflight/SampleTranslated.ts"
import { seeded } from "../Property.ts"

const lines = (...amounts: ReadonlyArray<readonly [amount: string, tax: ReturnType<typeof tax>]>) =>
  amounts.map(([amount, tax]) => ({ lineAmount: money(amount), tax }))
const standard = tax("VAT15", 1, "15")

describe("the tax of an amount", () => {
  it.each([
    ["250", "8.25", "exclusive", "20.63"],
    ["50", "8.25", "exclusive", "4.13"],
    ["850", "8.25", "exclusive", "70.13"],
    ["-250", "8.25", "exclusive", "-20.63"],
    ["100", "15.5", "exclusive", "15.50"],
    ["0.03", "15", "exclusive", "0.00"],
    ["0.04", "15", "exclusive", "0.01"],
    ["470", "8.25", "inclusive", "35.82"],
    ["115", "15", "inclusive", "15.00"],
    ["115.50", "15.5", "inclusive", "15.50"],
    ["100", "0", "inclusive", "0.00"]
  ] as const)("%s at %s %% %s is %s", (amount, percent, basis, expected) => {
    assert.strictEqual(formatAmount(Rounding.taxOn(money(amount), money(percent), basis)), expected)
  })

  it("is absent if the tax is exempt", () => {
    assert.isTrue(BigDecimal.isZero(Rounding.taxOn(money("100"), null, "exclusive")))
  })

  it.prop(
    "is within half a cent of the exact tax",
    { amount, hundredths: int(0, 10_000) },
    ({ amount, hundredths }) => {
      const percent = BigDecimal.make(BigInt(hundredths), 2)
      const hundred = money("100")
      for (const [basis, divisor] of [
        ["exclusive", hundred],
        ["inclusive", BigDecimal.sum(hundred, percent)]
      ] as const) {
        const off = BigDecimal.subtract(
          BigDecimal.multiply(Rounding.taxOn(amount, percent, basis), divisor),
          BigDecimal.multiply(amount, percent)
        )
        const half = BigDecimal.multiply(divisor, money("0.005"))
        assert.isTrue(BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(off), half))
      }
    },
    seeded()
  )
})

describe("the device's tax groups", () => {
  it("are formed by device tax and percent, not by code, and exempt differs from 0 %", () => {
    const groups = Rounding.groups(
      lines(
        ["0.10", standard],
        ["1", tax("ZERO", 2, "0")],
        ["0.10", tax("GOODS", 1, "15.0")],
        ["2", tax("EXEMPT", 2, null)],
        ["0.10", tax("OTHER", 9, "15")]
      ),
      ({ tax }) => tax,
      "exclusive"
    )
    assert.deepStrictEqual(
      groups.map(({ amount, tax, taxAmount }) => [tax.code as string, formatAmount(amount), formatAmount(taxAmount)]),
      [
        ["VAT15", "0.20", "0.03"],
        ["ZERO", "1.00", "0.00"],
        ["EXEMPT", "2.00", "0.00"],
        ["OTHER", "0.10", "0.02"]
      ]
    )
  })

  it("are summed before rounding, unlike a sum of lines", () => {
    const three = lines(["25.06", standard], ["25.61", standard], ["25.63", standard])
    assert.strictEqual(formatAmount(Rounding.perGroup(three, "exclusive")), "11.45")
    const taxes = three.map(({ lineAmount, tax }) => Rounding.taxOn(lineAmount, tax.percent, "exclusive"))
    assert.strictEqual(formatAmount(BigDecimal.sumAll(taxes)), "11.44")
    assert.isTrue(BigDecimal.isZero(Rounding.perGroup([], "exclusive")))
  })
})
