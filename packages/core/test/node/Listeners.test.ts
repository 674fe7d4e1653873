/** Listeners stay reachable while clients are slow, and answer nobody who reached them by another name. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { listen } from "../../src/node/HttpListening.ts"
import type { Listener } from "../../src/node/WebhookListener.ts"
import { StoreError } from "../../src/ledger/StoreError.ts"
import * as StatusListener from "../../src/node/StatusListener.ts"
import * as SubmissionStore from "../../src/submission/SubmissionStore.ts"

const local = { host: "127.0.0.1", port: 0 }

/** Answers with the number of bytes it got. */
const counting: Listener = (incoming, response) => {
  let size = 0
  incoming.on("data", (chunk: Buffer) => (size += chunk.length))
  incoming.on("end", () => response.end(String(size)))
}

const posted = (url: string, headers: Record<string, string> = {}, method = "POST") =>
  Effect.callback<{ readonly status: number; readonly milliseconds: number }>((resume) => {
    const from = performance.now()
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume()
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, milliseconds: performance.now() - from }))
      )
    })
    sent.on("error", () => resume(Effect.succeed({ status: 0, milliseconds: performance.now() - from })))
    sent.end(method === "POST" ? "{}" : undefined)
  })

/** Connections that begin a request and never complete it, half of them in the body. */
const slow = (url: string, count: number) =>
  Effect.acquireRelease(
    Effect.callback<ReadonlyArray<Socket>>((resume) => {
      const { hostname, port } = new URL(url)
      let open = 0
      const sockets = Array.from({ length: count }, (_, i) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\n${i % 2 === 0 ? "" : "Content-Length: 1000\r\n\r\na"}`)
          if (++open === count) resume(Effect.succeed(sockets))
        })
        socket.on("error", () => undefined)
        return socket
      })
    }),
    (sockets) => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
  )

describe("a listener with 600 slow connections", () => {
  it.live("answers honest deliveries within two seconds", () =>
    Effect.gen(function* () {
      const url = yield* listen(counting, local)
      yield* slow(url, 600)
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => posted(url), { concurrency: 5 })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.isBelow(Math.max(...answers.map(({ milliseconds }) => milliseconds)), 2000)
    }).pipe(Effect.scoped)
  )

  it.live("ends a request that does not come within its time, and not half a minute later", () =>
    Effect.gen(function* () {
      const url = yield* listen(counting, local)
      const [socket] = yield* slow(url, 1)
      const from = performance.now()
      yield* Effect.callback<void>((resume) => void socket!.resume().once("close", () => resume(Effect.void)))
      assert.isBelow(performance.now() - from, 9000)
    }).pipe(Effect.scoped)
  )
})

describe("/health and /metrics", () => {
  const listening = (token?: string) =>
    StatusListener.make({} as never, () => [], token === undefined ? undefined : Redacted.make(token)).pipe(
      Effect.provideService(SubmissionStore.SubmissionStore, { health: () => Effect.never } as never),
      Effect.flatMap((listener) => listen(listener, local))
    )

  it.live("are not shown to a caller that reached them by another name", () =>
    Effect.gen(function* () {
      const url = yield* listening()
      const { port } = new URL(url)
      for (const host of ["attacker.example", `attacker.example:${port}`, "127.0.0.1.attacker.example"]) {
        assert.strictEqual((yield* posted(`${url}/health`, { host }, "GET")).status, 421, host)
      }
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST"]) {
        assert.strictEqual((yield* posted(`${url}/other`, { host }, "GET")).status, 404, host)
      }
    }).pipe(Effect.scoped)
  )

  it.live("show no character that a terminal obeys", () =>
    Effect.gen(function* () {
      const problem = "lock of x\u001b[2J\u009b31m\u202e\u2028.db"
      const failing = new StoreError({ operation: "read", reason: "unavailable", problem })
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
    }).pipe(Effect.scoped)
  )

  it.live("ask for the token where there is one", () =>
    Effect.gen(function* () {
      const url = yield* listening("a-token-of-the-status")
      const status = (headers: Record<string, string>) =>
        Effect.map(posted(`${url}/other`, headers, "GET"), (one) => one.status)
      assert.strictEqual(yield* status({}), 401)
      assert.strictEqual(yield* status({ authorization: "Bearer a-token-of-the-statu" }), 401)
      assert.strictEqual(yield* status({ authorization: "Bearer a-token-of-the-status" }), 404)
    }).pipe(Effect.scoped)
  )
})
