/**
 * Tests the Xero-shaped source with an accounting system in the test's process: requests, waiting
 * times, and the result of each answer.
 */
import * as XeroLikeSource from "@fiscal-connector/adapter-xero-like/XeroLikeSource"
import type { LiveSourceError } from "../../core/src/source/LiveSourceError.ts"
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import * as SourceAnswers from "@fiscal-connector/sandbox/source/SourceAnswers"
import { type SourceConfig, SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import * as PublishedInterface from "./PublishedInterface.ts"
import * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { assert, describe, it } from "../../core/test/It.ts"
import { Clock, Effect, Fiber, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

const began = Date.parse("2026-03-01T08:00:00Z")

const invoice = (n: number, more: Readonly<Record<string, unknown>> = {}) => ({
  InvoiceID: `i${n}`,
  InvoiceNumber: `INV-${n}`,
  Type: "ACCREC",
  Status: "AUTHORISED",
  Contact: { ContactID: "c1" },
  LineItems: [{ Description: "Lamp" }],
  ...more
})

/** Creates the source for a system with a few invoices. */
const source = (config: SourceConfig = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(began)
    const clock = yield* Clock.Clock
    const world = new SourceWorld({ now: () => clock.currentTimeMillisUnsafe(), ...config })
    for (let n = 0; n < 5; n++) world.put("Invoices", invoice(n), { at: began - 60_000 + n * 1000 })
    const fresh = () => Redacted.make(world.refresh(world.config.refreshToken)!.access)
    let access = fresh()
    let renewals = 0
    /** Tokens that other processes have saved meanwhile. */
    const others: Array<Redacted.Redacted<string>> = []
    /** Parts of requests and answers that the published interface does not have. */
    const unpublished: Array<string> = []
    const client = HttpClient.make((request, url) => {
      const question = {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: request.headers,
        body: ""
      }
      const answer = SourceAnswers.answer(world, question)
      unpublished.push(
        ...PublishedInterface.problemsOf(question),
        ...PublishedInterface.differencesOf(question.path, answer)
      )
      if (answer.cut)
        return Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({
              request,
              cause: Object.assign(new Error(), { code: "ECONNRESET" })
            })
          })
        )
      const { body, headers, status } = answer
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { status, headers })))
    })
    const live = yield* XeroLikeSource.make({
      name: "books",
      url: "http://books.test",
      tenant: "tenant-1",
      options: {},
      pageSize: 100,
      tokens: {
        current: Effect.sync(() => access),
        renewed: () =>
          Effect.sync(() => {
            renewals++
            const saved = others.shift()
            access = saved ?? fresh()
            return { access, issued: saved === undefined ? ("now" as const) : ("before" as const) }
          }),
        take: () => Effect.void,
        refreshedAt: Effect.succeed(began)
      }
    }).pipe(Effect.provideService(HttpClient.HttpClient, client))
    const pages = live.pages({ endpoint: "Invoices", since: null, page: 1 })
    return { live, world, pages, others, unpublished, renewals: () => renewals }
  })

const reasonOf = <A>(asked: Effect.Effect<A, LiveSourceError>) =>
  Effect.map(Effect.result(asked), (result) => (Result.isFailure(result) ? result.failure.reason : undefined))

