/** Tests of the drop folder and the webhook servers, with a gateway in the process. */
import { assert, describe, it } from "@effect/vitest"
import { testGateway } from "@fiscal-connector/testing"
import type { FiscalConnector } from "@fiscal-connector/promise"
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { book, invoice } from "../../../packages/testing/test/Shop.ts"
import { dropFolder } from "../drop-folder/drop.ts"
import { shop } from "../express/shop.ts"
import { server } from "../webhooks/fastify.ts"
import { app } from "../webhooks/hono.ts"

const start = () => testGateway({ book, now: new Date("2026-03-09T10:00:00Z") })

const header =
  "InvoiceNumber,InvoiceDate,Currency,AmountsAre,Description,Quantity,UnitPrice,TaxCode,InvoiceTotal,ProductCode"
const row = (number: string, quantity = "2", total = "19.98") =>
  `${number},2026-03-02,USD,inclusive,Lamp,${quantity},9.99,Standard,${total},85131000`

describe("the job that watches a folder for exports", () => {
  const test =
    (
      use: (given: {
        readonly gateway: Awaited<ReturnType<typeof start>>
        readonly folder: string
        readonly write: (name: string, text: string) => void
        readonly look: () => Promise<Record<string, string>>
      }) => Promise<void>
    ) =>
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "drop-"))
      try {
        await using gateway = await start()
        const drops = dropFolder(await gateway.connect(), folder, 0)
        await use({
          gateway,
          folder,
          write: (name, text) => writeFileSync(join(folder, "in", name), text),
          look: async () => Object.fromEntries(await drops.look())
        })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }

  it(
    "does not send a file that is still being written, and sends all of it when it is complete",
    test(async ({ folder, gateway, look, write }) => {
      write("sales.csv", `${header}\n${row("S-1")}\n${row("S-2").slice(0, 60)}`)
      write("later.csv.part", `${header}\n${row("S-9")}\n`)
      for (const _ of [1, 2, 3]) assert.deepStrictEqual(await look(), { "sales.csv": "waits" })
      appendFileSync(join(folder, "in/sales.csv"), `${row("S-2").slice(60)}\n`)
      assert.deepStrictEqual(await look(), { "sales.csv": "waits" })
      assert.deepStrictEqual(await look(), { "sales.csv": "moved" })
      assert.deepStrictEqual(
        gateway.receipts().map(({ number }) => number),
        ["S-1", "S-2"]
      )
      assert.deepStrictEqual(readdirSync(join(folder, "done")), ["sales.csv"])
      assert.deepStrictEqual(readdirSync(join(folder, "in")), ["later.csv.part"])
    })
  )

  it(
    "keeps a file until every document in it is accounted for, and reports the open documents",
    test(async ({ folder, gateway, look, write }) => {
      write("sales.csv", `${header}\n${row("S-1")}\n${row("S-2", "2", "99.00")}\n`)
      await look()
      assert.deepStrictEqual(await look(), { "sales.csv": "stays" })
      assert.match(readFileSync(join(folder, "in/sales.csv.todo.txt"), "utf8"), /^S-2: refused/)
      gateway.fail("lose-answer")
      write("more.csv", `${header}\n${row("S-3")}\n`)
      await look()
      assert.deepStrictEqual(await look(), { "more.csv": "stays", "sales.csv": "stays" })
      assert.match(readFileSync(join(folder, "in/more.csv.todo.txt"), "utf8"), /^S-3: unknown/)
      assert.deepStrictEqual(readdirSync(join(folder, "done")), [])
      write("sales.csv", `${header}\n${row("S-1")}\n`)
      await look()
      assert.strictEqual((await look())["sales.csv"], "moved")
      assert.notInclude(readdirSync(join(folder, "in")), "sales.csv.todo.txt")
    })
  )

  it(
    "does not move a file that changed while it was sent, and does not overwrite another file",
    test(async ({ folder, gateway, look, write }) => {
      write("sales.csv", `${header}\n${row("S-1")}\n`)
      await look()
      const looking = look()
      appendFileSync(join(folder, "in/sales.csv"), `${row("S-2")}\n`)
      assert.deepStrictEqual(await looking, { "sales.csv": "waits" })
      await look()
      assert.deepStrictEqual(await look(), { "sales.csv": "moved" })
      write("sales.csv", `${header}\n${row("S-3")}\n`)
      await look()
      await look()
      assert.deepStrictEqual(readdirSync(join(folder, "done")).toSorted(), ["sales.2.csv", "sales.csv"])
      assert.lengthOf(gateway.receipts(), 3)
    })
  )
})

/** Submits an invoice, and leaves the outcome to a delivery. */
const hand = async (fiscal: FiscalConnector, number: string) => {
  await using plan = await fiscal.plan([invoice(number)])
  await fiscal.submit(plan)
  await fiscal.run({ maxDurationMs: 1 })
}
const stateOf = async (fiscal: FiscalConnector, id: string) => (await fiscal.get({ kind: "invoice", id }))?.status

describe("the gateway's webhooks", () => {
  type Post = (
    body: Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>>
  ) => Promise<{ readonly status: number }>
  const request = (body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>) =>
    new Request("https://shop.test/fiscal", { method: "POST", body, headers })
  const servers: Readonly<Record<string, (fiscal: FiscalConnector) => Promise<{ post: Post; close?: () => unknown }>>> =
    {
      Express: async (fiscal) => {
        const listening = shop(fiscal).listen(0, "127.0.0.1")
        await new Promise((resolve) => listening.once("listening", resolve))
        const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/fiscal`
        return {
          post: (body, headers) => fetch(url, { method: "POST", body, headers }),
          close: () => listening.close()
        }
      },
      Fastify: async (fiscal) => {
        const fastify = await server(fiscal)
        return {
          post: async (body, headers) => {
            const { statusCode } = await fastify.inject({
              method: "POST",
              url: "/fiscal",
              payload: Buffer.from(body),
              headers
            })
            return { status: statusCode }
          },
          close: () => fastify.close()
        }
      },
      Hono: async (fiscal) => ({ post: async (body, headers) => app(fiscal).fetch(request(body, headers)) }),
      Next: async (fiscal) => {
        Object.assign(globalThis, { fiscal: Promise.resolve(fiscal) })
        const { POST } = await import("../webhooks/next/app/fiscal/route.ts")
        return { post: (body, headers) => POST(request(body, headers)) }
      }
    }

  for (const [name, serving] of Object.entries(servers))
    it(`deliver outcomes under ${name}; a delivery from another sender is refused`, async () => {
      await using gateway = await start()
      const fiscal = await gateway.connect()
      const { close, post } = await serving(fiscal)
      await hand(fiscal, "S-1")
      gateway.fail("delivery-corrupted")
      assert.deepStrictEqual(
        (await gateway.deliver(post)).map(({ answer }) => answer),
        [401]
      )
      assert.strictEqual(await stateOf(fiscal, "S-1"), "accepted")
      await gateway.advance(10_000)
      assert.deepStrictEqual(
        (await gateway.deliver(post)).map(({ answer }) => answer),
        [200]
      )
      assert.strictEqual(await stateOf(fiscal, "S-1"), "fiscalised")
      assert.isAtLeast((await post(new Uint8Array(1024 * 1024 + 1), {})).status, 400)
      await close?.()
    })
})
