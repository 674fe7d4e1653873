import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { createHmac } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Reactivity } from "effect/reactivity"
import type { SubmissionKey } from "../../src/submission/PlannedDocument.ts"
import { StoreError } from "../../src/submission/ledger/StoreError.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import type { Delivery, WebhookAccount } from "../../src/sending/WebhookDelivery.ts"
import * as WebhookReceiver from "../../src/sending/WebhookReceiver.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, get, key, plan, stateOf, test } from "./Engine.ts"
import { make } from "./ScriptedGateway.ts"
import { bakery, delivery, deliveryOf, fiscalizedWire, pendingWire, rejectedWire, shop } from "./WebhookDeliveries.ts"

const receiving = (...deliveries: ReadonlyArray<Delivery>) =>
  Effect.scoped(
    Effect.flatMap(WebhookReceiver.make(), (receiver) =>
      Effect.forEach(deliveries, (each) =>
        Effect.map(receiver.receive(each), ({ body, status }) => `${status} ${body}`)
      )
    )
  )

const receive = (one: Delivery) => Effect.map(receiving(one), ([reply]) => reply!)

/** Plans and sends documents: i1 is accepted as r1, i2 as r2, and so on. */
const accepted = (...ids: ReadonlyArray<string>) =>
  Effect.andThen(plan(...ids.map((id) => invoice(id))), drain(make().account()))

const inbox = (account: string) =>
  SubmissionStore.use((store) => Effect.map(store.inbox(account), (items) => items.map(({ item }) => item.requestId)))