describe("the Xero-shaped source", () => {
  it.effect("requests only what the published interface has, with prices of four places", function* () {
    const { live, pages, unpublished, world } = yield* source()
    world.put("Invoices", invoice(7, { LineItems: [{ Description: "Oil", UnitAmount: 1.7733 }] }))
    world.put("CreditNotes", { CreditNoteID: "n1", CreditNoteNumber: "CN-1", Type: "ACCRECCREDIT" })
    world.put("CreditNotes", { CreditNoteID: "n2", CreditNoteNumber: "CN-2", Type: "ACCRECCREDIT" })
    world.put("Contacts", { ContactID: "c1", Name: "Baobab" })
    const text = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)
    assert.include(text(yield* pages), "1.7733")
    yield* live.pages({ endpoint: "CreditNotes", since: began, page: 1 })
    yield* live.summaries({ endpoint: "Invoices", since: began, page: 1 })
    yield* live.companions(["c1"])
    yield* live.identity
    const invoices = yield* live.byIds("Invoices", ["i7", "i99"])
    assert.deepStrictEqual([invoices.absent, invoices.requests], [["i99"], 2])
    assert.include(text(invoices.pages[0]!), "1.7733")
    const notes = yield* live.byIds("CreditNotes", ["n2", "n99"])
    assert.deepStrictEqual(
      [notes.pages.flatMap(({ records }) => records.map(({ id }) => id)), notes.absent],
      [["n2"], ["n99"]]
    )
    assert.deepStrictEqual(unpublished, [])
  })

  it.effect("does not treat a refused request as an absent document", function* () {
    const { live, world } = yield* source()
    world.addFault({ kind: "status", status: 403 })
    assert.deepStrictEqual(yield* reasonOf(live.byIds("CreditNotes", ["n1"])), { _tag: "Refused", status: 403 })
  })

  it.effect("is answered as by the vendor: a parameter that an operation does not have changes nothing", function* () {
    const { world } = yield* source()
    for (const id of ["n1", "n2"]) world.put("CreditNotes", { CreditNoteID: id, Type: "ACCRECCREDIT", Status: "PAID" })
    const access = world.refresh(world.config.refreshToken)!.access
    const headers = { authorization: `Bearer ${access}`, "xero-tenant-id": "tenant-1" }
    const listed = (path: string) => {
      const { body } = SourceAnswers.answer(world, { method: "GET", path: `/api.xro/2.0/${path}`, headers, body: "" })
      const answer = JSON.parse(body) as Record<string, ReadonlyArray<unknown>>
      return answer["CreditNotes"]?.length ?? answer["Invoices"]?.length
    }
    assert.deepStrictEqual(
      ["?page=1", "?IDs=n1", "?Statuses=DRAFT"].map((query) => listed(`CreditNotes${query}`)),
      [2, 2, 2]
    )
    assert.deepStrictEqual(
      ["?IDs=i1", "/i1", "?Statuses=DRAFT"].map((query) => listed(`Invoices${query}`)),
      [1, 1, 0]
    )
  })

  it.effect(
    "requests pages with lines in the order of their changes, from a whole second, without a filter",
    function* () {
      const { live, world } = yield* source()
      world.put("Invoices", invoice(7, { Status: "VOIDED" }), { at: began - 5000 })
      world.put("Invoices", invoice(8, { Type: "ACCPAY" }), { at: began - 4000 })
      const { answeredAt, more, records } = yield* live.pages({ endpoint: "Invoices", since: began - 57_400, page: 1 })
      assert.deepStrictEqual(
        records.map(({ id, kind, needs }) => [id, kind, needs]),
        [
          ["i3", "invoice", ["c1"]],
          ["i4", "invoice", ["c1"]],
          ["i7", "invoice", ["c1"]],
          ["i8", null, ["c1"]]
        ]
      )
      assert.deepStrictEqual([more, answeredAt], ["last", began])
      assert.deepStrictEqual(world.asked, [
        "GET /api.xro/2.0/Invoices?order=UpdatedDateUTC&unitdp=4&page=1&pageSize=100"
      ])
    }
  )

  it.effect("reports whether more pages follow, and requests records by id", function* () {
    const { live, pages, world } = yield* source()
    for (let n = 10; n < 120; n++) world.put("Invoices", invoice(n))
    assert.strictEqual((yield* pages).more, "more")
    assert.strictEqual((yield* live.pages({ endpoint: "Invoices", since: null, page: 2 })).more, "last")
    const { absent, pages: found } = yield* live.byIds("Invoices", ["i1", "i99", "nobody"])
    assert.deepStrictEqual(
      [found.flatMap(({ records }) => records.map(({ id }) => id)), absent],
      [["i1", "i99"], ["nobody"]]
    )
    assert.strictEqual((yield* live.summaries({ endpoint: "Invoices", since: null, page: 1 })).records.length, 100)
  })

  it.effect("waits for a rate limit of a minute, and stops at once for a longer limit", function* () {
    const { pages, world } = yield* source({ perMinute: 2 })
    yield* pages
    yield* pages
    const waiting = yield* Effect.forkChild(pages)
    yield* TestClock.adjust("59 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Fiber.join(waiting)).records.length, 5)
    world.addFault({ kind: "limit-day", retryAfter: 66_975 })
    assert.deepStrictEqual(yield* reasonOf(pages), {
      _tag: "Limited",
      limit: "day",
      retryAt: began + 60_000 + 66_975_000
    })
  })

  it.effect("renews a refused token once, and retries after a temporary error, but not more often", function* () {
    const { pages, renewals, world } = yield* source()
    world.endAccess()
    assert.strictEqual((yield* pages).records.length, 5)
    assert.strictEqual(renewals(), 1)
    world.addFault({ kind: "status", status: 503, times: 1 })
    world.addFault({ kind: "cut", times: 1 })
    const twice = yield* Effect.forkChild(pages)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual((yield* Fiber.join(twice)).records.length, 5)
    world.addFault({ kind: "status", status: 503 })
    const failing = yield* Effect.forkChild(reasonOf(pages))
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(yield* Fiber.join(failing), { _tag: "Unreached", text: "status 503" })
  })

  it.effect("takes a login for ended only if the source refuses a token that it has just issued", function* () {
    const { others, pages, renewals, world } = yield* source()
    world.endAccess()
    others.push(Redacted.make("saved by another process, and ended since"))
    assert.strictEqual((yield* pages).records.length, 5)
    assert.strictEqual(renewals(), 2)
    world.addFault({ kind: "status", status: 401 })
    assert.deepStrictEqual(yield* reasonOf(pages), { _tag: "LoginEnded", text: "the source refuses a new token" })
    assert.strictEqual(renewals(), 3)
  })

  it.effect("returns the organization of a login", function* () {
    const { live } = yield* source({ tenants: [{ id: "tenant-1", name: "Demo" }] })
    assert.deepStrictEqual(yield* live.identity, { tenant: "tenant-1", name: "Demo" })
    const other = yield* source({ tenants: [{ id: "tenant-2", name: "Another" }] })
    assert.deepStrictEqual(yield* other.live.identity, { tenant: "tenant-2", name: "Another" })
  })
})

