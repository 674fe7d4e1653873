import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Option, Result, Schema } from "effect"
import * as Money from "../../src/document/Money.ts"
import { money, nonZero } from "./Numbers.ts"
import { seeded } from "../Property.ts"

const decimal = BigDecimal.fromStringUnsafe
const decodeAmount = Schema.decodeUnknownResult(Money.Amount)
const decodeDecimal = Schema.decodeUnknownResult(Money.Decimal)
const encodeAmount = Schema.encodeSync(Money.Amount)
const encodeDecimal = Schema.encodeSync(Money.Decimal)

/** Converts JSON text to BigDecimal and back, like a number in an answer or a request. */
const throughJson = (text: string, form: "amount" | "decimal") => {
  const wire = Result.getOrThrow(Money.parseJson(text))
  return JSON.stringify(
    form === "amount"
      ? encodeAmount(Result.getOrThrow(decodeAmount(wire)))
      : encodeDecimal(Result.getOrThrow(decodeDecimal(wire)))
  )
}

describe("a number from JSON text to JSON text", () => {
  it.each([
    ["0.1", "0.10", "0.1"],
    ["12345678901234567.89", "12345678901234567.89", "12345678901234567.89"],
    ["1e-7", "0.0000001", "0.0000001"],
    ["10.10", "10.10", "10.1"],
    ["0", "0.00", "0"],
    ["-0", "0.00", "0"],
    ["-0.5", "-0.50", "-0.5"],
    ["-0.001", "-0.001", "-0.001"],
    ["1.005", "1.005", "1.005"],
    ["9007199254740993", "9007199254740993.00", "9007199254740993"],
    ["99999999999999999999", "99999999999999999999.00", "99999999999999999999"],
    ["1E+2", "100.00", "100"],
    ["1.50e3", "1500.00", "1500"],
    ["0.30000000000000004", "0.30000000000000004", "0.30000000000000004"],
    ["1071249999999999.95", "1071249999999999.95", "1071249999999999.95"],
    ["0.99999999999999999999", "0.99999999999999999999", "0.99999999999999999999"],
    ["1e-400", `0.${"1".padStart(400, "0")}`, `0.${"1".padStart(400, "0")}`]
  ])("keeps every digit of %s", (text, amount, plain) => {
    assert.strictEqual(throughJson(text, "amount"), amount)
    assert.strictEqual(throughJson(text, "decimal"), plain)
  })

  it("reads a number in a JSON string with white space around it", () => {
    assert.strictEqual(throughJson('" 10.10 "', "amount"), "10.10")
    assert.strictEqual(throughJson('"12345678901234567.89"', "amount"), "12345678901234567.89")
  })

  it.each(['""', '" "', '"abc"', '"1,000.00"', '"0x10"', '"NaN"', '"1.2.3"', "null", "true", "[]", "{}"])(
    "does not accept %s as a number",
    (text) => {
      const wire = Result.getOrThrow(Money.parseJson(text))
      assert.isTrue(Result.isFailure(decodeAmount(wire)))
      assert.isTrue(Result.isFailure(decodeDecimal(wire)))
    }
  )

  it("reports invalid JSON without quoting it", () => {
    assert.deepStrictEqual(Money.parseJson('{"Name": "Somebody'), Result.fail("not JSON"))
  })

  it("leaves strings that look like numbers unchanged", () => {
    assert.deepStrictEqual(Money.parseJson('{"a":"0.10","b":[7,0.1]}'), Result.succeed({ a: "0.10", b: [7, "0.1"] }))
  })

  it("reads whole numbers as numbers in every notation", () => {
    assert.deepStrictEqual(Money.parseJson("[7, -7, 7.0, 7e2, 0.7e1]"), Result.succeed([7, -7, 7, 700, 7]))
  })

  it.prop(
    "keeps its value, however many digits it has",
    { money },
    ({ money }) => {
      const text = Money.formatPlain(money)
      assert.isTrue(BigDecimal.equals(decimal(throughJson(text, "amount")), money))
      assert.strictEqual(throughJson(text, "decimal"), text)
    },
    seeded()
  )
})

