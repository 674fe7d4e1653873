/**
 * Proves the screens that a first import rarely shows: columns, a stopped sending, fiscal days, the
 * report, an ended program, and decisions about the store and the device.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { type PageProcess, startProcess } from "../test/PageProcess.ts"
import { shop } from "../test/WaitingShop.ts"
import * as Browser from "./Browser.ts"

const book = "historical-invoices-with-faults.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const odd = [
  "No;Day;Who;What;Each;Sum;Code;All",
  "A-1;2026-02-01;Moyo Hardware;Lamp;10.00;10.00;Zero;10.00",
  "A-2;2026-02-02;Kopje Lodge;Lamp;10.00;10.00;Zero;10.00",
  "A-3;2026-02-03;Kopje Lodge;Lamp;10.00;10.00;Zero;10.00",
  ""
].join("\n")

/** A first file: two invoices, a credit note, and a wrong cell. All of one day. */
const first = [
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod,Kind,OriginalInvoiceNumber,Reason",
  "10021,2026-01-05,USD,inclusive,Moyo Hardware,Paint,1,173.25,173.25,T1,87168000,173.25,Card,invoice,,",
  "10022,2026-01-05,USD,inclusive,Kopje Lodge,Bread,1,190.00,190.00,T0,87168000,190.00,Card,invoice,,",
  "501,2026-01-05,USD,inclusive,Moyo Hardware,Paint,1,34.65,34.65,T1,87168000,34.65,Card,credit note,10021,Returned",
  "10023,2026-01-05,USD,inclusive,Baobab Ltd,Lamp,1O,2.50,28.88,T1,87168000,28.88,Card,invoice,,",
  ""
].join("\n")

