/**
 * Record of an attempt's request, over real sockets: its progress, the answer, the failure, and the
 * duration.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, type Scope } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { GatewayError } from "../../src/gateway/contract/GatewayError.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { closedPort, connect, serveAnswer, serveSockets, withClient } from "../gateway/Loopback.ts"
import { invoice as document } from "../gateway/SampleDocuments.ts"
import { drain, engine, explain, plan } from "../sending/Engine.ts"
import { sendingBy } from "../sending/ScriptedGateway.ts"

type Server = Effect.Effect<{ readonly baseUrl: string }, never, Scope.Scope>

const answer = (status: number, body: string, headers = {}): Server => serveAnswer(status, body, headers)
const says = (text: string): Server => serveSockets((socket) => socket.end(text))
const nobody: Server = Effect.map(closedPort, (port) => ({ baseUrl: `http://127.0.0.1:${port}/api` }))

/** Time limit of a request that is never answered: enough for a busy machine to send it. */
const limit = "2 seconds"

/** Sends with this gateway only: a server without answers would delay the proof of the secret. */
const submittingBy = ({ submit }: Parameters<typeof sendingBy>[0]) =>
  sendingBy({ submit, status: () => Effect.succeed([]) })

/** Sends one invoice to the server; returns the attempt from `explain`. */
const attempted = (server: Server, write = "1 minute") =>
  Effect.gen(function* () {
    const { baseUrl } = yield* server
    const gateway = yield* connect(baseUrl, {
      timeouts: { write },
      retries: { times: 0 }
    })
    yield* plan(invoice("i1"))
    yield* drain(submittingBy(gateway))
    const { attempts, submission, timeline } = yield* explain("i1")
    return { attempt: attempts[0]!, submission, timeline }
  }).pipe(Effect.provide(engine()), withClient(), Effect.scoped)

interface Expected {
  readonly result: string
  readonly text?: string
  readonly stage: string
  readonly status: number | null
  readonly code: string | null
}

const page = "<!doctype html><title>502</title><h1>Bad gateway</h1>"

