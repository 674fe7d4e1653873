/**
 * Proves the whole life of an import in a real browser with a gateway. Every page is checked by
 * axe, for policy violations and for requests to other origins.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import type { Browser as Chromium } from "../../../tools/browser/index.ts"
import { startProcess } from "../test/PageProcess.ts"
import * as Browser from "./Browser.ts"

const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

/** Dates that can be read in two orders. */
const ambiguous = `InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod
A-1,03/02/2026,USD,inclusive,Lamp,1,10.00,10.00,Zero,87168000,10.00,card
A-2,04/02/2026,USD,inclusive,Lamp,2,10.00,20.00,Zero,87168000,20.00,card
`

const buyers = [
  "Müller & Söhne Großhandelsgesellschaft für Landmaschinen und Ersatzteile mbH & Co. KG",
  "Société Générale d'Électricité de l'Océan Indien «Zanzibar»",
  "Shirika la Maendeleo ya Wafanyabiashara Wadogowadogo",
  "شركة النخيل للتجارة (دبي) 12",
  "חברת אבגד בע״מ 100%",
  "X".repeat(90),
  "Ana 🧾"
] as const

/** Returns an invoice for each of them, repeated this many times. */
const exportOf = (times: number): string =>
  [
    "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod",
    ...Array.from(
      { length: Math.round(times * buyers.length) },
      (_, i) =>
        `N-${i + 1},2026-02-10,USD,inclusive,${buyers[i % buyers.length]},Lamp,1,10.00,10.00,Zero,87168000,10.00,card`
    ),
    ""
  ].join("\n")

/** Starts a configured page with a gateway. */
const configured = Effect.gen(function* () {
  const folder = yield* folderWith(faults, book)
  // The gateway accepts the document, and the answer is lost: the outcome is unknown.
  const lost = {
    kind: "drop",
    stage: "after",
    operations: ["submitInvoice"],
    documents: ["INV-0116"],
    times: 1
  } as const
  // long enough to watch the sending, even on a busy machine
  const slow = {
    kind: "latency",
    operations: ["submitInvoice"],
    documents: ["INV-0101"],
    millis: 12_000,
    times: 1
  } as const
  yield* gatewayFor(folder, { gateway: { faults: [lost, slow] } })
  writeFileSync(join(folder, "ambiguous.csv"), ambiguous)
  const running = yield* startProcess(["--config", "account.json", "--book", book], env, folder)
  return { folder, running }
})

