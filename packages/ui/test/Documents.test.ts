/**
 * Documents of the store as one table: filtered, summed, exported; and one document with its lines
 * and neighbors.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

const opened = Effect.gen(function* () {
  const folder = yield* folderWith(faults, book)
  yield* gatewayFor(folder)
  yield* connector(["import", "csv", faults, "--config", "account.json", "--send-rest"], { cwd: folder })
  const page = yield* start(["--config", "account.json", "--book", book], env, folder)
  return { visitor: yield* Effect.promise(() => Visitor.open(page)) }
})

const rowsOf = (body: string): ReadonlyArray<string> =>
  body.split("<tbody")[1]!.split("</tbody>")[0]!.split("<tr").slice(1)

describe("the documents of the store", () => {
  it.live(
    "are one row each, filtered by state, period, tax, buyer and import, with the sum of all matches",
    function* () {
      const { visitor } = yield* opened
      yield* Effect.promise(async () => {
        const all = (await visitor.get("/documents")).body
        assert.lengthOf(rowsOf(all), 12)
        const exported = (await visitor.get("/documents.csv")).body.replace("\uFEFF", "").trim().split("\r\n").slice(1)
        assert.lengthOf(exported, 12)
        // The sums are those of the rows, invoices minus credit notes.
        const cents = (text: string) => Math.round(Number(text.replaceAll(",", "")) * 100)
        const cells = exported.map((line) =>
          line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)!.map((cell) => cell.replace(/,$/, ""))
        )
        for (const currency of new Set(cells.map((row) => row[4]))) {
          const own = cells.filter((row) => row[4] === currency)
          const sum = own.reduce((sum, row) => sum + (row[0] === "credit-note" ? -1 : 1) * cents(row[7]!), 0)
          const shown =
            new RegExp(`class="number">\\s*${currency} ([\\d,.-]+)\\s*</td>`).exec(all.split("<tfoot")[1]!)?.[1] ?? ""
          assert.strictEqual(cents(shown), sum, currency)
          for (const row of own) assert.strictEqual(cents(row[5]!) + cents(row[6]!), cents(row[7]!), row[1])
        }
        const count = async (query: string) => {
          const { body } = await visitor.get(`/documents?${query}`)
          return body.includes("<tbody") ? rowsOf(body).length : 0
        }
        const day = cells[0]![2]!
        assert.strictEqual(await count(`from=${day}&to=${day}`), cells.filter((row) => row[2] === day).length)
        assert.strictEqual(await count("from=2030-01-01"), 0)
        assert.strictEqual(
          await count("tax=EXEMPT"),
          cells.filter((row) => row[8]!.replaceAll('"', "").split(", ").includes("EXEMPT")).length
        )
        assert.strictEqual(await count("group=withdrawn"), 0)
        assert.strictEqual(await count("import=1"), 12)
        assert.strictEqual(await count("import=99"), 0)
        assert.strictEqual(await count("matching=INV-0101"), 1)
        assert.include((await visitor.get("/documents?tax=EXEMPT")).body, "/documents.csv?tax=EXEMPT")
      })
    }
  )

  it.live("are shown with lines, taxes, fiscal day, and the documents before and after", function* () {
    const { visitor } = yield* opened
    yield* Effect.promise(async () => {
      const addresses = rowsOf((await visitor.get("/documents")).body).map(
        (row) => /href="[^"]*(\/documents\/[^"]+)"/.exec(row)?.[1] ?? ""
      )
      const oldest = (await visitor.get(addresses.at(-1)!)).body
      assert.include(oldest, "<h2>Lines</h2>")
      assert.include(oldest, "/days?account=main&amp;day=")
      assert.notMatch(oldest, />‹ (?!Documents)/)
      // Follows the links forward through all documents.
      let [at, seen] = [addresses.at(-1), 1]
      for (; seen < 20; seen += 1) {
        const { body } = await visitor.get(at!)
        at = /href="[^"]*(\/documents\/[^"]+)">[^<]+ ›/.exec(body)?.[1]
        if (at === undefined) break
      }
      assert.strictEqual(seen, 12)
    })
  })
})
