/**
 * Columns are chosen beside a preview of the first document, so that a mistake shows before the
 * file is read.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { start, Visitor } from "./PageProcess.ts"

const odd = [
  "No;Day;Who;What;Each;Sum;Code;All",
  "A-1;03/02/2026;Moyo Hardware;Lamp;10.00;10.00;Zero;25.00",
  "A-1;03/02/2026;Moyo Hardware;Chair;15.00;15.00;Zero;25.00",
  "A-2;04/02/2026;Kopje Lodge;Lamp;10.00;10.00;Zero;99.00",
  ""
].join("\n")

const chosen = (fields: ReadonlyArray<string>) =>
  Object.fromEntries(fields.map((field, at) => [`column.${at}`, field] as const))
const right = ["number", "date", "customerName", "description", "unitPrice", "lineAmount", "tax.code", "total"]

const textOf = (body: string): string =>
  (/data-shown="preview"[^>]*>([^]*?)<\/section>/.exec(body)?.[1] ?? "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")

describe("the preview of columns", () => {
  it.live("shows the first document after each choice, and saves nothing", function* () {
    const visitor = yield* Effect.flatMap(start(), (page) => Effect.promise(() => Visitor.open(page)))
    yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["odd-sales.csv", odd]]))
      const first = (await visitor.until(where, "Which column is what?")).body
      // Only the number column is known by name; the values show date, buyer and item.
      assert.match(textOf(first), /The first invoice as it will be: A-1 .*Date (3 Feb|2 Mar) 2026 Buyer Moyo Hardware/)
      assert.match(textOf(first), /Lamp Zero Chair Zero/)
      const preview = async (fields: ReadonlyArray<string>) => {
        await visitor.post(`${where}/preview`, chosen(fields))
        return (await visitor.get(where)).body
      }
      const shown = textOf(await preview(right))
      assert.match(shown, /The first invoice as it will be: A-1 .*Date (3 Feb|2 Mar) 2026 Buyer Moyo Hardware/)
      assert.match(shown, /Lamp 10.00 10.00 Zero Chair 15.00 15.00 Zero/)
      assert.match(shown, /The lines add up to 25.00 ✓ as the file says/)
      assert.match(
        shown,
        /Assumed for now: .*the file does not say whether its amounts include tax: they include it. It is asked next/
      )
      // The wrong column is visible at once: the total of a row is not the amount of a line.
      const wrong = right.with(5, "").with(7, "lineAmount")
      assert.match(textOf(await preview(wrong)), /The lines add up to 50.00/)
      assert.match(textOf(await preview(right.with(0, ""))), /It cannot be shown yet: /)
      // Two columns for one field are reported immediately.
      const twice = await preview(right.with(7, "lineAmount"))
      assert.include(twice, "“Amount of the row, quantity × price” (Sum, All): choose it for one column only")
      // The file was not read in these steps.
      await visitor.post(`${where}/columns`, chosen(right))
      const asked = await visitor.asked(where)
      assert.isTrue(asked.has("zone"))
      assert.isFalse(asked.has("column All"))
    })
  })

  it.live("are asked about if nothing was chosen for one of them", function* () {
    const visitor = yield* Effect.flatMap(start(), (page) => Effect.promise(() => Visitor.open(page)))
    yield* Effect.promise(async () => {
      const file = odd.replace("All", "Nlx").replaceAll("25.00", "10").replaceAll("99.00", "5")
      const where = visitor.whereTo(await visitor.upload([["odd-sales.csv", file]]))
      const shown = (await visitor.until(where, "Which column is what?")).body
      assert.match(shown, /name="column.7"[^>]*>\s*<option value="">Ask me/)
      await visitor.post(`${where}/columns`, chosen(right.with(7, "")))
      assert.isTrue((await visitor.asked(where)).has("TOTAL_UNWITNESSED"), "the number may change a total")
    })
  })

  it.live(
    "that are not used stay so when the columns are looked at, and come back with what was answered",
    function* () {
      const visitor = yield* Effect.flatMap(start(), (page) => Effect.promise(() => Visitor.open(page)))
      yield* Effect.promise(async () => {
        const header =
          "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,TaxCode,ProductCode"
        const fields = ["number", "date", "currency", "amounts", "customerName", "description", "quantity", "unitPrice"]
        const all = [...fields, "tax.code", "productCode"]
        const rows = ["A-1,2026-02-03,USD,inclusive,Moyo Hardware,Lamp,1,10.00,Zero,", ""]
        const where = visitor.whereTo(await visitor.upload([["own.csv", [header, ...rows].join("\n")]]))
        await visitor.answer(where, {
          "tax Zero": "2",
          "buyers-without-number": "cash-sale",
          "product-codes": "leave-out"
        })
        const buyer = async () =>
          /name="column.4"[^]*?value="([^"]*)"\s+selected/.exec((await visitor.get(`${where}/columns`)).body)?.[1]
        assert.strictEqual(await buyer(), "customerName")
        await visitor.post(`${where}/columns`, chosen(all.with(4, "unused")))
        await visitor.leaveOut(where)
        assert.strictEqual(await buyer(), "unused")
        await visitor.post(`${where}/recheck`, {})
        await visitor.leaveOut(where)
        await visitor.post(`${where}/columns`, chosen(all))
        const again = (await visitor.leaveOut(where)).body
        assert.include(again, "Cash sale Moyo Hardware")
      })
    }
  )
})
