import { assert, describe, it } from "@effect/vitest"
import { ColumnQuestions } from "../../core/src/hostImport.ts"
import { answersOf, withoutColumns } from "../src/work/ChosenColumns.ts"
import { readingAnswersOf } from "../src/work/PageImport.ts"

const column = (name: string, field: string | null) => ({
  name,
  field,
  reference: name,
  cells: [] as ReadonlyArray<string>,
  because: null
})

const nothing = { settings: {}, layout: undefined, columns: undefined }

const mapOf = (one: Parameters<typeof readingAnswersOf>[0]) =>
  JSON.parse(readingAnswersOf(one).columns ?? "") as unknown

const columns = [
  column("No", "number"),
  column("Each", "unitPrice"),
  column("VAT", "tax.percent"),
  column("Paid", ColumnQuestions.notUsed)
]

describe("the column map of answers on the page", () => {
  it("has each chosen column, lists one that is not used as unread, and leaves out what is not decided", () => {
    const answers = answersOf({ columns: [...columns, column("Off", null)], rest: { layout: "rows" }, words: {} })
    assert.deepStrictEqual([...answers.keys()], ["column No", "column Each", "column VAT", "column Paid"])
    assert.deepStrictEqual(mapOf({ base: nothing, answers }), {
      version: 1,
      layout: "rows",
      columns: { number: "No", unitPrice: "Each", taxes: [{ percent: "VAT" }] },
      unread: ["Paid"]
    })
    // a code wins over the percent, in either order
    for (const more of [
      [...columns, column("Code", "tax.code")],
      [column("Code", "tax.code"), ...columns]
    ])
      assert.deepInclude(mapOf({ base: nothing, answers: answersOf({ columns: more, rest: {}, words: {} }) }), {
        columns: { number: "No", unitPrice: "Each", taxes: [{ percent: "VAT", code: "Code" }] }
      })
  })

  it("leaves only the chosen one of two columns of a name unread", () => {
    const twice = [1, 2].map((nth) => ({ ...column("Void", nth === 1 ? ColumnQuestions.notUsed : null), nth }))
    const seen = twice.map(({ nth, ...one }) => ({ ...one, reference: { column: "Void", nth } }))
    assert.deepInclude(mapOf({ base: nothing, answers: answersOf({ columns: seen, rest: {}, words: {} }) }), {
      unread: [{ column: "Void", nth: 1 }]
    })
  })

  it("keeps other answers about the map when the columns are chosen again, and drops earlier columns", () => {
    const base = {
      ...nothing,
      columns: JSON.stringify({ version: 1, kinds: { R: "invoice" }, columns: { number: "Id" } })
    }
    const said = {
      text: "",
      answer: "credit-note",
      choice: { reading: { map: { kinds: { G: "credit-note" } } }, book: [] }
    }
    const answers = new Map([["kind G", said], ...answersOf({ columns, rest: {}, words: {} })])
    assert.deepInclude(mapOf({ base: withoutColumns(base), answers }), {
      kinds: { R: "invoice", G: "credit-note" },
      columns: { number: "No", unitPrice: "Each", taxes: [{ percent: "VAT" }] }
    })
  })
})
