/** Test of the job with vitest. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { testGateway } from "@fiscal-connector/testing"
import { beforeEach, expect, test } from "vitest"
import { job } from "./job.ts"
import { book, now, sale, saved, sold } from "./shop.ts"

beforeEach(() => {
  sold.length = 0
  saved.clear()
})

test("every sale gets its code, and a second run sends nothing", async () => {
  sold.push(sale("1"), sale("2"))
  await using gateway = await testGateway({ book, now })
  for (const _ of [1, 2]) expect(await job(await gateway.connect())).toBe(true)
  expect([...saved]).toEqual(gateway.receipts().map(({ id, verificationCode }) => [id, verificationCode]))
  expect(saved.size).toBe(2)
})

test("a sale whose answer is lost is not sent again, and gets its code from a webhook delivery", async () => {
  sold.push(sale("1"))
  await using gateway = await testGateway({ book, now })
  gateway.fail("lose-answer")
  const fiscal = await gateway.connect()
  expect(await job(fiscal)).toBe(false)
  expect(await job(fiscal)).toBe(false)
  await gateway.advance(3_600_000)
  const [receipt, ...others] = gateway.receipts()
  expect(others).toEqual([])
  await fiscal.resolve(
    { kind: "invoice", id: "1" },
    { fiscalised: { verificationCode: receipt!.verificationCode } },
    "seen"
  )
  expect(await job(fiscal)).toBe(true)
  expect(saved.get("1")).toBe(receipt!.verificationCode)
})

test("an outage of the gateway delays sales and loses none", async () => {
  sold.push(sale("1"))
  await using gateway = await testGateway({ book, now })
  gateway.fail("error", { status: 503, operations: ["fiscalDevice"], times: 2 })
  expect(await job(await gateway.connect())).toBe(true)
})

test("a sale that cannot be sent does not stop the others", async () => {
  sold.push(sale("1", { currency: "XYZ" }), sale("2"))
  await using gateway = await testGateway({ book, now })
  expect(await job(await gateway.connect())).toBe(false)
  expect([...saved.keys()]).toEqual(["2"])
})

test("the job is the same as in the README of the promise package", () => {
  const page = readFileSync(join(import.meta.dirname, "../../packages/promise/README.md"), "utf8")
  const [, shown = ""] = /```ts\n([^`]*openInvoices[^`]*)```/.exec(page) ?? []
  const source = readFileSync(join(import.meta.dirname, "job.ts"), "utf8")
  const plain = (text: string) => text.replaceAll(/\s+/g, "")
  for (const line of shown.split("\n").filter((line) => /fiscal\.sync|for \(|const \{|await save|console/.test(line)))
    expect(plain(source)).toContain(plain(line))
})
