/**
 * Problems are solved where they are shown: by a form for each cause, and by typing into the cell.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import * as BookEditing from "../../core/src/mapping/BookEditing.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { workbook } from "../../adapter-xlsx/test/WorkbookParts.ts"
import { start, Visitor } from "./PageProcess.ts"

const bookName = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const main = { fields: { account: "main" } }

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"
const row = (number: string, more: Partial<Record<"buyer" | "item" | "code" | "total" | "price", string>> = {}) =>
  [
    number,
    "2026-02-01",
    "USD",
    "inclusive",
    more.buyer ?? "",
    more.item ?? "Lamp",
    1,
    more.price ?? "10.00",
    "10.00",
    "Zero",
    more.code ?? "87168000",
    more.total ?? "10.00",
    "card"
  ].join(",")
const csv = (...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")

/** Removes the defaults from the book, so that nothing is decided in advance. */
const strict = (folder: string) => {
  const file = join(folder, bookName)
  writeFileSync(
    file,
    BookEditing.apply(readFileSync(file, "utf8"), [{ what: "setting", path: ["defaults"], value: null }])
  )
  return file
}

const opened = Effect.gen(function* () {
  const folder = yield* folderWith(bookName)
  yield* gatewayFor(folder)
  const book = strict(folder)
  const page = yield* start(["--config", "account.json", "--book", bookName], env, folder)
  return { book, visitor: yield* Effect.promise(() => Visitor.open(page)) }
})

const causeOf = (body: string, message: string): string => {
  const forms = body.split("<form").map((after) => after.split("</form>")[0]!)
  const form = forms.find((form) => form.includes("/remedy") && form.includes(message)) ?? ""
  return (/name="cause" value="([^"]+)"/.exec(form)?.[1] ?? "").replaceAll("&#39;", "'")
}

