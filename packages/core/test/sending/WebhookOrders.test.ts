import { assert, it } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AttemptResult } from "../../src/submission/AttemptResult.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import type { WebhookAccount } from "../../src/sending/WebhookDelivery.ts"
import * as WebhookReceiver from "../../src/sending/WebhookReceiver.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { fiscalised, pending, rejected } from "./ScriptedGateway.ts"
import { delivery, fiscalizedWire, pendingWire, rejectedWire } from "./WebhookDeliveries.ts"

/** Number of orders; `WEBHOOK_ORDERS=10000` is the full proof (half a minute). */
const orders = Number(process.env["WEBHOOK_ORDERS"] ?? 400)

/** Event of a document: an answer, a webhook, a poll, an operator's decision, or elimination. */
type Event =
  | { readonly by: "answer"; readonly result: AttemptResult }
  | { readonly by: "webhook"; readonly items: ReadonlyArray<unknown> }
  | { readonly by: "poll"; readonly item: ReturnType<typeof pending> }
  | { readonly by: "person"; readonly decision: Decision }
  | { readonly by: "elimination" }

const webhook = (...items: ReadonlyArray<unknown>): Event => ({ by: "webhook", items })
const poll = (item: ReturnType<typeof pending>): Event => ({ by: "poll", item })
const person = (decision: Decision): Event => ({ by: "person", decision })
const answer = (result: AttemptResult): Event => ({ by: "answer", result })
const accepted = answer({ _tag: "Accepted", requestId: RequestId.make("r") })
const unknown = answer({ _tag: "Unknown", text: "answered 502" })
const elimination: Event = { by: "elimination" }

/** Events that may occur together; each story is shuffled, and half of its events occur twice. */
const stories: ReadonlyArray<ReadonlyArray<Event>> = [
  [accepted, webhook(fiscalizedWire("r")), poll(fiscalised("r")), poll(pending("r"))],
  [accepted, webhook(rejectedWire("r")), poll(rejected("r")), webhook(pendingWire("r"))],
  [accepted, webhook(rejectedWire("r", false)), webhook(fiscalizedWire("r", "A")), poll(fiscalised("r", "B"))],
  [accepted, webhook(pendingWire("r"), rejectedWire("r"), fiscalizedWire("r"), "noise")],
  [accepted, person({ _tag: "Fiscalised", proof: {} }), webhook(fiscalizedWire("r", "A")), poll(pending("r"))],
  [unknown, elimination, webhook(fiscalizedWire("r")), person({ _tag: "Accepted", requestId: RequestId.make("r") })],
  [
    unknown,
    elimination,
    webhook(fiscalizedWire("r", "A")),
    person({ _tag: "Fiscalised", proof: { verificationCode: "A" } })
  ],
  [unknown, elimination, webhook(rejectedWire("r")), person({ _tag: "NotProcessed" }), poll(rejected("r", "final"))],
  [
    unknown,
    elimination,
    webhook(fiscalizedWire("r")),
    poll(rejected("r")),
    person({ _tag: "Rejected", rejection: { error: "not there", nature: "final" } })
  ]
]

// Random numbers by mulberry32.
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
}

/**
 * Draws an order with repeated events; the answer occurs once, and an operator decides only after
 * it.
 */
const shuffled = (story: ReadonlyArray<Event>, draw: () => number): ReadonlyArray<Event> => {
  const twice = story.flatMap((event) => (event.by !== "answer" && draw() < 0.5 ? [event, event] : [event]))
  const mixed = twice
    .map((event) => ({ event, place: draw() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event)
  const sent = mixed.findIndex(({ by }) => by === "answer")
  return [
    ...mixed.slice(0, sent).filter(({ by }) => by !== "person"),
    mixed[sent]!,
    ...mixed.slice(0, sent).filter(({ by }) => by === "person"),
    ...mixed.slice(sent + 1)
  ]
}

const happening = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const receiver = yield* WebhookReceiver.make()
  let runs = 0

  /** Returns the final state of a document with a separate account and device. */
  return (events: ReadonlyArray<Event>) =>
    Effect.gen(function* () {
      const run = ++runs
      const account: WebhookAccount = { account: `shop ${run}`, secrets: [Redacted.make(`secret ${run}`)] }
      const name = account.account
      const key = { account: name, kind: "invoice", id: "i1" } as const
      yield* store.plan([invoice("i1", { account: name, lane: `${run}`, taxpayer: `${run}` })])
      const claim = yield* store.claim(`${run}`, "test", Duration.minutes(2), () => false)
      assert.isTrue(claim._tag === "Claimed")
      if (claim._tag !== "Claimed") return
      const attempt = yield* store.beginAttempt(claim.lease, {
        accounts: [{ account: name, environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
        lease: Duration.minutes(2),
        skew: Duration.days(36_500)
      })
      assert.isTrue(attempt._tag === "Begun")
      if (attempt._tag !== "Begun") return
      for (const event of events) {
        switch (event.by) {
          case "answer":
            yield* store.finishAttempt({ attempt: attempt.attempt, result: event.result, firstLook: Duration.zero })
            break
          case "webhook":
            assert.strictEqual((yield* receiver.receive(delivery(account, ...event.items))).status, 200)
            break
          case "poll":
            yield* store.recordOutcomes(name, [event.item], "poll")
            break
          case "person":
            yield* store.decide(key, event.decision, "as the portal shows")
            break
          case "elimination":
            yield* store.joinByElimination(name)
        }
      }
      // The outcome is joined even if the document was planned again meanwhile.
      yield* store.joinByElimination(name)
      const { proof, rejection, requestId, state } = Option.getOrThrow(yield* store.get(key))
      return { state, proof, rejection, requestId }
    })
})

// slow: 400 orders of events, each in a separate store
it.effect(
  `webhooks, polls, the submission's answer and an operator lead to one state in each of ${orders} orders`,
  () =>
    Effect.gen(function* () {
      const run = yield* happening
      const expected = yield* Effect.forEach(stories, run)
      assert.deepStrictEqual(
        expected.map((end) => end?.state),
        [
          "Fiscalised",
          "Rejected",
          "Fiscalised",
          "Fiscalised",
          "Fiscalised",
          "Fiscalised",
          "Fiscalised",
          "Rejected",
          "Fiscalised"
        ]
      )
      for (let n = 0; n < orders; n++) {
        const events = shuffled(stories[n % stories.length]!, random(n))
        const said = events.map((event) => event.by).join(", ")
        assert.deepStrictEqual(yield* run(events), expected[n % stories.length], `order ${n}: ${said}`)
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
)
