/**
 * Writes docs/page/*.png: `pnpm screenshots`. With a folder as argument, writes every screen at 390
 * and 1280 px, light and dark, into that folder, and the accessibility tree of each as text. A
 * second argument, `first` or `shop`, takes only the screens of a first import or of a shop in use.
 * Pictures of the same page differ in their QR codes and times.
 */
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Page } from "../../../tools/browser/index.ts"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start } from "../test/PageProcess.ts"
import * as Browser from "./Browser.ts"

const [, , folderOfAll, only] = process.argv
const target = folderOfAll ?? join(import.meta.dirname, "../../../docs/page")
const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"
const buyers = ["Moyo Hardware", "Kopje Lodge", "Acacia Clinic", "Ruvimbo Cafe"]

/** Returns invoices without a buyer's number, two of them with a wrong cell. */
const own = (count: number): string =>
  [
    header,
    ...Array.from({ length: count }, (_, i) => {
      const total = i === 3 ? "1O.00" : i === 5 ? "12.10" : "11.55"
      return `SI-${1001 + i},2026-02-${String(1 + (i % 20)).padStart(2, "0")},USD,inclusive,${buyers[i % 4]},Lamp,1,11.55,11.55,V,87168000,${total},Card`
    }),
    ""
  ].join("\n")

/** Rows of an export whose column names say little: three lines for each invoice. */
const odd = [
  "No;Day;Who;What;Pcs;Each;Sum;Code;Rep",
  ...Array.from({ length: 24 }, (_, i) => {
    const [name, price] = (["Paint, white, 5 l;24.50", "Garden hose, 20 m;22.00", "Work gloves;3.50"] as const)[
      i % 3
    ]!.split(";")
    const pieces = 1 + (i % 4)
    const sum = (pieces * Number(price)).toFixed(2)
    const invoice = Math.floor(i / 3)
    return `A-${1001 + invoice};2026-02-0${1 + invoice};${buyers[invoice % 4]};${name};${pieces};${price};${sum};V;${i % 5 === 0 ? "" : "TN"}`
  }),
  ""
].join("\n")

/** Pictures that the documentation shows. */
const shown: ReadonlySet<string> = new Set(readdirSync(join(import.meta.dirname, "../../../docs/page")))

const take = async (page: Page, name: string) => {
  const looks = folderOfAll === undefined ? (["light"] as const) : (["light", "dark"] as const)
  for (const scheme of looks)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      // waits for the end of an earlier animation
      await page.waitForTimeout(100)
      const file = `${name}-${width}${scheme === "dark" ? "-dark" : ""}.png`
      if (folderOfAll === undefined && !shown.has(file)) continue
      writeFileSync(
        join(target, file),
        await page.screenshot({ animations: "disabled", fullPage: folderOfAll !== undefined })
      )
    }
  await page.emulateMedia({ colorScheme: "light" })
  if (folderOfAll !== undefined) console.log(`${name}: ${await Browser.measure(page)}`)
  // the text of a screen reader
  if (folderOfAll !== undefined) writeFileSync(join(target, `${name}.txt`), await page.locator("body").ariaSnapshot())
}

