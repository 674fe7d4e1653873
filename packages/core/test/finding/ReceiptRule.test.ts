import { assert, describe, it } from "@effect/vitest"
import * as Finding from "../../src/finding/Finding.ts"
import { receiptRules } from "../../src/finding/ReceiptRule.ts"

/** Table of docs/gateway.md#rules. */
const colors = {
  red: "010 013 015 016 017 019 021 022 023 024 025 026 027 030 032 033 034 035 036 037 038 040 042 043 047 048",
  yellow: "014 031 041"
}

const codesOf = (color: string) =>
  receiptRules.filter((rule) => rule.color === color).map(({ code }) => code.replace("RCPT", ""))

describe("the receipt rules", () => {
  it("are the rules of the table, each with its color and none twice", () => {
    assert.deepStrictEqual(codesOf("red"), colors.red.split(" "))
    assert.deepStrictEqual(codesOf("yellow"), colors.yellow.split(" "))
    assert.strictEqual(new Set(receiptRules.map(({ code }) => code)).size, receiptRules.length)
  })

  it("refuse their document, except for rules that only mark the receipt", () => {
    const warns = receiptRules.filter((rule) => !Finding.refuses(Finding.make(rule))).map(({ code }) => code)
    assert.deepStrictEqual(warns, ["RCPT014", "RCPT041"])
  })

  it("state consequence and next step in complete sentences", () => {
    for (const { code, consequence, fix, meaning } of receiptRules) {
      assert.match(meaning, /^[A-Z].*[^.]$/, code)
      assert.match(consequence, /^[A-Z].*\.$/, code)
      assert.match(fix, /^[A-Z0-9].*\.$/, code)
    }
  })
})
