/** The first five minutes, without any configuration: the example, by the buttons that the pages show. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { start, Visitor } from "./PageProcess.ts"

describe("without any configuration", () => {
  it.live("the example goes from the empty screen to receipts, its wrong cell corrected on the way", () =>
    Effect.gen(function* () {
      const page = yield* start()
      const visitor = yield* Effect.promise(() => Visitor.open(page))
      yield* Effect.promise(async () => {
        assert.include((await visitor.get("/")).body, "Try it with our example")
        const where = visitor.whereTo(await visitor.post("/example", {}))
        await visitor.until(where, "Where is the business?")
        await visitor.post(`${where}/zone`, { zone: "Africa/Harare" })
        const codes = (await visitor.until(where, "What do these mean on the device?")).body
        const choices = Array.from(codes.matchAll(/<select name="(code\.\d+)"[^]*?<\/select>/g), ([select, name]) => {
          const values = Array.from(select.matchAll(/<option value="([^"]+)"/g), ([, value]) => value!)
          const zero = /<option value="([^"]+)"[^>]*>\s*0 %/.exec(select)?.[1]
          return [name!, zero ?? values[0]!] as const
        })
        await visitor.post(`${where}/codes`, Object.fromEntries(choices))
        const checked = (await visitor.until(where, "What would be sent")).body
        assert.include(checked, "1 document was not accepted")
        const cell = /name="(cell\.[\d.]+)"\s+value="61.10"/.exec(checked)?.[1] ?? "no cell"
        await visitor.post(`${where}/cells`, { [cell]: "61.00" })
        assert.include((await visitor.until(where, "What would be sent")).body, "Send 6 documents to the sandbox")
        await visitor.post(`${where}/send`, {})
        assert.include((await visitor.until(where, "Done: example-shop.csv")).body, "6 of 6 fiscalised")
        // not in the way any more
        assert.notInclude((await visitor.get("/")).body, "Try it with our example")
      })
    }).pipe(Effect.scoped)
  )
})
