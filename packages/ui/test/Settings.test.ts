/**
 * Settings on screens: chosen, saved, taken back, and asked again; the file remains the command's.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import * as BookEditing from "../../core/src/mapping/BookEditing.ts"
import { Effect } from "effect"
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const main = { fields: { account: "main" } }
const own =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod\nA-1,2026-02-01,USD,inclusive,Lamp,1,11.55,11.55,V,87168000,11.55,Card\n"

/** Returns the digest of the book in a form of the settings page. */
const wasIn = (body: string, action: "settings" | "settings/items") =>
  new RegExp(`action="[^"]*/${action}"[^]*?name="was"\\s+value="([^"]+)"`).exec(body)?.[1] ?? "nothing"

/** Sends the form as the page shows it now, with these fields changed. */
const posting =
  (visitor: Visitor, action: "settings" | "settings/items", at = action === "settings" ? "business" : "codes") =>
  async (fields: Readonly<Record<string, string>>) =>
    visitor.post(`/${action}`, { was: wasIn((await visitor.get(`/book?at=${at}`)).body, action), at, ...fields })

const opened = (withBook: "book" | "no-book") =>
  Effect.gen(function* () {
    const folder = yield* folderWith(book)
    yield* gatewayFor(folder)
    const named = withBook === "book" ? book : "own.book.json"
    const page = yield* start(["--config", "account.json", "--book", named], env, folder)
    return { file: join(folder, named), visitor: yield* Effect.promise(() => Visitor.open(page)) }
  })

