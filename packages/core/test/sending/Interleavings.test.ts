import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { permits } from "../../src/submission/Submission.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, engine, explain, key, now, plan, runs } from "./Engine.ts"
import { answers, fiscalised, make, pending, rejected } from "./ScriptedGateway.ts"

// slow: each drawn order is a whole life of a document in a separate store, twice

type Event = (store: SubmissionStore["Service"]) => Effect.Effect<unknown, unknown>

const hook =
  (...items: ReadonlyArray<StatusItem>): Event =>
  (store) =>
    store.recordOutcomes("shop", items, "webhook")
const poll =
  (...items: ReadonlyArray<StatusItem>): Event =>
  (store) =>
    store.recordOutcomes("shop", items, "poll")
const person =
  (decision: Decision): Event =>
  (store) =>
    store.decide(key("i1"), decision, "a person's word")

/** Events of a document accepted as r1, by poll, webhook and operator. */
const aboutAccepted: ReadonlyArray<Event> = [
  hook(pending("r1")),
  poll(pending("r1")),
  hook(rejected("r1")),
  poll(rejected("r1", "final")),
  hook(fiscalised("r1", "A")),
  poll(fiscalised("r1", "A")),
  poll(fiscalised("r1", null)),
  hook(fiscalised("r1", "B")),
  hook(fiscalised("foreign"), rejected("r1"))
]

/** Events of a document whose answer was lost; elimination joins the outcome. */
const aboutUnknown: ReadonlyArray<Event> = [
  (store) => store.joinByElimination("shop"),
  hook(fiscalised("lost", "A")),
  hook(rejected("lost")),
  poll(fiscalised("lost", "B")),
  poll(pending("lost")),
  hook(rejected("lost", "final"))
]

/**
 * Decisions of one operator. Only one per document is drawn: two different ones contradict each
 * other, and their order matters.
 */
const words: ReadonlyArray<Decision> = [
  { _tag: "Fiscalised", proof: { verificationCode: "A" } },
  { _tag: "Rejected", rejection: { error: "not there", nature: "final" } },
  { _tag: "NotProcessed" },
  { _tag: "Accepted", requestId: RequestId.make("lost") }
]

const Order = Schema.Array(
  Schema.Struct({
    event: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })),
    place: Schema.Int,
    again: Schema.Boolean
  })
).check(Schema.isMaxLength(6))
type Order = typeof Order.Type

const inTurn = (order: Order, from: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  order.map(({ event }) => from[event % from.length]!)
const shuffled = (order: Order, from: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  order
    .flatMap((one) => (one.again ? [one, { ...one, place: -one.place }] : [one]))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => from[event % from.length]!)

/**
 * Returns the result of the events in this order; asserts that every step is an edge of the table.
 */
const run = (events: ReadonlyArray<Event>, first: "accepted" | "unknown") =>
  Effect.gen(function* () {
    const gateway = make()
    const account = gateway.account({ credentials: "exclusive" })
    yield* at(now)
    if (first === "unknown") gateway.answer("i1", answers.unknown)
    yield* plan(invoice("i1"))
    yield* drain(account)
    const store = yield* SubmissionStore
    for (const event of events) yield* event(store)
    // An operator's decision may have planned the document again: later evidence must count without
    // another attempt.
    yield* store.joinByElimination("shop")
    const { conflicts, submission, timeline } = yield* explain("i1")
    for (const { cause, from, to } of timeline) {
      const allowed = from === null || from === to || permits(from, to, cause as never)
      assert.isTrue(allowed, `${from} became ${to} (${cause})`)
    }
    return {
      state: submission.state,
      proof: submission.proof,
      rejection: submission.rejection,
      conflicts: conflicts.map(({ code, detail }) => `${code} ${detail}`).toSorted()
    }
  }).pipe(Effect.provide(engine()))

it.effect.prop(
  "all facts about an accepted document lead to one state, in any order and with any repetition",
  { order: Order },
  ({ order }) =>
    Effect.gen(function* () {
      const straight = yield* run(inTurn(order, aboutAccepted), "accepted")
      const mixed = yield* run(shuffled(order, aboutAccepted), "accepted")
      assert.deepStrictEqual(mixed, straight)
    }),
  runs
)

it.effect.prop(
  "all facts about a document of unknown outcome lead to one state, including an operator's decision",
  { order: Order, word: Schema.Literals([0, 1, 2, 3]) },
  ({ order, word }) =>
    Effect.gen(function* () {
      const events = [person(words[word]!), ...aboutUnknown]
      const straight = yield* run(inTurn(order, events), "unknown")
      const mixed = yield* run(shuffled(order, events), "unknown")
      assert.deepStrictEqual(
        [mixed.state, mixed.proof, mixed.rejection],
        [straight.state, straight.proof, straight.rejection]
      )
    }),
  runs
)
