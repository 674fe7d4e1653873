/**
 * Fiscal days, originals and the gateway's mappings on the page: the same as in the command, from
 * the same data.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, lines, secret } from "../../cli/test/RunningConnector.ts"
import { AccountFinding } from "../../core/src/account/AccountFinding.ts"
import { closedPort } from "../../core/test/gateway/Loopback.ts"
import { start, Visitor } from "./PageProcess.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const config = ["--config", "account.json"]
const main = { fields: { account: "main" } }

const opened = (options: Parameters<typeof gatewayFor>[1] = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(faults, book)
    const sandbox = yield* gatewayFor(folder, options)
    const page = yield* start([...config, "--book", book], env, folder)
    return { folder, sandbox, page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

/** Month in which a fiscal day is closed now, as the device closes it. */
const closed = new Date().toISOString().slice(0, 7)
const [year, ofYear] = closed.split("-").map(Number)
const lastDay = new Date(Date.UTC(year!, ofYear!, 0)).toISOString().slice(0, 10)
const text = (folder: string) => readFileSync(join(folder, faults), "utf8")

describe("the page", () => {
  it.live("sums up the compared fiscal days: documents, sent, day reports and difference", function* () {
    const { folder, sandbox, visitor } = yield* opened({ gateway: { processingDelayMillis: 1 } })
    const today = new Date().toISOString().slice(0, 10)
    for (const number of ["D-1", "D-2"]) {
      const head = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
      writeFileSync(join(folder, "day.csv"), `${head}\n${number},${today},USD,inclusive,Lamp,1,10.00,Zero,85131000\n`)
      yield* connector(["import", "csv", "day.csv", "--book", book, ...config], { cwd: folder })
      // a day that is opened and closed within one second may not be compared
      yield* Effect.sleep("1100 millis")
      yield* sandbox.control.closeDay()
      yield* Effect.sleep("1100 millis")
    }
    const { body } = yield* Effect.promise(() => visitor.get("/days?account=main&read=yes"))
    const [foot = ""] = /<tfoot>[^]*?<\/tfoot>/.exec(body) ?? []
    assert.include(body, "<h1>2 closed days agree</h1>")
    assert.match(foot, /2 compared days[^]*?>2<\/span>\s*USD 20\.00[^]*?USD 20\.00[^]*?<b class="good">0\.00/, body)
  })

  it.live("compares the counters of a fiscal day with the store, as z-reports does", function* () {
    const { folder, sandbox, visitor } = yield* opened()
    const none = yield* Effect.promise(() => visitor.get("/days?account=main"))
    assert.include(none.body, "No fiscal day has been closed.")
    const month = () => Effect.promise(() => visitor.post("/days", { account: "main", month: closed }))
    assert.include((yield* Effect.promise(() => visitor.post("/days", { month: "2026-13" }))).body, "Choose a month")
    assert.include((yield* month()).body, "Nothing was sent from this computer.")
    yield* connector(["import", "csv", faults, ...config, "--send-rest"], { cwd: folder })
    yield* sandbox.control.closeDay()
    const list = yield* Effect.promise(() => visitor.get("/days?account=main"))
    assert.include(list.body, "/days?account=main&amp;day=1")
    assert.include(list.body, "not read yet")
    const read = (yield* Effect.promise(() => visitor.get("/days?account=main&read=yes"))).body
    assert.notInclude(read, "not read yet")
    // documents and sum sent, the sum of the day report, the difference, and the state in a word
    const [, sent = ""] = /<span class="n">12<\/span>\s*([A-Z]{3} [\d,]+\.\d\d)/.exec(read) ?? []
    assert.strictEqual(read.split(sent).length, 5)
    assert.include(list.body, sent, "what was sent is known before the report is read")
    assert.match(read, /<b class="good">0\.00<\/b>/)
    assert.match(read, /<span class="badge good">Equal<\/span>/)
    yield* Effect.promise(() => visitor.get("/days?account=main&read=yes"))
    const reports = (yield* sandbox.control.calls).filter(({ operation }) => operation === "zReport")
    assert.lengthOf(reports, 1, "a report is read once")
    const day = (yield* Effect.promise(() => visitor.get("/days?account=main&day=1"))).body
    assert.include(day, "Beside 12 documents that the store has for this day.")
    const told = yield* connector(["z-reports", "--day", "1", "--json", ...config], { cwd: folder })
    const { comparison } = lines(told.out)[0] as {
      readonly comparison: {
        readonly rows: ReadonlyArray<{ readonly counter: string; readonly device: number | null }>
      }
    }
    assert.isAbove(comparison.rows.length, 3)
    for (const { counter, device } of comparison.rows) {
      assert.include(day, counter)
      const figure = Number(device).toLocaleString("en", { minimumFractionDigits: 2 }).replace("-", "−")
      if (device !== null) assert.include(day, figure)
    }
    assert.strictEqual(day.match(/<tr>/g)?.length, comparison.rows.length + 1)
    // The month of the close has the figures that the command prints for it.
    const compared = (yield* month()).body.replaceAll("&#39;", "'")
    const period = ["--from", `${closed}-01`, "--to", lastDay]
    const reconciled = yield* connector(["reconcile", ...period, "--json", ...config], { cwd: folder })
    const { chains, legs } = lines(reconciled.out)[0] as {
      readonly chains: ReadonlyArray<{
        readonly rows: ReadonlyArray<{ readonly name: string; readonly invoice: { readonly documents: number } }>
      }>
      readonly legs: ReadonlyArray<{ readonly name: string; readonly compared: string | null }>
    }
    const receipts = chains[0]!.rows.find(({ name }) => name === "receipts")!
    assert.isAbove(receipts.invoice.documents, 0)
    assert.match(
      compared,
      new RegExp(`= receipts of this store</td>\\s*<td class="number">${receipts.invoice.documents}<`)
    )
    // the four places as columns, each with the difference to the place on its left
    for (const place of ["Your books", "Sent", "Gateway", "Day reports", "More or less than the place on its left"])
      assert.include(compared, place)
    for (const pair of ["Books and sent", "Sent and gateway", "Sent and day reports", "Receipt numbers"])
      assert.include(compared, pair)
    assert.lengthOf(legs, 3)
    assert.include(compared, `connector reconcile FILES --account main --from ${closed}-01 --to ${lastDay}`)
    for (const { compared: how } of legs) {
      if (how !== null) assert.include(compared, how)
    }
    for (const path of ["/days?account=other", "/days?account=main&day=x"])
      assert.strictEqual((yield* Effect.promise(() => visitor.get(path))).status, 404)
    assert.strictEqual((yield* Effect.promise(() => visitor.get("/days?account=main&day=7"))).status, 409)
  })

  it.live("registers invoices fiscalised elsewhere, sends nothing, and removes the file", function* () {
    const { folder, page, visitor } = yield* opened()
    const fields = { account: "main", purpose: "originals" }
    const registered = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([[faults, text(folder)]], { fields }))
      const done = await visitor.until(where, "Registered")
      const registered = /<strong>(\d+)<\/strong> registered/.exec(done.body)?.[1] ?? ""
      assert.isAtLeast(Number(registered), 10)
      assert.include(done.body, "INV-0105")
      assert.match((await visitor.get("/documents")).body, /Nothing was planned here|all 0/)
      const again = visitor.whereTo(await visitor.upload([[faults, text(folder)]], { fields }))
      assert.include((await visitor.until(again, "Registered")).body, `<strong>${registered}</strong> known before`)
      return Number(registered)
    })
    const uploads = readdirSync(page.folder)
      .filter((name) => name.startsWith("connector-ui-"))
      .flatMap((name) => readdirSync(join(page.folder, name)))
    assert.deepStrictEqual(uploads, ["open.html"])
    const listed = yield* connector(["list", "--json", ...config], { cwd: folder })
    assert.lengthOf(lines(listed.out), registered)
  })

  it.live("adds the shown codes at the gateway exactly once, and sends nothing before", function* () {
    const { folder, sandbox, visitor } = yield* opened({ account: { taxMappings: [], currencyMappings: [] } })
    const planned = yield* connector(["plan", "csv", faults, "--book", book, ...config], { cwd: folder })
    const where = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([[faults, text(folder)]], main))
      await visitor.leaveOut(where)
      return where
    })
    const shown = (yield* Effect.promise(() => visitor.until(where, "Documents to send"))).body
    const codes = Array.from(planned.err.matchAll(/to be done: map (?:tax code|currency) (\S+)/g), ([, code]) => code!)
    assert.isAbove(codes.length, 3, planned.err)
    assert.include(shown, `register ${codes.length} codes at the gateway`)
    for (const code of codes) assert.include(shown, `<code>${code}</code>`)
    assert.match(shown, /<button class="wide" +disabled>Send \d+ documents/)
    yield* Effect.promise(async () => {
      // the guard is at the consent, not in the button
      await visitor.post(`${where}/send`, { rest: "yes" })
      const refused = (await visitor.until(where, "Documents to send")).body
      assert.include(refused, 'role="alert"')
      const plan = /name="plan" value="([^"]+)"/.exec(refused)?.[1] ?? ""
      await visitor.post(`${where}/register`, { plan })
      const done = (await visitor.until(where, "Documents to send")).body
      assert.notInclude(done, "at the gateway</h2>")
      assert.match(done, /<button class="wide" ?>Send \d+ documents/)
      assert.strictEqual((await visitor.post(`${where}/register`, { plan })).status, 409)
      // what no document of the import uses is left to the settings, and done there
      const rest = (await visitor.get("/book?compare=main")).body
      assert.match(rest, /map tax code VAT15 [^<]*to device tax 1/)
      assert.notInclude(rest, "map tax code VAT155")
      const last = /name="plan" value="([^"]+)"/.exec(rest)?.[1] ?? ""
      assert.include(
        (await visitor.post("/settings/mappings", { plan: last })).body,
        "The gateway maps what these settings say"
      )
    })
    assert.deepStrictEqual(yield* sandbox.control.accepted, [])
  })

  it.live("adds no code after the gateway has changed", function* () {
    const { folder, visitor } = yield* opened({ account: { taxMappings: [], currencyMappings: [] } })
    const where = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([[faults, text(folder)]], main))
      await visitor.leaveOut(where)
      return where
    })
    const shown = (yield* Effect.promise(() => visitor.until(where, "Documents to send"))).body
    const compared = (yield* Effect.promise(() => visitor.get("/book?compare=main"))).body
    const other = ["gateway", "add-tax-mapping", "VAT5", "Exempt", "3", ...config]
    const changed = yield* connector(other, { cwd: folder })
    assert.strictEqual(changed.code, 0, changed.err)
    for (const [path, page] of [
      [`${where}/register`, shown],
      ["/settings/mappings", compared]
    ] as const) {
      const plan = /name="plan" value="([^"]+)"/.exec(page)?.[1] ?? ""
      const answer = yield* Effect.promise(() => visitor.post(path, { plan }))
      const now =
        answer.status === 303 ? yield* Effect.promise(() => visitor.until(where, "Documents to send")) : answer
      assert.include(now.body, "Nothing more was done")
    }
    // a code with another meaning at the gateway cannot be settled by adding one
    assert.include((yield* Effect.promise(() => visitor.get(where))).body, "is mapped to device tax 3")
  })

  it.live("shows before sending how many receipts the device will mark, as the plan does", function* () {
    const { folder, sandbox, visitor } = yield* opened()
    const rows = ["2026-03-02", "2026-03-03", "2026-03-05", "2026-03-05"].map(
      (date, n) => `S-${n},${date},USD,inclusive,Lamp,1,10.00,Standard,85131000,10.00`
    )
    const sales = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total\n${rows.join("\n")}\n`
    writeFileSync(join(folder, "sales.csv"), sales)
    const planned = yield* connector(["plan", "csv", "sales.csv", "--book", book, ...config], { cwd: folder })
    const foretold = /the device will mark \d+ receipts of this import (?=\(RCPT041\))/.exec(planned.err)?.[0]
    assert.isDefined(foretold, planned.err)
    const body = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["sales.csv", sales]], main))
      return (await visitor.until(where, "Documents to send")).body
    })
    assert.include(body, `${foretold}<code>(RCPT041)</code>`)
    assert.match(body, /dated more than \d+ hours after the first/, "why, and not only how many")
    assert.deepStrictEqual(yield* sandbox.control.accepted, [])
  })

  it.live("shows an unreachable gateway with consequence and next step", function* () {
    const { folder, visitor } = yield* opened()
    const port = yield* closedPort
    const account = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as {
      readonly accounts: { readonly main: object }
    }
    const main = { ...account.accounts.main, baseUrl: `http://127.0.0.1:${port}`, retries: { times: 0 } }
    writeFileSync(join(folder, "account.json"), JSON.stringify({ accounts: { main } }), { mode: 0o600 })
    const body = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([[faults, text(folder)]], { fields: { account: "main" } }))
      return (await visitor.until(where, "The gateway did not answer as it should")).body
    })
    assert.include(body, "ECONNREFUSED")
    assert.include(body, AccountFinding.GATEWAY_REFUSES_CONNECTION.consequence)
    assert.include(body, AccountFinding.GATEWAY_REFUSES_CONNECTION.fix)
  })
})
