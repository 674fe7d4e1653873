/**
 * Decisions on the page, by requests: for one document within its quiet period, for many, for a
 * fiscal day; and their record.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, examples, folderWith, gatewayFor, key, lines, secret } from "../../cli/test/RunningConnector.ts"
import { patience, start, Visitor } from "./PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const config = ["--config", "account.json"]
const header = "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const submits = { operations: ["submitInvoice", "submitCreditNote"] } as const

/** Opens the page of a shop that has imported invoices, `NUMBER DATE`. */
const opened = Effect.gen(function* () {
  const folder = yield* folderWith()
  copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
  const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
  const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd: folder })
  const importing = (...invoices: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const rows = invoices.map((invoice) => {
        const [number, date] = invoice.split(" ")
        return `${number},${date},USD,inclusive,Lamp,1,10.00,Standard,85131000`
      })
      writeFileSync(join(folder, "sales.csv"), [header, ...rows].join("\n"))
      return run("import", "csv", "sales.csv")
    })
  const page = Effect.flatMap(start([...config, "--book", "sales.book.json"], env, folder), (started) =>
    Effect.promise(() => Visitor.open(started))
  )
  return { folder, sandbox, run, importing, page }
})

const three = ["INV-1 2026-03-02", "INV-2 2026-03-03", "INV-3 2026-03-04"] as const
const rowOf = (number: string) => `${number},2026-03-02,USD,inclusive,Lamp,1,10.00,Standard,85131000`
const stateOf = (run: (...args: ReadonlyArray<string>) => Effect.Effect<{ readonly out: string }>) =>
  Effect.map(run("list", "--json"), ({ out }) =>
    lines(out).map(({ number, state }) => `${String(number)} ${String(state)}`)
  )

