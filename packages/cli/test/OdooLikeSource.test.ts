/**
 * Proves the Odoo-shaped source: keyset paging over ties and changes, in this process, and
 * `connector sync` over real HTTP.
 */
import * as OdooLikeSource from "@fiscal-connector/adapter-odoo-like/OdooLikeSource"
import * as KeysetWalk from "../../core/src/pull/KeysetWalk.ts"
import type { LiveSourceError } from "../../core/src/source/LiveSourceError.ts"
import * as OdooAnswers from "@fiscal-connector/sandbox/source/OdooAnswers"
import { OdooWorld } from "@fiscal-connector/sandbox/source/OdooWorld"
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import { assert, describe, it } from "../../core/test/It.ts"
import { Clock, Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { connector, examples, folderWith, gatewayFor, lines } from "./RunningConnector.ts"

const began = Date.parse("2026-03-01T08:00:00Z")

const move = (id: number, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name: `INV/${id}`,
  move_type: "out_invoice",
  state: "posted",
  partner_id: [40, "Azure"],
  ...more
})

/** The source on a system in this process. */
const source = Effect.gen(function* () {
  yield* TestClock.setTime(began)
  const clock = yield* Clock.Clock
  const world = new OdooWorld({ now: () => clock.currentTimeMillisUnsafe() })
  const client = HttpClient.make((request, url) => {
    const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
    const { headers, method } = request
    const answer = OdooAnswers.answer(world, { method, path: url.pathname, headers, body })
    const { status } = answer
    return Effect.succeed(
      HttpClientResponse.fromWeb(request, new Response(answer.body, { status, headers: answer.headers }))
    )
  })
  const given = { name: "erp", url: "http://erp.test", tenant: "1", apiKey: "key-0", options: {}, pageSize: 3 }
  const make = (more: Partial<OdooLikeSource.OdooLikeSourceOptions> = {}) =>
    Effect.provideService(OdooLikeSource.make({ ...given, ...more }), HttpClient.HttpClient, client)
  return { world, make, live: yield* make() }
})

const walkOptions = { overlap: Duration.minutes(5), clockSkew: Duration.minutes(5) }

const reasonOf = <A>(asked: Effect.Effect<A, LiveSourceError>) =>
  Effect.map(Effect.result(asked), (result) => (Result.isFailure(result) ? result.failure.reason : undefined))

// slow: the command runs six times