describe("a signed delivery", () => {
  it.effect(
    "brings the outcomes of the account's documents",
    test(function* () {
      yield* accepted("i1", "i2", "i3")
      const reply = yield* receive(delivery(shop, rejectedWire("r2"), fiscalizedWire("r1"), pendingWire("r3")))
      assert.strictEqual(reply, "200 3 taken")
      assert.deepStrictEqual(
        [yield* stateOf("i1"), yield* stateOf("i2"), yield* stateOf("i3")],
        ["Fiscalised", "Rejected", "Accepted"]
      )
      assert.strictEqual((yield* get("i1")).proof?.verificationCode, "V-r1")
    })
  )

  it.effect(
    "is stored without keys and secrets that the gateway echoes",
    test(function* () {
      yield* accepted("i1")
      const apiKey = Redacted.make("planted-key-77")
      const secret = Redacted.value(shop.secrets[0]!)
      const wire = { ...rejectedWire("r1"), Error: `no: planted-key-77, ${secret}`, Trace: ["planted-key-77"] }
      yield* receive(delivery({ ...shop, apiKey }, wire))
      const kept = JSON.stringify(yield* SubmissionStore.use((store) => store.explain(key("i1"))))
      assert.include(kept, "<redacted>")
      assert.notInclude(kept, "planted-key-77")
      assert.notInclude(kept, secret)
    })
  )

  it.effect(
    "keeps good results next to a bad one",
    test(function* () {
      yield* accepted("i1")
      const bad = [null, 7, {}, { RequestId: "r1", Success: "yes" }, fiscalizedWire("x".repeat(201))]
      const reply = yield* receive(delivery(shop, ...bad, fiscalizedWire("r1"), ...bad))
      assert.strictEqual(reply, "200 1 taken, 10 unreadable")
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      assert.deepStrictEqual(yield* inbox("shop"), [])
    })
  )

  it.effect(
    "is accepted repeatedly, and changes nothing the second time (HOOK-3)",
    test(function* () {
      yield* accepted("i1")
      const one = delivery(shop, fiscalizedWire("r1"))
      assert.deepStrictEqual(yield* receiving(one, one, one), ["200 1 taken", "200 1 taken", "200 1 taken"])
      const explained = yield* SubmissionStore.use((store) =>
        Effect.map(store.explain({ account: "shop", kind: "invoice", id: "i1" }), Option.getOrThrow)
      )
      assert.strictEqual(explained.evidence.length, 1)
      assert.strictEqual(explained.timeline.filter(({ to }) => to === "Fiscalised").length, 1)
    })
  )

  it.effect(
    "may arrive before the submission's own answer: its outcome is kept until then (HOOK-7)",
    test(function* () {
      assert.strictEqual(yield* receive(delivery(shop, fiscalizedWire("r1"))), "200 1 taken")
      assert.deepStrictEqual(yield* inbox("shop"), ["r1"])
      yield* accepted("i1")
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
      assert.deepStrictEqual(yield* inbox("shop"), [])
    })
  )

  for (const [name, body, reply] of [
    ["an empty array", "[]", "200 0 taken"],
    ["no bytes at all", "", "200 0 taken"],
    ["an object", "{}", "200 0 taken, 1 unreadable"],
    ["no JSON", "<html>", "200 0 taken, 1 unreadable"],
    ["no UTF-8", Uint8Array.of(0x5b, 0xff, 0x5d), "200 0 taken, 1 unreadable"],
    ["brackets without end", "[".repeat(100_000), "200 0 taken, 1 unreadable"]
  ] as const) {
    it.effect(
      `of ${name} is answered 2xx, as sent during registration (HOOK-5)`,
      test(() => Effect.map(receive(deliveryOf(shop, body)), (answer) => assert.strictEqual(answer, reply)))
    )
  }

  it.effect(
    "is accepted with a former secret during a rotation, and not afterwards (AUTH-6)",
    test(function* () {
      const rotating = { ...shop, secrets: [Redacted.make("the next one"), ...shop.secrets] }
      const former = { ...delivery(shop), account: rotating }
      const gone = { ...delivery(shop), account: { ...shop, secrets: [Redacted.make("the next one")] } }
      assert.deepStrictEqual(
        (yield* receiving(former, gone)).map((reply) => reply.slice(0, 3)),
        ["200", "401"]
      )
    })
  )

  it.effect(
    "changes only documents of the account with the secret that signed it",
    test(function* () {
      yield* accepted("i1")
      // The bakery's valid signature names the shop's request.
      assert.strictEqual(yield* receive(delivery(bakery, fiscalizedWire("r1"))), "200 1 taken")
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
      assert.deepStrictEqual([yield* inbox("shop"), yield* inbox("bakery")], [[], ["r1"]])
      // At the shop's address, the delivery is refused like any forgery.
      const misplaced = { ...delivery(bakery, fiscalizedWire("r1")), account: shop }
      assert.match(yield* receive(misplaced), /^401/)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    })
  )

  it.effect(
    "is read with the header and the form in the account's switches (HOOK-1, HOOK-3)",
    test(function* () {
      yield* accepted("i1")
      const other = { ...shop, assumptions: { "HOOK-1": "array-or-item", "HOOK-3": "X-Hub-Signature" } } as const
      const one = deliveryOf(other, JSON.stringify(fiscalizedWire("r1")))
      assert.property(one.headers, "x-hub-signature")
      assert.match(yield* receive({ ...one, account: shop }), /^401/)
      assert.strictEqual(yield* receive(one), "200 1 taken")
      assert.strictEqual(yield* stateOf("i1"), "Fiscalised")
    })
  )
})

describe("a delivery that is not signed by the account", () => {
  for (const [name, forge] of [
    ["no signature", ({ body }: Delivery) => ({ account: shop, headers: {}, body })],
    ["another key", (one: Delivery) => ({ ...one, headers: delivery(bakery, fiscalizedWire("r1")).headers })],
    [
      "two signatures",
      (one: Delivery) => ({ ...one, headers: { "X-Api-Signature": Object.values(one.headers) as [] } })
    ]
  ] as const) {
    it.effect(
      `is answered 401 and changes nothing: ${name}`,
      test(function* () {
        yield* accepted("i1")
        assert.match(yield* receive(forge(delivery(shop, fiscalizedWire("r1")))), /^401/)
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
        assert.deepStrictEqual(yield* inbox("shop"), [])
      })
    )
  }
})