/** Returns the addresses of the page's links and forms, after the secret part. */
const addresses = (body: string, begins: string): ReadonlyArray<string> =>
  Array.from(body.matchAll(/(?:href|action)="\/[^/"]+(\/[^"]*)"/g), ([, path]) =>
    path!.replaceAll("&amp;", "&")
  ).filter((path) => path.startsWith(begins))

const choicesIn = (body: string): ReadonlyArray<string> => body.split('<div class="opt"').slice(1)

describe("a decision within the quiet period", () => {
  it.live("is refused on the page with the time of its end, and recorded if the override is ticked", function* () {
    const { importing, page, run, sandbox } = yield* opened
    yield* sandbox.control.addFault({ kind: "drop", stage: "before", times: 1, ...submits })
    yield* importing("INV-1 2026-03-02")
    const visitor = yield* page
    yield* Effect.promise(async () => {
      const address = "/documents/main/invoice/INV-1"
      const shown = (await visitor.get(address)).body
      const [, from = ""] = /It was not processed[^]*?accepted from ([^<]+)</.exec(shown) ?? []
      assert.match(from, /^\d+ \w{3} \d{4}, \d\d:\d\d/)
      const looked = /name="shown" value="(\d+)"/.exec(shown)![1]!
      const decide = { shown: looked, decision: "NotProcessed", because: "not in the portal" }
      const refused = (await visitor.get(visitor.whereTo(await visitor.post(`${address}/decide`, decide)))).body
      assert.match(
        refused,
        /Nothing was changed: its last request may still reach the gateway until \S+, and the document would then get two receipts\. This decision is accepted from \S+ on\./
      )
      assert.match(refused, /name="although" value="recent"/)
      assert.match((await visitor.get("/documents")).body, /Needs attention 1/)
      const although = { ...decide, although: "recent" }
      const recorded = (await visitor.get(visitor.whereTo(await visitor.post(`${address}/decide`, although)))).body
      assert.include(recorded, "Recorded: To send.")
      assert.match(recorded, /decided although its last request may still arrive until [^:]+:\d\d: not in the portal/)
      // A tab that was open before this decision decides nothing.
      const later = (await visitor.get(visitor.whereTo(await visitor.post(`${address}/decide`, although)))).body
      assert.include(later, "Nothing was changed: it has changed since it was shown; look at it again.")
    })
    // the document goes on at once, and is sent once
    for (let i = 0; i < 50 && !(yield* stateOf(run))[0]!.endsWith("Fiscalised"); i++) yield* Effect.sleep("100 millis")
    assert.deepStrictEqual(yield* stateOf(run), ["INV-1 Fiscalised"])
    assert.deepStrictEqual(
      (yield* sandbox.control.accepted).map(({ number, receipts }) => [number, receipts]),
      [["INV-1", 1]]
    )
  })
})

describe("a decision about many documents", () => {
  it.live("is shown on the page first, covers only the shown documents, and has its reason", function* () {
    const { importing, page, run } = yield* opened
    yield* importing("INV-8 2026-03-08")
    yield* importing(...three)
    const visitor = yield* page
    yield* Effect.promise(async () => {
      // one cause at a time: no button decides about all documents of an import
      assert.isEmpty(addresses((await visitor.get("/imports/r2")).body, "/decide?"))
      const found = addresses((await visitor.get("/health")).body, "/decide?")
      const [address = ""] = found
      assert.include(address, "state=Held&cause=late&account=main")
      const shown = (await visitor.get(address)).body
      for (const number of ["INV-1", "INV-2", "INV-3"]) assert.include(shown, number)
      assert.notInclude(shown, "/invoice/INV-8")
      assert.include(shown, 'name="count.Withdrawn" value="3"')
      assert.match(shown, /Every later import of days before \d{4}-\d\d-\d\d would be late/)
      const single = (await visitor.get("/documents/main/invoice/INV-1")).body
      assert.match(single, /Every later import of days before \d+ \w+ \d{4} would be late/)
      // all choices of the cause in one form, each with its consequence; none is chosen
      const choices = choicesIn(shown)
      assert.deepStrictEqual(
        choices.map((choice) => /name="decision" value="(\w+)"/.exec(choice)?.[1]),
        ["Resend", "Fiscalised", undefined, "Withdrawn"]
      )
      assert.notMatch(shown, /<input type="radio"[^>]*checked/)
      const [again = "", , , never = ""] = choices
      assert.match(again, /Send 3 documents: USD 30\.00/)
      assert.match(shown, /<button>Do this for 3 documents<\/button>/)
      assert.match(never, /They get no receipt\. Their tax of USD 4\.02 must be reported/)
      assert.match(never, /Never send 3 documents: USD 30\.00[^]*name="typed"/)
      assert.notMatch(again, /name="typed"/)
      assert.match(shown, /name="because"\s+required/)
      // no request of them can make a receipt
      assert.notInclude(shown, "although")
      assert.match(shown, /The device now[^]*?1001, serial number/)
      // the cause is the heading, and the documents are listed once with their sum
      assert.match(shown, /<h1>3 documents are older than the last receipt of this device<\/h1>/)
      assert.strictEqual(shown.match(/\/invoice\/INV-1"/g)?.length, 1)
      // one way from the card of the cause
      assert.deepStrictEqual(found.length, 1)
      const asked = Object.fromEntries(new URLSearchParams(address.split("?")[1]))
      const post = (count: string, fields: Readonly<Record<string, string>>) =>
        visitor.post("/decide", { ...asked, decision: "Withdrawn", "count.Withdrawn": count, ...fields })
      assert.include((await post("3", { because: "anew", decision: "" })).body, "Choose what should happen.")
      assert.strictEqual((await post("3", { because: "anew", decision: "Accepted" })).status, 404)
      assert.include((await post("3", { because: " " })).body, "a decision needs a reason")
      assert.include((await post("2", { because: "issued anew" })).body, "other documents are meant now")
      // no receipt for three documents: the number is typed, not only shown
      assert.include((await post("3", { because: "issued anew" })).body, "Type 3 to confirm")
      const early = (await post("3", { typed: "3", shown: "1", because: "issued anew" })).body
      assert.include(early, "Not changed: INV-1: it has changed since it was shown")
    })
    assert.deepStrictEqual((yield* stateOf(run)).slice(1), ["INV-1 Held", "INV-2 Held", "INV-3 Held"])
    yield* Effect.promise(async () => {
      const asked = { decision: "Withdrawn", state: "Held", cause: "late", account: "main" }
      const done = await visitor.post("/decide", {
        ...asked,
        "count.Withdrawn": "3",
        typed: "3",
        shown: String(Date.now()),
        because: "issued <anew>"
      })
      assert.include(done.body, "Recorded for 3 documents.")
      assert.include((await visitor.get("/health")).body, "Nothing needs you")
      const record = (await visitor.get("/decisions")).body
      assert.strictEqual(record.match(/Never send it \(Held back → Withdrawn\)/g)?.length, 3)
      assert.include(record, "issued &lt;anew&gt;")
      // INV-8 is fiscalized, and its import has no open documents.
      assert.isEmpty(addresses((await visitor.get("/imports/r1")).body, "/decide?"))
      for (const path of ["/decide", "/decide?decision=Withdrawn", "/decide?decision=Accepted&state=Unknown"])
        assert.strictEqual((await visitor.get(path)).status, 404, path)
    })
    assert.deepStrictEqual((yield* stateOf(run)).slice(1), ["INV-1 Withdrawn", "INV-2 Withdrawn", "INV-3 Withdrawn"])
  })
})

describe("documents in another spelling", () => {
  it.live("are one decision on the page, for those that differ in nothing else", function* () {
    const { importing, page, run } = yield* opened
    yield* importing("INV-001 2026-03-02", "INV-002 2026-03-03", "INV-003 2026-03-04")
    const again = ["INV-1 2026-03-02", "INV-2 2026-03-03", "INV-3 2026-03-05"] as const
    yield* importing(...again)
    const visitor = yield* page
    yield* Effect.promise(async () => {
      const found = addresses((await visitor.get("/health")).body, "/decide?")
      const address = found.find(
        (one) => one.includes("DUPLICATE") || one.includes("conflict") || one.includes("state=Held")
      )!
      const shown = (await visitor.get(address)).body
      const same = choicesIn(shown).find((choice) => choice.includes('value="Same"'))!
      assert.include(same, 'name="count.Same" value="2"')
      const asked = Object.fromEntries(new URLSearchParams(address.split("?")[1]))
      const decide = {
        ...asked,
        decision: "Same",
        "count.Same": "2",
        shown: String(Date.now()),
        because: "the program wrote no zeros"
      }
      assert.include((await visitor.post("/decide", decide)).body, "Recorded for 2 documents.")
    })
    // without a buyer's name, another day is another sale
    assert.match((yield* importing(...again)).out, /3 documents: 3 already fiscalised/)
    const fiscalised = ["INV-001", "INV-002", "INV-003", "INV-3"].map((number) => `${number} Fiscalised`)
    assert.includeMembers([...(yield* stateOf(run))], fiscalised)
  })
})

describe("a decision to send again", () => {
  it.live("sends to a live device at once, and only with its number", function* () {
    const folder = yield* folderWith("historical-invoices.book.json")
    const live = { device: { isLive: true }, gateway: { processingDelayMillis: 1 } }
    const sandbox = yield* gatewayFor(folder, live)
    yield* sandbox.control.addFault({ kind: "reject", times: 2, error: "RCPT026: no" })
    writeFileSync(join(folder, "sales.csv"), [header, ...["INV-1", "INV-2"].map(rowOf)].join("\n"))
    const flags = [...config, "--book", "historical-invoices.book.json"]
    const first = yield* connector(["import", "sales.csv", ...flags, "--live"], { cwd: folder })
    const use = (/--first-use \S+/.exec(first.err)?.[0] ?? "").split(" ")
    yield* connector(["import", "sales.csv", ...flags, "--live", ...use], { cwd: folder })
    const visitor = yield* Effect.flatMap(start(flags, env, folder), (page) => Effect.promise(() => Visitor.open(page)))
    yield* Effect.promise(async () => {
      const health = (await visitor.get("/health")).body
      assert.match(health, /2 documents were rejected: the tax differs[^<]*<\/h2>[^]*?2 documents · USD 20\.00 · since/)
      const [address = ""] = addresses(health, "/decide?")
      const [again = ""] = choicesIn((await visitor.get(address)).body)
      assert.match(again, /Send 2 documents: USD 20\.00[^]*?Type the device number 1001/)
      const asked = Object.fromEntries(new URLSearchParams(address.split("?")[1]))
      const post = (device: string) =>
        visitor.post("/decide", {
          ...asked,
          decision: "Resend",
          "count.Resend": "2",
          shown: String(Date.now()),
          because: "the device was set up",
          device
        })
      assert.include((await post("1002")).body, "The device number is another one. Nothing was sent.")
      assert.match((await visitor.get("/documents")).body, /Needs attention 2/)
      const { body } = await post("1001")
      assert.include(body, "Recorded for 2 documents.")
      assert.notInclude(body, "Go on with sending")
    })
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd: folder })
    const isDone = Effect.map(stateOf(run), (all) => all.every((one) => one.endsWith("Fiscalised")))
    for (let i = 0; i < 50 && !(yield* isDone); i++) yield* Effect.sleep("100 millis")
    assert.isTrue(yield* isDone)
    const accepted = (yield* sandbox.control.accepted).map(({ number, receipts }) => [number, receipts])
    assert.deepStrictEqual(accepted.toSorted(), [
      ["INV-1", 1],
      ["INV-2", 1]
    ])
  })
})

describe("a decision while another account is paused", () => {
  it.live("sends nothing of the paused account", function* () {
    const folder = yield* folderWith()
    const slow = { kind: "latency", operations: ["submitInvoice"], millis: 300, times: 100 } as const
    const sandbox = yield* gatewayFor(folder, {
      gateway: { processingDelayMillis: 1 },
      accounts: [{ key: "other-key", device: 2002 }],
      devices: [{ deviceId: 2002 }]
    })
    const station = { baseUrl: sandbox.url, application: "test", station: "test", secretFile: "secret" }
    writeFileSync(join(folder, "key2"), "other-key", { mode: 0o600 })
    const accounts = { main: { ...station, keyFile: "key" }, till: { ...station, keyFile: "key2" } }
    writeFileSync(join(folder, "account.json"), JSON.stringify({ accounts }), { mode: 0o600 })
    copyFileSync(join(examples, "historical-invoices.book.json"), join(folder, "sales.book.json"))
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd: folder })
    yield* sandbox.control.addFault({ kind: "reject", times: 2, error: "RCPT026: no" })
    writeFileSync(join(folder, "sales.csv"), [header, rowOf("INV-1"), rowOf("INV-2")].join("\n"))
    yield* run("import", "csv", "sales.csv", "--account", "main")
    assert.deepStrictEqual(yield* stateOf(run), ["INV-1 Rejected", "INV-2 Rejected"])
    yield* sandbox.control.addFault(slow)
    const visitor = yield* Effect.flatMap(start([...config, "--book", "sales.book.json"], env, folder), (page) =>
      Effect.promise(() => Visitor.open(page))
    )
    yield* Effect.promise(async () => {
      const file = [header, ...Array.from({ length: 8 }, (_, n) => rowOf(`T-${n + 1}`))].join("\n")
      const where = visitor.whereTo(await visitor.upload([["till.csv", file]], { fields: { account: "till" } }))
      await visitor.until(where, "Documents to send")
      await visitor.post(`${where}/send`, {})
      let kept: string | undefined
      while (kept === undefined) kept = /(\/imports\/r\d+)\/pause"/.exec((await visitor.get(where)).body)?.[1]
      await visitor.post(`${kept}/pause`, {})
      await visitor.until(kept, "Paused: till.csv")
    })
    const planned = Effect.map(stateOf(run), (all) => all.filter((one) => one.endsWith("Planned")))
    const waiting = yield* planned
    assert.isNotEmpty(waiting)
    yield* Effect.promise(async () => {
      const [address = ""] = addresses((await visitor.get("/health")).body, "/decide?state=Rejected")
      const asked = Object.fromEntries(new URLSearchParams(address.split("?")[1]))
      const decide = { ...asked, decision: "Resend", "count.Resend": "2", shown: String(Date.now()), because: "set up" }
      const { body } = await visitor.post("/decide", decide)
      assert.include(body, "Recorded for 2 documents.")
      // the operator goes on with sending
      assert.include(body, "Go on with sending")
    })
    for (let i = 0; i < 10; i++) {
      assert.includeMembers([...(yield* planned)], [...waiting])
      yield* Effect.sleep("100 millis")
    }
  })
})

