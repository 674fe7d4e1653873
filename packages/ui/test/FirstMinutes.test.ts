/**
 * First five minutes without any configuration: the example, by the buttons that the pages show.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { start, Visitor } from "./PageProcess.ts"

describe("the page without any configuration", () => {
  it.live("leads from the empty screen to receipts of the example, with a corrected cell", function* () {
    const page = yield* start()
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    yield* Effect.promise(async () => {
      assert.include((await visitor.get("/")).body, "Try our example")
      const where = visitor.whereTo(await visitor.post("/example", {}))
      const asked = await visitor.asked(where)
      const tax = [...asked.keys()].find((id) => id.startsWith("tax ")) ?? ""
      await visitor.answer(where, { zone: "Africa/Harare", [tax]: asked.get(tax)?.chosen ?? "2" })
      const checked = (await visitor.until(where, "Documents to send")).body
      assert.include(checked, "Leave EX-1004 out")
      const cell = /name="(cell\.[^"]+)"\s+value="61.10"/.exec(checked)?.[1] ?? "no cell"
      await visitor.post(`${where}/cells`, { [cell]: "61.00" })
      assert.include((await visitor.until(where, "Documents to send")).body, "Send 6 documents to the sandbox")
      await visitor.post(`${where}/send`, {})
      assert.include((await visitor.until(where, "Done: example-shop.csv")).body, "6 of 6 fiscalised")
      // The example is no longer offered.
      assert.notInclude((await visitor.get("/")).body, "Try our example")
    })
  })
})