describe("a body that the host has changed", () => {
  for (const [name, body, headers, said] of [
    ["was parsed", [fiscalizedWire("r1")], {}, /^500 The body of the delivery arrived as an object.*express\.raw/],
    ["was made a text", "[]", {}, /^500 The body of the delivery arrived as a string/],
    ["was not handed over", undefined, {}, /^500 The body of the delivery arrived as nothing/],
    ["was read before", new Uint8Array(), { "Content-Length": "312" }, /^500 .*312 bytes were announced/]
  ] as const) {
    it.effect(
      `is distinguished from a bad signature, with the next step: it ${name}`,
      test(() =>
        Effect.map(receive({ account: shop, headers, body: body as Uint8Array }), (reply) => assert.match(reply, said))
      )
    )
  }

  it.effect(
    "is refused before the signature check if it is larger than a mebibyte",
    test(() =>
      Effect.map(receive(deliveryOf(shop, new Uint8Array(1024 * 1024 + 1))), (reply) => assert.match(reply, /^413/))
    )
  )
})

describe("a busy store", () => {
  it.effect("causes a 503 answer in time, and the delivered results are not lost", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const gate = yield* Deferred.make<void>()
      const recordOutcomes: typeof store.recordOutcomes = (...args) =>
        Effect.andThen(Effect.uninterruptible(Deferred.await(gate)), store.recordOutcomes(...args))
      const stuck = SubmissionStore.of({ ...store, recordOutcomes })
      const receiver = yield* Effect.provideService(WebhookReceiver.make(), SubmissionStore, stuck)
      const receivedAt = yield* DateTime.now
      const one = { ...delivery(shop, fiscalizedWire("r1")), receivedAt }
      const answering = yield* Effect.forkChild(receiver.receive(one))
      yield* TestClock.adjust("3900 millis")
      assert.isUndefined(answering.pollUnsafe())
      yield* TestClock.adjust("200 millis")
      assert.strictEqual((yield* Fiber.join(answering)).status, 503)
      // The time before the arrival counts as well.
      const late = yield* Effect.forkChild(receiver.receive(one))
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(late)).status, 503)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual((yield* receiver.receive(delivery(shop, fiscalizedWire("r1")))).status, 200)
      assert.deepStrictEqual(yield* inbox("shop"), ["r1"])
    }).pipe(Effect.scoped, Effect.provide(memory))
  )

  it.live("causes a 503 answer while another process locks the file", () => {
    const folder = mkdtempSync(join(tmpdir(), "webhook-"))
    const filename = join(folder, "store.db")
    return Effect.gen(function* () {
      const receiver = yield* WebhookReceiver.make()
      const hasty: WebhookAccount = { ...shop, assumptions: { "HOOK-4": 1 } }
      const one = delivery(hasty, fiscalizedWire("r1"))
      const other = yield* Effect.provide(SqliteClient.make({ filename }), Reactivity.layer)
      // The other process keeps its lock until the reply; the test above has the deadline itself.
      const reply = yield* other.withTransaction(receiver.receive(one))
      assert.strictEqual(reply.status, 503)
      assert.strictEqual((yield* receiver.receive(one)).status, 200)
      assert.deepStrictEqual(yield* inbox("shop"), ["r1"])
    }).pipe(
      Effect.scoped,
      Effect.provide(SqliteStore.layer({ filename })),
      Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true })))
    )
  })

  it.effect("accepts the other results if one of them cannot be stored", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const picky = SubmissionStore.of({
        ...store,
        recordOutcomes: (account, items, source) =>
          items.some(({ requestId }) => requestId === "poison")
            ? Effect.die("a result that breaks the statement")
            : store.recordOutcomes(account, items, source)
      })
      const receiver = yield* Effect.provideService(WebhookReceiver.make(), SubmissionStore, picky)
      const one = delivery(shop, fiscalizedWire("a"), fiscalizedWire("poison"), fiscalizedWire("b"))
      assert.deepStrictEqual(yield* receiver.receive(one), { status: 200, body: "2 taken, 1 unreadable" })
      assert.deepStrictEqual(yield* inbox("shop"), ["a", "b"])
    }).pipe(Effect.scoped, Effect.provide(memory))
  )
})

