/** Tests of a job with a gateway in the same process. */
import { assert, describe, it } from "@effect/vitest"
import { testGateway } from "@fiscal-connector/testing"
// Loaded here, so that no test's time includes the loading.
import "../src/internal/testGateway.ts"
import { book, invoice, noon } from "./Shop.ts"

const start = () => testGateway({ book, now: noon })
const days = (count: number) => count * 86_400_000

describe("a gateway in the process of a test", () => {
  it("fiscalises documents of a connector, and knows every receipt", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    const { ok, problems, results } = await fiscal.sync([invoice("S-1"), invoice("S-2")])
    assert.isTrue(ok)
    // A store in memory cannot be replaced by an older copy, so the missing witness is not
    // reported.
    assert.deepStrictEqual(
      [...problems.map(({ code }) => code), ...(await fiscal.health()).concerns.map(({ code }) => code)],
      ["STORE_NEW"]
    )
    const receipts = gateway.receipts()
    assert.deepStrictEqual(
      results.map(({ number, verificationCode }) => [number, verificationCode]),
      receipts.map(({ number, verificationCode }) => [number, verificationCode])
    )
    const [{ date, marks, taxes, total }] = receipts as [(typeof receipts)[number]]
    assert.deepStrictEqual(
      [date.toISOString().slice(0, 10), total, taxes, marks],
      ["2026-03-02", "19.98", [{ device: 515, percent: "15.5", net: "17.30", tax: "2.68", gross: "19.98" }], []]
    )
  })

  it("keeps the sent documents for all connectors of the test: a second run sends nothing twice", async () => {
    await using gateway = await start()
    for (const run of [1, 2]) {
      await using fiscal = await gateway.connect()
      assert.isTrue((await fiscal.sync([invoice("S-1")])).ok, `run ${run}`)
    }
    assert.lengthOf(gateway.receipts(), 1)
  })

  it("starts at the given time, and advances only while a connector waits, or by a call", async () => {
    await using gateway = await start()
    assert.deepStrictEqual(gateway.now(), noon)
    const fiscal = await gateway.connect()
    assert.deepStrictEqual(gateway.now(), noon)
    await fiscal.sync([invoice("S-1")])
    // The first look for an outcome is six seconds after the document was accepted (STAT-7).
    assert.strictEqual(gateway.now().getTime(), noon.getTime() + 6000)
    await gateway.advance(days(1))
    assert.strictEqual(gateway.now().getTime(), noon.getTime() + 6000 + days(1))
  })

  it("loses an answer: the document is unknown, is never sent again, and a delivery settles it", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("lose-answer")
    const [lost, waiting] = (await fiscal.sync([invoice("S-1"), invoice("S-2")])).results
    assert.deepStrictEqual([lost?.status, waiting?.status], ["unknown", "planned"])
    await gateway.advance(days(1))
    assert.strictEqual((await fiscal.sync([invoice("S-1"), invoice("S-2")])).results[0]?.status, "unknown")
    const [receipt] = gateway.receipts()
    await fiscal.resolve(lost!, { fiscalised: { verificationCode: receipt!.verificationCode } }, "seen at the gateway")
    assert.isTrue((await fiscal.sync([invoice("S-1"), invoice("S-2")])).ok)
    assert.deepStrictEqual(
      gateway.receipts().map(({ number }) => number),
      ["S-1", "S-2"]
    )
  })

  it("loses a request: nothing is fiscalised, and only an operator can settle the document", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("lose-request")
    const [lost] = (await fiscal.sync([invoice("S-1")])).results
    assert.strictEqual(lost?.status, "unknown")
    assert.lengthOf(gateway.receipts(), 0)
    await gateway.advance(days(1))
    await fiscal.resolve(lost!, "not-processed", "the gateway does not have it")
    assert.isTrue((await fiscal.sync([invoice("S-1")])).ok)
    assert.lengthOf(gateway.receipts(), 1)
  })

  it("fails for as many requests of the named operations as the test chooses", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("error", { status: 503, operations: ["status"], times: 2 })
    gateway.fail("reject", { documents: ["S-2"], error: "RCPT025: no such product" })
    const { ok, results } = await fiscal.sync([invoice("S-1"), invoice("S-2")])
    assert.isFalse(ok)
    assert.deepStrictEqual(
      results.map(({ status }) => status),
      ["fiscalised", "rejected"]
    )
    assert.match(results[1]?.because ?? "", /no such product/)
  })

  it("leaves a document accepted whose failure has no code, until an operator who looked settles it", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("reject", { documents: ["S-1"], error: "TaxCode X9 is not mapped" })
    const before = gateway.now().getTime()
    const { results } = await fiscal.sync([invoice("S-1")])
    assert.strictEqual(results[0]?.status, "accepted")
    assert.include(results[0]?.because ?? "", "the gateway says: TaxCode X9 is not mapped (since ")
    assert.isAtMost(gateway.now().getTime() - before, 60_000)
    const key = { kind: "invoice", id: results[0]!.id } as const
    const decided = () => fiscal.resolve(key, { rejected: "as the gateway says" }, "not in the portal")
    const early: unknown = await decided().catch((error: unknown) => error)
    assert.match(String(early), /its last request may still reach the gateway/)
    await gateway.advance(10 * 60_000)
    assert.strictEqual((await decided()).status, "rejected")
  })

  it("rejects by the gateway's text all documents of which the gateway still says it", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("reject", { documents: ["S-1", "S-2"], error: "TaxCode X9 is not mapped", times: 2 })
    await fiscal.sync([invoice("S-1"), invoice("S-2"), invoice("S-3")])
    await gateway.advance(10 * 60_000)
    const selection = { text: "TaxCode X7 is not mapped" }
    const meant = await fiscal.select(selection, "rejected")
    assert.deepStrictEqual(
      meant.map(({ number }) => number),
      ["S-1", "S-2"]
    )
    const decided = await fiscal.resolveAll(selection, "rejected", "not in the portal", { expected: 2 })
    assert.deepStrictEqual(
      decided.map(({ refused, result }) => [result.status, refused]),
      [
        ["rejected", null],
        ["rejected", null]
      ]
    )
  })

  it("waits on its own clock when it is slow, and a connector times out on the same clock", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    gateway.fail("latency", { millis: 3000 })
    assert.isTrue((await fiscal.sync([invoice("S-1")])).ok)
    gateway.fail("latency", { millis: 500_000, stage: "after" })
    const before = gateway.now().getTime()
    assert.strictEqual((await fiscal.sync([invoice("S-2")])).results[0]?.status, "unknown")
    assert.isBelow(gateway.now().getTime() - before, 500_000)
  })

  it("delivers due outcomes with a signature to any receiver; a failed delivery is repeated", async () => {
    await using gateway = await start()
    const fiscal = await gateway.connect()
    const hand = async (...numbers: ReadonlyArray<string>) => {
      await using plan = await fiscal.plan(numbers.map((number) => invoice(number)))
      await fiscal.submit(plan)
      await fiscal.run({ maxDurationMs: 1 })
    }
    await hand("S-1")
    assert.strictEqual((await fiscal.get({ kind: "invoice", id: "S-1" }))?.status, "accepted")
    const refusing = await gateway.deliver(async () => ({ status: 500 }))
    assert.deepStrictEqual(
      refusing.map(({ answer, documents }) => [answer, documents[0]]),
      [[500, "S-1"]]
    )
    assert.deepStrictEqual(await gateway.deliver(fiscal.webhooks.receive), [])
    await gateway.advance(10_000)
    const taken = await gateway.deliver(async (body, headers) => {
      const request = new Request("https://shop.test/fiscal", { method: "POST", body, headers })
      const answer = await fiscal.webhooks.receive(new Uint8Array(await request.arrayBuffer()), request.headers)
      return new Response(answer.body, { status: answer.status })
    })
    assert.deepStrictEqual(
      taken.map(({ answer }) => answer),
      [200]
    )
    assert.strictEqual((await fiscal.get({ kind: "invoice", id: "S-1" }))?.status, "fiscalised")
    gateway.fail("delivery-badly-signed")
    await hand("S-2")
    assert.strictEqual((await gateway.deliver(fiscal.webhooks.receive))[0]?.answer, 401)
  })

  it("has a device that the test describes, and refuses an invalid book or fault", async () => {
    await using gateway = await testGateway({ book, now: noon, device: { isLive: true } })
    const fiscal = await gateway.connect()
    const stopped = await fiscal.sync([invoice("S-1")]).catch((error: { readonly code: string }) => error.code)
    assert.strictEqual(stopped, "live_not_allowed")
    assert.throws(() => gateway.fail("error", { status: 42 }), /status/)
    const refused = await testGateway({ book: { version: 1 } }).catch((error: Error) => error.message)
    assert.match(String(refused), /book/)
  })

  it("closes its connectors when it closes", async () => {
    const gateway = await start()
    const fiscal = await gateway.connect()
    await gateway.close()
    const after = await fiscal.sync([invoice("S-1")]).catch((error: { readonly code: string }) => error.code)
    assert.strictEqual(after, "closed")
  })

  it("runs next to other gateways, each with its own clock", async () => {
    const sent = await Promise.all(
      [1, 2, 3].map(async (n) => {
        await using gateway = await testGateway({ book, now: new Date(noon.getTime() + days(n)) })
        const fiscal = await gateway.connect()
        const { ok } = await fiscal.sync([invoice("S-1", { date: `2026-03-0${2 + n}` })])
        return [ok, gateway.now().getTime() - noon.getTime() - days(n)]
      })
    )
    assert.deepStrictEqual(
      sent,
      [1, 2, 3].map(() => [true, 6000])
    )
  })
})
