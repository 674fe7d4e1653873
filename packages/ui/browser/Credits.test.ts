/**
 * A prepared credit note in a browser: found, read and sent by keyboard alone, at any width, light
 * and dark. With the folder CREDIT_PICTURES, the screens are written there.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "../../../tools/browser/index.ts"
import { connector, folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start } from "../test/PageProcess.ts"
import * as Browser from "./Browser.ts"

const book = "historical-invoices.book.json"
const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const header =
  "InvoiceNumber,InvoiceDate,Status,Currency,AmountsAre,CustomerName,CustomerTIN,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total"
const row = (number: string, paint: number, status = "issued") =>
  [`Paint white 5 l,${paint},20.00,${paint * 20}.00,Standard`, "Garden hose,1,18.04,18.04,Standard"].map(
    (line) =>
      `${number},2026-02-03,${status},USD,inclusive,Acacia Clinic,2000990018,${line},94052090,${(paint * 20 + 18.04).toFixed(2)}`
  )

const folder = process.env["CREDIT_PICTURES"]
const take = async (page: Page, name: string) => {
  if (folder === undefined) return
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.waitForTimeout(100)
      writeFileSync(join(folder, `${name}-${width}-${colorScheme}.png`), await page.screenshot({ fullPage: true }))
    }
}

describe("a prepared credit note", { timeout: 900_000 }, () => {
  for (const javaScriptEnabled of [true, false])
    it.live(`is found under Attention and sent by keyboard, ${javaScriptEnabled ? "with" : "without"} script`, () =>
      Effect.gen(function* () {
        const cwd = yield* folderWith(book)
        yield* gatewayFor(cwd, { device: { isLive: true } })
        const sales = (args: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<string>>) => {
          writeFileSync(join(cwd, "sales.csv"), `${[header, ...rows.flat()].join("\n")}\n`)
          return connector(["import", "sales.csv", "--config", "account.json", "--book", book, "--live", ...args], {
            cwd
          })
        }
        const whole = [row("SI-2051", 5), row("SI-2030", 3), row("SI-2017", 4)]
        const { err } = yield* sales([], ...whole)
        yield* sales((/--first-use \S+/.exec(err)?.[0] ?? "").split(" "), ...whole)
        yield* sales([], row("SI-2051", 4), row("SI-2030", 3, "void"), row("SI-2017", 6))
        const running = yield* start(["--config", "account.json", "--book", book], env, cwd)
        const browser = yield* Browser.launch
        const { page, troubles } = yield* Effect.promise(() =>
          Browser.open(browser, running.origin, { javaScriptEnabled })
        )
        yield* Effect.promise(async () => {
          const heading = (name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor()
          await Browser.enter(page, running.link)
          await page.getByRole("navigation").getByRole("link", { name: "Attention" }).click()
          await take(page, "attention")
          await Browser.tabTo(page, "Prepared credit notes")
          await page.keyboard.press("Enter")
          await heading("2 credit notes are prepared, USD −98.04")
          await Browser.tabTo(page, /^\s*SI-2051\s*$/)
          await page.keyboard.press("Enter")
          await heading("Credit note SI-2051-C1, beside its invoice")
          await heading("2 credit notes are prepared, USD −98.04")
          if (javaScriptEnabled) {
            await take(page, "credits")
            await Browser.judgeEverywhere(page)
            await Browser.assertSmall(page, { 1280: 1400, 390: 2400 })
            await page.goto(`${running.origin}${running.prefix}/documents/main/invoice/SI-2051`)
            await heading("SI-2051")
            await take(page, "document")
            await Browser.judgeEverywhere(page)
            await page.goto(`${running.origin}${running.prefix}/credits?account=main&id=SI-2017`)
            await heading("Not prepared")
            await take(page, "risen")
            await Browser.judgeEverywhere(page)
            await page.goto(`${running.origin}${running.prefix}/credits?account=main&id=SI-2051`)
          }
          await Browser.tabTo(page, "Reason, printed on the receipt")
          await page.keyboard.type("one can came back")
          await Browser.tabTo(page, "Type the device number 1001")
          await page.keyboard.type("1001")
          await Browser.tabTo(page, "Send SI-2051-C1: USD −20.00")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { level: 1, name: "SI-2051-C1" }).waitFor()
          await page.getByText("Recorded: Fiscalised.").waitFor()
          await take(page, "sent")
          await page.getByRole("navigation").getByRole("link", { name: "Documents" }).click()
          await page.getByRole("link", { name: "Prepared credit notes" }).click()
          await heading("1 credit note is prepared, USD −78.04")
          assert.deepStrictEqual(troubles, [])
        })
      }).pipe(Effect.scoped)
    )
})