describe("a store with an unreadable document", () => {
  it.effect("accepts results of the other documents, and requests the delivery again", () =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore
      const damaged = new StoreError({ operation: "read a row", reason: "corrupt", text: "total of invoice i7" })
      const torn = SubmissionStore.of({
        ...store,
        recordOutcomes: (account, items, source) =>
          items.some(({ requestId }) => requestId === "torn")
            ? Effect.fail(damaged)
            : store.recordOutcomes(account, items, source)
      })
      const receiver = yield* Effect.provideService(WebhookReceiver.make(), SubmissionStore, torn)
      const one = delivery(shop, fiscalizedWire("a"), fiscalizedWire("torn"), fiscalizedWire("b"))
      assert.strictEqual((yield* receiver.receive(one)).status, 503)
      assert.deepStrictEqual(yield* inbox("shop"), ["a", "b"])
    }).pipe(Effect.scoped, Effect.provide(memory))
  )
})

const memory = Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))

describe("the outcomes of unknown requests", () => {
  const many = (from: number, count: number) => Array.from({ length: count }, (_, i) => fiscalizedWire(`e${from + i}`))

  it.effect(
    "are kept up to the last 10 000 of the account",
    test(function* () {
      yield* receive(delivery(bakery, fiscalizedWire("b1")))
      for (let from = 0; from < 10_050; from += 2010) yield* receive(delivery(shop, ...many(from, 2010)))
      const kept = yield* inbox("shop")
      assert.strictEqual(kept.length, 10_000)
      assert.strictEqual(kept[0], "e50")
      assert.deepStrictEqual(yield* inbox("bakery"), ["b1"])
    })
  )

  it.effect(
    "are kept for 8 days",
    test(function* () {
      yield* receive(delivery(shop, fiscalizedWire("old")))
      yield* TestClock.adjust("8 days")
      yield* receive(delivery(shop, fiscalizedWire("mid")))
      assert.deepStrictEqual(yield* inbox("shop"), ["old", "mid"])
      yield* TestClock.adjust(1)
      yield* receive(delivery(shop, fiscalizedWire("new")))
      assert.deepStrictEqual(yield* inbox("shop"), ["mid", "new"])
    })
  )
})

describe("an account with an empty text as its secret", () => {
  it.effect(
    "accepts no delivery, because anyone could sign with an empty secret",
    test(function* () {
      yield* accepted("i1")
      const body = new TextEncoder().encode(JSON.stringify([fiscalizedWire("r1")]))
      const signature = createHmac("sha256", "").update(body).digest("base64")
      const account: WebhookAccount = { account: "shop", secrets: [Redacted.make("")] }
      assert.match(yield* receive({ account, headers: { "x-api-signature": signature }, body }), /^204/)
      const rotating = { ...account, secrets: [...account.secrets, ...shop.secrets] }
      assert.match(yield* receive({ account: rotating, headers: { "x-api-signature": signature }, body }), /^401/)
      assert.strictEqual(yield* stateOf("i1"), "Accepted")
    })
  )
})

