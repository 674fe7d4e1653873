import { assert, describe, it } from "@effect/vitest"
import type { Statement } from "../../src/finding/Statement.ts"
import * as ExportStatements from "../../src/source/ExportStatements.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { invoice, money } from "../import/SampleSources.ts"

const at = { file: "sales.csv" }

const column = (name: string, changes: Partial<Statement> = {}): Statement => ({
  place: "column",
  name,
  samples: [],
  values: "texts",
  treatment: "named",
  ...changes
})

const messageOf = (...statements: ReadonlyArray<Statement>) => ExportStatements.finding(statements, at)?.message

describe("the record of an export", () => {
  it("names numbers first and constants last, without the numbers of persons", () => {
    assert.strictEqual(
      messageOf(
        column("Company", { values: "constant", samples: ["Own Ltd"] }),
        column("Ccy", { values: "constant", samples: ["EUR"] }),
        column("Flag", { values: "constant", samples: ["1"] }),
        column("Note", { samples: ["urgent"] }),
        column("Qty again", { values: "figures", samples: ["2"] }),
        column("Disc", { values: "numbers", samples: ["10", "25"] }),
        column("Phone", { values: "numbers", samples: ["+31612345678"] })
      ),
      'not read: numbers "Disc" 10, 25, "Phone"; numbers that the documents also state "Qty again"; "Note"; the same everywhere "Company", "Ccy" EUR, "Flag" 1'
    )
  })

  it("has at most twenty names in its text, and all in its data", () => {
    const many = Array.from({ length: 31 }, (_, i) => column(`C${i}`))
    const found = ExportStatements.finding(many, at)
    assert.match(found!.message, /"C19"; and 11 more$/)
    assert.lengthOf(found!.statements!, 31)
  })

  it("names nothing that is read, compared, harmless or answered, and counts the answers", () => {
    const settled = (["read", "held", "harmless", "answered"] as const).map((treatment) =>
      column(treatment, { treatment })
    )
    assert.isUndefined(messageOf(...settled))
    assert.strictEqual(messageOf(...settled, column("New")), 'not read: "New"; 1 left unread by the column map')
  })
})

describe("the documents of an export", () => {
  const findingsOf = (
    documents: ReadonlyArray<Partial<SourceDocument>>,
    list: ReadonlyArray<Statement>,
    held: ReadonlyArray<string> = []
  ) => {
    const statements = new ExportStatements.ExportStatements()
    for (const [i, changes] of documents.entries()) {
      const { where, ...document } = invoice(`INV-${i + 1}`, "2026-01-05", changes)
      statements.take({ ...document, where: () => ({ ...where([]), ...at }) })
    }
    const record = ExportStatements.finding(list, at)
    if (record !== undefined) statements.add(record)
    return statements.findings((_, name) => held.includes(name)).map(({ message }) => message)
  }

  it("show which numbers they state elsewhere, and which column is compared with the total", () => {
    const amounts = [
      { name: "Copy", values: [money("100.00")] },
      { name: "Disc", values: [money("7")] },
      { name: "Charged", values: [money("100.00")] }
    ]
    const list = ["Copy", "Disc", "Charged"].map((name) => column(name, { values: "numbers" }))
    assert.deepStrictEqual(findingsOf([{ amounts, totals: { total: money("100.00") } }], list, ["Charged"]), [
      'not read: numbers "Disc"; numbers that the documents also state "Copy"'
    ])
  })

  it("do not name a column that is read, although its amounts are looked at", () => {
    const amounts = [{ name: "Sum", values: [money("20.00")], of: "rows" as const }]
    assert.deepStrictEqual(findingsOf([{ amounts }], [column("Sum", { treatment: "read" })]), [])
  })

  it("name a field with a known name only if one of its values is not known", () => {
    const words = (text: string) => ({ words: [{ subject: "status" as const, name: "State", text }] })
    const list = [column("State", { treatment: "held" }), column("New")]
    assert.deepStrictEqual(findingsOf([words("paid")], list), ['not read: "New"'])
    assert.deepStrictEqual(findingsOf([words("paid"), words("qzx")], list), ['not read: "State", "New"'])
  })

  it("name their unread fields without a record of the adapter", () => {
    const words = [{ subject: "status" as const, name: "State", text: "qzx" }]
    assert.deepStrictEqual(findingsOf([{ words, amounts: [{ name: "Disc", values: [money("7")] }] }], []), [
      'not read: numbers "Disc"; "State"'
    ])
  })
})
