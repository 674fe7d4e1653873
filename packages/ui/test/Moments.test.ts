/** Situations in which users got stuck: each shows its cause and a working button. */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { patience, start, Visitor } from "./PageProcess.ts"

const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const main = { fields: { account: "main" } }

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"
const row = (number: string, day: string, amount = "10.00") =>
  `${number},${day},USD,inclusive,Lamp,1,${amount},${amount},Zero,87168000,${amount},card`
const csv = (...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")

const opened = (options: Parameters<typeof gatewayFor>[1] = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderWith(book)
    const gateway = yield* gatewayFor(folder, options)
    const page = yield* start(["--config", "account.json", "--book", book], env, folder)
    return { folder, gateway, page, visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

/** Waits until the page contains the text. */
const until = async (visitor: Visitor, path: string, text: RegExp | string): Promise<string> => {
  for (let i = 0; ; i++) {
    const { body } = await visitor.get(path)
    if (typeof text === "string" ? body.includes(text) : text.test(body)) return body
    if (i === patience) throw new Error(`${path} never said ${text}: ${body}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

// slow: each case is a page with a whole import
describe("the page in a difficult situation", () => {
  it.live("sends documents older than the last receipt with today's date, or leaves them out", function* () {
    const { folder, visitor } = yield* opened()
    writeFileSync(join(folder, "later.csv"), csv(row("A-9", "2026-03-01")))
    yield* connector(["import", "csv", "later.csv", "--config", "account.json", "--book", book], { cwd: folder })
    yield* Effect.promise(async () => {
      const corrected = csv(row("A-1", "2026-02-01"), row("A-2", "2026-02-02"))
      const where = visitor.whereTo(await visitor.upload([["corrected.csv", corrected]], main))
      const held = (await visitor.until(where, "Documents to send")).body
      assert.include(held, "There is nothing to send.")
      assert.include(held, "2 documents are older than the last receipt of this device")
      assert.match(held, /A-1 is dated at or before another receipt that may have reached the device: A-9/)
      assert.notInclude(held, 'name="live"')

      // Leaves documents out, and takes the decision back.
      await visitor.post(`${where}/held`, { cause: "late", decision: "leave-out" })
      assert.include((await visitor.read(where)).body, "2 documents are left out by your decision.")
      await visitor.post(`${where}/take-back`, { what: "left-out" })
      assert.include((await visitor.read(where)).body, "2 documents are older than the last receipt")

      // Documents of earlier days become late by it, so the operator confirms that none is left.
      assert.match(held, /every later import of days before/i)
      await visitor.post(`${where}/held`, { cause: "late", decision: "restamp" })
      assert.include((await visitor.read(where)).body, "Confirm first that no older invoice is left to import")
      await visitor.post(`${where}/held`, { cause: "late", decision: "restamp", "nothing-older": "yes" })
      assert.include((await visitor.read(where)).body, "Send 2 documents to the test device")
      await visitor.post(`${where}/send`, {})
      await until(visitor, where, /<h1>Done: corrected.csv/)
      assert.match((await visitor.get("/documents")).body, /Fiscalised 3/)
    })
  })

  it.live("can undo a historical batch that the device does not permit", function* () {
    const { folder, gateway, visitor } = yield* opened()
    writeFileSync(join(folder, "later.csv"), csv(row("A-9", "2026-03-01")))
    yield* connector(["import", "csv", "later.csv", "--config", "account.json", "--book", book], { cwd: folder })
    yield* gateway.control.closeDay()
    yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["old.csv", csv(row("A-1", "2026-02-01"))]], main))
      const held = (await visitor.until(where, "Documents to send")).body
      assert.include(held, "1 document is dated before the last close of a fiscal day")
      await visitor.post(`${where}/held`, { cause: "historical", decision: "historical" })
      const stopped = (await visitor.until(where, "This cannot be imported as it is")).body
      assert.include(stopped, "Take this back")
      await visitor.post(`${where}/take-back`, { what: "historical" })
      await visitor.until(where, "Documents to send")
    })
  })

  it.live("shows the document of unknown outcome that blocks sending, and continues after the decision", function* () {
    const lost = {
      kind: "drop",
      stage: "after",
      operations: ["submitInvoice"],
      documents: ["A-2"],
      times: 1
    } as const
    const { visitor } = yield* opened({ gateway: { faults: [lost] } })
    yield* Effect.promise(async () => {
      const file = csv(row("A-1", "2026-02-01"), row("A-2", "2026-02-02"), row("A-3", "2026-02-03"))
      const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
      await visitor.until(where, "Documents to send")
      await visitor.post(`${where}/send`, {})
      const stopped = await until(visitor, where, /<h1>Stopped: own.csv[^]*1 of 3 fiscalised/)
      assert.include(stopped, "Sending stopped at A-2: we do not know whether it arrived")
      assert.include(stopped, "1 document waits behind it")
      assert.match(stopped, /Look in the gateway&#39;s portal for number A-2 of 2 Feb 2026, USD 10.00/)
      // A document whose request may still arrive is not sent again by a click.
      assert.match(stopped, /<button class="quiet"\s+disabled data-from="\d+">\s*Send it again/)
      assert.include(stopped, "1 of 3 fiscalised")
      const decide = /action="[^"]*(\/documents\/main\/invoice\/A-2\/decide)"/.exec(stopped)?.[1] ?? ""
      const back = /name="back"\s+value="(\d+)"/.exec(stopped)?.[1] ?? ""
      const answer = await visitor.post(decide, {
        decision: "Fiscalised",
        shown: String(Date.now()),
        because: "Seen in the gateway's portal",
        back
      })
      const kept = visitor.whereTo(answer)
      assert.match(kept, /^\/imports\/r\d+\?said=/)
      assert.include((await visitor.get(kept)).body, "Recorded: Fiscalised.")
      const done = await until(visitor, where, /<h1>Done: own.csv/)
      assert.include(done, "3 of 3 fiscalised")
    })
  })

  it.live("asks for confirmation of a live device, and then continues", function* () {
    const lost = {
      kind: "drop",
      stage: "after",
      operations: ["submitInvoice"],
      documents: ["A-1"],
      times: 1
    } as const
    const { folder, visitor } = yield* opened({ device: { isLive: true }, gateway: { faults: [lost] } })
    writeFileSync(join(folder, "own.csv"), csv(row("A-1", "2026-02-01"), row("A-2", "2026-02-02")))
    const flags = ["--config", "account.json", "--book", book, "--live"]
    const asked = yield* connector(["import", "csv", "own.csv", ...flags], { cwd: folder })
    const code = /--first-use[= ]([A-Z0-9-]+)/.exec(asked.out + asked.err)?.[1] ?? ""
    yield* connector(["import", "csv", "own.csv", ...flags, "--first-use", code], { cwd: folder })
    const resolve = ["resolve", "A-1", "--fiscalised", "--because", "in the portal", "--config", "account.json"]
    assert.strictEqual((yield* connector(resolve, { cwd: folder })).code, 0)
    yield* Effect.promise(async () => {
      const left = (await visitor.get("/imports/r1")).body
      assert.include(left, "Go on: send 1 document")
      assert.match(left, /<input type="checkbox" name="live" value="yes"\s+required/)
      await visitor.post("/resume", { back: "1" })
      const said = await until(visitor, "/imports/r1", "Nothing can be sent at the moment")
      assert.match(said, /<h1>Stopped: own.csv/)
      assert.include(said, "live")
      await visitor.post("/resume", { back: "1", live: "yes" })
      assert.include(await until(visitor, "/imports/r1", /<h1>Done: own.csv/), "2 of 2 fiscalised")
    })
  })

  it.live("pauses sending after the current document, and continues with a click", function* () {
    const slow = { kind: "latency", operations: ["submitInvoice"], millis: 300, times: 100 } as const
    const { visitor } = yield* opened({ gateway: { faults: [slow] } })
    yield* Effect.promise(async () => {
      const file = csv(...Array.from({ length: 8 }, (_, i) => row(`A-${i}`, `2026-02-0${i + 1}`)))
      const where = visitor.whereTo(await visitor.upload([["own.csv", file]], main))
      await visitor.until(where, "Documents to send")
      await visitor.post(`${where}/send`, {})
      const going = await until(visitor, where, /<h1>Sending: own.csv[^]*Pause after this one/)
      assert.match(going, /<strong>8<\/strong> <span>in the file<\/span> <span class="amount">USD 80.00/)
      const kept = /action="[^"]*(\/imports\/r\d+)\/pause"/.exec(going)?.[1] ?? ""
      assert.strictEqual(visitor.whereTo(await visitor.post(`${kept}/pause`, {})), kept)
      const paused = await until(visitor, kept, /<h1>(Paused|Done): own.csv/)
      assert.match(paused, /<h1>Paused/)
      assert.isAbove(Number(/Go on: send (\d) document/.exec(paused)?.[1] ?? ""), 0)
      // The request under way got its answer.
      assert.notInclude(paused, "we do not know whether it arrived")
      await visitor.post("/resume", { back: kept.slice("/imports/r".length) })
      assert.include(await until(visitor, kept, /<h1>Done: own.csv/), "8 of 8 fiscalised")
    })
  })

  it.live("offers refused rows as a file for correction, even without other rows and after a restart", function* () {
    const { folder, page, visitor } = yield* opened()
    const wrong = csv(row("A-1", "2026-02-30"))
    const where = yield* Effect.promise(async () => {
      const where = visitor.whereTo(await visitor.upload([["wrong.csv", wrong]], main))
      const checked = (await visitor.until(where, "Documents to send")).body
      assert.include(checked, "Leave A-1 out")
      const refused = await visitor.get(`${where}/refused`)
      assert.strictEqual(refused.status, 200)
      assert.include(refused.body, "2026-02-30")
      // Together with another document that is sent.
      const both = csv(row("A-1", "2026-02-30"), row("A-2", "2026-02-02"))
      const second = visitor.whereTo(await visitor.upload([["both.csv", both]], main))
      await visitor.until(second, "Documents to send")
      await visitor.post(`${second}/send`, { rest: "yes" })
      await until(visitor, second, /<h1>[^<]*fiscalised, 1 needs you/)
      await page.terminate()
      return second
    })
    assert.match(where, /^\/imports\//)
    const again = yield* start(["--config", "account.json", "--book", book], env, folder)
    const later = yield* Effect.promise(() => Visitor.open(again))
    yield* Effect.promise(async () => {
      const shown = (await later.get("/imports/r1")).body
      assert.include(shown, "Correct them here")
      const refused = await later.get("/imports/r1/refused")
      assert.include(refused.body, "2026-02-30")
      assert.notInclude(refused.body, "A-2")
      // Corrected from the same screen: no new upload.
      const correction = later.whereTo(await later.post("/imports/r1/correct", {}))
      assert.include((await later.until(correction, "Documents to send")).body, "2026-02-30")
    })
    assert.isTrue(readFileSync(join(folder, book), "utf8").length > 0)
  })

  it.live("reports a row without a number, and shows no internal names", function* () {
    const { visitor } = yield* opened()
    yield* Effect.promise(async () => {
      const blank = csv(row("A-1", "2026-02-01"), row("", ""))
      const where = visitor.whereTo(await visitor.upload([["blank.csv", blank]], main))
      const { body } = await visitor.until(where, "Documents to send")
      assert.include(body, "CSV_KEY_MISSING")
      assert.notInclude(body, "READING_MALFORMED")
      assert.notMatch(body, /the adapter gave|SourceDocument|a function/)
    })
  })

  it.live("names both columns chosen for one field, and reads nothing with that choice", function* () {
    const { visitor } = yield* opened()
    yield* Effect.promise(async () => {
      const odd = ["No;Day;What;Each;Sum;Code", "A-1;2026-02-01;Lamp;10.00;10.00;Zero", ""].join("\n")
      const where = visitor.whereTo(await visitor.upload([["odd-sales.csv", odd]], main))
      await visitor.until(where, "Which column is what?")
      const chosen = { "column.0": "number", "column.1": "date", "column.2": "description" }
      await visitor.post(`${where}/columns`, { ...chosen, "column.3": "unitPrice", "column.4": "unitPrice" })
      const again = (await visitor.get(where)).body
      assert.include(again, "“Price of one piece” (Each, Sum): choose it for one column only")
      // A second try changes nothing, and another choice continues.
      await visitor.post(`${where}/columns`, { ...chosen, "column.3": "unitPrice", "column.4": "unitPrice" })
      assert.include((await visitor.get(where)).body, "“Price of one piece” (Each, Sum): choose it for one column only")
      await visitor.post(`${where}/columns`, { ...chosen, "column.3": "unitPrice", "column.4": "lineAmount" })
      assert.notInclude((await visitor.get(where)).body, "is chosen for")
    })
  })
})
