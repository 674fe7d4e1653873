/**
 * docs/page/*.png, made anew from the example with faults: `pnpm screenshots`. Pictures of the same page differ in their QR codes and times.
 */
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "../../../tools/browser/index.ts"
import { folderWith } from "../../cli/test/RunningConnector.ts"
import { startProcess } from "../test/PageProcess.ts"
import * as Browser from "./Browser.ts"

const target = join(import.meta.dirname, "../../../docs/page")
const faults = "historical-invoices-with-faults.csv"
const book = "historical-invoices-with-faults.book.json"

const widths = [360, 1000, 1920]

const take = async (page: Page, name: string, all: ReadonlyArray<number> = [1000]) => {
  for (const width of all) {
    await page.setViewportSize({ width, height: width === 360 ? 720 : 900 })
    // what is left of an earlier page's movement
    await page.waitForTimeout(100)
    writeFileSync(join(target, `${name}-${width}.png`), await page.screenshot({ animations: "disabled" }))
  }
}

const pictures = Effect.gen(function* () {
  mkdirSync(target, { recursive: true })
  const folder = yield* folderWith(faults, book)
  const running = yield* startProcess(["--book", book], {}, folder)
  const browser = yield* Browser.launch
  const { page } = yield* Effect.promise(() => Browser.open(browser, running.origin))
  yield* Effect.promise(async () => {
    const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
    await Browser.enter(page, running.link)
    await take(page, "file")
    await page.locator("input[type=file]").setInputFiles(join(folder, faults))
    await page.getByRole("button", { name: "Read the file" }).click()
    await heading("What do these mean on the device?")
    await take(page, "codes")
    await page.getByRole("button", { name: "Use these" }).click()
    await heading("What would be sent")
    await take(page, "check", widths)
    await page.getByRole("button", { name: /^Send 12/ }).click()
    await heading("Done")
    await take(page, "done", widths)
    await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
    await heading("Import")
    await page.getByRole("heading", { level: 2, name: "Imports" }).scrollIntoViewIfNeeded()
    await take(page, "imports")
    await page.getByRole("link", { name: /^Open historical/ }).click()
    await heading("Done")
    await page.getByRole("link", { name: "INV-0101" }).first().click()
    await heading("INV-0101")
    await page.emulateMedia({ colorScheme: "dark" })
    await take(page, "document-dark")
  })
})

await Effect.runPromise(Effect.scoped(pictures))