describe("a token refresh", () => {
  it.live("returns the new tokens, and reports why there are none", function* () {
    const { url, world } = yield* SourceServer.make({ clientSecret: "client-secret" })
    const refresh = (more: Partial<OAuthGrants.OAuthClient> = {}, token = "refresh-0") =>
      OAuthGrants.refreshing({
        source: "books",
        tokenUrl: `${url}/connect/token`,
        clientId: "client",
        clientSecret: Redacted.make("client-secret"),
        ...more
      })(Redacted.make(token))
    const fresh = yield* refresh()
    assert.isTrue(world.isGood(Redacted.value(fresh.access)))
    assert.deepStrictEqual([Redacted.value(fresh.refresh!), fresh.expiresIn], ["refresh-1", 1800])
    assert.deepStrictEqual(yield* reasonOf(refresh({}, "refresh-x")), {
      _tag: "LoginEnded",
      text: "invalid_grant"
    })
    assert.deepStrictEqual(yield* reasonOf(refresh({ clientSecret: undefined })), {
      _tag: "LoginEnded",
      text: "invalid_client"
    })
    const nowhere = yield* reasonOf(refresh({ tokenUrl: "http://127.0.0.1:9/connect/token" }))
    assert.strictEqual(nowhere?._tag, "Unreached")
    const elsewhere = yield* reasonOf(refresh({ tokenUrl: `${url}/_control/asked` }))
    assert.strictEqual(elsewhere?._tag, "AnswerUnreadable")
  })
})
