/** Questions about columns: their order, and one field for each column. */
import { assert, describe, it } from "@effect/vitest"
import type { AskedColumns, AskedField } from "@fiscal-connector/core/source/Adapter"
import * as AnswersFile from "@fiscal-connector/core/unstable/question/AnswersFile"
import * as ColumnQuestions from "@fiscal-connector/core/unstable/question/ColumnQuestions"
import { chosen } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import { Result } from "effect"

const field = (name: string, ...columns: ReadonlyArray<string>): AskedField => ({
  field: name,
  question: `Which column is the ${name}?`,
  none: name === "number" ? null : "none",
  proposal: null,
  choices: columns.map((id) => ({
    id,
    words: id,
    examples: [],
    evidence: [],
    columns: id === "Code" ? ["Code", "Amount"] : [id],
    map: { columns: { [name]: id } }
  }))
})

const others = { columns: ["Town"], evidence: ["city: Town"], map: { columns: { city: "Town" } } }

const asked: AskedColumns = {
  header: undefined,
  fields: [
    field("number", "Ref", "Day", "Code", "Amount", "Town"),
    field("date", "Ref", "Day", "Code", "Amount", "Town")
  ],
  others
}

const questions = ColumnQuestions.of("sales.csv", asked)

const settle = (answers: Readonly<Record<string, string>>) =>
  AnswersFile.settle(questions, new Map(Object.entries(answers)))

describe("questions about columns", () => {
  it("are about the line of the names first, and about the columns of this line after it", () => {
    const lines = [{ line: 3, cells: ["Ref", "Day"] }]
    const [header, ...rest] = ColumnQuestions.of("sales.csv", { ...asked, header: { lines, proposal: 3 } })
    assert.deepStrictEqual(rest, [])
    assert.deepStrictEqual([header?.id, header?.proposal], ["header line", "3"])
    assert.deepStrictEqual(chosen(header!, "3")?.reading, { settings: { headerLine: 3 } })
    assert.deepStrictEqual(chosen(header!, "0")?.reading, { settings: { headerLine: 0 } })
    assert.deepStrictEqual(chosen(header!, "17")?.reading, { settings: { headerLine: 17 } })
    assert.deepStrictEqual(
      [
        { id: "contents ledger", subject: "contents" as const },
        header!,
        questions[0]!,
        { id: "zone", subject: "zone" as const }
      ].map(ColumnQuestions.stage),
      [0, 1, 2, 3]
    )
  })

  it("are not asked if every field has a column with a known name", () => {
    assert.deepStrictEqual(ColumnQuestions.of("sales.csv", { header: undefined, fields: [], others }), [])
  })

  it("offer no column only for a field that a document can do without", () => {
    const offers = questions.map(({ choices, id }) => [id, choices.some((choice) => choice.id === "none")])
    assert.deepStrictEqual(offers, [
      ["column number", false],
      ["column date", true],
      ["other columns", true]
    ])
  })

  it("are refused if two answers read one column, also as a further column of an answer", () => {
    assert.deepStrictEqual(settle({ "column number": "Ref", "column date": "Day" }).problems, [])
    assert.deepStrictEqual(settle({ "column number": "Ref", "column date": "Ref" }).problems, [
      'column number and column date both read the column "Ref": a column states one field'
    ])
    assert.lengthOf(settle({ "column number": "Code", "column date": "Amount" }).problems, 1)
    assert.lengthOf(settle({ "column number": "Town", "other columns": "proposed" }).problems, 1)
    assert.deepStrictEqual(settle({ "column number": "Town", "other columns": "none" }).problems, [])
  })

  it("keep answers to questions of a later stage in the file of answers", () => {
    const text = AnswersFile.template(questions, () => "Ref", new Map([["zone", "+02:00"]]))
    assert.deepStrictEqual(
      [...Result.getOrThrow(AnswersFile.read(text))],
      [
        ["column number", "Ref"],
        ["column date", "Ref"],
        ["other columns", "Ref"],
        ["zone", "+02:00"]
      ]
    )
  })
})
