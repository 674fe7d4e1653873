/** Documents that were sent, or tried, and come again with the next export: through the plan, the store and the lane, as a job does it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Connector from "@fiscal-connector/core/connector/Connector"
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { drain, engine, sweep } from "../submission/Engine.ts"
import { answers, fiscalised, make, rejected, type ScriptedGateway } from "../submission/ScriptedGateway.ts"
import { creditNote, destination, invoice, money, plan, type PlanOptions, planned, standing } from "./SampleSources.ts"

const afternoon = "2026-03-01T12:00:00Z"

const test =
  <A, E>(body: (gateway: ScriptedGateway) => Effect.Effect<A, E, Layer.Success<typeof services> | Scope.Scope>) =>
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(afternoon))
      return yield* body(make())
    }).pipe(Effect.provide(services), Effect.scoped)

const services = Layer.merge(engine(), SqliteStaging.layerMemory)

const account = (gateway: ScriptedGateway) => gateway.account({ account: destination.account, firstLook: 0 })

/** What an import does: plan, submit, send, look for the outcomes. Answers with what the plan said of each document. */
const imported = (gateway: ScriptedGateway, documents: ReadonlyArray<SourceDocument>, options?: PlanOptions) =>
  Effect.gen(function* () {
    const made = yield* plan(documents, options)
    const entries = yield* Stream.runCollect(made.entries)
    yield* Connector.submit(made)
    yield* drain(account(gateway))
    yield* sweep(account(gateway))
    yield* drain(account(gateway))
    yield* sweep(account(gateway))
    return standing(entries)
  })

const states = SubmissionStore.use((store) =>
  Effect.map(store.list({}), (rows) =>
    Object.fromEntries(rows.map(({ hold, number, state }) => [number, hold === null ? state : `Held ${hold.cause}`]))
  )
)

const keyOf = (id: string) =>
  ({ account: destination.account, kind: id.startsWith("CN") ? "credit-note" : "invoice", id }) as const

const decide = (id: string, decision: Decision) =>
  Effect.map(Connector.resolve(keyOf(id), decision, "as the portal shows"), (resolution) =>
    assert.strictEqual(resolution._tag, "Resolved", JSON.stringify(resolution))
  )

const sent = ({ submitted }: ScriptedGateway) =>
  submitted.map(({ date, id, isRetry }) => `${id} ${date}${isRetry ? " retry" : ""}`)

const first = (id: string, fields: Partial<SourceDocument> = {}) => invoice(id, "2026-01-05", fields)

/** The same document with something in it put right. */
const correction = { lines: [{ ...first("x").lines[0]!, unitAmount: money("90") }] }
const corrected = (id: string, date = "2026-01-05") => invoice(id, date, correction)

