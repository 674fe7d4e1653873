import { assert, describe, it } from "@effect/vitest"
import * as AnswersFile from "@fiscal-connector/core/unstable/question/AnswersFile"
import { type OpenQuestion, typed } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import { fills, hasForm } from "@fiscal-connector/core/unstable/question/TypedText"

describe("a typed text", () => {
  it.each([
    [fills.zone, ["+02:00", "Africa/Harare", "UTC"], ["Harare", "2", "USD"]],
    [fills.currency, ["USD", "ZWG"], ["usd", "US Dollar", "$", "+02:00"]],
    [fills.percent, ["0", "15", "15.5", "100"], ["15 %", "15,5", "USD", "-1", "101", "1e1"]],
    [fills.hsCode, ["12345678", "1234"], ["123", "1234567", "ABCDEFGH"]],
    [fills.year, ["2026"], ["26", "20266"]],
    [fills.line, ["0", "12"], ["-1", "1.5", "first"]]
  ])("has the form of %s", (fill, good, bad) => {
    for (const text of good) assert.isTrue(hasForm(fill, text), text)
    for (const text of ["", ...bad]) assert.isFalse(hasForm(fill, text), text)
  })

  it("is any text but an empty one if the description names no form", () => {
    assert.isTrue(hasForm("the reason of all of them", "returned goods"))
    assert.isFalse(hasForm("the reason of all of them", ""))
  })

  it("in a file of answers leaves its question open if it has another form, with the expected text", () => {
    const question: OpenQuestion = {
      id: "zone",
      subject: "zone",
      file: null,
      question: "In which time zone is the business?",
      documents: 1,
      examples: [],
      choices: [
        { id: "UTC", words: "UTC", examples: [], evidence: [], reading: null, book: [], fill: null },
        {
          id: "typed",
          words: "another zone",
          examples: [],
          evidence: [],
          reading: { settings: { zone: typed } },
          book: [],
          fill: fills.zone
        }
      ],
      proposal: null
    }
    const settled = AnswersFile.settle([question], new Map([["zone", "Harare"]]))
    assert.deepStrictEqual(
      settled.open.map(({ id }) => id),
      ["zone"]
    )
    assert.deepStrictEqual(settled.problems, [
      'zone: "Harare" is not one of "UTC", and not the zone, as +02:00 or Africa/Harare'
    ])
    const [choice] = AnswersFile.settle([question], new Map([["zone", "+02:00"]])).choices
    assert.deepStrictEqual(choice?.reading, { settings: { zone: "+02:00" } })
  })
})