describe("a document that was not accepted", () => {
  it.live("is dismissed on the page with a reason, and its import is done", function* () {
    const { folder, page, run } = yield* opened
    writeFileSync(join(folder, "sales.csv"), [header, rowOf("INV-1"), rowOf("INV-2").replace(",1,", ",1O,")].join("\n"))
    yield* run("import", "csv", "sales.csv")
    const visitor = yield* page
    yield* Effect.promise(async () => {
      const health = (await visitor.get("/health")).body
      assert.match(health, /1 document was not accepted[^]*?INV-2 cannot be sent\. /)
      const [address = ""] = addresses(health, "/dismiss?")
      const shown = (await visitor.get(address)).body
      assert.match(shown, /What follows[^]*?listed again[^]*?name="because"\s+required[^]*?>Dismiss 1 document</)
      const asked = Object.fromEntries(new URLSearchParams(address.split("?")[1]))
      assert.include((await visitor.post("/dismiss", { ...asked, because: " " })).body, "a decision needs a reason")
      assert.strictEqual((await visitor.post("/dismiss", { account: "main", because: "none meant" })).status, 200)
      assert.include((await visitor.get("/health")).body, "1 thing needs you")
      assert.include((await visitor.post("/dismiss", { ...asked, because: "a test row" })).body, "Dismissed: INV-2.")
      assert.include((await visitor.get("/health")).body, "Nothing needs you")
      assert.match((await visitor.get("/imports/r1")).body, /<h1>Done/)
      assert.include((await visitor.get("/decisions")).body, "a test row")
    })
  })
})