const situations: { readonly [situation: string]: readonly [Server, Expected] } = {
  "a request id": [answer(202, "r-1"), { result: "Accepted", stage: "answered", status: 202, code: null }],
  "500 with an HTML page": [
    answer(500, page),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: 500, an HTML page: 502 Bad gateway",
      stage: "answered",
      status: 500,
      code: null
    }
  ],
  "500 with nothing": [
    answer(500, ""),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: 500, an empty body",
      stage: "answered",
      status: 500,
      code: null
    }
  ],
  "503 with JSON": [
    answer(503, '{"message":"maintenance"}'),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: 503, JSON: maintenance",
      stage: "answered",
      status: 503,
      code: null
    }
  ],
  "200 with a page": [
    answer(200, page),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: 200, no request id but an HTML page: 502 Bad gateway",
      stage: "answered",
      status: 200,
      code: null
    }
  ],
  "302": [
    answer(302, "", { location: "/api/elsewhere" }),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: 302, a redirect, which is not followed",
      stage: "answered",
      status: 302,
      code: null
    }
  ],
  "400": [
    answer(400, "Total is missing"),
    {
      result: "Declined",
      text: "Submit Invoice: declined (400): Total is missing",
      stage: "answered",
      status: 400,
      code: null
    }
  ],
  "429": [answer(429, ""), { result: "NotProcessed", stage: "answered", status: 429, code: null }],
  "404": [answer(404, ""), { result: "NotProcessed", stage: "answered", status: 404, code: null }],
  "a body that breaks off": [
    says("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nr-1"),
    { result: "Unknown", stage: "answered-in-part", status: 200, code: "UND_ERR_SOCKET" }
  ],
  "a body that does not end": [
    serveSockets((socket) => socket.write("HTTP/1.1 201 Created\r\nContent-Length: 3\r\n\r\nr")),
    {
      result: "Unknown",
      text: "Submit Invoice: outcome unknown: no complete answer within 2s",
      stage: "answered-in-part",
      status: 201,
      code: "TIMEOUT"
    }
  ],
  "a head that breaks off": [
    says("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"),
    { result: "Unknown", stage: "sent", status: null, code: "UND_ERR_SOCKET" }
  ],
  "a word that is no answer yet": [
    serveSockets((socket) => socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
    { result: "Unknown", stage: "sent", status: null, code: "TIMEOUT" }
  ],
  "no answer": [serveSockets(() => undefined), { result: "Unknown", stage: "sent", status: null, code: "TIMEOUT" }],
  "a reset": [
    serveSockets((socket) => socket.resetAndDestroy()),
    { result: "Unknown", stage: "sent", status: null, code: "ECONNRESET" }
  ],
  "a port nobody listens on": [
    nobody,
    { result: "NotProcessed", stage: "not-sent", status: null, code: "ECONNREFUSED" }
  ],
  "a server that does not speak TLS": [
    Effect.map(
      serveSockets((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      ({ port }) => ({ baseUrl: `https://127.0.0.1:${port}/api` })
    ),
    { result: "NotProcessed", stage: "not-sent", status: null, code: "ERR_SSL_WRONG_VERSION_NUMBER" }
  ]
}

describe("a stored attempt", () => {
  for (const [situation, [server, { result, text, ...exchanged }]] of Object.entries(situations)) {
    it.live(`contains the facts about ${situation}`, function* () {
      const isEndless = exchanged.code === "TIMEOUT"
      const { attempt } = yield* attempted(server, isEndless ? limit : undefined)
      const { millis, ...facts } = attempt.exchanged!
      assert.strictEqual(attempt.result?._tag, result)
      assert.deepStrictEqual(facts, exchanged as typeof facts)
      assert.isAtLeast(millis, isEndless ? 1990 : 0)
      if (text !== undefined) assert.propertyVal(attempt.result, "text", text)
    })
  }

  it.live("has the text that the submission and its timeline show", function* () {
    const { submission, timeline } = yield* attempted(answer(500, page))
    assert.include(submission.text, "500, an HTML page")
    assert.include(timeline.at(-1)?.text, "500, an HTML page")
  })

  it.live("has the time until the answer", function* () {
    const { attempt } = yield* attempted(
      serveSockets((socket) => setTimeout(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nr-1"), 100))
    )
    assert.isAtLeast(attempt.exchanged!.millis, 95)
  })

  it.live("has the progress of a request that the lane interrupted", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serveSockets((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"))
      const gateway = yield* connect(baseUrl, { retries: { times: 0 } })
      yield* plan(invoice("i1"))
      yield* drain(submittingBy(gateway))
      const [attempt] = (yield* explain("i1")).attempts
      assert.propertyVal(attempt?.result, "text", "no answer within 2s")
      assert.deepInclude(attempt?.exchanged, { stage: "answered-in-part", status: 200 })
    }).pipe(Effect.provide(engine({ longestRequest: limit })), withClient())
  )
})

describe("an error of the gateway", () => {
  const refusedBy = (server: Server) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* server
      const gateway = yield* connect(baseUrl, { retries: { times: 0 } })
      const read: GatewayError = yield* Effect.flip(gateway.profile)
      const write: GatewayError = yield* Effect.flip(gateway.submit(document))
      return [read, write]
    })

  it.live("has the status and the progress of the request, for reads and writes", () =>
    Effect.gen(function* () {
      for (const { exchanged } of yield* refusedBy(answer(404, ""))) {
        assert.deepInclude(exchanged, { stage: "answered", status: 404, code: null })
      }
      for (const error of yield* refusedBy(nobody)) {
        assert.deepInclude(error.exchanged, { stage: "not-sent", status: null, code: "ECONNREFUSED" })
        assert.nestedPropertyVal(JSON.parse(JSON.stringify(error)), "exchanged.stage", "not-sent")
      }
    }).pipe(withClient())
  )

  it.live("has the transport's own code, even if the client wraps it", () =>
    Effect.gen(function* () {
      for (const { exchanged } of yield* refusedBy(nobody)) {
        assert.deepInclude(exchanged, { stage: "sent", code: "ECONNREFUSED" })
      }
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
