import { assert, describe, it } from "@effect/vitest"
import { mask, ruleCodes } from "../../src/submission/ledger/StatedFailure.ts"

describe("the mask of a text", () => {
  it("hides the request id and every token with a digit, and keeps all other words", () => {
    assert.strictEqual(mask("Request ab-cd not found", "ab-cd"), "Request # not found")
    assert.strictEqual(mask('Invoice "INV-7/2" waits\n since 10:15', "r-9"), 'Invoice "#" waits since #:#')
    assert.strictEqual(mask("ref:ab-c", "ab-c"), mask("ref:77", "77"))
    assert.strictEqual(mask("Line ٣ is wrong", "r-9"), "Line # is wrong")
    assert.notStrictEqual(mask("Pending", "r-9"), mask("Pending.", "r-9"))
  })

  it("distinguishes two long texts, and fits the key of a table", () => {
    const long = "word ".repeat(100)
    const masks = [mask(`${long}one`, "r"), mask(`${long}two`, "r")]
    assert.lengthOf(new Set(masks), 2)
    assert.isTrue(masks.every((text) => text.length <= 300))
  })
})

describe("the codes of receipt rules in a text", () => {
  it("are tokens of their own", () => {
    assert.deepStrictEqual(ruleCodes("RCPT026: no; (RCPT043), RCPT026. - RCPT017 -"), ["RCPT026", "RCPT043", "RCPT017"])
    for (const text of [
      "RCPT26",
      "RCPT0260",
      "xRCPT026",
      "RCPT026x",
      "é́RCPT026",
      "RCPT026-17",
      "A.RCPT026",
      "9#RCPT026",
      "#RCPT026 of the queue",
      "R/RCPT026",
      "RCPT026_",
      "Queue /RCPT026/",
      "RCPT026- is queued",
      "queue -RCPT026",
      "the path RCPT026/",
      "rcpt026"
    ]) {
      assert.deepStrictEqual(ruleCodes(text), [], text)
    }
  })
})
