import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { TestClock } from "effect/testing"
import * as Sandbox from "../src/Sandbox.ts"
import type { Input } from "../src/SandboxConfig.ts"
import * as Channel from "../src/webhook/Channel.ts"
import { invoice } from "./documents.ts"
import { send } from "./GatewayCaller.ts"
import { account, start } from "./sandboxes.ts"

const url = "http://receiver.invalid/webhooks/main"

interface Received {
  readonly body: string
  readonly signature: "good" | "bad" | "none"
  readonly ids: ReadonlyArray<string>
}

/** Returns a receiver in memory. It answers with `status`: by default 200, or 401 if unsigned. */
const receiver = (status: (received: Received) => number = ({ signature }) => (signature === "good" ? 200 : 401)) => {
  const received: Array<Received> = []
  const post: Channel.Post = ({ body, headers }) =>
    Effect.sync(() => {
      const given = headers["X-Api-Signature"]
      const text = Buffer.from(body).toString()
      const right = createHmac("sha256", "sandbox-secret").update(body).digest("base64")
      const items = JSON.parse(text) as ReadonlyArray<{ readonly RequestId: string }>
      const one: Received = {
        body: text,
        signature: given === undefined ? "none" : given === right ? "good" : "bad",
        ids: items.map((item) => item.RequestId)
      }
      received.push(one)
      return { status: status(one), cookies: "none" }
    })
  return { received, post }
}

const hooked = (change: Input = {}): Input => ({ accounts: [{ ...account, webhook: { url } }], ...change })

/** Runs a test body with a sandbox that delivers to the receiver. */
const delivering = <A, E>(
  { post }: { readonly post: Channel.Post },
  change: Input,
  use: (sandbox: Sandbox.SandboxShape) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(Effect.provideService(start(change), Channel.Channel, post), use))

