/**
 * Proves that every output shows a sent document as it was sent, after its buyer, price and code
 * have changed in the source and in the book. A finding beside the document states the current
 * values.
 */
import { assert, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  connector,
  examples,
  folderWith,
  gatewayFor,
  key,
  lines,
  secret,
  taxMappings
} from "../../cli/test/RunningConnector.ts"
import { connect } from "../../promise/src/index.ts"
import { start, Visitor } from "./PageProcess.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const config = ["--config", "account.json"]
const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,TaxCode,ProductCode"
const row = (number: string, day: string, buyer: string, price: string, tax = "Standard") =>
  `${number},${day},USD,inclusive,${buyer},Lamp,1,${price},${tax},85131000`

/** Current values of source and book: price and buyer of one invoice each, the code of both. */
const since = ["Gamma", "11.00", "RENAMED"]

/** Asserts that a text shows both invoices as sent; only the finding may name the new code. */
const isAsSent = (text: string, where: string): void => {
  for (const sent of ["Alpha", "10.00", "Beta", "20.00", "VAT155"]) assert.include(text, sent, where)
  const others = text.replaceAll("tax codes VAT155, now RENAMED", "").replaceAll(/^.*(?:VAT 15.5 %|Luxury).*$/gm, "")
  for (const now of since) assert.notInclude(others, now, where)
  for (const code of ["DIFFERS_FROM_SENT", "BOOK_DIFFERS_FROM_SENT"])
    assert.match(text, new RegExp(`\\b${code}`), where)
}

/** Returns the text of a page or a report, without its markup. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<(?:style|svg)[^]*?<\/(?:style|svg)>/g, "")
    .replaceAll(/<\/?(?:tr|p|div|h\d|li|dt|section)\b[^>]*>/g, "\n")
    .replaceAll(/<[^>]+>/g, " ")

it.live("a sent document is shown as it was sent in every output", function* () {
  const cwd = yield* folderWith()
  const codes = [...taxMappings, { taxCode: "RENAMED", destinationTaxId: 515 }]
  yield* gatewayFor(cwd, { account: { taxMappings: codes }, gateway: { processingDelayMillis: 1 } })
  const book = readFileSync(join(examples, "historical-invoices.book.json"), "utf8")
  const file = (name: string) => readFileSync(join(cwd, name), "utf8")
  const write = (text: string, ...rows: ReadonlyArray<string>) => {
    writeFileSync(join(cwd, "sales.csv"), [header, ...rows].join("\n"))
    writeFileSync(join(cwd, "sales.book.json"), text)
  }
  const run = (...args: ReadonlyArray<string>) => connector([...args, ...config], { cwd })
  write(book, row("INV-1", "2026-03-02", "Alpha", "10.00"), row("INV-2", "2026-03-03", "Beta", "20.00"))
  assert.strictEqual((yield* run("import", "csv", "sales.csv")).code, 0)
  write(
    book.replaceAll('"VAT155"', '"RENAMED"'),
    row("INV-1", "2026-03-02", "Gamma", "11.00"),
    row("INV-2", "2026-03-03", "Beta", "20.00"),
    row("INV-3", "2026-03-01", "Delta", "5.00", "Luxury")
  )
  isAsSent((yield* run("plan", "csv", "sales.csv")).out, "plan")
  isAsSent((yield* run("plan", "csv", "sales.csv", "--json")).out.replaceAll(/^.*"INV-3".*$/gm, ""), "plan --json")
  const imported = yield* run("import", "csv", "sales.csv", "--send-rest", "--report", "now.html")
  isAsSent(imported.out, "import")
  isAsSent(textOf(file("now.html")), "--report")
  // The file of refused rows contains no sent document.
  assert.notMatch(file("sales.refused.csv"), /INV-1|INV-2/)
  isAsSent((yield* run("imports", "2", "--report", "later.html")).out, "imports")
  isAsSent(textOf(file("later.html")), "imports --report")
  const listed = lines((yield* run("list", "--json")).out)
  assert.deepStrictEqual(
    listed.map(({ number, total }) => `${String(number)} ${String(total)}`),
    ["INV-1 10.00", "INV-2 20.00"]
  )
  for (const command of [
    ["explain", "INV-1"],
    ["explain", "INV-2"]
  ]) {
    const { out } = yield* run(...command)
    for (const now of since) assert.notInclude(out, now, command.join(" "))
  }
  const visitor = yield* Effect.flatMap(start([...config, "--book", "sales.book.json"], env, cwd), (page) =>
    Effect.promise(() => Visitor.open(page))
  )
  yield* Effect.promise(async () => {
    isAsSent(textOf((await visitor.get("/imports/r2")).body), "the page of the import")
    isAsSent(textOf((await visitor.get("/imports/r2/report")).body), "the report of the page")
    for (const path of ["/documents", "/documents/main/invoice/INV-1"]) {
      const body = textOf((await visitor.get(path)).body)
      assert.include(body, "Alpha", path)
      // the figures of a credit note compare what was sent with the source
      const others = body.replace(/In your books now[^]*?11\.00/, "")
      for (const now of since) assert.notInclude(others, now, path)
    }
    const fields = { account: "main" }
    const where = visitor.whereTo(await visitor.upload([["sales.csv", file("sales.csv")]], { fields }))
    await visitor.leaveOut(where)
    isAsSent(textOf((await visitor.until(where, "Documents to send")).body), "the page of the check")
    await using fiscal = await connect({
      account: "main",
      config: join(cwd, "account.json"),
      book: join(cwd, "sales.book.json"),
      store: { sqlite: join(cwd, "fiscal-connector.db") }
    })
    const line = { description: "Lamp", quantity: "1", taxCode: "Standard", productCode: "85131000" }
    const common = { kind: "invoice", currency: "USD", taxMode: "inclusive" } as const
    await using plan = await fiscal.plan([
      {
        ...common,
        id: "INV-1",
        number: "INV-1",
        date: "2026-03-02",
        buyer: { name: "Gamma" },
        lines: [{ ...line, unitPrice: "11.00" }]
      },
      {
        ...common,
        id: "INV-4",
        number: "INV-4",
        date: "2026-03-04",
        buyer: { name: "Delta" },
        lines: [{ ...line, unitPrice: "7.00" }]
      }
    ])
    const results: Array<string> = []
    for await (const { number, problems, status, total } of plan.entries())
      results.push([number, status, total, ...problems.map(({ code }) => code)].join(" "))
    assert.deepStrictEqual(results, ["INV-1 fiscalised 10.00 DIFFERS_FROM_SENT", "INV-4 planned 7.00 FILLED_FROM_BOOK"])
    const sent = (await plan.taxTotals()).filter(({ status }) => status === "fiscalised")
    assert.deepStrictEqual(
      sent.map(({ net, tax, taxCode }) => `${taxCode} ${net} ${tax}`),
      ["VAT155 8.66 1.34"]
    )
  })
})
