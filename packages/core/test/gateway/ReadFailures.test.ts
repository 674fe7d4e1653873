/** Failures and retries of reads. */
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Exit, Fiber, Random, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { TestClock } from "effect/testing"
import * as Gateway from "../../src/gateway/Gateway.ts"
import type { GatewayConfig } from "../../src/gateway/contract/GatewayConfig.ts"
import { apiKey, closedPort, connect, serve, serveAnswer, serveSockets, settings, withClient } from "./Loopback.ts"
import * as Sample from "./SampleAnswers.ts"

const once: Partial<GatewayConfig> = { retries: { times: 0 } }

const answered = (status: number, body: string, headers = {}) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* serveAnswer(status, body, headers)
    const gateway = yield* connect(baseUrl, once)
    return (yield* Effect.flip(gateway.profile)).reason
  }).pipe(withClient(), Effect.scoped)

describe("a failed read", () => {
  const reasons: ReadonlyArray<readonly [status: number, reason: string]> = [
    ...[300, 301, 302, 303, 304, 307, 308].map((status) => [status, "Unavailable"] as const),
    ...[408, 409, 425, 500, 501, 502, 503, 504].map((status) => [status, "Unavailable"] as const),
    ...[402, 406, 410, 418].map((status) => [status, "Unavailable"] as const),
    ...[400, 413, 415, 422].map((status) => [status, "Declined"] as const),
    ...[401, 403].map((status) => [status, "CredentialsRefused"] as const),
    ...[405, 411].map((status) => [status, "Misdirected"] as const),
    [404, "NotFound"],
    [429, "Limited"]
  ]
  for (const [status, expected] of reasons) {
    it.live(`${status} is ${expected}`, () =>
      Effect.map(answered(status, "", { location: "/elsewhere" }), ({ _tag }) => assert.strictEqual(_tag, expected))
    )
  }

  it.live("contains the gateway's text and its retry hint", function* () {
    const reason = yield* answered(503, "<h1>Back soon</h1>", { "retry-after": "120" })
    assert.deepEqual(
      reason._tag === "Unavailable" && [
        reason.status,
        reason.text,
        reason.retryAfter && Duration.toSeconds(reason.retryAfter)
      ],
      [503, "Back soon", 120]
    )
  })

  it.live("accepts a hint that is a date, and ignores an invalid hint", function* () {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString()
    const dated = yield* answered(429, "", { "retry-after": inAMinute })
    const seconds = dated._tag === "Limited" && dated.retryAfter ? Duration.toSeconds(dated.retryAfter) : 0
    assert.isTrue(seconds > 50 && seconds <= 60, String(seconds))
    const odd = yield* answered(429, "", { "retry-after": "soon" })
    assert.isTrue(odd._tag === "Limited" && odd.retryAfter === undefined)
  })

  it.live("is a missing device, subscription, mapping, Z-report or PDF, depending on its operation", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serveAnswer(404, "")
      const gateway = yield* connect(baseUrl)
      const whats = yield* Effect.forEach(
        [
          gateway.fiscalDevice,
          gateway.subscription,
          gateway.taxMapping(1),
          gateway.currencyMapping(1),
          gateway.deleteTaxMapping(1),
          gateway.zReport(1),
          gateway.zReportPdf(1),
          gateway.downloadPdf("a.pdf"),
          gateway.profile
        ],
        (call) =>
          Effect.map(Effect.flip(Effect.asVoid(call)), ({ reason }) => reason._tag === "NotFound" && reason.what)
      )
      assert.deepStrictEqual(whats, [
        "device",
        "subscription",
        "mapping",
        "mapping",
        "mapping",
        "z-report",
        "z-report",
        "pdf",
        "operation"
      ])
    }).pipe(withClient())
  )

  it.live("is “not sent” if no server listens, and “unavailable” if the answer is cut off or too slow", function* () {
    const reasonAt = (baseUrl: string) =>
      Effect.flatMap(connect(baseUrl, { ...once, timeouts: { read: "1 second" } }), (gateway) =>
        Effect.map(Effect.flip(gateway.profile), ({ reason }) => reason)
      ).pipe(withClient())
    const slow = yield* serveSockets((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"))
    const cut = yield* serveSockets((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"))
    assert.strictEqual((yield* reasonAt(`http://127.0.0.1:${yield* closedPort}`))._tag, "NotSent")
    const late = yield* reasonAt(slow.baseUrl)
    assert.strictEqual(late._tag === "Unavailable" && late.text, "no complete answer within 1s")
    assert.strictEqual((yield* reasonAt(cut.baseUrl))._tag, "Unavailable")
  })
})

describe("repeating a read", () => {
  it.live("continues until an answer arrives, over real connections that break", () =>
    Effect.gen(function* () {
      let calls = 0
      const { baseUrl } = yield* serve((_, response) => {
        calls++
        if (calls === 1) return response.destroy()
        if (calls === 2) return response.writeHead(503).end()
        if (calls === 3) return response.writeHead(429, { "retry-after": "0" }).end()
        return response.end(JSON.stringify(Sample.profile))
      })
      const gateway = yield* connect(baseUrl)
      assert.strictEqual((yield* gateway.profile).id, 41)
      assert.strictEqual(calls, 4)
    }).pipe(withClient())
  )

  /**
   * Returns a client under the test clock that counts its requests; the waits are drawn at `drawn`.
   */
  const underTestClock = (config: Partial<GatewayConfig>, drawn: number, reply: (call: number) => Response) =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const client = HttpClient.make((request) =>
        Effect.map(
          TestClock.testClockWith((clock) => clock.currentTimeMillis),
          (now) => HttpClientResponse.fromWeb(request, reply(times.push(now)))
        )
      )
      const gateway = yield* Effect.provideService(
        Gateway.make({
          ...settings,
          baseUrl: "https://gateway.example",
          apiKey: Redacted.make(apiKey),
          retries: {},
          ...config
        }),
        HttpClient.HttpClient,
        client
      )
      const fiber = yield* Effect.forkChild(
        Effect.provideService(gateway.profile, Random.Random, { nextDoubleUnsafe: () => drawn, nextIntUnsafe: () => 0 })
      )
      yield* TestClock.adjust("10 minutes")
      return { times, exit: yield* Fiber.await(fiber) }
    })

  const status = (code: number, headers = {}) => new Response("", { status: code, headers })

  it.effect("waits a random time below a doubling limit, for at most the configured number of tries", function* () {
    const most = yield* underTestClock({}, 1, () => status(500))
    assert.deepStrictEqual(most.times, [0, 500, 1500, 3500, 7500])
    assert.isTrue(Exit.isFailure(most.exit))
    const half = yield* underTestClock({ retries: { times: 2 } }, 0.5, () => status(500))
    assert.deepStrictEqual(half.times, [600_000, 600_250, 600_750])
    const none = yield* underTestClock({}, 0, () => status(500))
    assert.deepStrictEqual(new Set(none.times), new Set([1_200_000]))
  })

  it.effect("follows a longer hint, up to the limit", function* () {
    const hinted = (seconds: string) =>
      underTestClock({}, 0, (call) =>
        call === 1 ? status(429, { "retry-after": seconds }) : Response.json(Sample.profile)
      )
    assert.deepStrictEqual((yield* hinted("7")).times, [0, 7000])
    assert.deepStrictEqual((yield* hinted("999999999")).times, [600_000, 660_000])
  })

  it.effect("starts no try after its total time", function* () {
    const { exit, times } = yield* underTestClock({ retries: { within: "2 seconds" } }, 1, () => status(503))
    assert.deepStrictEqual(times, [0, 500, 1500])
    assert.isTrue(Exit.isFailure(exit))
  })

  it.effect("does not repeat a read that would fail again", () =>
    Effect.forEach([301, 400, 401, 403, 404, 405, 409, 422, 501], (code) =>
      Effect.map(
        underTestClock({}, 0, () => status(code)),
        ({ times }) => assert.strictEqual(times.length, 1)
      )
    )
  )
})