describe("a document that a person settled as not processed", () => {
  it.effect(
    "is sent when it is imported again, with its own date and IsRetry: its attempt does not make it late",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, [first("INV-1"), first("INV-2")])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Unknown" })
        yield* decide("INV-2", { _tag: "NotProcessed" })
        const said = yield* imported(gateway, [first("INV-1"), first("INV-2")])
        assert.deepStrictEqual(said, { "INV-1": "known, Fiscalised", "INV-2": "2026-01-05" })
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway), [
          "INV-1 2026-01-05T08:00:01+02:00",
          "INV-2 2026-01-05T08:00:02+02:00",
          "INV-2 2026-01-05T08:00:02+02:00 retry"
        ])
      })
    )
  )

  it.effect(
    "is sent in its place, before the ones that waited behind it",
    test((gateway) =>
      Effect.gen(function* () {
        const batch = [first("INV-1"), first("INV-2"), first("INV-3")]
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, batch)
        yield* decide("INV-2", { _tag: "NotProcessed" })
        yield* imported(gateway, [...batch, first("INV-4")])
        assert.deepStrictEqual(sent(gateway).slice(2), [
          "INV-2 2026-01-05T08:00:02+02:00 retry",
          "INV-3 2026-01-05T08:00:03+02:00",
          "INV-4 2026-01-05T08:00:04+02:00"
        ])
      })
    )
  )

  it.effect(
    "is no reason to hold a document of an earlier date: it never reached the device",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-2", answers.unknown)
        yield* imported(gateway, [first("INV-2")])
        yield* decide("INV-2", { _tag: "NotProcessed" })
        yield* imported(gateway, [invoice("INV-1", "2026-01-04"), first("INV-2")])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
      })
    )
  )

  it.effect(
    "is late when another has really gone with a later date",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.answer("INV-1", answers.unknown)
        yield* imported(gateway, [first("INV-1")])
        yield* decide("INV-1", { _tag: "Withdrawn" })
        yield* imported(gateway, [invoice("INV-2", "2026-01-06")])
        const said = yield* imported(gateway, [invoice("INV-0", "2026-01-05")])
        assert.strictEqual(
          said["INV-0"],
          "held: INV-0 is dated at or before another receipt that may have reached the device: INV-2, 2026-01-06T08:00:01+02:00"
        )
      })
    )
  )

  it.effect(
    "may be a credit note, and may be an original with its note behind it",
    test((gateway) =>
      Effect.gen(function* () {
        const batch = [first("INV-1"), creditNote("CN-1", "2026-01-05", "INV-1")]
        gateway.answer("INV-1", answers.unknown)
        gateway.answer("CN-1", answers.unknown)
        yield* imported(gateway, batch)
        yield* decide("INV-1", { _tag: "NotProcessed" })
        yield* imported(gateway, batch)
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "CN-1": "Unknown" })
        yield* decide("CN-1", { _tag: "NotProcessed" })
        yield* imported(gateway, batch)
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "CN-1": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway).at(-1), "CN-1 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )
})

describe("the last document sent, rejected and corrected", () => {
  const rejectedLast = (gateway: ScriptedGateway) =>
    Effect.gen(function* () {
      gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
      yield* imported(gateway, [first("INV-1"), first("INV-2")])
      assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Rejected" })
    })

  it.effect(
    "is planned as a new revision, and sent with its own date",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        const said = yield* imported(gateway, [first("INV-1"), corrected("INV-2")])
        assert.deepStrictEqual(said, { "INV-1": "known, Fiscalised", "INV-2": "2026-01-05" })
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised" })
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )

  it.effect(
    "may have got an earlier date, as long as that is after everything else that has gone",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
        yield* imported(gateway, [first("INV-1"), invoice("INV-2", "2026-01-09")])
        const said = yield* imported(gateway, [corrected("INV-2", "2026-01-07")])
        assert.deepStrictEqual(said, { "INV-2": "2026-01-07" })
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-07T08:00:01+02:00 retry")
      })
    )
  )

  it.effect(
    "may have got an earlier date of the same day as another, and comes right after it",
    test((gateway) =>
      Effect.gen(function* () {
        gateway.state.status = (id) => (id === "r2" ? rejected(id) : fiscalised(id))
        yield* imported(gateway, [first("INV-1"), invoice("INV-2", "2026-01-09")])
        yield* imported(gateway, [corrected("INV-2", "2026-01-05")])
        assert.deepStrictEqual(sent(gateway).at(-1), "INV-2 2026-01-05T08:00:02+02:00 retry")
      })
    )
  )

  it.effect(
    "takes its credit note along",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        yield* imported(gateway, [corrected("INV-2"), creditNote("CN-2", "2026-01-06", "INV-2", correction)])
        assert.deepStrictEqual(yield* states, { "INV-1": "Fiscalised", "INV-2": "Fiscalised", "CN-2": "Fiscalised" })
      })
    )
  )

  it.effect(
    "is historical, not late, when the day was closed in between: no other receipt has gone after it",
    test((gateway) =>
      Effect.gen(function* () {
        yield* rejectedLast(gateway)
        const lastClose = Option.getOrThrow(Instant.parse("2026-01-05T18:00:00+02:00"))
        const { entries } = yield* planned([corrected("INV-2")], { lastClose })
        assert.strictEqual(
          standing(entries)["INV-2"],
          "held: INV-2 is dated at or before the close of the last fiscal day (2026-01-05T18:00:00+02:00)"
        )
      })
    )
  )
})