describe("an account without a secret", () => {
  const trusting: WebhookAccount = { account: "shop", secrets: [] }

  const listening = (looks: Array<string>) =>
    WebhookReceiver.make({
      look: (account, ids) => Effect.sync(() => looks.push(`${account} ${ids.join(" ")}`))
    })

  it.effect(
    "treats a delivery as a reason to poll, and does not use its content",
    test(() =>
      Effect.gen(function* () {
        yield* accepted("i1")
        const looks: Array<string> = []
        const receiver = yield* listening(looks)
        const reply = yield* receiver.receive(delivery(trusting, fiscalizedWire("r1")))
        assert.deepStrictEqual(reply, { status: 204, body: "" })
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(looks, ["shop r1"])
        assert.strictEqual(yield* stateOf("i1"), "Accepted")
        assert.deepStrictEqual(yield* inbox("shop"), [])
      }).pipe(Effect.scoped)
    )
  )

  it.effect(
    "is polled once in ten seconds, however many deliveries arrive, and no delivery is forgotten",
    test(() =>
      Effect.gen(function* () {
        const looks: Array<string> = []
        const receiver = yield* listening(looks)
        for (let second = 0; second < 25; second++) {
          yield* receiver.receive(delivery(trusting, fiscalizedWire(`r${second}`)))
          yield* receiver.receive(deliveryOf(trusting, "what is this"))
          yield* TestClock.adjust("1 second")
        }
        const between = (from: number, to: number) =>
          `shop ${Array.from({ length: to - from }, (_, i) => `r${from + i}`).join(" ")}`
        assert.deepStrictEqual(looks, [between(0, 1), between(1, 10), between(10, 20)])
      }).pipe(Effect.scoped)
    )
  )

  it.effect(
    "polls the named request even if its next poll is hours away",
    test(() =>
      Effect.gen(function* () {
        yield* accepted("i1", "i2")
        const store = yield* SubmissionStore
        const receiver = yield* WebhookReceiver.make({ look: () => Effect.void })
        yield* store.duePolls("shop", 100, Duration.hours(3))
        yield* TestClock.adjust("1 minute")
        yield* store.duePolls("shop", 100, Duration.hours(3))
        assert.deepStrictEqual(yield* store.duePolls("shop", 100, Duration.zero), [])
        yield* receiver.receive(delivery(trusting, fiscalizedWire("r2"), fiscalizedWire("strange")))
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(yield* store.duePolls("shop", 100, Duration.zero), [RequestId.make("r2")])
      }).pipe(Effect.scoped)
    )
  )
})

describe("a thousand forged deliveries", () => {
  it.effect(
    "change nothing: wrong keys, changed bytes, signatures of other bodies, replays",
    test(function* () {
      yield* accepted("i1", "i2")
      const settled = delivery(shop, rejectedWire("r2"))
      yield* receive(settled)
      const before = yield* everything
      const good = delivery(shop, fiscalizedWire("r1"))
      const forged = (n: number): Delivery => {
        switch (n % 4) {
          case 0: {
            const thief = { ...shop, secrets: [Redacted.make(`guess ${n}`)] }
            return { ...delivery(thief, fiscalizedWire("r1")), account: shop }
          }
          case 1: {
            const body = Uint8Array.from(good.body)
            body[n % body.length]! ^= 1 << (n % 8)
            return { ...good, body }
          }
          case 2:
            return { ...good, headers: delivery(shop, fiscalizedWire(`r${n}`)).headers }
          default:
            return settled
        }
      }
      const replies = yield* receiving(...Array.from({ length: 1000 }, (_, n) => forged(n)))
      assert.deepStrictEqual(
        replies.map((reply) => reply.slice(0, 3)),
        replies.map((_, n) => (n % 4 === 3 ? "200" : "401"))
      )
      assert.deepStrictEqual(yield* everything, before)
    })
  )
})

const everything = SubmissionStore.use((store) =>
  Effect.gen(function* () {
    const keys: ReadonlyArray<SubmissionKey> = ["i1", "i2"].map((id) => ({ account: "shop", kind: "invoice", id }))
    return [yield* Effect.forEach(keys, (key) => store.explain(key)), yield* store.inbox("shop")]
  })
)