describe("the page in a browser", { timeout: 900_000 }, () => {
  it.live("continues after a restart halfway, keeps the answers, follows other processes, and provides all PDFs", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(faults, book)
      // The gateway reports no status of the second document before the restart.
      const unsaid = { kind: "items-missing", documents: ["A-2"] } as const
      const gateway = yield* gatewayFor(folder, { gateway: { faults: [unsaid] } })
      writeFileSync(join(folder, "january.csv"), ambiguous)
      writeFileSync(join(folder, "february.csv"), ambiguous.replaceAll("A-", "B-").replaceAll("/02/", "/01/"))
      const begin = startProcess(["--config", "account.json", "--book", book], env, folder)
      const before = yield* begin
      const meanwhile = async (browser: Chromium) => {
        const { page, troubles } = await Browser.open(browser, before.origin)
        const heading = (text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor()
        const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
        const choose = async (file: string) => {
          await page.locator("input[type=file]").setInputFiles(join(folder, file))
        }
        await Browser.enter(page, before.link)
        await choose("january.csv")
        await heading("1 question about january.csv")
        await page.getByRole("radio", { name: /day, month, year/i }).check()
        assert.isTrue(await page.getByRole("checkbox", { name: "Remember for files of this kind" }).isChecked())
        await press("Check the documents")
        await heading("Documents to send")
        await press(/^Send 2 documents/)
        await heading("Sending")
        await page.getByText("1 of 2 have their outcome").waitFor()
        assert.deepStrictEqual(troubles, [])
      }
      yield* Effect.scoped(Effect.flatMap(Browser.launch, (browser) => Effect.promise(() => meanwhile(browser))))
      yield* Effect.promise(() => before.kill())
      const after = yield* begin
      const browser = yield* Browser.launch
      const second = yield* Effect.promise(() => Browser.open(browser, after.origin))
      const { page, troubles } = second
      const judged = async () => assert.deepStrictEqual(await Browser.judge(page), [], await page.title())
      const heading = (text: string | RegExp) => page.getByRole("heading", { level: 1, name: text }).waitFor()
      const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
      const go = (name: string) => page.getByRole("navigation").getByRole("link", { name }).click()
      yield* Effect.promise(async () => {
        await Browser.enter(page, after.link)
        await judged()

        // The interrupted import is listed.
        await page.getByRole("link", { name: /^january.csv/ }).click()
        await heading(/january.csv$/)
        await judged()
      })
      yield* gateway.control.clearFaults
      // Another process continues the import, and the page follows.
      yield* connector(["resume", "--config", "account.json"], { cwd: folder })
      yield* Effect.promise(async () => {
        await page.locator(".eq > div", { hasText: "Fiscalised" }).filter({ hasText: "2" }).waitFor()
        await judged()

        // Answers for January are not asked again for February.
        await go("Import")
        await page.locator("input[type=file]").setInputFiles(join(folder, "february.csv"))
        await heading("Documents to send")
        await page.getByText("Read like january.csv").waitFor()
        await judged()
        await page.getByRole("link", { name: "How the file was read" }).click()
        await page.getByText("As answered:").waitFor()
        await judged()
        await press("Forget it, and ask again")
        await heading("1 question about february.csv")
        await press("Discard")

        // all PDFs, fiscal days, and the gateway's mappings
        await page.getByRole("link", { name: /^january.csv/ }).click()
        const archive = page.waitForEvent("download")
        await page.getByRole("link", { name: "All PDFs" }).click()
        await (await archive).saveAs(join(folder, "receipts.zip"))
        assert.strictEqual(
          readFileSync(join(folder, "receipts.zip")).subarray(0, 4).toString("latin1"),
          "PK\u0003\u0004"
        )
        await go("Days")
        await heading(/fiscal day has been closed|not read yet/)
        await judged()
        await page.goto(`${after.origin}${after.prefix}/book?compare=main`)
        await page.getByRole("heading", { name: "Codes at the gateway of main" }).waitFor()
        await judged()

        // invoices fiscalized elsewhere
        await go("Import")
        await page.getByText("More ways to import").click()
        await page.getByRole("combobox", { name: "What to do with it" }).selectOption("originals")
        await page.locator("input[type=file]").setInputFiles(join(folder, faults))
        await heading("Registered")
        await judged()
        assert.deepStrictEqual(troubles, [])
      })
    }).pipe(Effect.scoped)
  )

  it.live("covers the whole life of an import: questions, mapping, plan, sending, decisions, corrections, report", () =>
    Effect.gen(function* () {
      const { folder, running } = yield* configured
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        const judged = async () => assert.deepStrictEqual(await Browser.judge(page), [], await page.title())
        const heading = (text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor()
        const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
        const choose = async (file: string) => {
          await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
          await page.locator("input[type=file]").setInputFiles(join(folder, file))
        }
        await Browser.enter(page, running.link)
        await judged()

        // Ambiguous values are asked about with cells of the file.
        await choose("ambiguous.csv")
        await heading("1 question about ambiguous.csv")
        await page.getByText("03/02/2026 = 2026-02-03").waitFor()
        await judged()
        await page.getByRole("radio", { name: /day, month, year/i }).check()
        await press("Check the documents")
        await heading("Documents to send")
        await judged()
        await page.getByRole("link", { name: "Questions" }).click()
        await page.getByText(/day, month, year/i).waitFor()
        await judged()
        await page.getByRole("list", { name: "Step" }).getByRole("link", { name: "Check" }).click()
        await heading("Documents to send")
        await press("Discard")

        // A tax missing from the book is mapped and written into the book.
        await choose(faults)
        await page.getByRole("heading", { level: 1, name: /questions about/ }).waitFor()
        await judged()
        await page.getByRole("combobox", { name: /Luxury/ }).selectOption("2")
        for (const leave of await page.getByRole("radio", { name: /^Leave these documents out/ }).all())
          await leave.check()
        await press("Check the documents")
        await heading("Documents to send")
        assert.include(readFileSync(join(folder, book), "utf8"), '"Luxury"')
        await judged()

        // Nothing has been sent yet. Sending continues while no page is open.
        // Some refused documents would become late, which needs consent.
        await press(/^Send 1[23] documents to the test device$/)
        assert.isTrue(await page.getByRole("checkbox", { name: /Send the rest/ }).isVisible())
        await page.getByRole("checkbox", { name: /Send the rest/ }).check()
        await press(/^Send 1[23] documents to the test device$/)
        await heading("Sending")
        await judged()
        await page.getByRole("navigation").getByRole("link", { name: "Attention" }).click()
        await judged()
        await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
        await page.getByRole("link", { name: /\.csv/ }).click()
        await heading("Stopped")
        await judged()
        await page.getByRole("link", { name: "QR codes" }).click()
        await heading("QR codes")
        await judged()
        const receipts = await page.locator(".receipts li").count()
        assert.isAtLeast(receipts, 10)
        assert.strictEqual(await page.locator(".receipts svg.qr").count(), receipts)

        // The operator settles the unknown outcome, as the command allows.
        await page.getByRole("navigation").getByRole("link", { name: "Documents" }).click()
        await judged()
        await page.getByRole("link", { name: /^Needs attention/ }).click()
        await page.getByRole("link", { name: "INV-0116" }).click()
        await heading("INV-0116")
        await judged()
        await page.getByRole("radio", { name: /^It was fiscalised/ }).check()
        await page.getByRole("textbox", { name: /Verification code/ }).fill("AAAA-BBBB-CCCC-DDDD")
        await page.getByRole("textbox", { name: "Why you say so" }).fill("found in the portal")
        await press("Record")
        await page.getByText("Recorded: Fiscalised.").waitFor()
        assert.isFalse(await page.getByRole("radio", { name: /^It was fiscalised/ }).isVisible())
        await judged()

        // Documents behind it continue.
        await page.getByRole("navigation").getByRole("link", { name: "Documents" }).click()
        await press("Go on with sending")
        while (await page.getByRole("button", { name: "Go on with sending" }).isVisible()) {
          await page.waitForTimeout(200)
          await page.reload()
        }
        await page.getByRole("link", { name: /^On the way 0/ }).waitFor()

        // Corrected and imported again: sent documents are recognized, and one more is sent.
        writeFileSync(
          join(folder, faults),
          readFileSync(join(folder, faults), "utf8").replaceAll("2026-02-30", "2026-02-28")
        )
        await choose(faults)
        await heading("Documents to send")
        await page.getByText(/documents already fiscalised; none is sent again/).waitFor()
        const rest = page.getByRole("checkbox", { name: /Send the rest/ })
        if (await rest.isVisible()) await rest.check()
        await press(/^Send 1 document to the test device$/)
        await page.getByRole("heading", { level: 1, name: /fiscalised, \d+ needs? you/ }).waitFor()

        // The files to hand over.
        const refused = page.waitForEvent("download")
        await page.getByRole("link", { name: "Download the rows not accepted" }).click()
        await (await refused).saveAs(join(folder, "refused.csv"))
        assert.include(readFileSync(join(folder, "refused.csv"), "utf8"), "INV-0105")
        await page.getByRole("link", { name: /^INV-/ }).first().click()
        assert.strictEqual(await page.locator("svg.qr").count(), 1)
        const pdf = page.waitForEvent("download")
        await page.getByRole("link", { name: "Receipt (PDF)" }).click()
        const pdfFile = join(folder, "receipt.pdf")
        await (await pdf).saveAs(pdfFile)
        assert.strictEqual(readFileSync(pdfFile).subarray(0, 5).toString(), "%PDF-")
        await page.goBack()
        await page.getByRole("link", { name: "QR codes" }).click()
        const report = page.waitForEvent("download")
        await page.getByRole("link", { name: "Report with QR codes" }).click()
        await (await report).saveAs(join(folder, "report.html"))
        assert.deepStrictEqual(troubles, [])

        // The report needs no other file.
        const file = pathToFileURL(join(folder, "report.html")).href
        const alone = await Browser.open(browser, file.slice(0, file.lastIndexOf("/")), {
          javaScriptEnabled: true,
          offline: true
        })
        await alone.page.goto(file)
        await alone.page.getByRole("heading", { level: 1, name: "Import report" }).waitFor()
        assert.deepStrictEqual(await Browser.judge(alone.page), [])
        assert.deepStrictEqual(alone.troubles, [])
        assert.isAtLeast(await alone.page.locator("svg.qr").count(), 10)
      })
    }).pipe(Effect.scoped)
  )

  it.live("makes the same plan as the command, byte for byte", () =>
    Effect.gen(function* () {
      const { folder, running } = yield* configured
      const command = yield* connector(["plan", "csv", faults, "--config", "account.json", "--json"], { cwd: folder })
      const browser = yield* Browser.launch
      const { page } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      const text = yield* Effect.promise(async () => {
        await Browser.enter(page, running.link)
        await page.locator("input[type=file]").setInputFiles(join(folder, faults))
        await page.getByRole("combobox", { name: /Luxury/ }).selectOption("leave-out")
        for (const leave of await page.getByRole("radio", { name: /^Leave these documents out/ }).all())
          await leave.check()
        await page.getByRole("button", { name: "Check the documents" }).click()
        const download = page.waitForEvent("download")
        await page.getByRole("link", { name: "Download the plan" }).click()
        await (await download).saveAs(join(folder, "plan.jsonl"))
        return readFileSync(join(folder, "plan.jsonl"), "utf8")
      })
      const documents = command.out.split("\n").filter((line) => line.startsWith('{"kind":"document"'))
      assert.lengthOf(documents, 17)
      assert.strictEqual(text, `${documents.join("\n")}\n`)
    }).pipe(Effect.scoped)
  )

  it.live("works without scripts, with the keyboard, at 360 pixels, and in dark mode", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(faults, book)
      const running = yield* startProcess(["--book", book], {}, folder)
      const browser = yield* Browser.launch
      const { page } = yield* Effect.promise(() =>
        Browser.open(browser, running.origin, {
          javaScriptEnabled: false,
          viewport: { width: 360, height: 740 },
          colorScheme: "dark"
        })
      )
      yield* Effect.promise(async () => {
        await page.goto(running.link)
        // Without scripts, by keyboard: the link of the first page, then the form.
        await page.waitForURL((url) => !url.pathname.endsWith("/open"))
        await page.locator("input[type=file]").setInputFiles(join(folder, faults))
        await page.getByRole("button", { name: "Read the file" }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: /questions about/ }).waitFor()
        const luxury = page.getByRole("combobox", { name: /Luxury/ })
        await luxury.focus()
        await page.keyboard.press("End")
        assert.strictEqual(await luxury.inputValue(), "leave-out")
        for (const leave of await page.getByRole("radio", { name: /^Leave these documents out/ }).all()) {
          await leave.focus()
          await page.keyboard.press("Space")
        }
        await page.getByRole("button", { name: "Check the documents" }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Documents to send" }).waitFor()
        const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert.deepStrictEqual(widths, [360, 360])
        await page.getByRole("button", { name: /^Send 12 documents to the sandbox$/ }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: /fiscalised, \d+ needs? you/ }).waitFor()
        await page.getByRole("link", { name: "QR codes" }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "QR codes" }).waitFor()
        assert.strictEqual(await page.locator(".receipts svg.qr").count(), 12)
      })
    }).pipe(Effect.scoped)
  )

  it.live(
    "fits a small screen and a zoom of 200 %, with any buyer names, and stays readable while a large file is read",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(book)
        yield* gatewayFor(folder)
        writeFileSync(join(folder, "names.csv"), exportOf(1))
        writeFileSync(join(folder, "many.csv"), exportOf(5000 / buyers.length).replaceAll("N-", "M-"))
        const running = yield* startProcess(["--config", "account.json", "--book", book], env, folder)
        const browser = yield* Browser.launch
        const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
        yield* Effect.promise(async () => {
          const heading = (text: string | RegExp) => page.getByRole("heading", { level: 1, name: text }).waitFor()
          const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
          const fits = async () => {
            for (const [width, height] of [[360, 740] as const, [500, 400] as const]) {
              await page.setViewportSize({ width, height })
              const measure = async () =>
                (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as [number, number]
              let [wide, inner] = await measure()
              // A busy browser lays the page out for the new width later.
              for (let n = 0; n < 100 && (inner !== width || wide > width); n++) {
                await page.waitForTimeout(50)
                ;[wide, inner] = await measure()
              }
              assert.isAtMost(wide, width, await page.title())
            }
            assert.deepStrictEqual(await Browser.judge(page), [], await page.title())
          }
          await Browser.enter(page, running.link)
          // Opened before the store exists, and follows after its creation.
          const waiting = await page.context().newPage()
          await waiting.goto(`${running.origin}${running.prefix}/documents`)
          await waiting.getByText("Nothing was planned here").waitFor()
          const choose = async (file: string) => {
            await page.locator("input[type=file]").setInputFiles(join(folder, file))
          }
          await choose("names.csv")
          await heading("Documents to send")
          await fits()
          await press(/^Send 7 documents/)
          await heading("Done")
          await fits()
          await waiting.getByRole("link", { name: /^Fiscalised 7/ }).waitFor()
          await page.getByRole("link", { name: "N-1", exact: true }).first().click()
          await heading("N-1")
          await fits()
          await page.getByRole("link", { name: "Show its row" }).click()
          await heading("N-1 in its file")
          await page.getByText(buyers[0]).waitFor()
          await fits()
          await page.getByRole("navigation").getByRole("link", { name: "Documents" }).click()
          await heading("Documents")
          await fits()

          await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
          await choose("many.csv")
          await heading(/Reading the file|Documents to send/)
          await fits()
          await heading("Documents to send")
          await page.getByText("Page 1 of 100").waitFor()
          await fits()

          // A file that would be refused is not uploaded.
          // set in each document, because a page may load again before the file is chosen
          await page.addInitScript(`addEventListener("DOMContentLoaded", () => {
            for (const form of document.querySelectorAll("form[data-limit]")) form.dataset.limit = "1000"
          })`)
          await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
          await page.locator("form[data-limit='1000']").waitFor({ state: "attached" })
          await choose("many.csv")
          await page.getByRole("alert").getByText("Split the export").waitFor()
          await fits()
          assert.deepStrictEqual(troubles, [])
        })
      }).pipe(Effect.scoped)
  )

  it.live("takes every typed cell by the button of one cause, and by an answer for another cause", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(faults, book)
      const [header] = ambiguous.split("\n")
      const row = (number: string, total: string) =>
        `${number},2026-02-03,USD,inclusive,Lamp,1,10.00,10.00,Zero,87168000,${total},card`
      const rows = [header, row("A-1", "x"), row("A-2", "11.00"), row("A-3", "y"), ""]
      writeFileSync(join(folder, "wrong.csv"), rows.join("\n"))
      const running = yield* startProcess(["--book", book], {}, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        const cell = (name: RegExp) => page.getByRole("textbox", { name })
        await Browser.enter(page, running.link)
        await page.locator("input[type=file]").setInputFiles(join(folder, "wrong.csv"))
        await page.getByRole("heading", { level: 1, name: "Documents to send" }).waitFor()
        await cell(/^A-1 Total/).fill("10.00")
        await cell(/^A-2 Total/).fill("10.00")
        await page.getByRole("button", { name: "Check these cells again" }).first().click()
        await page.getByRole("heading", { name: "2 cells were corrected" }).waitFor()
        assert.strictEqual(await cell(/ Total/).count(), 1)
        await cell(/^A-3 Total/).fill("10.00")
        await page.getByRole("button", { name: "Leave A-3 out" }).click()
        await page.getByRole("heading", { name: "3 cells were corrected" }).waitFor()
        assert.deepStrictEqual(troubles, [])
      })
    }).pipe(Effect.scoped)
  )

  it.live("cannot be framed by another site, and refuses another site's form", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(faults, book)
      const running = yield* startProcess(["--book", book], {}, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        await Browser.enter(page, running.link)
        // The same browser with the cookie, on another site that knows the address.
        const other = await page.context().newPage()
        await other.route("http://evil.example/", (route) =>
          route.fulfill({
            contentType: "text/html",
            body: `<iframe src="${running.origin}${running.prefix}/"></iframe><form method="post" action="${running.origin}${running.prefix}/resume"><button>go</button></form>`
          })
        )
        await other.goto("http://evil.example/")
        await other.waitForTimeout(500)
        const frame = other.frames().find((one) => one !== other.mainFrame())
        assert.notInclude((await frame?.content().catch(() => "")) ?? "", "Drop an export")
        const [answer] = await Promise.all([
          other.waitForResponse((one) => one.url().endsWith("/resume")),
          other.getByRole("button").click()
        ])
        assert.strictEqual(answer.status(), 403)
        assert.deepStrictEqual(troubles, [])
      })
    }).pipe(Effect.scoped)
  )
})