describe("every screen", { timeout: 900_000 }, () => {
  it.live(
    "passes the accessibility checks at any width, light and dark; a stopped program is reported, and the page reconnects",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(book)
        // The gateway accepts the document, and the answer is lost: the outcome is unknown.
        const lost = {
          kind: "drop",
          stage: "after",
          operations: ["submitInvoice"],
          documents: ["A-2"],
          times: 1
        } as const
        const gateway = yield* gatewayFor(folder, { gateway: { faults: [lost] } })
        writeFileSync(join(folder, "odd-sales.csv"), odd)
        const begin = startProcess(["--config", "account.json", "--book", book], env, folder)
        const running = yield* begin
        const browser = yield* Browser.launch
        const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
        const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
        const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
        yield* Effect.promise(async () => {
          await Browser.enter(page, running.link)
          await page.locator("input[type=file]").setInputFiles(join(folder, "odd-sales.csv"))
          await heading("Which column is what?")
          await Browser.judgeEverywhere(page)

          // The first document changes with each choice, without a click.
          const columns = {
            Day: "date",
            Who: "customerName",
            What: "description",
            Each: "unitPrice",
            Sum: "lineAmount"
          }
          for (const [name, field] of Object.entries(columns))
            await page.getByRole("combobox", { name: `It is ${name}` }).selectOption(field)
          await page.getByRole("combobox", { name: "It is Code" }).selectOption("tax.code")
          await page.getByRole("definition").getByText("Moyo Hardware", { exact: true }).waitFor()
          await page.getByRole("combobox", { name: "It is All" }).selectOption("total")
          await page.getByText("✓ as the file says").waitFor()
          // A chosen field is not offered for another column.
          const taken = page.getByRole("combobox", { name: "It is Who" }).locator('option[value="total"]')
          assert.isTrue(await taken.isDisabled())
          await Browser.judgeEverywhere(page)
          await press("Go on")
          await heading(/questions? about odd-sales.csv/)
          for (const [name, answer] of [
            ["currency", "USD"],
            ["include tax", /they include it/i]
          ] as const) {
            const group = page.getByRole("group", { name: new RegExp(name) })
            if (await group.isVisible()) await group.getByRole("radio", { name: answer }).first().check()
          }
          for (const group of await page.getByRole("group").all()) {
            if ((await group.getByRole("radio", { checked: true }).count()) > 0) continue
            const first = group.getByRole("radio").first()
            if (await first.isVisible()) await first.check()
          }
          for (const field of await page.getByRole("textbox").all())
            if (/HS code/.test((await field.getAttribute("aria-label")) ?? "")) await field.fill("87168000")
          await Browser.judgeEverywhere(page)
          await press("Check the documents")
          await heading("Documents to send")
          await press(/^Send 3 documents/)
          await heading("Stopped: odd-sales.csv")
          await Browser.judgeEverywhere(page)
        })

        // The program ends: the page reports the end, and keeps its content.
        yield* Effect.promise(() => running.kill())
        yield* Effect.promise(async () => {
          await page.getByRole("alert").getByText("The program on this computer was closed.").waitFor()
          await Browser.judgeEverywhere(page)
        })
        const again = yield* begin
        assert.strictEqual(again.origin, running.origin)
        yield* gateway.control.closeDay()
        yield* Effect.promise(async () => {
          await page.getByText("The program on this computer was closed.").waitFor({ state: "hidden" })
          await heading("Stopped: odd-sales.csv")
          troubles.length = 0
          await page.goto(`${again.origin}${again.prefix}/days?account=main`)
          await heading("Fiscal days of main")
          await Browser.judgeEverywhere(page)
          await page.goto(`${again.origin}${again.prefix}/days?account=main&day=1`)
          await page.getByText("Beside").first().waitFor()
          await Browser.judgeEverywhere(page)

          await page.goto(`${again.origin}${again.prefix}/imports/r1`)
          const report = page.waitForEvent("download")
          await page.getByRole("link", { name: "Report with QR codes" }).click()
          await (await report).saveAs(join(folder, "report.html"))
          assert.deepStrictEqual(troubles, [])
          const file = pathToFileURL(join(folder, "report.html")).href
          const alone = await Browser.open(browser, file.slice(0, file.lastIndexOf("/")), { offline: true })
          await alone.page.goto(file)
          await alone.page.getByRole("heading", { level: 1, name: "Import report" }).waitFor()
          await Browser.judgeEverywhere(alone.page)
          // On paper: black on white, nothing cut off at the width of A4, no row split.
          await alone.page.emulateMedia({ media: "print" })
          const printed = (await alone.page.evaluate(
            "[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('thead')).display, getComputedStyle(document.querySelector('tbody tr')).breakInside]"
          )) as ReadonlyArray<string>
          assert.deepStrictEqual(printed, ["rgb(0, 0, 0)", "table-header-group", "avoid"])
          assert.isAbove((await alone.page.pdf({ format: "A4" })).length, 10_000)
        })
      }).pipe(Effect.scoped)
  )

  it.live("of a first file are short: codes, one cause and the send panel on one small page", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "SalesInvoices.csv"), first)
      const mappings = { taxMappings: [], currencyMappings: [] }
      yield* gatewayFor(folder, { device: { isLive: true }, account: mappings })
      const running = yield* startProcess(["--config", "account.json"], env, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
      const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
      yield* Effect.promise(async () => {
        await Browser.enter(page, running.link)
        await page.locator("input[type=file]").setInputFiles(join(folder, "SalesInvoices.csv"))
        await heading(/questions? about/)
        await Browser.assertSmall(page, { 1280: 1400 })
        for (const [name, tax] of [
          [/T1/, "515"],
          [/T0/, "2"],
          [/time zone/, "Africa/Harare"]
        ] as const)
          await page.getByRole("combobox", { name }).selectOption(tax)
        for (const group of await page.getByRole("group").all())
          if ((await group.getByRole("radio", { checked: true }).count()) === 0)
            if (await group.getByRole("radio").first().isVisible()) await group.getByRole("radio").first().check()
        await press("Check the documents")
        await heading("Documents to send")
        await Browser.judgeEverywhere(page)
        await Browser.assertSmall(page, { 1280: 1400, 390: 2400 })
        // Each total is invoices less credit notes: 363.25 - 34.65.
        const panel = page.locator("form.stick")
        await panel.getByText("−34.65").waitFor()
        await panel.getByText("328.60", { exact: true }).waitFor()
        await panel.getByText("First register 3 codes.").waitFor()
        // Looking back changes nothing.
        const steps = page.getByRole("list", { name: "Step" })
        for (const step of ["File", "Columns", "Questions"]) {
          await steps.getByRole("link", { name: step }).click()
          await steps.locator("[aria-current=step]").getByText(step).waitFor()
          await Browser.judgeEverywhere(page)
          await steps.getByRole("link", { name: "Check" }).click()
          await heading("Documents to send")
        }
        await press("Register these 3 codes")
        await page.getByRole("textbox", { name: /Type the device number/ }).fill("1001")
        const code = /type (\S+)/.exec((await page.getByText(/If no other store was ever used/).textContent()) ?? "")
        await page.getByRole("textbox", { name: /If no other store/ }).fill(code?.[1] ?? "")
        await press(/^Send 3 documents/)
        await heading("3 of 4 fiscalised, 1 needs you")
        await Browser.judgeEverywhere(page)
        await Browser.assertSmall(page, { 1280: 1100, 390: 2000 })
        await page.locator("main").getByText("328.60").first().waitFor()
        assert.deepStrictEqual(troubles, [])
      })
    }).pipe(Effect.scoped)
  )

  it.live("of five causes and of a result of 24 documents are short", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith("historical-invoices.book.json")
      const gateway = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
      const submits = { operations: ["submitInvoice"], times: 1 } as const
      yield* gateway.control.addFault({ kind: "reject", documents: ["INV-2"], times: 1 })
      yield* gateway.control.addFault({ kind: "error", status: 400, documents: ["INV-5"], ...submits })
      const importing = (...invoices: ReadonlyArray<string>) =>
        Effect.suspend(() => {
          const head =
            "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
          const rows = invoices.map((one) => {
            const [number, date, price = "10.00"] = one.split(" ")
            return `${number},${date},USD,inclusive,Lamp,1,${price},Standard,85131000`
          })
          writeFileSync(join(folder, "sales.csv"), [head, ...rows].join("\n"))
          const flags = ["--config", "account.json", "--book", "historical-invoices.book.json"]
          return connector(["import", "csv", "sales.csv", ...flags], { cwd: folder })
        })
      const all = Array.from({ length: 24 }, (_, i) => `INV-${i + 1} 2026-03-${String(i + 2).padStart(2, "0")}`)
      yield* importing(...all)
      yield* importing("INV-1 2026-03-02 11.00", "OLD-1 2026-02-01")
      const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
      database
        .prepare("insert into fiscal_notice values ('counters', 'test/1001', 'DAY_DIFFERS', '4', 'one too many', ?, ?)")
        .run(Date.now(), Date.now())
      database.close()
      const running = yield* startProcess(["--config", "account.json"], env, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        await Browser.enter(page, running.link)
        await page.goto(`${running.origin}${running.prefix}/health`)
        await page.getByText("5 things need you").waitFor()
        await Browser.judgeEverywhere(page)
        await Browser.assertSmall(page, { 1280: 1500 })
        await page.goto(`${running.origin}${running.prefix}/imports/r1`)
        await page.getByText("22 of 24 fiscalised").first().waitFor()
        await Browser.assertSmall(page, { 1280: 1500 })
        const others = [
          "/",
          "/imports/r1",
          "/documents",
          "/documents/main/invoice/INV-2",
          "/decide?state=Rejected&account=main",
          "/decisions",
          "/days?account=main&at=month",
          ...["business", "taxes", "codes", "advanced"].map((at) => `/book?at=${at}`)
        ]
        for (const path of others) {
          await page.goto(`${running.origin}${running.prefix}${path}`)
          await Browser.judgeEverywhere(page)
        }
        assert.deepStrictEqual(troubles, [])
      })
    }).pipe(Effect.scoped)
  )

  const decided = (path: string, button: RegExp) => (running: PageProcess) =>
    Effect.gen(function* () {
      const browser = yield* Browser.launch
      yield* Effect.promise(async () => {
        const { page, troubles } = await Browser.open(browser, running.origin)
        await Browser.enter(page, running.link)
        await page.goto(`${running.origin}${running.prefix}${path}`)
        await page.getByRole("button", { name: button }).waitFor()
        await Browser.judgeEverywhere(page)
        await page.getByRole("textbox").first().fill("the old one broke")
        await page.getByRole("button", { name: button }).click()
        await page.getByRole("alert").first().waitFor()
        await Browser.judgeEverywhere(page)
        assert.deepStrictEqual(troubles, [])
      })
    })

  it.live("passes the accessibility checks before and after the acceptance of an older copy of the store", () =>
    Effect.gen(function* () {
      const { putBack, started } = yield* shop()
      yield* putBack
      yield* Effect.flatMap(started(), decided("/accept-older", /Go on with this copy/))
    }).pipe(Effect.scoped)
  )

  it.live("passes the accessibility checks before and after the move of an account to another device", () =>
    Effect.gen(function* () {
      const other = "other-key"
      const { started } = yield* shop({ accounts: [{ key: other, device: 2002 }], devices: [{ deviceId: 2002 }] })
      const running = yield* started({ FISCAL_CONNECTOR_MAIN_API_KEY: other })
      yield* decided("/repin?account=main", /Move/)(running)
    }).pipe(Effect.scoped)
  )
})
