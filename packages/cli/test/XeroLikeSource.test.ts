/**
 * Tests the Xero-shaped source with an accounting system in the test's process: requests, waiting
 * times, and the result of each answer.
 */
import * as XeroLikeSource from "@fiscal-connector/adapter-xero-like/XeroLikeSource"
import type { LiveSourceError } from "@fiscal-connector/core/source/LiveSourceError"
import * as SourceServer from "@fiscal-connector/sandbox/source/SourceServer"
import * as SourceAnswers from "@fiscal-connector/sandbox/source/SourceAnswers"
import { type SourceConfig, SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import * as OAuthGrants from "@fiscal-connector/adapter-kit/OAuthGrants"
import { assert, describe, it } from "@effect/vitest"
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
    const client = HttpClient.make((request, url) => {
      const answer = SourceAnswers.answer(world, {
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: request.headers,
        body: ""
      })
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
    return { live, world, pages, others, renewals: () => renewals }
  })

const reasonOf = <A>(asked: Effect.Effect<A, LiveSourceError>) =>
  Effect.map(Effect.result(asked), (result) => (Result.isFailure(result) ? result.failure.reason : undefined))

describe("the Xero-shaped source", () => {
  it.effect("requests pages with lines in the order of their changes, from a whole second, without a filter", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual(world.asked, ["GET /api.xro/2.0/Invoices?order=UpdatedDateUTC&page=1&pageSize=100"])
    })
  )

  it.effect("reports whether more pages follow, and requests records by id", () =>
    Effect.gen(function* () {
      const { live, pages, world } = yield* source()
      for (let n = 10; n < 120; n++) world.put("Invoices", invoice(n))
      assert.strictEqual((yield* pages).more, "more")
      assert.strictEqual((yield* live.pages({ endpoint: "Invoices", since: null, page: 2 })).more, "last")
      assert.deepStrictEqual(
        (yield* live.byIds("Invoices", ["i1", "i99", "nobody"])).records.map(({ id }) => id),
        ["i1", "i99"]
      )
      assert.strictEqual((yield* live.summaries({ endpoint: "Invoices", since: null, page: 1 })).records.length, 100)
    })
  )

  it.effect("waits for a rate limit of a minute, and stops at once for a longer limit", () =>
    Effect.gen(function* () {
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
  )

  it.effect("renews a refused token once, and retries after a temporary error, but not more often", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual(yield* Fiber.join(failing), { _tag: "Unreached", because: "status 503" })
    })
  )

  it.effect("takes a login for ended only if the source refuses a token that it has just issued", () =>
    Effect.gen(function* () {
      const { others, pages, renewals, world } = yield* source()
      world.endAccess()
      others.push(Redacted.make("saved by another process, and ended since"))
      assert.strictEqual((yield* pages).records.length, 5)
      assert.strictEqual(renewals(), 2)
      world.addFault({ kind: "status", status: 401 })
      assert.deepStrictEqual(yield* reasonOf(pages), { _tag: "LoginEnded", because: "the source refuses a new token" })
      assert.strictEqual(renewals(), 3)
    })
  )

  it.effect("returns the organization of a login", () =>
    Effect.gen(function* () {
      const { live } = yield* source({ tenants: [{ id: "tenant-1", name: "Demo" }] })
      assert.deepStrictEqual(yield* live.identity, { tenant: "tenant-1", name: "Demo" })
      const other = yield* source({ tenants: [{ id: "tenant-2", name: "Another" }] })
      assert.deepStrictEqual(yield* other.live.identity, { tenant: "tenant-2", name: "Another" })
    })
  )
})

describe("a token refresh", () => {
  it.live("returns the new tokens, and reports why there are none", () =>
    Effect.gen(function* () {
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
        because: "invalid_grant"
      })
      assert.deepStrictEqual(yield* reasonOf(refresh({ clientSecret: undefined })), {
        _tag: "LoginEnded",
        because: "invalid_client"
      })
      const nowhere = yield* reasonOf(refresh({ tokenUrl: "http://127.0.0.1:9/connect/token" }))
      assert.strictEqual(nowhere?._tag, "Unreached")
      const elsewhere = yield* reasonOf(refresh({ tokenUrl: `${url}/_control/asked` }))
      assert.strictEqual(elsewhere?._tag, "AnswerUnreadable")
    }).pipe(Effect.scoped)
  )
})
