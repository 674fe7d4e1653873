import { assert, describe, it } from "@effect/vitest"
import { mapOf } from "../src/work/ChosenColumns.ts"

const column = (name: string, field: string | null) => ({
  name,
  field,
  reference: name,
  cells: [] as ReadonlyArray<string>,
  because: null
})

describe("the column map of choices on the page", () => {
  it("lists every column chosen for a field, so that a duplicate is not hidden", () => {
    const columns = [
      column("No", "number"),
      column("Each", "unitPrice"),
      column("List", "unitPrice"),
      column("VAT", "tax.code"),
      column("Code", "tax.code"),
      column("Paid", null)
    ]
    assert.deepStrictEqual(mapOf({ columns, rest: { layout: "rows" } }), {
      version: 1,
      layout: "rows",
      columns: { number: "No", unitPrice: ["Each", "List"], taxes: [{ code: ["VAT", "Code"] }] }
    })
  })
})