const pictures = Effect.gen(function* () {
  mkdirSync(target, { recursive: true })
  const folder = yield* folderWith(faults, book)
  writeFileSync(join(folder, "sales-jan.csv"), own(24))
  writeFileSync(join(folder, "odd-sales.csv"), odd)
  const lost = {
    kind: "drop",
    stage: "after",
    operations: ["submitInvoice"],
    documents: ["SI-1009"],
    times: 1
  } as const
  const gateway = yield* gatewayFor(folder, { device: { isLive: true }, gateway: { faults: [lost] } })
  const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
  const running = yield* start(["--config", "account.json"], env, folder)
  const browser = yield* Browser.launch
  const { page } = yield* Effect.promise(() => Browser.open(browser, running.origin))
  yield* Effect.promise(async () => {
    const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
    const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click()
    const go = (name: string) => page.getByRole("navigation").getByRole("link", { name }).click()
    const choose = async (file: string) => {
      await page.locator("input[type=file]").setInputFiles(join(folder, file))
    }
    await Browser.enter(page, running.link)
    await take(page, "file")
    await choose("odd-sales.csv")
    await heading("Which column is what?")
    await take(page, "columns")
    await press("Discard")
    await choose("sales-jan.csv")
    await heading(/questions about/)
    await take(page, "questions")
    await page.getByRole("combobox", { name: /time zone/ }).selectOption("Africa/Harare")
    await page.getByRole("combobox", { name: /"V"/ }).selectOption("515")
    await page.getByRole("radio", { name: /^The buyer as Cash sale/ }).check()
    await press("Check the documents")
    await heading("Documents to send")
    await take(page, "check-refused")
    await page
      .getByRole("textbox", { name: /SI-1006/ })
      .first()
      .fill("11.55")
    await press("Check these cells again")
    await page.getByRole("heading", { name: "1 cell was corrected" }).waitFor()
    await take(page, "check")
    const send = async () => {
      const rest = page.getByRole("checkbox", { name: /Send the rest/ })
      if (await rest.isVisible()) await rest.check()
      await page.getByRole("textbox", { name: /Type the device number/ }).fill("1001")
      const first = page.getByRole("textbox", { name: /If no other store/ })
      if (await first.isVisible()) {
        const label = (await page.getByText(/If no other store was ever used, type/).textContent()) ?? ""
        await first.fill(/type (\S+)/.exec(label)?.[1] ?? "")
      }
      await press(/^Send \d+ documents/)
    }
    await send()
    await heading(/Stopped/)
    await take(page, "import-stopped")
    await go("Attention")
    await take(page, "attention")
    await page.goBack()
    await page.getByRole("textbox", { name: "Verification code" }).fill("AAAA-BBBB-CCCC-DDDD")
    await page
      .getByRole("textbox", { name: /^Why you say so/ })
      .first()
      .fill("found in the portal")
    await press("Record as fiscalised")
    await heading(/Done|need you|needs you/)
    await take(page, "import-done")
    await go("Attention")
    await take(page, "attention-left")
    await go("Documents")
    await take(page, "documents")
    await page.getByRole("link", { name: "SI-1001" }).first().click()
    await heading("SI-1001")
    await take(page, "document")
    await go("Settings")
    await take(page, "settings")
    for (const name of ["Taxes and currencies", "Product codes", "Known files", "Advanced", "Changes"]) {
      await page.getByRole("link", { name, exact: true }).click()
      await take(page, `settings-${name.toLowerCase().replaceAll(" ", "-")}`)
    }
    await gateway.control.closeDay().pipe(Effect.runPromise)
    await page.goto(`${running.origin}${running.prefix}/days?account=main`)
    await take(page, "days")
    await page.getByRole("link", { name: "Reconcile a month" }).click()
    await page.getByLabel("Month").fill(new Date().toISOString().slice(0, 7))
    await press("Compare")
    await page.getByRole("heading", { name: "What was compared" }).waitFor()
    await take(page, "reconcile")
  })
})

/** Returns rows of invoices of one line, `NUMBER DATE PIECES`. */
const sold = (status: string, ...invoices: ReadonlyArray<string>): ReadonlyArray<string> =>
  invoices.map((invoice, i) => {
    const [number, date, pieces] = invoice.split(" ")
    const [lines, total] = [`Paint white 5 l,${pieces},20.50,${Number(pieces) * 20.5}`, Number(pieces) * 20.5]
    return `${number},${date},${status},USD,inclusive,${buyers[i % 4]},${lines},Standard,94052090,${total}`
  })