describe("the Odoo-shaped source", () => {
  it.effect("reads every record once, even if more records than a page share one time", function* () {
    const { live, world } = yield* source
    for (let id = 1; id <= 10; id++) world.put("account.move", move(id), began - 60_000 + 0.5)
    for (let id = 20; id <= 25; id++) world.put("account.move", move(id), began - 60_000 + 700 - id)
    world.put("account.move", move(30, { state: "cancel" }), began - 30_000)
    world.put("account.move", move(31, { move_type: "entry" }), began - 30_000)
    const { calls, mark, records } = yield* KeysetWalk.walk(live, "account.move", null, walkOptions, () => Effect.void)
    assert.deepStrictEqual(
      records.map(({ id }) => Number(id)).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24, 25, 30]
    )
    assert.strictEqual(mark, began - 30_000)
    assert.strictEqual(calls, 6)
  })

  it.effect("misses no document written between two pages, thanks to the overlap of the next run", function* () {
    for (let seed = 1; seed <= 150; seed++) {
      const { live, world } = yield* source
      let state = seed
      const draw = (below: number) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
        return (state >>> 8) % below
      }
      for (let id = 1; id <= 12; id++) world.put("account.move", move(id), began - draw(4) * 1000 - draw(1000))
      const does = () => {
        for (let n = draw(3); n > 0; n--) world.put("account.move", move(1 + draw(16)), world.now + draw(3))
      }
      world.addFault({ kind: "before-answer", does, times: 30 })
      let mark: number | null = null
      const latest = new Map<string, number>()
      for (let run = 0; run < 3; run++) {
        if (run === 2) world.clearFaults()
        const walked: Effect.Success<ReturnType<typeof KeysetWalk.walk>> = yield* KeysetWalk.walk(
          live,
          "account.move",
          mark,
          walkOptions,
          () => Effect.void
        )
        for (const { id, modified } of walked.records) latest.set(id, Math.max(modified, latest.get(id) ?? 0))
        mark = walked.mark
        yield* TestClock.adjust(draw(120_000))
      }
      for (const [id, { written }] of world.models.get("account.move")!)
        assert.strictEqual(latest.get(String(id)), Math.floor(written / 1000) * 1000, `seed ${seed}, document ${id}`)
    }
  })

  it.effect("knows a document for absent only by a read of it, not by a list that leaves it out", function* () {
    const { live, world } = yield* source
    world.put("account.move", move(7, { company_id: [1, "Own"] }), began)
    // a record of another company, which lists of this company leave out
    world.put("account.move", move(8, { company_id: [2, "Other"] }), began)
    const { absent, pages } = yield* live.byIds("account.move", ["7", "8", "9"])
    assert.deepStrictEqual([pages.flatMap(({ records }) => records.map(({ id }) => id)), absent], [["7"], ["9"]])
  })

  it.effect(
    "is answered as by the vendor: an argument, method, model or field that there is not is refused",
    function* () {
      const { world } = yield* source
      world.put("account.move", move(7), began)
      const status = (path: string, named: object) =>
        OdooAnswers.answer(world, {
          method: "POST",
          path: `/json/2/${path}`,
          headers: { authorization: "bearer key-0" },
          body: JSON.stringify(named)
        }).status
      assert.deepStrictEqual(
        [
          status("account.move/search_read", { domain: [], fields: ["name"], order: "id", limit: 1 }),
          status("account.move/read", { ids: [7], fields: ["name"] }),
          status("account.move/search_read", { domain: [], since: "2026-01-01" }),
          status("account.move/search_read", { ids: [7] }),
          status("account.move/read", { ids: [7], order: "id" }),
          status("account.move/search_read", { domain: [["changed", ">", 1]] }),
          status("account.move/search_read", { fields: ["buyer"] }),
          status("account.move/search_read", { order: "changed" }),
          status("account.move/search_reed", {}),
          status("account.moves/search_read", {})
        ],
        [200, 200, 422, 422, 422, 422, 422, 422, 404, 404]
      )
    }
  )

  it.effect("stops if the list returns records that the request excluded", function* () {
    const { live, world } = yield* source
    for (let id = 1; id <= 10; id++) world.put("account.move", move(id), began - 60_000)
    const deaf = { name: "erp", pages: () => live.pages({ endpoint: "account.move", since: null, page: 1 }) }
    const reason = yield* reasonOf(KeysetWalk.walk(deaf, "account.move", null, walkOptions, () => Effect.void))
    assert.strictEqual(reason?._tag, "AnswerUnreadable")
  })

  it.effect("reports a refused API key, a rate limit and a cut-off answer", function* () {
    const { live, make, world } = yield* source
    const pages = live.pages({ endpoint: "account.move", since: null, page: 1 })
    assert.strictEqual((yield* reasonOf((yield* make({ apiKey: "old" })).identity))?._tag, "LoginEnded")
    assert.deepStrictEqual(yield* live.identity, { tenant: "1", name: "Demo Company" })
    assert.deepStrictEqual(yield* (yield* make({ tenant: "2" })).identity, { tenant: "", name: "" })
    world.addFault({ kind: "limit", retryAfter: 7200, times: 1 })
    assert.deepStrictEqual(yield* reasonOf(pages), {
      _tag: "Limited",
      limit: "not stated",
      retryAt: began + 7_200_000
    })
    world.put("account.move", move(1))
    world.addFault({ kind: "truncated", times: 1 })
    assert.strictEqual((yield* reasonOf(pages))?._tag, "AnswerUnreadable")
    world.addFault({ kind: "limit", retryAfter: 30, times: 1 })
    const waiting = yield* Effect.forkChild(pages)
    yield* TestClock.adjust("31 seconds")
    assert.lengthOf((yield* Fiber.join(waiting)).records, 1)
  })
})