describe("a decision by the gateway's text", () => {
  it.live("asks for each document once more, and settles those of which the gateway still says it", function* () {
    const { folder, importing, page, run, sandbox } = yield* opened
    const file = join(folder, "account.json")
    const settings = readFileSync(file, "utf8")
    // takes each failure for a result, so that the import does not wait
    writeFileSync(file, settings.replace('"STAT-7"', '"STAT-9":"any","STAT-7"'))
    yield* sandbox.control.addFault({ kind: "reject", times: 2, error: "The till is off" })
    yield* importing(...three)
    assert.deepStrictEqual(yield* stateOf(run), ["INV-1 Rejected", "INV-2 Rejected", "INV-3 Fiscalised"])
    writeFileSync(file, settings)
    const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
    const before = Date.now() - 3_600_000
    database.exec(`delete from fiscal_outcome where outcome = 'Rejected';
        update fiscal_submission set state = 'Accepted', rejection = null where state = 'Rejected';
        update fiscal_attempt set begun_at = ${before}, finished_at = ${before}, known_at = ${before}, poll_at = ${before};
        update fiscal_account set able_since = ${before - 1};
        update fiscal_statement set first_at = ${before}, last_at = ${before}, counted_at = ${before}`)
    database.close()
    const visitor = yield* page
    yield* Effect.promise(async () => {
      const asked = { decision: "Rejected", state: "Accepted", text: "The till is off", account: "main" }
      const shown = (await visitor.get(`/decide?${new URLSearchParams(asked).toString()}`)).body
      for (const number of ["INV-1", "INV-2"]) assert.include(shown, number)
      assert.include(shown, 'name="count.Rejected" value="2"')
      assert.match(shown, /<input\s+type="text"\s+name="seen"[^>]*>/)
      const done = { ...asked, "count.Rejected": "2", shown: String(Date.now()), because: "not in the portal" }
      for (const seen of [{}, { seen: "it is so" }, { seen: "1" }])
        assert.include((await visitor.post("/decide", { ...done, ...seen })).body, "must show all as failed")
      assert.include((await visitor.post("/decide", { ...done, seen: "2" })).body, "Recorded for 2 documents.")
    })
    assert.deepStrictEqual(yield* stateOf(run), ["INV-1 Rejected", "INV-2 Rejected", "INV-3 Fiscalised"])
  })
})

