/**
 * Exports that come again in another form: what the store knows as fiscalized, from any source and
 * in any spelling, is not sent again without a question.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandsIn, pasted, pastedWithReason } from "./PrintedCommands.ts"
import { connector, folderWith, gatewayFor } from "./RunningConnector.ts"

const header =
  "InvoiceNumber,InvoiceDate,CustomerName,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, { date = "2026-02-03", price = "10.00", buyer = "Kestrel Tools" } = {}) =>
  `${number},${date},${buyer},USD,inclusive,Lamp,1,${price},Standard,94052090`

const account = ["--config", "account.json"]
const book = ["--book", "historical-invoices.book.json"]

/** Returns a folder with an account, its gateway, and a command that runs a file. */
const firm = Effect.gen(function* () {
  const cwd = yield* folderWith("historical-invoices.book.json")
  const gateway = yield* gatewayFor(cwd)
  const run = (command: ReadonlyArray<string>, ...rows: ReadonlyArray<string>) => {
    writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows].join("\n")}\n`)
    return connector([...command, "sales.csv", ...account, ...book], { cwd })
  }
  const own = (...command: ReadonlyArray<string>) => connector([...command, ...account], { cwd })
  return { cwd, gateway, own, run }
})

describe("invoices registered as fiscalised elsewhere", () => {
  it.live("are not sent by the import of the whole export, and the rest is", function* () {
    const { own, run } = yield* firm
    const old = [row("A-1"), row("A-2", { price: "20.00" })]
    const registered = yield* run(["originals", "import"], ...old)
    assert.strictEqual(registered.code, 0, registered.err + registered.out)
    const whole = yield* run(["import"], ...old, row("A-3", { price: "30.00" }))
    assert.strictEqual(whole.code, 0, whole.err + whole.out)
    assert.match(whole.out, /fiscalised elsewhere \(registered on 20\d\d-\d\d-\d\d\)/)
    const { out } = yield* own("list", "--state", "Fiscalised", "--json")
    assert.deepStrictEqual(
      [...out.matchAll(/"number":"([^"]+)"/g)].map(([, number]) => number),
      ["A-3"]
    )
  })
})

describe("an invoice with a receipt here that is registered as fiscalised elsewhere", () => {
  it.live("needs an operator in every import, until the contradiction is settled", function* () {
    const { own, run } = yield* firm
    assert.strictEqual((yield* run(["import"], row("A-1"))).code, 0)
    assert.strictEqual((yield* run(["originals", "import"], row("A-1"))).code, 2)
    const again = yield* run(["import"], row("A-1"), row("A-2", { price: "20.00" }))
    assert.strictEqual(again.code, 2, again.out)
    assert.match(again.out, /ALSO_ELSEWHERE: 1 document \(A-1\)/)
    const settled = yield* own("resolve", "A-1", "--acknowledged", "--because", "the other one was credited")
    assert.strictEqual(settled.code, 0, settled.err)
    assert.strictEqual((yield* run(["import"], row("A-1"), row("A-2", { price: "20.00" }))).code, 0)
  })
})

describe("the same sale in another spelling of its number", () => {
  it.live("is held, and sent by no import", function* () {
    const { own, run } = yield* firm
    const first = yield* run(["import"], row("00005"), row("inv-004"), row("INV/2026/006"), row("B-7"))
    assert.strictEqual(first.code, 0, first.err + first.out)
    const again = yield* run(["import"], row("5"), row("INV-004"), row("INV-2026-006"), row("B-8"))
    assert.strictEqual(again.code, 3, again.err + again.out)
    const { out } = yield* own("list", "--state", "Held")
    for (const number of ["5", "INV-004", "INV-2026-006"]) assert.include(out, number)
    assert.include(again.out, "00005")
    assert.notMatch(out, /\bB-8\b/)

    const say = (number: string, as: string) => own("resolve", number, as, "--because", "compared with the receipts")
    for (const number of ["5", "INV-004"]) assert.strictEqual((yield* say(number, "--same")).code, 0)
    assert.strictEqual((yield* say("INV-2026-006", "--resend")).code, 0)
    assert.strictEqual((yield* own("resume")).code, 0)
    // the spellings are compared under the known documents, and the pair is not asked about again
    const last = yield* run(["import"], row("5"), row("INV-004", { price: "11.00" }), row("INV-2026-006"), row("B-8"))
    assert.strictEqual(last.code, 2, last.err + last.out)
    assert.match(last.out, /inv-004 .*DIFFERS_FROM_SENT|DIFFERS_FROM_SENT[^]*inv-004/)
    assert.notInclude(last.out, "Held")
    const sent = yield* own("list", "--state", "Fiscalised", "--json")
    assert.strictEqual(sent.out.match(/"number":/g)?.length, 6, sent.out)
  })
})

const cases = join(import.meta.dirname, "../../adapter-erpnext-like/fixtures")

const erpnextBook = JSON.stringify({
  version: 1,
  zone: "+02:00",
  rounding: "as-inclusive",
  taxes: [{ from: ["VAT - EX"], code: "VAT15", device: 1, percent: "15" }],
  currencies: [{ from: ["USD"], code: "USD", device: "USD" }],
  productCodes: [
    { from: ["LAMP"], productCode: "94052090" },
    { from: ["DESK"], productCode: "94033000" }
  ],
  defaults: { payment: null, productCode: null, creditReason: null, cashBuyer: "Cash {name}" }
})

const flags = ["--tin", "tax_id", "--product-code", "item-code", "--book", "sales.book.json", ...account]

/** Returns a folder with an account, and a command that imports the nth export of the case. */
const amending = Effect.gen(function* () {
  const cwd = yield* folderWith()
  const taxes = [{ taxId: 1, taxPercent: "15", taxName: "VAT" }]
  yield* gatewayFor(cwd, {
    device: { taxes },
    account: { taxMappings: [{ taxCode: "VAT15", destinationTaxId: 1 }] }
  })
  writeFileSync(join(cwd, "sales.book.json"), erpnextBook)
  const write = (data: unknown) => writeFileSync(join(cwd, "sales.json"), JSON.stringify({ data }))
  const run = (n: number) => {
    copyFileSync(join(cases, `amended-${n}.json`), join(cwd, "sales.json"))
    return connector(["import", "erpnext-like", "sales.json", ...flags], { cwd })
  }
  return { cwd, run, write }
})

describe("an invoice that was cancelled and amended in the source", () => {
  it.live("is held while the first one has a receipt, and sent with a reason", function* () {
    const { cwd, run } = yield* amending
    const first = yield* run(1)
    assert.strictEqual(first.code, 0, first.err + first.out)
    const second = yield* run(2)
    assert.strictEqual(second.code, 3, second.err + second.out)
    assert.match(second.out, /EX-A-1 +Held: it replaces EX-A, which has a receipt \(Fiscalised\)/)
    const decided = yield* connector(["resolve", "EX-A-1", "--resend", "--because", "credited by hand", ...account], {
      cwd
    })
    assert.strictEqual(decided.code, 0, decided.err + decided.out)
    const resumed = yield* connector(["resume", ...account], { cwd })
    assert.match(resumed.out, /EX-A-1 +Fiscalised/, resumed.err)
  })
})

describe("an invoice that was amended twice between two exports", () => {
  it.live("is held while the first one has a receipt, although the store never had the second", function* () {
    const { cwd, run, write } = yield* amending
    assert.strictEqual((yield* run(1)).code, 0)
    const { data } = JSON.parse(readFileSync(join(cases, "amended-2.json"), "utf8"))
    const amended = data.find(({ name }: { readonly name: string }) => name === "EX-A-1")
    const again = { ...amended, name: "EX-A-2", amended_from: "EX-A-1" }
    write([...data.filter((one: unknown) => one !== amended), { ...amended, docstatus: 2, status: "Cancelled" }, again])
    const second = yield* connector(["import", "erpnext-like", "sales.json", ...flags], { cwd })
    assert.strictEqual(second.code, 3, second.err + second.out)
    assert.match(second.out, /EX-A-2 +Held: it replaces EX-A, which has a receipt \(Fiscalised\)/)
  })
})

describe("an invoice of a CSV file that names the invoice it replaces in a column", () => {
  it.live("is held while that one has a receipt", function* () {
    const { cwd, own, run } = yield* firm
    assert.strictEqual((yield* run(["import"], row("A-1"))).code, 0)
    writeFileSync(
      join(cwd, "amended.csv"),
      `${header},Replaces\n${row("A-2", { price: "12.00" })},A-1\n${row("A-3")},\n`
    )
    const amended = yield* own("import", "amended.csv", ...book)
    assert.strictEqual(amended.code, 3, amended.err + amended.out)
    assert.match(amended.out, /it replaces A-1, which has a receipt \(Fiscalised\)/)
    // the entries of the report name the replaced document, also while another error refuses it
    writeFileSync(join(cwd, "further.csv"), `${header},Replaces\n${row("A-4", { date: "soon" })},A-2\n`)
    for (const command of ["plan", "import"]) {
      const replaced: Array<unknown> = []
      for (const file of ["amended.csv", "further.csv"])
        for (const line of (yield* own(command, file, ...book, "--json")).out.split("\n")) {
          const { data, kind } = line === "" ? {} : JSON.parse(line)
          if (kind === "document") replaced.push([data.number, data.state, data.replaces])
        }
      assert.deepStrictEqual(replaced, [
        ["A-2", "Held", "A-1"],
        ["A-3", "Fiscalised", null],
        ["A-4", "Refused", "A-2"]
      ])
    }
    const { out } = yield* own("list", "--json")
    assert.match(out, /"number":"A-2".*"state":"Held"|"state":"Held".*"number":"A-2"/)
    assert.match(out, /"number":"A-3".*"state":"Fiscalised"|"state":"Fiscalised".*"number":"A-3"/)
  })
})

describe("many documents in another spelling", () => {
  it.live("are one question, answered by one decision, and only those that differ in nothing else", function* () {
    const { cwd, own, run } = yield* firm
    const dated = (n: number) => `2026-02-0${n}`
    const first = yield* run(["import"], ...[1, 2, 3, 4].map((n) => row(`000${n}`, { date: dated(n) })))
    assert.strictEqual(first.code, 0, first.err + first.out)
    const again = [1, 2, 3].map((n) => row(`${n}`, { date: dated(n) }))
    const held = yield* run(["import"], ...again, row("4", { date: dated(4), price: "11.00" }))
    assert.strictEqual(held.code, 3, held.err + held.out)
    const health = yield* own("health")
    assert.include(health.out, "3 differ from a known document only in the spelling of the number")
    const printed = health.out.split("\n").find((line) => line.includes("--same") && line.includes("--cause"))!
    const preview = yield* pastedWithReason(printed.trim(), cwd)
    assert.include(preview.out, "3 documents would be decided about (Same)", preview.err)
    const [command = ""] = commandsIn(preview.out)
    const done = yield* pasted(command, cwd)
    assert.strictEqual(done.code, 0, done.err + done.out)
    const last = yield* run(["import"], ...again)
    assert.strictEqual(last.code, 0, last.err + last.out)
  })
})
