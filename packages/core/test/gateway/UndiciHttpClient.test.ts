import { assert, describe, it } from "../It.ts"
import { Deferred, Effect, Fiber, Stream } from "effect"
import * as DualClock from "../../src/gateway/contract/DualClock.ts"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Transmission from "../../src/gateway/exchange/Transmission.ts"
import { closedPort, serve, serveSockets, withClient } from "./Loopback.ts"

const get = (url: string) => Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url))

describe("UndiciHttpClient", () => {
  it.live("adds no header, even within a span", () =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve((_, response) => response.end())
      yield* Effect.withSpan(get(`${baseUrl}/x`), "outer")
      assert.deepStrictEqual(received[0]?.headers, {})
    }).pipe(withClient())
  )

  it.live("reuses connections, and opens no more than the limit", () =>
    Effect.gen(function* () {
      const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
      const { baseUrl, seen } = yield* serveSockets((socket) => socket.write(answer))
      yield* Effect.forEach(Array.from({ length: 20 }), () => get(baseUrl))
      // Two connections, because the next request starts before undici has freed the connection of
      // the last one.
      assert.isAtMost(seen.connections, 2)
      yield* Effect.all(
        Array.from({ length: 20 }, () => get(baseUrl)),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(seen.connections, 3)
    }).pipe(withClient({ connections: 3 }))
  )

  it.live("never has two requests in flight on one connection", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const { baseUrl } = yield* serve((_, response) => {
        most = Math.max(most, ++open)
        setImmediate(() => {
          open--
          response.end()
        })
      })
      yield* Effect.all(
        Array.from({ length: 10 }, () => get(baseUrl)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(most, 1)
    }).pipe(withClient({ connections: 1 }))
  )

  it.live("closes the connection of an interrupted request, and does not send a waiting one", function* () {
    const arrived = yield* Deferred.make<void>()
    const closed = yield* Deferred.make<void>()
    const { baseUrl, seen } = yield* serveSockets((socket) => {
      socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
      Deferred.doneUnsafe(arrived, Effect.void)
    })
    yield* Effect.gen(function* () {
      const first = yield* Effect.forkChild(get(`${baseUrl}/first`))
      yield* Deferred.await(arrived)
      const second = yield* Effect.forkChild(get(`${baseUrl}/second`))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      yield* Deferred.await(closed)
    }).pipe(withClient({ connections: 1 }))
    assert.include(seen.bytes, "/api/first")
    assert.notInclude(seen.bytes, "/api/second")
  })

  it.live("keeps the record of the handover for good", () =>
    Effect.gen(function* () {
      const stageAfter = (url: string, transmission = Transmission.make()) =>
        Effect.as(
          Effect.exit(Effect.provideService(get(url), Transmission.Transmission, transmission)),
          transmission.stage
        ).pipe(Effect.map(() => transmission.stage))
      const { baseUrl } = yield* serveSockets((socket) => socket.destroy())
      const closed = `http://127.0.0.1:${yield* closedPort}`
      assert.strictEqual(yield* stageAfter(closed), "waiting")
      assert.strictEqual(yield* stageAfter(baseUrl), "handed-over")
      assert.strictEqual(yield* stageAfter(closed, { ...Transmission.make(), stage: "handed-over" }), "handed-over")
    }).pipe(withClient())
  )

  it.live("does not send a request after its send deadline", () =>
    Effect.gen(function* () {
      const { baseUrl, received } = yield* serve((_, response) => response.end())
      const { tick, time } = yield* DualClock.now
      const by = (within: number, from: Partial<DualClock.DualClock> = {}) =>
        Transmission.make({ from: { tick, time, ...from }, within })
      const sent = (transmission: Transmission.Transmission) =>
        Effect.provideService(get(baseUrl), Transmission.Transmission, transmission)
      yield* sent(by(60_000))
      // One clock was set back, or the other did not run, while a minute passed.
      const setBack = by(60_000, { tick: tick - 61_000_000_000n, time: time + 300_000 })
      const asleep = by(60_000, { time: time - 61_000 })
      for (const late of [by(-1), setBack, asleep]) {
        const { cause } = (yield* Effect.flip(sent(late))).reason
        assert.strictEqual(Transmission.codeOf(cause), "UND_ERR_ABORTED")
        assert.strictEqual(Transmission.stageOf(late), "not-sent")
      }
      assert.lengthOf(received, 1)
    }).pipe(withClient())
  )

  it.live("skips interim answers, and joins a body in several pieces", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serveSockets((socket) => {
        socket.write(
          "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 6\r\n\r\né"
        )
        setImmediate(() => socket.write('"{}"'))
      })
      const response = yield* get(baseUrl)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(yield* response.text, 'é"{}"')
      assert.strictEqual((yield* Stream.runCollect(response.stream)).length, 1)
      assert.strictEqual(response.headers["set-cookie"], "a=b")
      assert.notProperty(response.headers, "link")
    }).pipe(withClient())
  )

  it.live("fails for an invalid URL and for a body without bytes, without sending", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      assert.strictEqual((yield* Effect.flip(client.get("nowhere"))).reason._tag, "TransportError")
      const streamed = HttpClientRequest.post("http://127.0.0.1:1").pipe(HttpClientRequest.bodyStream(Stream.empty))
      assert.strictEqual((yield* Effect.flip(client.execute(streamed))).reason._tag, "TransportError")
    }).pipe(withClient())
  )
})
