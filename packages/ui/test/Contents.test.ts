/** Reads a file that is not invoices on the page: asked first, and read after the answer. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import * as RecognizedFiles from "../../adapter-csv/test/RecognizedFiles.ts"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const main = { fields: { account: "main" } }

const opened = Effect.gen(function* () {
  const folder = yield* folderWith()
  yield* gatewayFor(folder)
  const page = yield* start(["--config", "account.json", "--book", "own.book.json"], env, folder)
  return yield* Effect.promise(() => Visitor.open(page))
})

// slow: every format is uploaded
describe("a file of every format that is not invoices, on the page", () => {
  it.live("is asked about before anything else, and nothing is offered to send", function* () {
    const visitor = yield* opened
    yield* Effect.promise(async () => {
      // the page reads a file of JSON by the adapters of JSON
      for (const one of RecognizedFiles.files.filter(({ name }) => name !== "JSON file")) {
        const where = visitor.whereTo(await visitor.upload([["own.csv", RecognizedFiles.csvOf(one)]], main))
        const { body } = await visitor.read(where)
        assert.deepStrictEqual([...visitor.questionsIn(body).keys()], [`contents ${one.contents}`], one.name)
        assert.strictEqual(visitor.questionsIn(body).get(`contents ${one.contents}`)?.chosen, "stop", one.name)
        assert.notMatch(body, /Send \d+ documents/, one.name)
      }
    })
  })

  it.live("is asked about if its titles or names state another kind than invoices", function* () {
    const visitor = yield* opened
    yield* Effect.promise(async () => {
      const rows = "InvoiceNumber,InvoiceDate,Description,Quantity,UnitPrice,TaxCode\nA-1,2026-01-05,Nails,1,2.50,S\n"
      for (const [name, text] of [
        ["own.csv", rows.replace("InvoiceNumber,InvoiceDate", "Vendor bill no,Vendor bill date")],
        ["own.csv", `Purchases in January\n${rows}`],
        ["purchases.csv", rows]
      ] as const) {
        const { body } = await visitor.read(visitor.whereTo(await visitor.upload([[name, text]], main)))
        assert.strictEqual(visitor.questionsIn(body).get("contents purchases")?.chosen, "stop", text)
        assert.notMatch(body, /Send \d+ documents/, text)
      }
    })
  })

  it.live("is read after the answer, and stays unread after the other one, until it is given again", function* () {
    const visitor = yield* opened
    yield* Effect.promise(async () => {
      const ledger = RecognizedFiles.files.find(({ contents }) => contents === "ledger")
      const text = RecognizedFiles.csvOf(ledger!)
      const where = visitor.whereTo(await visitor.upload([["own.csv", text]], main))
      const stopped = (await visitor.answer(where, { "contents ledger": "stop" })).body
      assert.include(stopped, "The file cannot be read")
      assert.include(stopped, "it holds bookings of the ledger, not invoices")
      const again = visitor.whereTo(await visitor.upload([["own.csv", text]], main))
      const next = (await visitor.answer(again, { "contents ledger": "invoices" })).body
      assert.include(next, "Which column is what?")
    })
  })
})
