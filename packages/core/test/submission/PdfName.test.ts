import { assert, describe, it } from "@effect/vitest"
import { nameOf } from "../../src/submission/PdfName.ts"

const invoice = { account: "shop", kind: "invoice", id: "i1", number: "INV-1" } as const

describe("the name of a PDF", () => {
  it("is the number, with the kind of a credit note", () => {
    assert.strictEqual(nameOf(invoice, "one"), "INV-1.pdf")
    assert.strictEqual(nameOf({ ...invoice, kind: "credit-note" }, "one"), "INV-1.credit-note.pdf")
  })

  it("differs between the accounts of one folder", () => {
    const own = nameOf(invoice, "several")
    assert.match(own, /^INV-1-[0-9a-f]{8}\.pdf$/)
    assert.strictEqual(nameOf(invoice, "several"), own)
    assert.notStrictEqual(nameOf({ ...invoice, account: "market" }, "several"), own)
  })

  it("differs between numbers that a file system takes for the same, and has no path in it", () => {
    const names = ["inv-1", "INV-1", "a/b", "a:b", "../x", "INV."].map((number) =>
      nameOf({ ...invoice, number }, "one")
    )
    assert.strictEqual(new Set(names.map((name) => name.toLowerCase())).size, names.length)
    for (const name of names) assert.match(name, /^[\w.-]+\.pdf$/)
  })
})
