/**
 * Files changed by spreadsheets or habits: each gets the helpful advice or question, on the screen
 * where the change shows.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { start, Visitor } from "./PageProcess.ts"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total"
const row = (number: string, date: string, { code = "87168000", quantity = "1", total = "10.00" } = {}) =>
  `${number},${date},USD,inclusive,,Lamp,${quantity},10.00,10.00,Zero,${code},${total}`
const csv = (...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")

describe("the page", () => {
  it.live("shows the next step for a file that is not a table, and for cells that lost digits or dates", function* () {
    const visitor = yield* Effect.flatMap(start(), (page) => Effect.promise(() => Visitor.open(page)))
    yield* Effect.promise(async () => {
      const read = async (name: string, text: string) => {
        const where = visitor.whereTo(await visitor.upload([[name, text]]))
        return { where, body: (await visitor.read(where)).body }
      }
      const pdf = await read("january.pdf", "%PDF-1.7 and so on")
      assert.include(pdf.body, "this is a PDF: it shows invoices and holds no table of them")
      assert.include(pdf.body, "Export the invoices with their lines from the accounting system")
      assert.strictEqual((await visitor.upload([["empty.csv", ""]])).status, 400)

      // A date without its format is a number: only the owner knows its starting day.
      const serial = await read("serial.csv", csv(row("A-1", "46054"), row("A-2", "46055")))
      assert.isTrue(visitor.questionsIn(serial.body).has("CSV_DATE_SERIAL"))
      const days = (await visitor.answer(serial.where, { "tax Zero": "2", CSV_DATE_SERIAL: "1900" })).body
      assert.include(days, "1 Feb 2026")

      // A code without its leading zero.
      const short = csv(row("B-1", "2026-02-01", { code: "7168000" }), row("B-2", "2026-02-01", { code: "8716800" }))
      const zeros = await read("zeros.csv", short)
      assert.include(zeros.body, "7168000 → 07168000")
      const restored = (await visitor.answer(zeros.where, { "tax Zero": "2", "product-codes": "restore" })).body
      assert.include(restored, "Send 2 documents to the sandbox")

      // A number that is written only once for several rows.
      const below = csv(
        row("C-1", "2026-02-01", { total: "20.00" }),
        row("", "2026-02-01", { total: "20.00" }),
        row("C-2", "2026-02-02")
      )
      const blank = await read("below.csv", below)
      assert.isTrue(visitor.questionsIn(blank.body).has("CSV_KEY_MISSING"))
      const joined = (await visitor.answer(blank.where, { CSV_KEY_MISSING: "continuation" })).body
      assert.include(joined, "Send 2 documents to the sandbox")

      const percents = csv(row("D-1", "2026-02-01", { quantity: "50%", total: "5.00" }), row("D-2", "2026-02-02"))
      const percent = await read("percent.csv", percents)
      assert.include((await visitor.leaveOut(percent.where)).body, "A percent is not a quantity.")
    })
  })
})
