import { assert, describe, it } from "@effect/vitest"
import { withAnswer } from "../src/work/Imports.ts"

describe("two answers for one column map", () => {
  it("are both kept, even if they concern the same part", () => {
    const nothing = { settings: {}, layout: undefined, columns: undefined }
    const answers = [
      { map: { kinds: { Rechnung: "invoice" } } },
      { map: { kinds: { Gutschrift: "credit-note" } } },
      { map: { layout: "continuation" } }
    ]
    const { columns } = answers.reduce(withAnswer, nothing)
    assert.deepStrictEqual(JSON.parse(columns ?? ""), {
      version: 1,
      kinds: { Rechnung: "invoice", Gutschrift: "credit-note" },
      layout: "continuation"
    })
  })
})
