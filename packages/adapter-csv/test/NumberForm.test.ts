import { formatPlain } from "../../core/src/document/Money.ts"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, BigDecimal, Schema } from "effect"
import * as NumberForm from "../src/values/NumberForm.ts"
import { seeded } from "../../core/test/Property.ts"

const say = (text: string, mark: NumberForm.DecimalMark): string | undefined => {
  const value = NumberForm.read(text, mark)
  return BigDecimal.isBigDecimal(value) ? formatPlain(value) : value === undefined ? "nothing" : undefined
}

const shape = (text: string) => NumberForm.shapeAt(Buffer.from(text), 0, Buffer.byteLength(text))

describe("numbers with a decimal point", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["0", "0"],
    ["-0.5", "-0.5"],
    [".5", "0.5"],
    ["1840.0000", "1840"],
    ["12345678901234567.89", "12345678901234567.89"],
    ["1,234.50", "1234.5"],
    ["12,48,500.00", "1248500"],
    ["₹1,58,463.13", "158463.13"],
    ["$1,149.00 ", "1149"],
    ["-$12.00", "-12"],
    ["$-12.00", "-12"],
    ["($33.62)", "-33.62"],
    ["$(33.62)", "-33.62"],
    ["12.00-", "-12"],
    ["\u221212.00", "-12"],
    ["1\u00a0234.50", "1234.5"],
    ["1\u2009234\u2009567.50", "1234567.5"],
    ["1'234.50", "1234.5"],
    ["USD 12.50", "12.5"],
    ["12.50 USD", "12.5"],
    ["US$12.50", "12.5"],
    ["Rs. 12.50", "12.5"],
    ["+5", "5"],
    ["'-12.50", "-12.5"],
    ["", "nothing"],
    [" ", "nothing"],
    ["-", "nothing"],
    ["--", "nothing"],
    ["1.234.567", undefined],
    ["1,23", undefined],
    ["1,2345", undefined],
    ["0,123", undefined],
    ["1 23", undefined],
    ["1.5E+3", undefined],
    ["=1+1", undefined],
    ["12.5.0", undefined],
    ["(-5)", undefined],
    ["--5", undefined],
    ["$5$", undefined],
    ["12abc", undefined],
    ["٣", undefined]
  ]
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected ?? "not a number"}`, () =>
      assert.strictEqual(say(text, "point"), expected))
  }
})

describe("numbers with a decimal comma", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["-19.170,48", "-19170.48"],
    ["1200,00", "1200"],
    ["1.234", "1234"],
    ["1,000", "1"],
    ["1 234,5", "1234.5"],
    ["12,00-", "-12"],
    ["12,50 €", "12.5"],
    ["kr. 1.234,00", "1234"],
    ["12.48.500,00", undefined],
    ["1,234.50", undefined],
    ["12.5", undefined]
  ]
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected ?? "not a number"}`, () =>
      assert.strictEqual(say(text, "comma"), expected))
  }
})

describe("percents", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["15", "15"],
    ["15.5 %", "15.5"],
    ["15%", "15"],
    ["-5%", "-5"],
    ["", "nothing"],
    ["%", undefined],
    ["15 % VAT", undefined],
    ["15 %%", undefined]
  ]
  for (const [text, expected] of cases) {
    it(`${JSON.stringify(text)} is ${expected ?? "not a percent"}`, () => {
      const value = NumberForm.readPercent(text, "point")
      assert.strictEqual(
        typeof value === "object" ? formatPlain(value) : value === undefined ? "nothing" : undefined,
        expected
      )
    })
  }

  it("are not amounts: a percent sign in an amount column is not read", () =>
    assert.strictEqual(say("5 %", "point"), undefined))
})

describe("the decimal mark that a number shows", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["12", "whole"],
    ["-12", "whole"],
    ["12.5", "point"],
    ["12,5", "comma"],
    ["0,125", "comma"],
    ["1234.567", "point"],
    ["1.234", "either"],
    ["1,000", "either"],
    ["-1,000", "either"],
    ["1,234.5", "either"],
    ["$5", "either"]
  ]
  for (const [text, expected] of cases) {
    it(`${text} shows ${expected}`, () => assert.strictEqual(shape(text), expected))
  }

  it.prop(
    "is never certain if the other mark also reads the number",
    { text: Arbitrary.schema(Schema.String.check(Schema.isPattern(/^-?[0-9]{0,4}[.,]?[0-9]{0,4}$/))) },
    ({ text }) => {
      const said = shape(text)
      if (said !== "point" && said !== "comma") return true
      return say(text, said) !== undefined && say(text, said === "point" ? "comma" : "point") === undefined
    },
    seeded()
  )
})

describe("currency signs", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["$5", "$"],
    ["5 €", "€"],
    ["US$5", "US$"],
    ["EUR 5", "EUR"],
    ["-5.00", undefined],
    ["1 234", undefined],
    ["(5.00)", undefined]
  ]
  for (const [text, expected] of cases) {
    it(`${text} has ${expected ?? "no sign"}`, () => assert.strictEqual(NumberForm.moneySign(text), expected))
  }
})
