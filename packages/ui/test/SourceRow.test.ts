/**
 * A document's row in its source file, by requests: shown if that exact file is available,
 * requested otherwise, and never stored.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { examples, start, Visitor } from "./PageProcess.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const config = ["--config", "account.json"]

const address = "/documents/main/invoice/INV-0101"
const source = `${address}/source`

const opened = (...files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(...files, book)
    yield* gatewayFor(folder)
    const page = yield* start([...config, "--book", book], env, folder)
    return { folder, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

const imported = (folder: string, adapter: string, file: string) =>
  Effect.tap(
    connector(["import", adapter, file, ...config, "--book", book, "--send-rest"], { cwd: folder }),
    ({ err, out }) => Effect.sync(() => assert.match(out, /fiscalised/, err))
  )

/** Returns the files that the page has stored. */
const kept = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith("connector-ui-"))
    .flatMap((name) => readdirSync(join(folder, name)))

/** Cells of the row of INV-0101. */
const [header = "", first = "", ...others] = readFileSync(join(examples, faults), "utf8").split("\n")

// slow: each case is a page with a whole import
describe("the source row of a document", () => {
  it.live("is read again from the imported file, as long as the file is unchanged", function* () {
    const { folder, visitor } = yield* opened(faults)
    yield* imported(folder, "csv", faults)
    yield* Effect.promise(async () => {
      assert.include((await visitor.get(address)).body, `${source}"`)
      const shown = (await visitor.get(source)).body
      for (const cell of [...header.split(","), ...first.split(",")]) assert.include(shown, cell.trim())
      assert.include(shown, ">Line 2<")
      assert.notInclude(shown, "INV-0102")
      // With one byte changed, the row cannot be proven the same.
      const text = readFileSync(join(folder, faults), "utf8")
      writeFileSync(join(folder, faults), text.replace("INV-0102", "INV-0192"))
      const asked = (await visitor.get(source)).body
      assert.notInclude(asked, ">Line 2<")
      assert.include(asked, "Files are not kept. Choose")
      assert.strictEqual((await visitor.get("/documents/main/invoice/NONE/source")).status, 404)
    })
  })

  it.live("is shown from the same file chosen again, but not from another file, and nothing is stored", function* () {
    const { folder, visitor } = yield* opened(faults)
    yield* imported(folder, "csv", faults)
    renameSync(join(folder, faults), join(folder, "elsewhere.csv"))
    yield* Effect.promise(async () => {
      const text = readFileSync(join(folder, "elsewhere.csv"), "utf8")
      const given = (name: string, content: string) => visitor.upload([[name, content]], { path: source })
      const shown = await given("another-name.csv", text)
      assert.strictEqual(shown.status, 200)
      assert.include(shown.body, ">Line 2<")
      for (const other of [`${text}\n`, text.replace("INV-0101", "INV-0191"), ""]) {
        const { body } = await given(faults, other)
        assert.notInclude(body, ">Line 2<")
        assert.include(body, "its SHA-256 is another one")
      }
      assert.strictEqual((await visitor.upload([], { path: source })).status, 200)
      assert.strictEqual((await visitor.upload([[faults, text]], { path: source, fields: { token: "x" } })).status, 403)
      const none = { path: "/documents/main/invoice/NONE/source" }
      assert.strictEqual((await visitor.upload([[faults, text]], none)).status, 404)
      assert.deepStrictEqual(kept(folder), ["open.html"])
    })
  })

  it.live(
    "leads to the whole file with its receipts, from its place or chosen again, and to nothing from another",
    function* () {
      const { folder, visitor } = yield* opened(faults)
      yield* imported(folder, "csv", faults)
      yield* Effect.promise(async () => {
        const where = "/imports/r1/receipts"
        assert.include((await visitor.get("/imports/r1")).body, `${where}"`)
        const written = await visitor.get(where)
        assert.match(String(written.headers["content-disposition"]), /historical-invoices-with-faults\.receipts\.csv/)
        assert.strictEqual(written.body.match(/,Fiscalised,\d{4}-/g)?.length, 12)
        assert.strictEqual(written.body.match(/,Refused,/g)?.length, 5)
        const text = readFileSync(join(folder, faults), "utf8")
        assert.strictEqual(written.body.split("\n").length, text.split("\n").length)
        renameSync(join(folder, faults), join(folder, "elsewhere.csv"))
        assert.include((await visitor.get(where)).body, "Files are not kept. Choose")
        const chosen = await visitor.upload([["another-name.csv", text]], { path: where })
        assert.strictEqual(chosen.body, written.body)
        const other = await visitor.upload([[faults, `${text}\n`]], { path: where })
        assert.include(other.body, "its SHA-256 is another one")
        assert.notInclude(other.body, "Fiscalised,")
        assert.strictEqual(
          (await visitor.upload([[faults, text]], { path: where, fields: { token: "x" } })).status,
          403
        )
        assert.strictEqual((await visitor.get("/imports/r9/receipts")).status, 404)
        assert.deepStrictEqual(kept(folder), ["open.html"])
      })
    }
  )

  it.live("is also shown for workbooks and JSON", function* () {
    const { folder, visitor } = yield* opened(
      "historical-invoices.xlsx",
      "quickbooks-like.json",
      "quickbooks-like.book.json"
    )
    yield* imported(folder, "xlsx", "historical-invoices.xlsx")
    const flags = ["--tin", "BusinessNumber", "--product-code", "item-name"]
    const quickbooks = ["import", "quickbooks-like", "quickbooks-like.json", ...flags, ...config, "--send-rest"]
    yield* connector(quickbooks, { cwd: folder })
    yield* Effect.promise(async () => {
      const { body } = await visitor.get("/documents")
      const documents = [
        ...new Set(Array.from(body.matchAll(/href="[^"]*(\/documents\/main\/[^"]+)"/g), ([, path]) => path!))
      ]
      // Documents of both imports: the list begins with the last import.
      const some = [...documents.slice(0, 6), ...documents.slice(-6)]
      const pages = await Promise.all(some.map(async (path) => (await visitor.get(`${path}/source`)).body))
      assert.isAbove(pages.length, 10)
      assert.deepStrictEqual(
        pages.filter((page) => !/>Line \d+<|<pre[^>]*>\{/.test(page)),
        []
      )
      assert.isTrue(pages.some((page) => page.includes(">Line ")))
      assert.isTrue(pages.some((page) => /<pre[^>]*>\{/.test(page)))
    })
  })

  it.live("is not offered after it was forgotten", function* () {
    const { folder, visitor } = yield* opened(faults)
    const clean = ["historical.csv", [header, first, ...others.slice(0, 2)].join("\n")] as const
    writeFileSync(join(folder, clean[0]), clean[1])
    yield* imported(folder, "csv", clean[0])
    const forgotten = yield* connector(["forget", ...config, "--before", "2100-01-01", "--do-it"], { cwd: folder })
    assert.strictEqual(forgotten.code, 0, forgotten.err)
    yield* Effect.promise(async () => {
      assert.notInclude((await visitor.get(address)).body, "/source")
      assert.strictEqual((await visitor.get(source)).status, 404)
      const given = await visitor.upload([clean], { path: source })
      assert.strictEqual(given.status, 404)
      assert.deepStrictEqual(kept(folder), ["open.html"])
    })
  })
})
