/**
 * Proves that a bookkeeper gets from the first file to receipts of a live device without editing
 * JSON; every click is counted.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Locator, Page } from "../../../tools/browser/index.ts"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { startProcess } from "../test/PageProcess.ts"
import * as Browser from "./Browser.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod"
const own = (first: number, month: string): string =>
  [
    header,
    ...Array.from(
      { length: 10 },
      (_, i) =>
        `SI-${first + i},2026-${month}-${String(i + 1).padStart(2, "0")},USD,inclusive,Moyo Hardware,Lamp,1,11.55,11.55,V,87168000,11.55,Card`
    ),
    ""
  ].join("\n")

/** Counts mouse clicks and typed texts separately. */
class Hand {
  clicks = 0
  fields = 0
  async click(what: Locator): Promise<void> {
    this.clicks += 1
    await what.click()
  }
  async choose(page: Page, file: string): Promise<void> {
    this.clicks += 1
    await page.locator("input[type=file]").setInputFiles(file)
  }
  async select(what: Locator, value: string): Promise<void> {
    this.clicks += 1
    await what.selectOption(value)
  }
  async type(what: Locator, text: string): Promise<void> {
    this.fields += 1
    await what.fill(text)
  }
}

describe("the user's first file", { timeout: 900_000 }, () => {
  it.live("is fiscalised on a live device in at most 9 clicks without JSON, and the next file in 2", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      yield* gatewayFor(folder, { device: { isLive: true } })
      writeFileSync(join(folder, "january.csv"), own(1001, "01"))
      writeFileSync(join(folder, "february.csv"), own(1011, "02"))
      const running = yield* startProcess(["--config", "account.json"], env, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
        const button = (name: string | RegExp) => page.getByRole("button", { name }).first()
        const hand = new Hand()
        const consent = async () => {
          await hand.type(page.getByRole("textbox", { name: /type the device number/ }), "1001")
          await hand.click(button(/^Send 10 documents to the LIVE device/))
        }
        await Browser.enter(page, running.link)
        // The device is requested while the first screen is already shown.
        while (!(await page.getByText("LIVE: real receipts").isVisible())) await page.reload()
        await Browser.judgeEverywhere(page)
        await hand.choose(page, join(folder, "january.csv"))
        await page.getByRole("heading", { level: 1, name: /^3 questions about january.csv/ }).waitFor()
        await Browser.judgeEverywhere(page)
        await hand.select(page.getByRole("combobox", { name: /"V"/ }), "515")
        await hand.click(page.getByRole("radio", { name: /^The buyer as Cash sale/ }))
        await hand.click(button("Check the documents"))
        await heading("Documents to send")
        await page.getByRole("textbox", { name: /type the device number/ }).waitFor()
        await Browser.judgeEverywhere(page)
        // The code of the first use is asked for at once.
        const first = page.getByRole("textbox", { name: /If no other store/ })
        const label = (await page.getByText(/If no other store was ever used, type/).textContent()) ?? ""
        await hand.type(first, /type (\S+)/.exec(label)?.[1] ?? "")
        await consent()
        await heading("Done: january.csv")
        await page.getByText("10 of 10 fiscalised").waitFor()
        await Browser.judgeEverywhere(page)
        console.log(`clicks of the first file: ${hand.clicks}, typed fields: ${hand.fields}`)
        assert.isAtMost(hand.clicks, 9)

        const second = new Hand()
        await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
        await second.choose(page, join(folder, "february.csv"))
        await heading("Documents to send")
        await second.type(page.getByRole("textbox", { name: /type the device number/ }), "1001")
        await second.click(button(/^Send 10 documents to the LIVE device/))
        await heading("Done: february.csv")
        console.log(`clicks of the second file: ${second.clicks}, typed fields: ${second.fields}`)
        assert.isAtMost(second.clicks, 2)

        // The same file again: all documents are known, and nothing is asked.
        await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
        const again = new Hand()
        await again.choose(page, join(folder, "february.csv"))
        await page.getByText("There is nothing to send.").waitFor()
        // Without documents to send, no consent is asked for.
        assert.isFalse(await page.getByRole("textbox", { name: /type the device number/ }).isVisible())
        assert.isAtMost(again.clicks, 1)
        for (const name of ["Documents", "Attention", "Settings"]) {
          await page.getByRole("navigation").getByRole("link", { name }).click()
          await heading(name)
          await Browser.judgeEverywhere(page)
        }
        await page.getByRole("navigation").getByRole("link", { name: "Documents" }).click()
        await page.getByRole("link", { name: "SI-1001" }).click()
        await heading("SI-1001")
        await Browser.judgeEverywhere(page)
        assert.deepStrictEqual(troubles, [])
      })
      assert.isTrue(existsSync(join(folder, "account.book.json")))
    }).pipe(Effect.scoped)
  )
})
