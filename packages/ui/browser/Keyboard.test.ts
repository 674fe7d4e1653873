/**
 * A first import and a decision by keyboard alone, with and without script: the file is chosen, the
 * questions are answered, codes are registered, a cell is corrected, and the documents are sent to
 * a live device.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "../../../tools/browser/index.ts"
import { folderWith, gatewayFor, key, secret } from "../../cli/test/RunningConnector.ts"
import { start } from "../test/PageProcess.ts"
import * as Texts from "../src/text/Texts.ts"
import * as Browser from "./Browser.ts"

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }

const file = [
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,ProductCode,Total,PaymentMethod",
  "10021,2026-01-05,USD,inclusive,Moyo Hardware,Paint,1,173.25,173.25,T1,87168000,173.25,Card",
  "10022,2026-01-05,USD,inclusive,Kopje Lodge,Bread,1,190.00,190.00,T0,87168000,190.00,Card",
  "10023,2026-01-05,USD,inclusive,Baobab Ltd,Lamp,1O,2.50,25.00,T1,87168000,25.00,Card",
  ""
].join("\n")

/** Answers in the selects, by the name of the question. */
const answers: ReadonlyArray<readonly [RegExp, string]> = [
  [/T1/, "515"],
  [/T0/, "2"],
  [/time zone/, "Africa/Harare"]
]

/** Goes through a form with Tab, and answers what is open, until the button has the focus. */
const answered = async (page: Page, button: string) => {
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press("Tab")
    const { isAnswered, name, type, value } = await Browser.focused(page)
    if (name.includes(button)) return page.keyboard.press("Enter")
    if (type === "radio" && !isAnswered) await page.keyboard.press("Space")
    const answer = answers.find(([question]) => type === "select-one" && question.test(name))?.[1]
    if (answer === undefined || answer === value) continue
    for (let n = 0; n < 100 && (await Browser.focused(page)).value !== answer; n++)
      await page.keyboard.press("ArrowDown")
    assert.strictEqual((await Browser.focused(page)).value, answer, name)
  }
  assert.fail(`the keyboard does not reach ${button}`)
}

const { decisions } = Texts.document
const never = decisions["Withdrawn"] ?? ""

describe("by keyboard alone", { timeout: 900_000 }, () => {
  for (const javaScriptEnabled of [true, false])
    it.live(
      `a first file becomes receipts, and its rejection is decided, ${javaScriptEnabled ? "with" : "without"} script`,
      () =>
        Effect.gen(function* () {
          const folder = yield* folderWith()
          writeFileSync(join(folder, "sales.csv"), file)
          const mappings = { taxMappings: [], currencyMappings: [] }
          const gateway = yield* gatewayFor(folder, { device: { isLive: true }, account: mappings })
          yield* gateway.control.addFault({
            kind: "reject",
            documents: ["10022"]
          })
          const running = yield* start(["--config", "account.json"], env, folder)
          const browser = yield* Browser.launch
          const { page, troubles } = yield* Effect.promise(() =>
            Browser.open(browser, running.origin, { javaScriptEnabled })
          )
          yield* Effect.promise(async () => {
            const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
            const press = async (name: string | RegExp) => {
              await Browser.tabTo(page, name)
              await page.keyboard.press("Enter")
            }
            const type = async (name: string | RegExp, text: string) => {
              await Browser.tabTo(page, name)
              await page.keyboard.press("ControlOrMeta+a")
              await page.keyboard.type(text)
            }
            page.setDefaultTimeout(30_000)
            await Browser.enter(page, running.link)
            await Browser.tabTo(page, "choose it")
            const chooser = page.waitForEvent("filechooser")
            await page.keyboard.press("Space")
            await (await chooser).setFiles(join(folder, "sales.csv"))
            if (!javaScriptEnabled) await press("Read the file")
            await heading(/questions? about/)
            await answered(page, "Check the documents")
            await heading("Documents to send")
            await press(/Register these \d codes/)
            await page.getByText(/First register/).waitFor({ state: "detached" })
            await heading("Documents to send")
            await type("10023 Quantity", "10")
            await press("Check these cells again")
            await page.getByRole("heading", { name: "1 cell was corrected" }).waitFor()
            await type(/Type the device number/, "1001")
            const code = /type (\S+)/.exec(
              (await page.getByText(/If no other store was ever used/).textContent()) ?? ""
            )
            await type(/If no other store/, code?.[1] ?? "")
            await press(/^ *Send 3 documents/)
            await heading("2 of 3 fiscalised, 1 needs you")
            await press("Look at 1 document")
            await page.getByRole("radio", { name: /Never send 1 document/ }).waitFor()
            await press("Attention")
            await heading(/needs? you/)
            await press("10022")
            await heading("10022")
            // Tab leads to the first choice of a group, and the arrows to the others.
            await press("Other decisions")
            await Browser.tabTo(page, decisions["Resend"] ?? "")
            for (let n = 0; n < 10 && !(await Browser.focused(page)).name.includes(never); n++)
              await page.keyboard.press("ArrowDown")
            await type("Why you say so", "the sale was taken back")
            await press("Record")
            await page.getByText("Recorded: Withdrawn.").waitFor()
            assert.deepStrictEqual(troubles, [])
          })
        }).pipe(Effect.scoped)
    )
})