/** Waits some turns of the event loop for the background work. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

const submit = (sandbox: Sandbox.SandboxShape, number: string) =>
  Effect.tap(
    Effect.map(
      send(sandbox, "POST", "/invoice", invoice({ InvoiceId: number, InvoiceNumber: number })),
      ({ text }) => text
    ),
    () => settled
  )

const advance = (sandbox: Sandbox.SandboxShape, millis: number) =>
  Effect.andThen(sandbox.control.moveClock({ advanceMillis: millis }), settled)

const hour = 3600 * 1000

describe("an outcome", () => {
  it.effect("is delivered when its request is processed: an array, signed over its bytes (HOOK-1, HOOK-3)", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked({ processingDelayMillis: 2000 }), (sandbox) =>
      Effect.gen(function* () {
        const id = yield* submit(sandbox, "A")
        assert.deepStrictEqual(received, [])
        yield* advance(sandbox, 2000)
        assert.deepStrictEqual(
          received.map(({ ids, signature }) => [ids, signature]),
          [[[id], "good"]]
        )
        const [item] = JSON.parse(received[0]!.body) as ReadonlyArray<Record<string, unknown>>
        assert.hasAllKeys(item!, ["RequestId", "Success", "IsActionable", "Error", "QrData", "FiscalInvoicePdf"])
        assert.strictEqual(item!["Success"], true)
        yield* advance(sandbox, 24 * hour)
        assert.lengthOf(received, 1)
      })
    )
  })

  it.effect("is delivered at its time without a request", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked({ processingDelayMillis: 2000 }), (sandbox) =>
      Effect.gen(function* () {
        yield* submit(sandbox, "A")
        yield* TestClock.adjust("1999 millis")
        yield* settled
        assert.lengthOf(received, 0)
        yield* TestClock.adjust("1 millis")
        yield* settled
        assert.lengthOf(received, 1)
      })
    )
  })

  it.effect("shares a delivery with others if the configuration allows it", () => {
    const { post, received } = receiver()
    const accounts = [{ ...account, webhook: { url, itemsPerDelivery: 2 } }]
    return delivering({ post }, { accounts, processingDelayMillis: 1000 }, (sandbox) =>
      Effect.gen(function* () {
        const ids = [yield* submit(sandbox, "A"), yield* submit(sandbox, "B"), yield* submit(sandbox, "C")]
        yield* advance(sandbox, 1000)
        assert.deepStrictEqual(
          received.map(({ ids }) => ids),
          [ids.slice(0, 2), ids.slice(2)]
        )
      })
    )
  })

  it.effect("is not delivered if no webhook is registered", () =>
    delivering(receiver(), {}, (sandbox) =>
      Effect.gen(function* () {
        yield* submit(sandbox, "A")
        assert.deepStrictEqual(yield* sandbox.webhooks.deliveries, [])
        assert.deepStrictEqual(yield* sandbox.webhooks.registrations, [])
      })
    )
  )
})

describe("a delivery without a 2xx answer", () => {
  it.effect("is retried after growing pauses, until it succeeds", () => {
    const answers = [500, 302, 401, 200]
    const { post, received } = receiver(() => answers[received.length - 1]!)
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* submit(sandbox, "A")
        for (const pause of [10_000, 30_000, 90_000]) {
          yield* advance(sandbox, pause - 1)
          const before = received.length
          yield* advance(sandbox, 1)
          assert.lengthOf(received, before + 1)
        }
        const log = yield* sandbox.webhooks.deliveries
        assert.deepStrictEqual(
          log.map(({ answer, attempt, problem }) => [attempt, answer, problem]),
          [
            [1, 500, "the answer is not 2xx"],
            [2, 302, "a redirect, which is not followed"],
            [3, 401, "the answer is not 2xx"],
            [4, 200, null]
          ]
        )
        yield* advance(sandbox, 24 * hour)
        assert.lengthOf(received, 4)
      })
    )
  })

  it.effect("disables the webhook after 24 hours, until it is registered again (HOOK-4)", () => {
    let up = false
    const { post, received } = receiver(() => (up ? 200 : 503))
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* submit(sandbox, "A")
        for (let step = 0; step < 24 * 6 - 1; step++) yield* advance(sandbox, hour / 6)
        assert.strictEqual((yield* sandbox.webhooks.registrations)[0]?.state, "enabled")
        yield* advance(sandbox, hour / 6)
        assert.deepStrictEqual(yield* sandbox.webhooks.registrations, [
          { account: "main", url, state: "disabled", waiting: 0 }
        ])
        up = true
        const before = received.length
        yield* submit(sandbox, "B")
        assert.lengthOf(received, before)
        yield* sandbox.webhooks.register("main", { url })
        const late = yield* submit(sandbox, "C")
        // Outcomes processed while the webhook was disabled are not delivered.
        assert.deepStrictEqual(
          received.slice(before + 4).map(({ ids }) => ids),
          [[late]]
        )
      })
    )
  })
})

describe("the fault", () => {
  const cases = {
    "delivery-lost": ["good A"],
    "delivery-twice": ["good A", "good A"],
    "delivery-corrupted": ["bad A", "good A"],
    "delivery-badly-signed": ["bad A", "good A"],
    "delivery-empty": ["good ", "good A"]
  } as const
  for (const [kind, expected] of Object.entries(cases)) {
    it.effect(`${kind}, once, makes the receiver see: ${expected.join(", ")}`, () => {
      const { post, received } = receiver()
      return delivering({ post }, hooked(), (sandbox) =>
        Effect.gen(function* () {
          yield* sandbox.control.addFault({ kind: kind as keyof typeof cases, documents: ["A"], times: 1 })
          const names = new Map([[yield* submit(sandbox, "A"), "A"]])
          yield* advance(sandbox, 10_000)
          const seen = received.map(({ ids, signature }) => `${signature} ${ids.map((id) => names.get(id)).join()}`)
          assert.deepStrictEqual(seen, [...expected])
        })
      )
    })
  }

  it.effect("delivery-lost, always, acts like an address that never answers", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "delivery-lost" })
        yield* submit(sandbox, "A")
        for (let step = 0; step < 24; step++) yield* advance(sandbox, hour)
        assert.lengthOf(received, 0)
        const log = yield* sandbox.webhooks.deliveries
        assert.isTrue(log.every(({ answer }) => answer === "lost"))
        assert.strictEqual((yield* sandbox.webhooks.registrations)[0]?.state, "disabled")
      })
    )
  })

  it.effect("delivery-late delays the delivery by the configured time", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "delivery-late", millis: 5000, times: 1 })
        yield* submit(sandbox, "A")
        yield* advance(sandbox, 4999)
        assert.lengthOf(received, 0)
        yield* advance(sandbox, 1)
        assert.lengthOf(received, 1)
      })
    )
  })

  it.effect("delivery-out-of-order lets a later outcome pass, and waits five seconds for it", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "delivery-out-of-order", documents: ["A", "C"] })
        const a = yield* submit(sandbox, "A")
        assert.lengthOf(received, 0)
        const b = yield* submit(sandbox, "B")
        const c = yield* submit(sandbox, "C")
        yield* advance(sandbox, 4999)
        assert.deepStrictEqual(
          received.map(({ ids }) => ids),
          [[b], [a]]
        )
        yield* advance(sandbox, 1)
        assert.deepStrictEqual(
          received.map(({ ids }) => ids),
          [[b], [a], [c]]
        )
      })
    )
  })

  it.effect("delivery-early delivers the outcome before the submission's own answer (HOOK-7)", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked({ processingDelayMillis: 60_000 }), (sandbox) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "delivery-early", times: 1 })
        const reply = yield* send(sandbox, "POST", "/invoice", invoice())
        assert.deepStrictEqual(
          received.map(({ ids }) => ids),
          [[reply.text]]
        )
        yield* advance(sandbox, 60_000)
        assert.lengthOf(received, 1)
      })
    )
  })

  it.effect("for calls does not affect deliveries, and a fault for deliveries does not affect calls", () => {
    const { post, received } = receiver()
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.gen(function* () {
        yield* sandbox.control.addFault({ kind: "latency", millis: 0 })
        yield* sandbox.control.addFault({ kind: "delivery-twice" })
        yield* submit(sandbox, "A")
        assert.lengthOf(received, 2)
        assert.deepStrictEqual(
          (yield* sandbox.control.faults).map(({ met }) => met),
          [1, 1]
        )
      })
    )
  })
})

describe("registering a webhook", () => {
  it.effect("sends empty, badly signed and unknown deliveries, and states the expected answers", () => {
    const { post, received } = receiver(({ signature }) => (signature === "good" ? 200 : 403))
    return delivering({ post }, {}, (sandbox) =>
      Effect.gen(function* () {
        const results = yield* sandbox.webhooks.register("main", { url })
        assert.deepStrictEqual(
          received.map(({ body, signature }) => `${signature} ${body.slice(0, 12)}`),
          ["good []", "bad []", 'good [{"RequestId', 'bad [{"RequestId']
        )
        assert.deepStrictEqual(
          results.map(({ answer, passed }) => [answer, passed]),
          [
            [200, true],
            [403, false],
            [200, true],
            [403, false]
          ]
        )
        const failure = yield* Effect.flip(sandbox.webhooks.register("nobody", { url: "ftp://x" }))
        assert.match(failure.message, /url: expected an address/)
      })
    )
  })
})

describe("webhooks over HTTP", () => {
  it.live("are registered by a control path and called without the key, and a cookie in the answer is an error", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const seen: Array<Record<string, unknown>> = []
        const server = createServer((request, response) => {
          seen.push(request.headers)
          request.resume().on("end", () => response.writeHead(200, { "Set-Cookie": "session=1" }).end())
        })
        yield* Effect.acquireRelease(
          Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
          () => Effect.sync(() => server.close())
        )
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
        const sandbox = yield* Sandbox.make({ accounts: [account] })
        const call = (method: string, path: string, body?: unknown) =>
          Effect.promise(async () => {
            const reply = await fetch(`${sandbox.url}/_control/${path}`, {
              method,
              headers: { "Content-Type": "application/json" },
              ...(body !== undefined && { body: JSON.stringify(body) })
            })
            return { status: reply.status, text: await reply.text() }
          })
        const results = JSON.parse((yield* call("PUT", "webhooks/main", { url: address })).text)
        assert.deepStrictEqual(
          results.map(({ problem }: { readonly problem: string }) => problem),
          [
            "the answer sets a cookie",
            "what is not signed with the secret must be answered 401",
            "the answer sets a cookie",
            "what is not signed with the secret must be answered 401"
          ]
        )
        assert.lengthOf(seen, 4)
        for (const headers of seen) {
          assert.notProperty(headers, "x-api-key")
          assert.strictEqual(headers["content-type"], "application/json")
        }
        assert.lengthOf(JSON.parse((yield* call("GET", "deliveries")).text), 4)
        assert.deepStrictEqual(JSON.parse((yield* call("GET", "webhooks")).text), [
          { account: "main", url: address, state: "enabled", waiting: 0 }
        ])
        assert.strictEqual((yield* call("POST", "webhooks/main/test")).status, 200)
        assert.strictEqual((yield* call("DELETE", "deliveries")).status, 204)
        assert.strictEqual((yield* call("DELETE", "webhooks/main")).status, 204)
        assert.strictEqual((yield* call("DELETE", "webhooks/main")).status, 404)
      })
    )
  )
})

describe("a listener of the sandbox", () => {
  it.effect("is notified of every call and every delivery", () => {
    const { post } = receiver()
    return delivering({ post }, hooked(), (sandbox) =>
      Effect.scoped(
        Effect.gen(function* () {
          const seen: Array<string> = []
          yield* sandbox.watch((one) =>
            seen.push(
              one._tag === "Asked"
                ? `${one.call.operation} ${one.call.status}`
                : `${one.attempt.documents.join()} ${one.attempt.answer}`
            )
          )
          yield* submit(sandbox, "A")
          assert.deepStrictEqual(seen, ["submitInvoice 200", "A,A 200"])
        })
      )
    )
  })
})
