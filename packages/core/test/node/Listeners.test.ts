/**
 * Listeners end slow clients (for their time see proofs/listeners), and refuse requests under
 * another host name.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, Redacted } from "effect"
import { createServer, request } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { listen } from "../../src/node/HttpListening.ts"
import type { Listener } from "../../src/node/WebhookListener.ts"
import { StoreError } from "../../src/submission/ledger/StoreError.ts"
import * as SlowClients from "../../src/node/SlowClients.ts"
import * as StatusListener from "../../src/node/StatusListener.ts"
import * as SubmissionStore from "../../src/submission/SubmissionStore.ts"

const local = { host: "127.0.0.1", port: 0 }

/** Answers with the number of received bytes. */
const counting: Listener = (incoming, response) => {
  let size = 0
  incoming.on("data", (chunk: Buffer) => (size += chunk.length))
  incoming.on("end", () => response.end(String(size)))
}

const posted = (url: string, headers: Record<string, string> = {}, method = "POST") =>
  Effect.callback<{ readonly status: number }>((resume) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0 })))
    })
    sent.on("error", () => resume(Effect.succeed({ status: 0 })))
    sent.end(method === "POST" ? "{}" : undefined)
  })

/**
 * Opens a connection that begins a request and never completes it; `ended` resolves when the server
 * has ended the connection.
 */
const slow = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly ended: Promise<void>; readonly isOpen: () => boolean; readonly close: () => void }>(
      (resume) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write("POST / HTTP/1.1\r\nHost: localhost\r\n")
          const ended = new Promise<void>((resolve) => void socket.resume().once("close", () => resolve()))
          resume(Effect.succeed({ ended, isOpen: () => !socket.destroyed, close: () => void socket.destroy() }))
        })
        socket.on("error", () => undefined)
      }
    ),
    ({ close }) => Effect.sync(close)
  )

describe("a listener with slow connections", () => {
  it.live("closes the oldest connection of an address, and still answers a normal request", function* () {
    const server = createServer(counting)
    SlowClients.guard(server, { perAddress: 3, inAll: 100 })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => void server.close().closeAllConnections())
    )
    const { port } = server.address() as AddressInfo
    const [first, ...others] = yield* Effect.forEach([1, 2, 3], () => slow(port))
    assert.strictEqual((yield* posted(`http://127.0.0.1:${port}`)).status, 200)
    yield* Effect.promise(() => first!.ended)
    assert.deepStrictEqual(
      others.map(({ isOpen }) => isOpen()),
      [true, true]
    )
  })
})

describe("/health and /metrics", () => {
  const listening = (token?: string) =>
    StatusListener.make({} as never, () => [], token === undefined ? undefined : Redacted.make(token)).pipe(
      Effect.provideService(SubmissionStore.SubmissionStore, { health: () => Effect.never } as never),
      Effect.flatMap((listener) => listen(listener, local))
    )

  it.live("are not shown to a caller that used another host name", function* () {
    const url = yield* listening()
    const { port } = new URL(url)
    for (const host of ["attacker.example", `attacker.example:${port}`, "127.0.0.1.attacker.example"]) {
      assert.strictEqual((yield* posted(`${url}/health`, { host }, "GET")).status, 421, host)
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST"]) {
      assert.strictEqual((yield* posted(`${url}/other`, { host }, "GET")).status, 404, host)
    }
  })

  it.live("contain no terminal control characters", function* () {
    const problem = "lock of x\u001b[2J\u009b31m\u202e\u2028.db"
    const failing = new StoreError({ operation: "read", reason: "unavailable", text: problem })
    const listener = yield* Effect.provideService(StatusListener.make({} as never), SubmissionStore.SubmissionStore, {
      health: () => Effect.fail(failing)
    } as never)
    const url = yield* listen(listener, local)
    const text = yield* Effect.promise(() => fetch(`${url}/health`).then((answer) => answer.text()))
    assert.notMatch(text, /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\n]]/v)
    assert.include(
      (JSON.parse(text) as { readonly concerns: ReadonlyArray<{ text: string }> }).concerns[0]!.text,
      problem
    )
  })

  it.live("require the token if one is configured", function* () {
    const url = yield* listening("a-token-of-the-status")
    const status = (headers: Record<string, string>) =>
      Effect.map(posted(`${url}/other`, headers, "GET"), (one) => one.status)
    assert.strictEqual(yield* status({}), 401)
    assert.strictEqual(yield* status({ authorization: "Bearer a-token-of-the-statu" }), 401)
    assert.strictEqual(yield* status({ authorization: "Bearer a-token-of-the-status" }), 404)
  })
})