describe("the open items on the page", () => {
  it.live("are the same as in health, with a place for each action of an item", function* () {
    const { folder, importing, page, run, sandbox } = yield* opened
    yield* sandbox.control.addFault({ kind: "error", status: 401, skip: 1, ...submits })
    yield* importing(...three)
    const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
    const seen = Date.now()
    database
      .prepare(
        "insert into fiscal_notice values ('counters', 'test/1001', 'DAY_DIFFERS', '4', 'a receipt too many', ?, ?)"
      )
      .run(seen, seen)
    database.exec("update fiscal_import set standing = 'incomplete'")
    database.close()
    const concerns = lines((yield* run("health", "--json")).out)[0]?.["concerns"] as ReadonlyArray<{
      readonly code: string
      readonly text: string
      readonly actions: ReadonlyArray<{ readonly step: { readonly do: string } }>
    }>
    const visitor = yield* page
    yield* Effect.promise(async () => {
      const health = (await visitor.get("/health")).body
      const notes = health.split('<section class="card case').slice(1)
      assert.deepStrictEqual(
        notes.map((note) => /<code class="soft">([A-Z_]+)<\/code>/.exec(note)?.[1]),
        concerns.map(({ code }) => code)
      )
      assert.sameMembers(
        concerns.map(({ code }) => code),
        ["STOPPED", "DAY_DIFFERS", "IMPORT_INCOMPLETE"]
      )
      for (const [n, { actions, code }] of concerns.entries())
        assert.strictEqual(notes[n]!.match(/<a class="(?:button|later)|<form /g)?.length, actions.length, code)
      assert.include((await visitor.get("/documents")).body, "3 things under Attention")
      const [day = ""] = addresses(health, "/acknowledge?")
      assert.include((await visitor.get(day)).body, "A receipt too many")
      const fields = { account: "main", day: "4", because: "the till was tried out" }
      assert.include((await visitor.post("/acknowledge", fields)).body, "Acknowledged: DAY_DIFFERS.")
      assert.include((await visitor.post("/acknowledge", fields)).body, "nothing is listed of fiscal day 4")
      const [cancel = ""] = addresses(health, "/cancel-import")
      assert.strictEqual(visitor.whereTo(await visitor.post(cancel, { import: "1" })), "/imports/r1")
      await sandbox.control.clearFaults.pipe(Effect.runPromise)
      assert.strictEqual(visitor.whereTo(await visitor.post("/resume", {})), "/documents")
      for (let i = 0; i < patience && !(await visitor.get("/health")).body.includes("Nothing needs you"); i++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      assert.include((await visitor.get("/health")).body, "Nothing needs you")
      const record = (await visitor.get("/decisions")).body
      for (const text of ["acknowledge-day", "the till was tried out", "cancel-import"]) assert.include(record, text)
    })
  })
})
