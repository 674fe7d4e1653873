/**
 * The page while a large import is sent: it says at once what is checked, the first receipt comes
 * soon, each screen answers, the time left is right, and rejections are visible.
 */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, it } from "../../packages/core/test/It.ts"
import { folderWith, gatewayFor, key, secret } from "../../packages/cli/test/RunningConnector.ts"
import { startProcess, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { given } from "../Given.ts"

const { count, rest } = given("page-large")

const book = "historical-invoices.book.json"
/** Arguments of node for the page, such as `--cpu-prof`. */
const env = {
  FISCAL_CONNECTOR_MAIN_API_KEY: key,
  FISCAL_CONNECTOR_MAIN_API_SECRET: secret,
  NODE_OPTIONS: rest.join(" ")
}

/** Time of the gateway for one submission in milliseconds: a steady rate. */
const latency = 15

/** The gateway rejects one of so many documents. */
const rejectedOf = 400

/** Time of a browser between two answers, in milliseconds. */
const lookEvery = 500

const number = (n: number): string => `INV-${n + 1}`

const csv = (): string =>
  [
    "InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,Description,Quantity,UnitPrice,TaxCode,ProductCode",
    ...Array.from({ length: count }, (_, n) => {
      const day = String(1 + Math.floor((n * 20) / count)).padStart(2, "0")
      return `${number(n)},2026-02-${day},USD,inclusive,Buyer ${n},Lamp,1,${10 + (n % 90)}.00,Standard,85131000`
    }),
    ""
  ].join("\n")

const share = (all: ReadonlyArray<number>, part: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) * part)] ?? 0

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const timed = async <A>(answer: Promise<A>): Promise<readonly [answer: A, millis: number]> => {
  const begun = Date.now()
  return [await answer, Date.now() - begun]
}

const countIn = (body: string, pattern: RegExp): number => Number(pattern.exec(body)?.[1]?.replaceAll(",", "") ?? "0")

const inStore = (folder: string, state: string): number => {
  const database = new DatabaseSync(join(folder, "fiscal-connector.db"), { readOnly: true })
  const row = database.prepare("select count(*) as n from fiscal_submission where state = ?").get(state)
  database.close()
  return Number(row?.["n"])
}

const secondsLeft = (body: string): number | undefined => {
  const found = /about (?:a )?([\d,]+)? ?(second|minute)s? left/.exec(body)
  return found === null ? undefined : Number(found[1] ?? 1) * (found[2] === "minute" ? 60 : 1)
}

const others = ["/documents", "/health", "/days?account=main", "/settings"]

it.live(`the page answers while ${count} documents are sent`, function* () {
  const folder = yield* folderWith(book)
  writeFileSync(join(folder, "sales.csv"), csv())
  const gateway = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 20 } })
  yield* gateway.control.addFault({ kind: "latency", millis: latency, operations: ["submitInvoice"] })
  const rejected = Array.from({ length: Math.floor(count / rejectedOf) }, (_, n) => number(n * rejectedOf + 5))
  yield* gateway.control.addFault({ kind: "reject", documents: rejected })
  const page = yield* startProcess(["--config", "account.json", "--book", book], env, folder)
  yield* Effect.promise(async () => {
    const visitor = await Visitor.open(page)
    const where = visitor.whereTo(await visitor.upload([["sales.csv", csv()]], { fields: { account: "main" } }))
    await visitor.until(where, "Documents to send")
    const begun = Date.now()
    await visitor.post(`${where}/send`, { rest: "yes" })
    await visitor.follow(`${where}/events`, (text) => text.includes("data:"))
    const progress = Date.now() - begun
    await visitor.follow(`${where}/events`, (text) => text.includes('"over":true'))
    const [, first] = await timed(visitor.get("/imports/r1"))
    while (inStore(folder, "Fiscalised") === 0) await sleep(50)
    const receipt = Date.now() - begun

    const answers: Array<number> = []
    const beside = new Map<string, Array<number>>()
    const left: Array<{ readonly at: number; readonly seconds: number }> = []
    const late: Array<number> = []
    const since: Array<number> = []
    for (let isSending = true; isSending;) {
      const [{ body }, millis] = await timed(visitor.get("/imports/r1"))
      answers.push(millis)
      isSending = /<h1>\s*Sending/.test(body)
      const seconds = secondsLeft(body)
      if (seconds !== undefined) left.push({ at: Date.now(), seconds })
      const visible = countIn(body, /([\d,]+) documents? (?:was|were) rejected/)
      while (late.length < visible) late.push(Date.now() - (since[late.length] ?? Date.now()))
      const other = others[Math.floor(answers.length / 10) % others.length]!
      if (answers.length % 10 === 0)
        beside.set(other, [...(beside.get(other) ?? []), (await timed(visitor.get(other)))[1]])
      await sleep(lookEvery)
      while (since.length < inStore(folder, "Rejected")) since.push(Date.now())
    }
    const end = Date.now()
    const wrong = left
      .filter(({ at }) => at - begun > 60_000 && end - at > 10_000)
      .map(({ at, seconds }) => Math.abs(seconds * 1000 - (end - at)) / (end - at))
    const most = (all: ReadonlyArray<number>) =>
      `median ${share(all, 0.5)}, p95 ${share(all, 0.95)}, most ${share(all, 1)}`
    console.log(`first progress after ${progress} ms, first receipt after ${receipt} ms, all after ${end - begun} ms
first answer ${first} ms, ${answers.length} answers in ms: ${most(answers)}
${[...beside].map(([path, all]) => `${path} in ms: ${most(all)}`).join("\n")}
time left is wrong by ${most(wrong.map((part) => Math.round(part * 100)))} % from the first minute on
rejections are visible after ms: ${most(late)}`)
    assert.isBelow(progress, 1000)
    assert.isBelow(receipt, 7500)
    assert.isBelow(share(answers, 0.95), 300)
    assert.isBelow(share(wrong, 0.95), 0.25)
    assert.isBelow(share(late, 1), 5000)
    assert.strictEqual(late.length, rejected.length)
  })
})