describe("connector sync with an Odoo-shaped source", () => {
  it.live(
    "sends each document once, makes two requests without changes, and takes no silence for deletion",
    function* () {
      const folder = yield* folderWith("odoo-like.book.json")
      const sandbox = yield* gatewayFor(folder, { gateway: { processingDelayMillis: 1 } })
      const world = new OdooWorld()
      const url = yield* SourceServer.listening((question) => OdooAnswers.answer(world, question))
      const all = JSON.parse(readFileSync(join(examples, "odoo-like.json"), "utf8")) as Readonly<
        Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>
      >
      for (const [model, records] of Object.entries(all))
        for (const fields of records) world.put(model, fields, world.now - 3_600_000)
      writeFileSync(join(folder, "erp.key"), "key-0\n", { mode: 0o600 })
      const config = JSON.parse(readFileSync(join(folder, "account.json"), "utf8")) as Record<string, unknown>
      const erp = {
        kind: "odoo-like",
        account: "main",
        book: "odoo-like.book.json",
        tenant: "1",
        goLive: "2025-01-01",
        consent: "send",
        late: "send-rest",
        url,
        secretFile: "erp.key",
        options: { vatNumber: "vat", productCode: "default-code", amounts: "exclusive" }
      }
      const configure = (more: object) =>
        writeFileSync(
          join(folder, "account.json"),
          JSON.stringify({ ...config, sources: { erp: { ...erp, ...more } } })
        )
      configure({})
      const sync = Effect.map(
        connector(["sync", "erp", "--json", "--config", "account.json"], { cwd: folder }),
        ({ code, err, out }) => ({ code, err, data: lines(out)[0] ?? {} })
      )
      const first = yield* sync
      assert.strictEqual(first.data["mode"], "first-plan", first.err)
      const sent = yield* sync
      assert.deepStrictEqual([sent.data["mode"], sent.data["refused"]], ["sent", 0], JSON.stringify(sent))
      const receipts = (yield* sandbox.control.receipts).length
      assert.strictEqual(receipts, 3)
      const quiet = yield* sync
      assert.deepStrictEqual([quiet.data["mode"], quiet.data["calls"]], ["quiet", 2])
      assert.lengthOf(yield* sandbox.control.receipts, receipts)
      world.put("account.move", { id: 501, state: "cancel" })
      assert.strictEqual((yield* sync).data["mode"], "sent")
      const { out } = yield* connector(["health", "--json", "--config", "account.json"], { cwd: folder })
      assert.include(out, "SOURCE_CANCELLED")
      // lists of the company leave it out, and a read gives it: it is not known to be deleted
      world.put("account.move", { id: 502, company_id: [2, "Other"] })
      const database = new DatabaseSync(join(folder, "fiscal-connector.db"))
      database.exec("update fiscal_source set planned_at = planned_at - 90000000, swept_at = null")
      database.close()
      const compared = yield* sync
      assert.deepStrictEqual([compared.code, compared.data["gone"]], [2, []], compared.err)
      configure({ url: undefined })
      const broken = yield* connector(["sync", "erp", "--config", "account.json"], { cwd: folder })
      assert.match(broken.err, /expected the address of the server/)
      const login = yield* connector(["source", "login", "erp", "--config", "account.json"], { cwd: folder })
      assert.match(login.err, /expected the address of the server/)
      configure({})
      const key = yield* connector(["source", "login", "erp", "--config", "account.json"], { cwd: folder })
      assert.match(key.err, /has an API key \(secretFile\), and no login/)
    }
  )
})
