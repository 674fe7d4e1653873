import { assert, describe, it } from "../../core/test/It.ts"
import type { Path } from "../../core/src/finding/Finding.ts"
import { documentOf, documentsIn, inputOf, read } from "./Fixture.ts"
import { allocation, contact, creditNote, invoice } from "./Sample.ts"

const text = JSON.stringify({ Invoices: [invoice({ RoundingAmount: 0.01 })] }, null, 1)

/** Returns the number of the first text line with the beginning, counted from 1. */
const lineOf = (beginning: string) => text.split("\n").findIndex((line) => line.trim().startsWith(beginning)) + 1

describe("the place of a value", () => {
  const places: ReadonlyArray<readonly [Path, string, string | undefined, string]> = [
    [["number"], "/InvoiceNumber", "INV-0001", '"InvoiceNumber": "INV-0001"'],
    [["id"], "/InvoiceID", "6f9d2a10-0000-4000-8000-000000000001", '"InvoiceID"'],
    [["date"], "/DateString", "2026-03-05T00:00:00", '"DateString"'],
    [["currency"], "/CurrencyCode", "USD", '"CurrencyCode"'],
    [["taxMode"], "/LineAmountTypes", "Exclusive", '"LineAmountTypes"'],
    [["reference"], "/Reference", "", '"Reference"'],
    [["totals", "total"], "/Total", "115", '"Total"'],
    [["charges", 0, "amount"], "/RoundingAmount", "0.01", '"RoundingAmount"'],
    [["buyer", "name"], "/Contact/Name", "Baobab Traders", '"Name"'],
    [["lines"], "/LineItems", undefined, '"LineItems"'],
    [["lines", 0, "quantity"], "/LineItems/0/Quantity", "1", '"Quantity"'],
    [["lines", 0, "taxes", 0, "amount"], "/LineItems/0/TaxAmount", "15", '"TaxAmount"'],
    [["lines", 0, "taxes"], "/LineItems/0/TaxType", "OUTPUT", '"TaxType"']
  ]
  for (const [path, pointer, value, beginning] of places) {
    it.effect(`points to ${path.join(".")}`, function* () {
      assert.deepStrictEqual((yield* documentOf(text)).where(path), {
        file: "export.json",
        line: lineOf(beginning),
        pointer: `/Invoices/0${pointer}`,
        ...(value !== undefined && { text: value })
      })
    })
  }

  it.effect("is the expected place of a missing value, and the document for an unknown field", function* () {
    const document = yield* documentOf(text)
    assert.deepStrictEqual(document.where(["lines", 0, "discount"]), {
      file: "export.json",
      line: lineOf('"Description"') - 1,
      pointer: "/Invoices/0/LineItems/0/DiscountAmount"
    })
    const whole = { file: "export.json", line: 3, pointer: "/Invoices/0" }
    assert.deepStrictEqual([document.where([]), document.where(["nothing"])], [whole, whole])
  })

  it.effect("is in the file that the value was joined from", function* () {
    const files = {
      "contacts.json": JSON.stringify([contact()]),
      "invoices.json": JSON.stringify([
        invoice({ CreditNotes: [{ CreditNoteID: creditNote().CreditNoteID, AppliedAmount: 5 }] }),
        creditNote()
      ])
    }
    const [, note] = documentsIn(yield* read(inputOf(files), { tin: "TaxNumber" }))
    assert.deepStrictEqual(note?.where(["buyer", "tin"]), {
      file: "contacts.json",
      line: 1,
      pointer: "/0/TaxNumber",
      text: "2000000001"
    })
    assert.deepStrictEqual(note?.where(["originals", 0]), {
      file: "invoices.json",
      line: 1,
      pointer: "/0/CreditNotes/0"
    })
  })

  it.effect("is the allocation of an original, or the row of a line", function* () {
    const note = yield* documentOf([creditNote({ Allocations: [{ ...allocation(), IsDeleted: true }, allocation()] })])
    assert.strictEqual(note.where(["originals", 0, "amount"]).pointer, "/0/Allocations/1")
    const row = { invoice_id: "r1", contact_name: "B", type: "ACCREC", status: "PAID", line_amount: 1 }
    const rows = yield* documentOf(`${JSON.stringify(row)}\n${JSON.stringify({ ...row, quantity: "x" })}`)
    assert.deepStrictEqual(rows.findings[0]?.at, { file: "export.json", line: 2, pointer: "/quantity", text: "x" })
  })
})