describe("parse", () => {
  it.each(["", " 1", "1 ", "1\n", ".", "+", "-", "1e", "e1", "1e1.5", "1e1000", "--1", "1,5", "0x1", "Infinity", "١"])(
    "refuses %j",
    (text) => assert.isTrue(Option.isNone(Money.parse(text)))
  )

  it.each([
    ["+5", "5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["-.25", "-0.25"],
    ["007", "7"],
    ["-0.00", "0"],
    ["999999999999.999", "999999999999.999"],
    ["-9999999999999999.99", "-9999999999999999.99"],
    ["9007199254740993", "9007199254740993"],
    ["1e-3", "0.001"]
  ])("reads %s", (text, plain) => assert.strictEqual(Money.formatPlain(Option.getOrThrow(Money.parse(text))), plain))

  it("keeps the scale of the text", () => {
    for (const text of ["5", "5.", "5.0", "0.50", ".5", "12345678901234567890.10", "-007.100"]) {
      const { scale, value } = BigDecimal.fromStringUnsafe(text)
      assert.deepInclude(Option.getOrThrow(Money.parse(text)), { scale, value }, text)
    }
  })

  it.prop(
    "reads back its own text, as an amount and in plain form",
    { money },
    ({ money }) => {
      for (const text of [Money.formatAmount(money), Money.formatPlain(money)]) {
        assert.isTrue(BigDecimal.equals(Option.getOrThrow(Money.parse(text)), money), text)
      }
    },
    seeded()
  )
})

describe("writing", () => {
  it.each([
    ["10.1", "10.10", "10.1"],
    ["10", "10.00", "10"],
    ["10.100", "10.10", "10.1"],
    ["0.125", "0.125", "0.125"],
    ["1e3", "1000.00", "1000"],
    ["1e-20", "0.00000000000000000001", "0.00000000000000000001"],
    ["-0.05", "-0.05", "-0.05"],
    ["0e9", "0.00", "0"],
    ["123456789012345678901234567890", "123456789012345678901234567890.00", "123456789012345678901234567890"]
  ])("%s is %s as an amount and %s in plain form", (text, amount, plain) => {
    assert.strictEqual(Money.formatAmount(decimal(text)), amount)
    assert.strictEqual(Money.formatPlain(decimal(text)), plain)
  })

  it.prop(
    "gives an amount at least two decimal places, and a plain number no trailing zeros",
    { money },
    ({ money }) => {
      assert.match(Money.formatAmount(money), /^-?(0|[1-9]\d*)\.(\d\d|\d*[1-9])$/)
      assert.match(Money.formatPlain(money), /^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
    },
    seeded()
  )

  it.prop(
    "groups the thousands of an amount and changes nothing else",
    { money },
    ({ money }) => {
      const grouped = Money.formatGrouped(money)
      assert.strictEqual(grouped.replaceAll(",", ""), Money.formatAmount(money))
      assert.match(grouped, /^-?\d{1,3}(,\d{3})*\.\d+$/)
    },
    seeded()
  )
})

describe("round", () => {
  it.each([
    ["20.625", "20.63"],
    ["4.125", "4.13"],
    ["70.125", "70.13"],
    ["2.165", "2.17"],
    ["1.005", "1.01"],
    ["1.0049999999999999999", "1.00"],
    ["-1.005", "-1.01"],
    ["-1.0049", "-1.00"],
    ["0.005", "0.01"],
    ["9.995", "10.00"]
  ])("rounds %s to %s: half away from zero", (text, rounded) => {
    assert.strictEqual(Money.formatAmount(Money.round(decimal(text), 2)), rounded)
  })
})

describe("quotient", () => {
  it.each([
    ["1", "3", 2, "0.33"],
    ["2", "3", 2, "0.67"],
    ["1", "8", 2, "0.13"],
    ["-1", "8", 2, "-0.13"],
    ["1", "-8", 2, "-0.13"],
    ["-1", "-8", 2, "0.13"],
    ["0", "-8", 2, "0"],
    ["61.17", "1000", 6, "0.06117"],
    ["13162500", "115", 2, "114456.52"],
    ["0.000001", "1000000", 6, "0"],
    ["1e10", "1e-10", 0, "100000000000000000000"]
  ])("%s / %s to %i places is %s", (a, b, scale, expected) => {
    assert.strictEqual(Money.formatPlain(Money.quotient(decimal(a), decimal(b), scale)), expected)
  })

  const scale = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })))

  it.prop(
    "is within half a unit of its last place, rounded half away from zero, checked by multiplication",
    { dividend: money, divisor: nonZero, scale },
    ({ dividend, divisor, scale }) => {
      const quotient = Money.quotient(dividend, divisor, scale)
      assert.strictEqual(quotient.scale, scale)
      // |dividend| − |quotient|·|divisor| is in [−half, half) of |divisor| in the last place.
      const half = BigDecimal.multiply(BigDecimal.abs(divisor), BigDecimal.make(5n, scale + 1))
      const rest = BigDecimal.subtract(
        BigDecimal.abs(dividend),
        BigDecimal.multiply(BigDecimal.abs(quotient), BigDecimal.abs(divisor))
      )
      assert.isTrue(BigDecimal.isGreaterThanOrEqualTo(rest, BigDecimal.negate(half)))
      assert.isTrue(BigDecimal.isLessThan(rest, half))
      const sign = BigDecimal.sign(dividend) * BigDecimal.sign(divisor)
      assert.isTrue(BigDecimal.isZero(quotient) || BigDecimal.sign(quotient) === sign)
    },
    seeded()
  )

  it.prop(
    "returns the other factor of a product",
    { a: money, b: nonZero },
    ({ a, b }) => {
      assert.isTrue(BigDecimal.equals(Money.quotient(BigDecimal.multiply(a, b), b, Math.max(a.scale, 0)), a))
    },
    seeded()
  )
})

describe("a figure with the noise of a double", () => {
  it.each([
    ["141.26999999999998", "141.27"],
    ["99.90000000000001", "99.9"],
    ["0.30000000000000004", "0.3"],
    ["-47.089999999999996", "-47.09"],
    ["999.9999999999999", "1000"],
    ["12345678.990000000000001", "12345678.99"],
    // not shorter with 15 digits, or more than a double can hold
    ["0.1234567890123456", "0.1234567890123456"],
    ["1071249999999999.95", "1071249999999999.95"],
    ["1000000000000001", "1000000000000001"],
    ["12345678901234567", "12345678901234567"],
    ["1.10", "1.1"]
  ])("%s is %s", (text, expected) => assert.strictEqual(Money.formatPlain(Money.withoutNoise(decimal(text))), expected))

  it("is what its program computed with, whatever sum of cents it is", () => {
    for (let i = 0; i < 2000; i++) {
      const cents = [7, 11, 13, 17].map((step) => (i * step * 7919) % 9_999_991)
      const text = String(cents.reduce((sum, one) => sum + one / 100, 0))
      const exact = cents.reduce((sum, one) => sum + one, 0)
      const read = Money.withoutNoise(decimal(text))
      assert.strictEqual(Money.formatAmount(read), Money.formatAmount(BigDecimal.make(BigInt(exact), 2)), text)
      assert.strictEqual(Money.hadNoise(read), text.replaceAll(/\D/g, "").replace(/^0+/, "").length > 15, text)
    }
  })
})