describe("the page", () => {
  it.live(
    "sends buyers without a number as cash sales with a form, which can be undone until something was sent",
    function* () {
      const { book, visitor } = yield* opened
      const before = readFileSync(book, "utf8")
      yield* Effect.promise(async () => {
        const file = csv(row("A-1", { buyer: "Moyo Hardware" }), row("A-2", { buyer: "Kopje Lodge" }))
        const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
        const { body } = await visitor.leaveOut(where)
        assert.include(body, "There is nothing to send.")
        assert.include(body, "Send them as cash sales")
        const cause = causeOf(body, "the buyer has no TIN")
        await visitor.post(`${where}/remedy`, { cause, remedy: "cash-buyer", "fill.cash-buyer": "Sale" })
        assert.include((await visitor.get(where)).body, "That answer cannot be used")
        await visitor.post(`${where}/remedy`, { cause, remedy: "cash-buyer", "fill.cash-buyer": "Cash sale {name}" })
        const applied = (await visitor.until(where, "Documents to send")).body
        assert.include(applied, "Send 2 documents to the test device")
        assert.include(applied, "Cash sale Moyo Hardware")
        assert.include(readFileSync(book, "utf8"), "Cash sale {name}")
        await visitor.post(`${where}/undo-book`, { change: "1" })
        assert.strictEqual(readFileSync(book, "utf8"), before)
        assert.include((await visitor.until(where, "Documents to send")).body, "Taken back.")

        await visitor.post(`${where}/remedy`, { cause, remedy: "cash-buyer", "fill.cash-buyer": "Cash sale {name}" })
        await visitor.until(where, "Documents to send")
        await visitor.post(`${where}/send`, {})
        await visitor.until(where, "Done: own.csv")
        const again = visitor.whereTo(await visitor.upload([["again.csv", file]], main))
        await visitor.until(again, "Documents to send")
        await visitor.post(`${again}/undo-book`, { change: "2" })
        assert.include(
          (await visitor.until(again, "Documents to send")).body,
          "This cannot be taken back: documents were sent by it."
        )
        assert.include(readFileSync(book, "utf8"), "Cash sale {name}")
      })
    }
  )

  it.live("accepts a product code for each item, and can omit open ones", function* () {
    const { visitor } = yield* opened
    yield* Effect.promise(async () => {
      const blank = (number: string, item: string) => row(number, { item, code: "" })
      const file = csv(blank("A-1", "Delivery"), blank("A-2", "Delivery"), blank("A-3", "Repair"))
      const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
      const { body } = await visitor.leaveOut(where)
      assert.match(body, /Delivery<\/td>\s*<td class="number">2</)
      const cause = causeOf(body, "A line has no HS code")
      await visitor.post(`${where}/remedy`, { cause, remedy: "product-codes", "item.product-codes.0": "99680000" })
      assert.include((await visitor.until(where, "Documents to send")).body, "Send 2 documents to the test device")
      await visitor.post(`${where}/remedy`, { cause, remedy: "leave-out" })
      const left = (await visitor.until(where, "Documents to send")).body
      assert.include(left, "1 document is left out by your decision.")
      assert.notInclude(left, "A line has no HS code")
    })
  })

  it.live(
    "takes the cells typed under every cause at once, also together with an answer for one of the causes",
    function* () {
      const { visitor } = yield* opened
      yield* Effect.promise(async () => {
        const file = csv(
          row("A-1", { total: "10.10" }),
          row("A-2", { total: "x" }),
          row("A-3", { price: "y" }),
          row("A-4", { code: "", item: "Delivery" })
        )
        const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
        const { body } = await visitor.leaveOut(where)
        // All cells and buttons belong to one form, so none is lost by the button of another cause.
        const cells = Array.from(body.matchAll(/form="cells"\s+name="(cell\.[^"]+)"\s+value="([^"]*)"/g))
        assert.deepStrictEqual(cells.map(([, , value]) => value).toSorted(), ["10.10", "x", "y"])
        assert.lengthOf(Array.from(body.matchAll(/id="cells"/g)), 1)
        const named = Object.fromEntries(cells.map(([, name, value]) => [value!, name!] as const))
        await visitor.post(`${where}/cells`, { [named["10.10"]!]: "10.00", [named["x"]!]: "10.00" })
        const corrected = (await visitor.until(where, "Documents to send")).body
        assert.include(corrected, "Send 2 documents to the test device")
        const cause = causeOf(corrected, "A line has no HS code")
        const answer = { cause, remedy: "product-codes", "item.product-codes.0": "99680000", [named["y"]!]: "10.00" }
        await visitor.post(`${where}/remedy`, answer)
        const all = (await visitor.until(where, "Documents to send")).body
        assert.include(all, "Send 4 documents to the test device")
        assert.match(all, /<del>y<\/del><\/td>\s*<td>10.00</)
      })
    }
  )

  it.live("corrects the cell of the right file if another file has the same cell", function* () {
    const { visitor } = yield* opened
    yield* Effect.promise(async () => {
      const january = csv(row("A-1", { total: "x" }))
      const february = csv(row("B-1", { total: "x" }))
      const files = [["january.csv", january] as const, ["february.csv", february] as const]
      const where = visitor.whereTo(await visitor.upload(files, main))
      const { body } = await visitor.leaveOut(where)
      const cells = Array.from(body.matchAll(/name="(cell\.[^"]+)"\s+value="x"/g), ([, name]) => name!)
      assert.lengthOf(new Set(cells), 2)
      assert.lengthOf(cells, 2)
      const ofJanuary = cells.find((name) => name.endsWith("january.csv")) ?? "no cell"
      await visitor.post(`${where}/cells`, { [ofJanuary]: "10.00" })
      const corrected = (await visitor.until(where, "Documents to send")).body
      assert.include(corrected, "Send 1 document to the test device")
      assert.match(corrected, /name="cell\.[^"]+february\.csv"\s+value="x"/)
    })
  })

  it.live("corrects cells of a workbook by typing, twice if needed, and reports them", function* () {
    const { visitor } = yield* opened
    yield* Effect.promise(async () => {
      const [head = "", ...rows] = csv(row("A-1", { price: "1O.00" }), row("A-2", { total: "10.10" }))
        .trim()
        .split("\n")
      const cells = (line: string) => line.split(",").map((text) => (text === "" ? undefined : { text }))
      const bytes = await workbook([{ name: "Sales", rows: [head, ...rows].map(cells) }])
      const where = visitor.whereTo(await visitor.upload([["own.xlsx", bytes]], main))
      const cellOf = (body: string, value: string) =>
        new RegExp(`name="(cell\\.[^"]+)"\\s+value="${value}"`).exec(body)?.[1] ?? `no cell ${value}`
      const first = (await visitor.leaveOut(where)).body
      const typed = { [cellOf(first, "1O.00")]: "1x.00", [cellOf(first, "10.10")]: "10.00" }
      await visitor.post(`${where}/cells`, typed)
      const second = (await visitor.until(where, "Documents to send")).body
      assert.include(second, "Send 1 document to the test device")
      await visitor.post(`${where}/cells`, { [cellOf(second, "1x.00")]: "10.00" })
      const third = (await visitor.until(where, "Documents to send")).body
      assert.include(third, "Send 2 documents to the test device")
      assert.match(third, /<del>1O.00<\/del><\/td>\s*<td>10.00</)
      await visitor.post(`${where}/send`, {})
      const done = (await visitor.until(where, "Done: own.xlsx")).body
      const kept = /href="[^"]*(\/imports\/r\d+)\/report"/.exec(done)?.[1] ?? ""
      assert.match((await visitor.get(`${kept}/report`)).body, /own\.xlsx:2, UnitPrice[^]*1O\.00[^]*10\.00/)
    })
  })

  it.live(
    "corrects a cell by typing, undoes, sends and reports the correction, and keeps the file unchanged",
    function* () {
      const { visitor } = yield* opened
      yield* Effect.promise(async () => {
        const file = csv(row("A-1"), row("A-2", { total: "10.10" }), row("A-3", { total: "x" }))
        const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
        const { body } = await visitor.leaveOut(where)
        const cellOf = (value: string) =>
          new RegExp(`name="(cell\\.[^"]+)"\\s+value="${value}"`).exec(body)?.[1] ?? `no cell ${value}`
        await visitor.post(`${where}/cells`, { [cellOf("10.10")]: "10.00" })
        const corrected = (await visitor.until(where, "Documents to send")).body
        assert.include(corrected, "Send 2 documents to the test device")
        assert.match(corrected, /<del>10.10<\/del><\/td>\s*<td>10.00</)
        await visitor.post(`${where}/undo-cell`, { cell: cellOf("10.10").slice("cell.".length) })
        assert.include((await visitor.until(where, "Documents to send")).body, "Send 1 document to the test device")
        await visitor.post(`${where}/cells`, { [cellOf("10.10")]: "10.00" })
        await visitor.until(where, "Documents to send")
        await visitor.post(`${where}/send`, { rest: "yes" })
        const done = (await visitor.until(where, /fiscalised, \d+ needs? you/)).body
        const kept = /href="[^"]*(\/imports\/r\d+)\/report"/.exec(done)?.[1] ?? ""
        const report = (await visitor.get(`${kept}/report`)).body
        assert.match(report, /A-2[^]*Total[^]*10\.10[^]*10\.00/)
        assert.include(report, "Corrected cells")

        // Refused documents are corrected and sent from the same screen.
        const again = visitor.whereTo(await visitor.post(`${kept}/correct`, {}))
        const refused = (await visitor.until(again, "Documents to send")).body
        const [, cell = "no cell"] = /name="(cell\.[^"]+)"\s+value="x"/.exec(refused) ?? []
        await visitor.post(`${again}/cells`, { [cell]: "10.00" })
        const ready = (await visitor.until(again, "Documents to send")).body
        assert.match(ready, /Send 1 document to the test device|older than the last receipt/)
      })
    }
  )
})
