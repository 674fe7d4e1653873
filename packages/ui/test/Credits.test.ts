/**
 * Prepared credit notes on the page, by requests without a script: what is shown is computed again
 * when it is sent, and a changed figure sends nothing.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, lines, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const config = ["--config", "account.json"]
const book = "historical-invoices.book.json"
const header = "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, price: string, status = "issued") =>
  `${number},2026-02-03,${status},USD,inclusive,Lamp,1,${price},Standard,94052090`

const started = (options: Parameters<typeof gatewayFor>[1] = {}) =>
  Effect.gen(function* () {
    const cwd = yield* folderWith(book)
    const gateway = yield* gatewayFor(cwd, options)
    const sales = (...rows: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows].join("\n")}\n`)
        return connector(["import", "sales.csv", ...config, "--book", book, ...live], { cwd })
      })
    const live: Array<string> = options?.device?.isLive === true ? ["--live"] : []
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd })
    const first = sales(row("S-1", "10.00"), row("S-2", "20.00"), row("S-3", "30.00"), row("S-4", "40.00"))
    live.push(...(/--first-use \S+/.exec((yield* first).err)?.[0] ?? "").split(" ").filter((word) => word !== ""))
    if (live.length > 0) yield* first
    yield* sales(row("S-1", "8.00"), row("S-2", "20.00", "void"), row("S-3", "35.00"), row("S-4", "40.00"))
    const running = yield* start([...config, "--book", book], env, cwd)
    return { gateway, run, sales, visitor: yield* Effect.promise(() => Visitor.open(running)) }
  })

const note = (id: string) => `/credits?account=main&id=${id}`

describe("prepared credit notes on the page", () => {
  it.live(
    "are listed with what is left, and one is sent as it was shown, with the reason that was typed",
    function* () {
      const { run, sales, visitor } = yield* started()
      yield* Effect.promise(async () => {
        const list = (await visitor.get("/credits")).body
        assert.include(list, "2 credit notes are prepared, USD −22.00")
        assert.match(list, /S-1[^]*?USD −2\.00[^]*?1 line: Lamp, 10\.00 → 8\.00, on \d+ \w+ \d{4}[^]*?8\.00 left/)
        assert.match(list, /S-2[^]*?USD −20\.00[^]*?Void, on \d+ \w+ \d{4}[^]*?0\.00 left/)
        assert.match(list, /S-3[^]*?A tax rose[^]*?Not prepared/)
        assert.match((await visitor.get("/documents")).body, /\/credits"[^>]*>Prepared credit notes 3</)
        assert.match(list, />All 3<[^]*?>Prepared 2<[^]*?>Not prepared 1</)
        // what is shown can be narrowed, and the counts follow
        const others = (await visitor.get("/credits?show=not-prepared")).body
        assert.match(others, /S-3[^]*?A tax rose/)
        assert.notMatch(others, /id=S-1\b/)
        const one = (await visitor.get("/credits?matching=s-1")).body
        assert.match(one, /Prepared credit notes 3<[^]*?1 credit note is prepared[^]*?>All 1<[^]*?id=S-1\b/)
        const none = (await visitor.get("/credits?show=prepared&matching=s-3")).body
        assert.match(none, />All 1<[^]*?>Prepared 0<[^]*?name="show" value="prepared"[^]*?value="s-3"/)
        // of the four documents one is as the books state it, and the others have their way out
        const result = (await visitor.get("/imports/r2")).body
        assert.match(result, /<h1>1 of 4 agree with your books, 3 need you<\/h1>/)
        assert.match(result, /differs from the document that was sent before \(2\)[^]*?S-1: [^]*?\/credits"/)
        assert.match(result, /canceled a document that was sent to the gateway \(1\)[^]*?S-2 is Fiscalised/)
        assert.match((await visitor.get("/")).body, /1 of 4 agree with your books<[^]*?>3 need you</)
        // attention leads to the note, and to no command
        const attention = (await visitor.get("/health")).body
        assert.match(attention, /credits\?account=main&amp;id=S-2/)
        assert.notInclude(attention, "In a terminal: connector credit")
        assert.notMatch(attention, /decision=Withdrawn/)
      })
      const shown = yield* Effect.promise(() => visitor.get(note("S-2")))
      assert.match(
        shown.body,
        /Invoice S-2[^]*?Fiscalised[^]*?20\.00[^]*?Already credited[^]*?In your books now[^]*?void[^]*?0\.00 of 20\.00 is left/
      )
      assert.include(shown.body, "Send S-2-C1: USD −20.00")
      assert.notMatch(shown.body, /name="because"[^>]*value=/)
      // the document has the same lines and the same form
      const document = yield* Effect.promise(() => visitor.get("/documents/main/invoice/S-2"))
      assert.match(document.body, /In your books now[^]*?After this note[^]*?Send S-2-C1: USD −20\.00/)

      const send = (fields: Readonly<Record<string, string>>) =>
        Effect.promise(async () => {
          const answer = await visitor.post("/credits", { account: "main", ...fields })
          return (await visitor.get(visitor.whereTo(answer).split("#")[0]!)).body
        })
      assert.include(yield* send({ id: "S-2", total: "20.00", because: " " }), "Type the reason. Nothing was sent.")
      assert.include(yield* send({ id: "S-2", total: "20.00", because: "<why>" }), "only marks its place")
      assert.include(
        yield* send({ id: "S-2", total: "19.00", because: "void" }),
        "Nothing was sent: 20.00 is left to credit now, not 19.00."
      )
      const sent = yield* send({ id: "S-2", total: "20.00", because: "sent back" })
      assert.match(sent, /<h1>Credit note S-2-C1<\/h1>[^]*?Fiscalised/)
      assert.match((yield* run("audit")).out, /credit +.*invoice S-2.*credit note S-2-C1, USD 20\.00.*sent back/)
      assert.include(yield* send({ id: "S-2", total: "20.00", because: "again" }), "nothing is left to credit")
      // the books change after the note was shown
      yield* sales(row("S-1", "7.00"), row("S-2", "20.00", "void"), row("S-3", "35.00"), row("S-4", "40.00"))
      assert.include(
        yield* send({ id: "S-1", total: "2.00", because: "discount" }),
        "Nothing was sent: 3.00 is left to credit now, not 2.00."
      )
      const notes = lines((yield* run("list", "--json", "--kind", "credit-note")).out)
      assert.deepStrictEqual(
        notes.map(({ number }) => number),
        ["S-2-C1"]
      )
    }
  )

  it.live("lead from a refused note back to its invoice, and offer no sending as it was", function* () {
    const { gateway, run, visitor } = yield* started()
    yield* gateway.control.addFault({ kind: "reject", error: "RCPT034: no", actionable: true, times: 1 })
    assert.strictEqual((yield* run("credit", "S-2", "--because", "void")).code, 2)
    yield* Effect.promise(async () => {
      const { body } = await visitor.get("/documents/main/credit-note/S-2%3Acredit-1")
      assert.match(body, /then credit again under[^]*?credits\?account=main&amp;id=S-2/)
      assert.notInclude(body, 'value="Resend"')
      assert.match((await visitor.get("/health")).body, /FAILED_AT_GATEWAY[^]*?credits\?account=main&amp;id=S-2/)
    })
  })

  it.live("have their way out on the page: everything, another number, a document that is not there", function* () {
    const { visitor } = yield* started()
    yield* Effect.promise(async () => {
      const risen = (await visitor.get(note("S-3"))).body
      assert.include(risen, "A tax rose, and a credit note can only lower it.")
      assert.match(risen, /credits\?account=main&amp;id=S-3&amp;full=yes/)
      const full = (await visitor.get(`${note("S-3")}&full=yes`)).body
      assert.include(full, "Afterwards: issue it again in the source under a new number.")
      assert.include(full, "Send S-3-C1: USD −30.00")
      const named = (await visitor.get(`${note("S-3")}&full=yes&number=S-4`)).body
      assert.include(named, "The number S-4 belongs to another document")
      assert.match(named, /name="number"/)
      // an invoice that the books still state as it was sent
      assert.include((await visitor.get(note("S-4"))).body, "The same figures: there is nothing to credit.")
      const whole = (await visitor.get(`${note("S-4")}&full=yes`)).body
      assert.include(whole, "The source still has the invoice as issued")
      assert.strictEqual((await visitor.get(note("S-9"))).status, 404)
      assert.strictEqual((await visitor.get("/credits?account=other&id=S-1")).status, 404)
      assert.strictEqual((await visitor.post("/credits", { account: "main", id: "S-2" })).status, 404)
    })
  })

  it.live("credit one of two receipts that the portal shows, and then ask which one is credited", function* () {
    const cwd = yield* folderWith(book)
    const { control } = yield* gatewayFor(cwd)
    const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd })
    yield* control.addFault({ kind: "drop", stage: "after", operations: ["submitInvoice"], times: 1 })
    writeFileSync(join(cwd, "sales.csv"), `${[header, row("S-1", "20.00")].join("\n")}\n`)
    yield* run("import", "sales.csv", "--book", book)
    yield* run("resolve", "S-1", "--not-processed", "--although-recent", "--because", "not seen")
    yield* run("resume")
    const [first, second] = (yield* control.receipts).map(({ qrData }) => String(qrData.InvoiceNumber))
    const visitor = yield* Effect.flatMap(start([...config, "--book", book], env, cwd), (running) =>
      Effect.promise(() => Visitor.open(running))
    )
    yield* Effect.promise(async () => {
      const shows = async (address: string) => (await visitor.get(address.split("#")[0]!)).body
      const post = async (fields: Readonly<Record<string, string>>) =>
        shows(visitor.whereTo(await visitor.post("/credits", { account: "main", id: "S-1", ...fields })))
      assert.include(await shows(`${note("S-1")}&receipt=${second}`), `${second} is its only receipt`)
      const unknown = await shows(`${note("S-1")}&receipt=${first}`)
      assert.include(unknown, `The portal shows receipt ${first}: go on with it`)
      const address = /href="[^"]*(\/credits[^"]*seen=portal[^"]*)"/.exec(unknown)?.[1]?.replaceAll("&amp;", "&")
      const shown = await shows(address ?? "")
      assert.match(shown, new RegExp(`receipt ${first}, one of several[^]*?Send S-1-C1: USD −20\\.00`))
      assert.match(shown, new RegExp(`name="receipt" value="${first}"[^]*?name="seen" value="portal"`))
      const order = { receipt: first!, seen: "portal", total: "20.00" }
      assert.match(await post({ ...order, because: "sent twice" }), /<h1>Credit note S-1-C1<\/h1>[^]*?Fiscalised/)
      const asked = await shows(`${note("S-1")}&full=yes`)
      assert.include(asked, `The portal shows receipt ${first} as credited`)
      assert.include(await post({ credited: "999", because: "the portal" }), "999 is not one of its receipts")
      await post({ credited: first!, because: "the portal" })
      assert.include(await shows(`${note("S-1")}&full=yes`), "Send S-1-C2: USD −20.00")
    })
    assert.match((yield* run("audit")).out, new RegExp(`for receipt ${first} seen in the portal`))
  })

  it.live("need the number of a live device, and are listed without figures while the gateway is away", function* () {
    const { gateway, run, visitor } = yield* started({ device: { isLive: true } })
    const order = { account: "main", id: "S-2", total: "20.00", because: "void" }
    yield* Effect.promise(async () => {
      assert.include((await visitor.get(note("S-2"))).body, "Type the device number 1001")
      const wrong = visitor.whereTo(await visitor.post("/credits", { ...order, device: "1002" }))
      assert.include(
        (await visitor.get(wrong.split("#")[0]!)).body,
        "The device number is another one. Nothing was sent."
      )
      const sent = visitor.whereTo(await visitor.post("/credits", { ...order, device: "1001" }))
      assert.match((await visitor.get(sent)).body, /<h1>Credit note S-2-C1<\/h1>[^]*?Fiscalised/)
    })
    yield* gateway.control.addFault({ kind: "error", status: 503, operations: ["profile"] })
    yield* Effect.promise(async () => {
      assert.match((await visitor.get("/credits")).body, /role="alert"[^]*?main: /)
      // the page of the document works all the same
      assert.match((await visitor.get("/documents/main/invoice/S-1")).body, /credits\?account=main&amp;id=S-1/)
    })
    assert.include((yield* run("list", "--kind", "credit-note")).out, "S-2-C1")
  })
})