describe("the settings page", () => {
  it.live("saves settings with a form, keeps the comments of the file, and can undo", function* () {
    const { file, visitor } = yield* opened("book")
    const before = readFileSync(file, "utf8")
    yield* Effect.promise(async () => {
      const shown = (await visitor.get("/book")).body
      assert.match(shown, /<option value="Africa\/Harare"\s+selected>|<option value="\+02:00"\s+selected>/)
      assert.include((await visitor.get("/book?at=taxes")).body, "Zero")
      const post = posting(visitor, "settings")
      const saved = await post({
        "set.late": "restamp",
        "set.defaults.creditReason": "Returned"
      })
      assert.include(saved.body, "Saved.")
      const after = readFileSync(file, "utf8")
      assert.match(after, /"late": "restamp"/)
      assert.match(after, /"creditReason": "Returned"/)
      assert.isTrue(
        before
          .split("\n")
          .filter((line) => line.includes("//"))
          .every((line) => after.includes(line.trim()))
      )
      // one line for each change: when, who, which setting, old, new
      const cells = /<tr>(?:(?!<tr>)[^])*older than the last receipt[^]*?<\/tr>/.exec(
        (await visitor.get("/book?at=changes")).body
      )?.[0]
      assert.deepStrictEqual(
        Array.from(cells?.matchAll(/<td[^>]*>([^]*?)<\/td>/g) ?? [], ([, cell]) =>
          cell!.replaceAll(/<[^>]+>/g, "").trim()
        ).slice(1, 5),
        [
          userInfo().username,
          "Documents older than the last receipt",
          "are held back until you decide",
          "are dated at the moment they are sent"
        ]
      )
      assert.include((await post({ "set.late": "restamp" })).body, "Nothing was changed.")
      // A setting that would make the book invalid is not written.
      const wrong = await post({ "set.defaults.cashBuyer": "Sale" })
      assert.strictEqual(wrong.status, 400)
      assert.strictEqual(readFileSync(file, "utf8"), after)
      const change = /name="change" value="(\d+)"/.exec((await visitor.get("/book?at=changes")).body)?.[1] ?? ""
      assert.include((await visitor.post("/settings/undo", { change })).body, "Taken back.")
      assert.strictEqual(readFileSync(file, "utf8"), before)
      // Another program changes the file meanwhile.
      const again = await post({ "set.late": "restamp" })
      writeFileSync(file, `${readFileSync(file, "utf8")}\n`)
      assert.include(again.body, "Saved.")
      const changes = (await visitor.get("/book?at=changes")).body
      const last = /name="change" value="(\d+)"/.exec(changes)?.[1] ?? ""
      assert.include(
        (await visitor.post("/settings/undo", { change: last })).body,
        "The settings were changed after it"
      )
    })
  })

  it.live("does not undo a setting that another tab has saved since the form was shown", function* () {
    const { file, visitor } = yield* opened("book")
    yield* Effect.promise(async () => {
      const was = wasIn((await visitor.get("/book")).body, "settings")
      await posting(visitor, "settings")({ "set.late": "restamp" })
      const kept = readFileSync(file, "utf8")
      // The form of the first tab has every setting, also the unchanged one.
      const late = await visitor.post("/settings", {
        was,
        "set.late": "hold",
        "set.defaults.creditReason": "Returned"
      })
      assert.include(late.body, "It was changed meanwhile")
      assert.strictEqual(readFileSync(file, "utf8"), kept)
      await visitor.post("/settings", { "set.defaults.creditReason": "Returned" })
      assert.strictEqual(readFileSync(file, "utf8"), kept)
    })
  })

  it.live(
    "saves product codes of items, one by one and all together, and refuses a text that is not a product code",
    function* () {
      const { file, visitor } = yield* opened("book")
      yield* Effect.promise(async () => {
        const items = () => readFileSync(file, "utf8").match(/"productCodes": \[[^]*?\n {2}\]/)?.[0] ?? ""
        const post = posting(visitor, "settings/items")
        const first = await post({ item: "Garden hose, 20 m", code: "39173900" })
        assert.include(first.body, "Saved.")
        assert.match(items(), /"descriptions": \["Garden hose, 20 m"\], "productCode": "39173900"/)
        const names = Array.from(first.body.matchAll(/name="(code\.\d+)"\s+value="39173900"/g), ([, name]) => name!)
        assert.lengthOf(names, 1)
        const again = await post({ [names[0]!]: "39174000", item: "Lamp", code: "94051000" })
        const changes = (await visitor.get("/book?at=changes")).body
        assert.match(changes, /Garden hose, 20 m<\/b><\/td>\s*<td>39173900<\/td>\s*<td>39174000<\/td>/)
        assert.include(again.body, "94051000")
        assert.notInclude(items(), "39173900")
        const kept = readFileSync(file, "utf8")
        // A row of the form shown before may be another item by now.
        const was = wasIn(first.body, "settings/items")
        const late = await visitor.post("/settings/items", { was, [names[0]!]: "99999999" })
        assert.include(late.body, "It was changed meanwhile")
        assert.strictEqual(readFileSync(file, "utf8"), kept)
        const incomplete = await post({ item: "Chair", code: " " })
        assert.include(incomplete.body, "an item needs its name and its product code")
        assert.strictEqual((await post({ item: "Chair", code: "ABC" })).status, 400)
        assert.include((await post({})).body, "Nothing was changed.")
        assert.strictEqual(readFileSync(file, "utf8"), kept)
        const change = /name="change" value="(\d+)"/.exec((await visitor.get("/book?at=changes")).body)?.[1] ?? ""
        assert.include((await visitor.post("/settings/undo", { change })).body, "Taken back.")
        assert.include(items(), "39173900")
        assert.notInclude(items(), "94051000")
      })
    }
  )

  it.live("shows the rules as delivered, changes one alone, and shows the changed one first", function* () {
    const { file, visitor } = yield* opened("no-book")
    writeFileSync(file, BookEditing.blank("Africa/Harare"))
    yield* Effect.promise(async () => {
      const rules = (body: string) => Array.from(body.matchAll(/<th scope="row">([^<]+)/g), ([, rule]) => rule!)
      const asDelivered = (await visitor.get("/book?at=advanced")).body
      assert.strictEqual(asDelivered.split("as delivered").length - 1, 13)
      assert.notInclude(asDelivered, "<select")
      const one = (await visitor.get("/book?at=advanced&rule=set.policies.textLines")).body
      assert.deepStrictEqual(
        Array.from(one.matchAll(/<select name="([^"]+)/g), ([, name]) => name),
        ["set.policies.textLines"]
      )
      await posting(visitor, "settings", "advanced")({ "set.policies.textLines": "drop" })
      const changed = (await visitor.get("/book?at=advanced")).body
      assert.strictEqual(rules(changed)[0], "A line with a description and no amount")
      assert.include(changed, "1 of 13 differ")
    })
  })

  it.live("lists the known files, and forgets one", function* () {
    const { visitor } = yield* opened("book")
    yield* Effect.promise(async () => {
      assert.include((await visitor.get("/book?at=files")).body, "No file is known yet.")
      const file = own.replace("2026-02-01", "03/02/2026").replace(",V,", ",Zero,")
      const where = visitor.whereTo(await visitor.upload([["january.csv", file]], main))
      await visitor.answer(where, { dates: "mdy" }, { remember: "yes" })
      await visitor.until(where, "Documents to send")
      const known = (await visitor.get("/book?at=files")).body
      assert.include(known, "<td>january.csv</td>")
      const [, spelling = ""] = /name="spelling"\s+value="([^"]*)"/.exec(known) ?? []
      const forgotten = await visitor.post("/settings/forget", {
        list: "files",
        spelling: spelling.replaceAll("&quot;", '"')
      })
      assert.include(forgotten.body, "“january.csv” is asked for again")
      assert.include(forgotten.body, "No file is known yet.")
      const again = visitor.whereTo(await visitor.upload([["january.csv", file]], main))
      assert.isTrue((await visitor.asked(again)).has("dates"))
    })
  })

  it.live("says what uses an entry, and does not ask again for a code that is in receipts", function* () {
    const folder = yield* folderWith(book)
    yield* gatewayFor(folder)
    writeFileSync(join(folder, "own.csv"), own.replace(",V,", ",Zero,"))
    yield* connector(["import", "csv", "own.csv", "--book", book, "--config", "account.json"], { cwd: folder })
    const page = yield* start(["--config", "account.json", "--book", book], env, folder)
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    yield* Effect.promise(async () => {
      assert.include((await visitor.get("/book")).body, ">Used by 1 receipt<")
      const taxes = (await visitor.get("/book?at=taxes")).body
      assert.match(taxes, /<strong>Zero<\/strong>[^]*?<td>1 receipt<\/td>[^]*?Cannot change: in receipts/)
      assert.match(taxes, /<strong>Exempt<\/strong>[^]*?<td>not used yet<\/td>[^]*?Ask again/)
      const before = readFileSync(join(folder, book), "utf8")
      const kept = await visitor.post("/settings/forget", { list: "taxes", spelling: "Zero" })
      assert.match(kept.body, /role="status"><p>Cannot change: in receipts/)
      assert.strictEqual(readFileSync(join(folder, book), "utf8"), before)
      // a store that cannot be read does not show that no receipt has the code
      const store = readdirSync(folder).find((name) => name.endsWith(".db"))!
      const whole = readFileSync(join(folder, store))
      writeFileSync(join(folder, store), "this is not a store")
      const unknown = await visitor.post("/settings/forget", { list: "taxes", spelling: "Exempt" })
      assert.match(unknown.body, /role="status"><p>Cannot change: receipts not known/)
      writeFileSync(join(folder, store), whole)
      const asked = await visitor.post("/settings/forget", { list: "taxes", spelling: "Exempt" })
      assert.include(asked.body, "Saved.")
    })
  })

  it.live("removes a spelling, and the next import asks for it", function* () {
    const { file, visitor } = yield* opened("book")
    yield* Effect.promise(async () => {
      await visitor.post("/settings/forget", { list: "taxes", spelling: "Zero" })
      assert.include((await visitor.get("/book?at=changes")).body, "“Zero” is asked for again")
      assert.notMatch(readFileSync(file, "utf8"), /"from": \[[^\]]*"Zero"/)
      const where = visitor.whereTo(await visitor.upload([["own.csv", own.replace(",V,", ",Zero,")]], main))
      assert.isTrue((await visitor.asked(where)).has("tax Zero"))
    })
  })

  it.live(
    "starts a new book from the read file, with this computer's zone first and the gateway's codes",
    function* () {
      const { file, visitor } = yield* opened("no-book")
      yield* Effect.promise(async () => {
        const where = visitor.whereTo(await visitor.upload([["own.csv", own]], main))
        const asked = (await visitor.read(where)).body
        assert.include(asked, "The file has 1 document, 1 Feb 2026, USD 11.55.")
        const questions = visitor.questionsIn(asked)
        // UTC is the zone of servers: not a proposal
        const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
        assert.strictEqual(questions.get("zone")?.chosen, zone === "UTC" ? undefined : zone)
        assert.include(questions.get("zone")?.values ?? [], "Africa/Harare")
        assert.include(asked, "device tax 515")
        // Codes that the gateway already maps are not asked.
        assert.isFalse(questions.has("currency USD"))
        await visitor.answer(where, { zone: "Africa/Harare", "tax V": "515" })
        // The gateway has a code for the tax: no change is needed there.
        assert.match(readFileSync(file, "utf8"), /"code": "VAT155"/)
        assert.include((await visitor.until(where, "Documents to send")).body, "Send 1 document to the test device")
      })
    }
  )
})
