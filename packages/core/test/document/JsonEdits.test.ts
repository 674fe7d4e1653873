/** Values added to JSON files that users keep. */
import { assert, describe, it } from "@effect/vitest"
import * as JsonEdits from "../../src/document/JsonEdits.ts"

describe("values added to a JSON text", () => {
  it("replace the values of their names, and leave comments and other values", () => {
    const text = '{\n  // ours\n  "version": 1,\n  "columns": { "number": "No", "date": "Day" }\n}\n'
    const edited = JsonEdits.withValues(text, { columns: { date: "When", taxes: [{ code: "VAT" }] }, unread: ["Paid"] })
    assert.include(edited, "// ours")
    assert.deepStrictEqual(JSON.parse(edited.replace("// ours", "")), {
      version: 1,
      columns: { number: "No", date: "When", taxes: [{ code: "VAT" }] },
      unread: ["Paid"]
    })
  })

  it("have no control or bidirectional characters that a terminal obeys", () => {
    const edited = JsonEdits.withValues('{ "version": 1 }', { columns: { number: "No\u202e\u001b[2J" } })
    for (const character of ["\u202e", "\u001b"]) assert.notInclude(edited, character)
    assert.deepStrictEqual(JSON.parse(edited).columns, { number: "No\u202e\u001b[2J" })
  })
})