/** A shop in use: ten rejected and ten late invoices, changed books, a day that differs. */
const shop = Effect.gen(function* () {
  const book = "historical-invoices.book.json"
  const cwd = yield* folderWith(book)
  const device = { device: { isLive: true }, gateway: { processingDelayMillis: 1 } }
  const gateway = yield* gatewayFor(cwd, device)
  const flags = ["--config", "account.json", "--book", book]
  const words = ["--live"]
  const importing = (file: string, ...rows: ReadonlyArray<string>) => {
    const head = "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice"
    writeFileSync(join(cwd, file), [`${head},LineAmount,TaxCode,ProductCode,Total`, ...rows, ""].join("\n"))
    return connector(["import", file, ...flags, ...words], { cwd })
  }
  const today = new Date().toISOString().slice(0, 10)
  const month = today.slice(0, 7)
  const rejected = Array.from({ length: 10 }, (_, i) => `B-${1030 + i}`)
  for (const number of rejected)
    yield* gateway.control.addFault({
      kind: "reject",
      documents: [number],
      times: 1,
      error: "RCPT026: the total is not the sum of its lines"
    })
  const january = sold("issued", `SI-2051 ${month}-02 5`, `SI-2030 ${month}-02 3`, `SI-2017 ${month}-02 4`)
  const first = importing("sales-jan.csv", ...january)
  words.push(...(/--first-use \S+/.exec((yield* first).err)?.[0] ?? "").split(" "))
  yield* importing("sales-jan.csv", ...january)
  yield* importing(
    "november.csv",
    ...sold("issued", ...rejected.map((number) => `${number} ${month}-03 5`), `B-1040 ${month}-04 2`)
  )
  yield* importing("late.csv", ...sold("issued", ...rejected.map((number, i) => `L${number} ${month}-01 ${i + 1}`)))
  yield* gateway.control.closeDay()
  yield* importing(
    "sales-jan.csv",
    ...sold("issued", `SI-2051 ${month}-02 4`),
    ...sold("void", `SI-2030 ${month}-02 3`),
    ...sold("issued", `SI-2017 ${month}-02 6`)
  )
  // a second day with two currencies and a credit note, and a receipt of another program
  const head = "Kind,InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,ProductCode"
  const sell = (folder: string, file: string, row: string, firstUse = words) => {
    writeFileSync(join(folder, file), `${head},OriginalInvoice,Reason\n${row}\n`)
    return connector(["import", file, ...flags, "--send-rest", ...firstUse], { cwd: folder })
  }
  const lamp = (number: string, currency: string, price: string) =>
    `invoice,${number},${today},${currency},inclusive,Lamp,1,${price},Standard,94052090,,`
  // two closes within one second cannot be compared
  yield* Effect.sleep("1100 millis")
  yield* sell(cwd, "till.csv", `${lamp("D-1", "USD", "1230.00")}\n${lamp("D-2", "ZAR", "500.00")}`)
  yield* sell(cwd, "notes.csv", `credit note,CN-1,${today},USD,inclusive,Lamp,1,30.00,Standard,94052090,D-1,Returned`)
  const other = yield* folderWith(book)
  copyFileSync(join(cwd, "account.json"), join(other, "account.json"))
  yield* Effect.sleep("2100 millis")
  const asked = yield* sell(other, "other.csv", lamp("T-1", "USD", "18.75"), ["--live"])
  const code = /--first-use (\S+)/.exec(asked.err)?.[1] ?? ""
  yield* sell(other, "other.csv", lamp("T-1", "USD", "18.75"), ["--live", "--first-use", code])
  yield* gateway.control.closeDay()
  yield* Effect.sleep("1100 millis")
  yield* sell(cwd, "open.csv", lamp("D-3", "USD", "20.00"))
  const database = new DatabaseSync(join(cwd, "fiscal-connector.db"))
  const noticed = Date.now()
  database
    .prepare("insert into fiscal_notice values ('counters', 'live/1001', 'DAY_DIFFERS', '1', 'one too many', ?, ?)")
    .run(noticed, noticed)
  database.close()
  const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
  const running = yield* start(flags, env, cwd)
  const browser = yield* Browser.launch
  const { page } = yield* Effect.promise(() => Browser.open(browser, running.origin))
  page.setDefaultTimeout(30_000)
  yield* Effect.promise(async () => {
    const at = async (path: string, name: string) => {
      await page.goto(`${running.origin}${running.prefix}${path}`)
      await take(page, name)
    }
    await Browser.enter(page, running.link)
    await take(page, "file-used")
    await at("/health", "attention-used")
    for (const [state, name] of [
      ["Rejected", "decide-rejected"],
      ["Held", "decide-late"]
    ]) {
      await page.goto(`${running.origin}${running.prefix}/health`)
      await page.locator(`a[href*="/decide?"][href*="state=${state}"]`).first().click()
      await page.getByRole("heading", { level: 1 }).waitFor()
      await take(page, name!)
      const never = page.locator('a[href*="decision=Withdrawn"]').first()
      if (await never.isVisible()) {
        await never.click()
        await take(page, `${name}-never`)
      }
    }
    await at("/health?examine=main", "doctor")
    await at("/health?more=yes", "outcomes")
    await at("/decisions", "decisions")
    await at("/credits", "credits")
    await at("/credits?account=main&id=SI-2051", "credit")
    await at("/credits?account=main&id=SI-2017", "credit-not-prepared")
    await at("/days?account=main", "days-used")
    await page
      .getByRole("link", { name: /^Compare/ })
      .first()
      .click()
    // a click on a link does not wait for the next page
    await page.waitForURL(/read=yes/)
    await take(page, "days-read")
    await page.getByRole("link", { name: "Reconcile a month" }).click()
    await page.getByLabel("Month").fill(month)
    await page.getByRole("button", { name: "Compare" }).click()
    await page.getByRole("heading", { name: "What was compared" }).waitFor()
    await take(page, "reconcile-used")
  })
})

if (only !== "shop") await Effect.runPromise(Effect.scoped(pictures))
if (folderOfAll !== undefined && only !== "first") await Effect.runPromise(Effect.scoped(shop))
