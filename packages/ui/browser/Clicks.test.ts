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

/** A file whose column names are not known. `set`: the columns that its user must choose. */
interface StrangeFile {
  readonly name: string
  readonly content: (month: string) => string
  readonly set: Readonly<Record<string, string>>
  readonly sent: number
}

const strange: ReadonlyArray<StrangeFile> = [
  {
    name: "sales-lines.csv",
    content: (month) =>
      [
        "Slip|Day|Client|Item|Pcs|Rate|Amt|Levy|Mode",
        `B-${month}1|2026-${month}-02|Moyo Hardware|Paint|2|50.00|100.00|STD|Cash`,
        `B-${month}1|2026-${month}-02|Moyo Hardware|Brush|1|15.50|15.50|STD|Cash`,
        `B-${month}2|2026-${month}-02|Kopje Lodge|Bread|4|5.00|20.00|STD|Cash`,
        ""
      ]
        .join("\n")
        .replaceAll("|", ","),
    set: { Levy: "tax.code", Mode: "paymentMethod" },
    sent: 2
  },
  {
    name: "sales-credit.csv",
    content: (month) =>
      [
        "Slip|Day|Sort|Refers to|Client|Item|Pcs|Each|Sum|Levy",
        `10${month}1|2026-${month}-02|Invoice||Moyo Hardware|Paint|1|173.25|173.25|STD`,
        `10${month}2|2026-${month}-02|Invoice||Kopje Lodge|Lamp|2|115.50|231.00|STD`,
        `50${month}1|2026-${month}-02|Credit note|10${month}1|Moyo Hardware|Paint|1|34.65|34.65|STD`,
        ""
      ]
        .join("\n")
        .replaceAll("|", ","),
    set: {},
    sent: 3
  }
]

/** Answers of the user, by the text of the question. */
const answers: ReadonlyArray<readonly [question: RegExp, choice: RegExp | string]> = [
  [/currency/, "USD"],
  [/include tax/, /They include it/],
  [/no TIN/, /^The buyer as Cash sale/],
  [/no reason/, /"Credit note"/],
  [/which tax|Which tax/, "515"],
  [/payment/, /cash/i]
]

/** Answers every open question on the page, one click or field each. */
const answerAll = async (page: Page, hand: Hand): Promise<void> => {
  for (const list of await page.locator("main select").all()) {
    const label = (await list.getAttribute("aria-label")) ?? ""
    const answer = answers.find(([question]) => question.test(label))?.[1]
    if ((await list.inputValue()) === "" && typeof answer === "string") await hand.select(list, answer)
  }
  for (const group of await page.locator("fieldset[data-question]").all()) {
    if ((await group.getByRole("radio", { checked: true }).count()) > 0) continue
    if ((await group.getByRole("radio").count()) === 0) continue
    const text = (await group.textContent()) ?? ""
    if (/HS code/.test(text)) {
      // typing in a field chooses its choice
      await hand.type(group.getByRole("textbox").first(), "87168000")
      continue
    }
    const answer = answers.find(([question]) => question.test(text))?.[1]
    if (answer === undefined) throw new Error(`no answer for: ${text}`)
    await hand.click(group.getByRole("radio", { name: answer }).first())
  }
}

describe("the user's first file", { timeout: 900_000 }, () => {
  it.live("is fiscalised on a live device in at most 9 clicks without JSON, and the next file in 2", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      yield* gatewayFor(folder, { device: { isLive: true } })
      writeFileSync(join(folder, "january.csv"), own(1001, "01"))
      writeFileSync(join(folder, "february.csv"), own(1011, "02"))
      // the computer of a shop has the zone of the shop
      const running = yield* startProcess(["--config", "account.json"], { ...env, TZ: "Africa/Harare" }, folder)
      const browser = yield* Browser.launch
      const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
      yield* Effect.promise(async () => {
        const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
        const button = (name: string | RegExp) => page.getByRole("button", { name }).first()
        const hand = new Hand()
        const consent = async () => {
          await hand.type(page.getByRole("textbox", { name: /Type the device number/ }), "1001")
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
        await page.getByRole("textbox", { name: /Type the device number/ }).waitFor()
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
        await second.type(page.getByRole("textbox", { name: /Type the device number/ }), "1001")
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
        assert.isFalse(await page.getByRole("textbox", { name: /Type the device number/ }).isVisible())
        assert.isAtMost(again.clicks, 1)
        for (const [name, title] of [
          ["Documents", "Documents"],
          ["Attention", "Nothing needs you"],
          ["Settings", "Settings"]
        ] as const) {
          await page.getByRole("navigation").getByRole("link", { name }).click()
          await heading(title)
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

  for (const { content, name, sent, set } of strange)
    it.live(`is fiscalised with few clicks although its header is not known: ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith()
        yield* gatewayFor(folder, { device: { isLive: true } })
        // the computer of a shop has the zone of the shop
        const running = yield* startProcess(["--config", "account.json"], { ...env, TZ: "Africa/Harare" }, folder)
        const browser = yield* Browser.launch
        const { page, troubles } = yield* Effect.promise(() => Browser.open(browser, running.origin))
        yield* Effect.promise(async () => {
          const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
          const button = (name: string | RegExp) => page.getByRole("button", { name }).first()
          const file = (month: string) => {
            const path = join(folder, `${month}-${name}`)
            writeFileSync(path, content(month))
            return path
          }
          const send = async (hand: Hand) => {
            await hand.type(page.getByRole("textbox", { name: /Type the device number/ }), "1001")
            await hand.click(button(new RegExp(`^Send ${sent} documents to the LIVE device`)))
            await heading(/^Done/)
          }
          await Browser.enter(page, running.link)
          while (!(await page.getByText("LIVE: real receipts").isVisible())) await page.reload()
          const hand = new Hand()
          await hand.choose(page, file("01"))
          await heading(/^(Which column|.*questions? about)/)
          if (Object.keys(set).length > 0) await heading("Which column is what?")
          for (const [column, field] of Object.entries(set))
            await hand.select(page.getByRole("combobox", { name: `It is ${column}` }), field)
          if (await button("Go on").isVisible()) await hand.click(button("Go on"))
          await heading(/questions? about|Documents to send/)
          while (await page.getByRole("heading", { level: 1, name: /questions? about/ }).isVisible()) {
            await answerAll(page, hand)
            if (name === "sales-lines.csv") await Browser.assertSmall(page, { 1280: 1400 })
            await hand.click(button("Check the documents"))
            await heading(/questions? about|Documents to send/)
          }
          const first = page.getByRole("textbox", { name: /If no other store/ })
          const label = (await page.getByText(/If no other store was ever used, type/).textContent()) ?? ""
          await first.fill(/type (\S+)/.exec(label)?.[1] ?? "")
          await send(hand)
          console.log(`${name}: ${hand.clicks} clicks, ${hand.fields} typed fields`)
          assert.isAtMost(hand.clicks, 10)
          assert.isAtMost(hand.fields, 2)

          const next = new Hand()
          await page.getByRole("navigation").getByRole("link", { name: "Import" }).click()
          await next.choose(page, file("02"))
          await heading("Documents to send")
          await send(next)
          assert.deepStrictEqual([next.clicks, next.fields], [2, 1])
          assert.deepStrictEqual(troubles, [])
        })
      }).pipe(Effect.scoped)
    )
})
