/**
 * Core's questions on one screen: for every adapter, answered in one step, and reversible until
 * documents are sent with the answers.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { examples, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start, Visitor } from "./PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const main = { fields: { account: "main" } }
const file = (name: string): readonly [string, string] => [name, readFileSync(join(examples, name), "utf8")]

const opened = Effect.gen(function* () {
  const folder = yield* folderWith()
  yield* gatewayFor(folder)
  const page = yield* start(["--config", "account.json", "--book", "own.book.json"], env, folder)
  const book = join(folder, "own.book.json")
  return { folder, book, visitor: yield* Effect.promise(() => Visitor.open(page)) }
})

/** Facts of these exports that only their owner knows. */
const said = {
  zone: "Africa/Harare",
  "payment-method": "paying-account",
  "payment 090": "BankTransfer",
  "buyers-without-number": "cash-sale"
}

const ofItems = {
  "product-codes": "85131000",
  charges: "as-line-taxed-like-lines",
  "credit-reasons": "credit-note"
}

/** Export with ambiguous dates, and buyers without a number. */
const ambiguous = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod
A-1,03/02/2026,USD,inclusive,Moyo Hardware,Lamp,1,10.00,10.00,Zero,87168000,10.00,Card
A-2,04/02/2026,USD,inclusive,Kopje Lodge,Lamp,2,10.00,20.00,Zero,87168000,20.00,Card
`

describe("an export without settings", () => {
  it.live(
    "of a Xero shape is imported with the buyers' own numbers, and its contacts are not cash sales",
    function* () {
      const { folder, visitor } = yield* opened
      yield* Effect.promise(async () => {
        const where = visitor.whereTo(await visitor.upload([file("historical-invoices.json")], main))
        const asked = (await visitor.read(where)).body
        assert.match(asked, /<h1>\d+ questions about historical-invoices.json/)
        const questions = visitor.questionsIn(asked)
        assert.strictEqual(questions.get("buyer-tin")?.chosen, "TaxNumber")
        assert.strictEqual(questions.get("product-code")?.chosen, "item-code")
        assert.include(asked, "2000112233")
        // Nothing is stored before the questions are answered.
        assert.isFalse(existsSync(join(folder, "own.book.json")))
        const checked = (await visitor.answer(where, said)).body
        assert.include(checked, "<h1>Documents to send")
        // A tax that changed with the year is proposed as both taxes in sequence.
        assert.strictEqual(questions.get("tax OUTPUT")?.chosen, "1+515")
        assert.isTrue(checked.includes("Send 16 documents to the test device"), "all of them are sent")
        // A buyer with a number in the file is sent under the own name; all others become cash
        // sales.
        assert.deepStrictEqual(checked.match(/Cash sale [^<]+/g)?.length, 2, "the two of one buyer")
      })
    }
  )

  it.live(
    "says what the file has: credit notes are negative, and an unread total is not left out in silence",
    function* () {
      const { visitor } = yield* opened
      const rows = [
        "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode,Total,Kind,OriginalInvoiceNumber,Reason",
        "10021,2026-01-05,USD,inclusive,Paint,1,173.25,T1,87168000,173.25,invoice,,",
        "501,2026-01-05,USD,inclusive,Paint,1,34.65,T1,87168000,34.65,credit note,10021,Returned",
        "10023,2026-01-05,USD,inclusive,Lamp,1,28.88,T1,87168000,2O.88,invoice,,"
      ]
      yield* Effect.promise(async () => {
        const where = visitor.whereTo(await visitor.upload([["sales.csv", rows.join("\n")]], main))
        const { body } = await visitor.read(where)
        assert.include(body, "The file has 3 documents, 5 Jan 2026, USD 138.60 · 1 of unknown amount.")
      })
    }
  )

  it.live("of a QuickBooks or an Odoo shape is recognized by its content, and asks for its own fields", function* () {
    const { visitor } = yield* opened
    yield* Effect.promise(async () => {
      const ofQuickBooks = visitor.whereTo(await visitor.upload([file("quickbooks-like.json")], main))
      const questions = await visitor.asked(ofQuickBooks)
      assert.strictEqual(questions.get("buyer-vat-number")?.chosen, "ResaleNum")
      assert.include(questions.get("product-code")?.values ?? [], "item-name")
      const ofOdoo = visitor.whereTo(await visitor.upload([file("odoo-like.json")], main))
      const others = await visitor.asked(ofOdoo)
      assert.strictEqual(others.get("buyer-vat-number")?.chosen, "vat")
      assert.include(others.get("product-code")?.values ?? [], "default-code")
      const ready = async (where: string, count: number, field: string) => {
        const checked = (await visitor.answer(where, { ...said, ...ofItems, "product-code": field })).body
        const causes = Array.from(checked.matchAll(/<code>([A-Z_0-9]+)<\/code>/g), ([, code]) => code).join()
        assert.isTrue(
          checked.includes(`Send ${count} documents to the test device`),
          `all ${count} documents: ${causes}`
        )
      }
      await ready(ofOdoo, 3, "default-code")
      // The zone, which both exports need, is already answered.
      await visitor.post(`${ofQuickBooks}/recheck`, {})
      await ready(ofQuickBooks, 4, "item-name")
    })
  })
})

describe("the answers on the page", () => {
  it.live("are saved all at once or not at all, and each can be changed alone", function* () {
    const { book, visitor } = yield* opened
    yield* Effect.promise(async () => {
      const upload = async (name: string) => visitor.whereTo(await visitor.upload([[name, ambiguous]], main))
      const where = await upload("january.csv")
      const asked = await visitor.asked(where)
      assert.sameMembers([...asked.keys()], ["dates", "zone", "tax Zero", "buyers-without-number"])
      const ids = [...asked.keys()]
      const fields = (given: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(given).map(([id, value]) => [`question.${ids.indexOf(id)}`, value]))
      const all = { dates: "dmy", zone: "Africa/Harare", "tax Zero": "2", "buyers-without-number": "cash-sale" }
      // One answer is missing.
      const { dates: _, ...others } = all
      await visitor.post(`${where}/questions`, fields(others))
      const again = (await visitor.get(where)).body
      assert.include(again, "Nothing was taken yet. Answer this, too: ")
      assert.strictEqual(visitor.questionsIn(again).get("buyers-without-number")?.chosen, "cash-sale")
      // One answer is not usable.
      const zone = ids.indexOf("zone")
      await visitor.post(`${where}/questions`, { ...fields({ ...all, zone: "typed" }), [`typed.${zone}`]: "CET5" })
      const refused = (await visitor.get(where)).body
      assert.match(refused, /role="alert"><p>[^<]*zone/)
      assert.include(refused, "“CET5” cannot be read. Expected the zone, as +02:00 or Africa/Harare.")
      // A typed text beside another choice is asked back, and nothing is guessed.
      await visitor.post(`${where}/questions`, {
        ...fields({ ...all, zone: "Africa/Cairo" }),
        [`typed.${zone}`]: "+02:00"
      })
      assert.include((await visitor.get(where)).body, "keep “+02:00” or “Africa/Cairo”.")
      assert.isFalse(existsSync(book))
      // The columns are a step back, and looking changes nothing.
      assert.include((await visitor.get(`${where}/columns`)).body, "Which column is what?")
      assert.sameMembers([...(await visitor.asked(where)).keys()], ids)

      await visitor.post(`${where}/questions`, { ...fields(all), remember: "yes" })
      const checked = (await visitor.until(where, "Documents to send")).body
      assert.include(checked, "Send 2 documents to the test device")
      assert.include(checked, "3 Feb 2026")
      assert.include((await visitor.get(`${where}/questions`)).body, `${where}/change`)
      assert.include(readFileSync(book, "utf8"), '"zone": "Africa/Harare"')

      // One answer is changed; every other answer stays.
      await visitor.post(`${where}/change`, { subject: "dates" })
      assert.deepStrictEqual([...(await visitor.asked(where)).keys()], ["dates"])
      assert.include(readFileSync(book, "utf8"), '"zone": "Africa/Harare"')
      // Beside the open question, another answer is changed: what is chosen there already stays.
      assert.include((await visitor.get(where)).body, "Your answers: 3")
      await visitor.post(`${where}/change`, { subject: "tax Zero", "question.0": "mdy" })
      const both = await visitor.asked(where)
      assert.deepStrictEqual([...both.keys()], ["dates", "tax Zero"])
      assert.deepStrictEqual(
        [...both.values()].map(({ chosen }) => chosen),
        ["mdy", undefined]
      )
      await visitor.answer(where, { dates: "mdy", "tax Zero": "2" }, { remember: "yes" })
      assert.include((await visitor.until(where, "Documents to send")).body, "2 Mar 2026")
      await visitor.post(`${where}/change`, { subject: "tax Zero" })
      assert.deepStrictEqual([...(await visitor.asked(where)).keys()], ["tax Zero"])
      await visitor.answer(where, { "tax Zero": "2" }, { remember: "yes" })
      assert.include((await visitor.until(where, "Documents to send")).body, "Send 2 documents to the test device")
      const other = await upload("other.csv")
      await visitor.until(other, "Documents to send")
      await visitor.post(`${where}/send`, {})
      await visitor.until(where, "Done: january.csv")
      // The next file of the same kind needs no answers.
      const next = visitor.whereTo(await visitor.upload([["february.csv", ambiguous.replaceAll("A-", "B-")]], main))
      await visitor.until(next, "Documents to send")
      assert.include((await visitor.get(`${next}/questions`)).body, `${next}/change`)
    })
  })
})
