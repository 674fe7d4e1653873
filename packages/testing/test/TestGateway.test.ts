/** Tests the Layer: a program in Effect sends to the gateway of its test. */
import { assert, describe, it } from "@effect/vitest"
import * as Session from "../../core/src/session/Session.ts"
import * as PlainDocuments from "../../core/src/source/PlainDocuments.ts"
import { SubmissionStore } from "../../core/src/submission/SubmissionStore.ts"
import * as WebhookReceiver from "../../core/src/sending/WebhookReceiver.ts"
import * as TestGateway from "@fiscal-connector/testing/TestGateway"
import { Clock, Effect, Redacted } from "effect"
import { book, invoice, noon } from "./Shop.ts"

const layer = TestGateway.layer({ book, now: noon })

const send = (...numbers: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, book } = yield* TestGateway.TestGateway
      const opened = yield* Session.open(account)
      const readings = PlainDocuments.readings(numbers.map((number) => invoice(number)))
      const planned = yield* Session.plan(opened, { readings, book })
      return yield* Session.report(Session.send(yield* Session.consent(opened, planned)))
    })
  )

const states = Effect.gen(function* () {
  const store = yield* SubmissionStore
  return (yield* store.list({ limit: 10 })).map(({ number, state }) => `${number} ${state}`).toSorted()
})

describe("an Effect program with a test gateway", () => {
  it.live("sends to the gateway, and gets outcomes without waiting", () =>
    Effect.gen(function* () {
      const gateway = yield* TestGateway.TestGateway
      yield* send("S-1", "S-2")
      assert.deepStrictEqual(yield* states, ["S-1 Fiscalised", "S-2 Fiscalised"])
      assert.deepStrictEqual(
        (yield* gateway.receipts).map(({ number, total }) => [number, total]),
        [
          ["S-1", "19.98"],
          ["S-2", "19.98"]
        ]
      )
      assert.isAbove(yield* Clock.currentTimeMillis, noon.getTime())
    }).pipe(Effect.provide(layer))
  )

  it.live("loses an answer, and gets its outcome from a delivery", () =>
    Effect.gen(function* () {
      const gateway = yield* TestGateway.TestGateway
      yield* gateway.fail("pend")
      yield* gateway.fail("lose-answer", { documents: ["S-2"] })
      yield* send("S-1", "S-2")
      assert.deepStrictEqual(yield* states, ["S-1 Accepted", "S-2 Unknown"])
      const receiver = yield* WebhookReceiver.WebhookReceiver
      const receive = Effect.runPromiseWith(yield* Effect.context())
      const account = { account: "test", secrets: [Redacted.make("test-secret")] }
      const deliveries = yield* gateway.deliver((body, headers) =>
        receive(receiver.receive({ account, body, headers, receivedAt: noon }))
      )
      assert.deepStrictEqual(
        deliveries.map(({ answer, documents }) => [documents[0], answer]),
        [["S-2", 200]]
      )
    }).pipe(Effect.provide(layer))
  )
})
