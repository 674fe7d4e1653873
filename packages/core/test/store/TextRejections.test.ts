/**
 * Attempts of which the store's file says what no call says: rejections that an earlier version
 * settled by a text, requests without their evidence, and overrides.
 */
import { assert, describe, it } from "../It.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as BulkDecision from "../../src/session/BulkDecision.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, get, key, now, plan, stateOf, sweep } from "../sending/Engine.ts"
import { failed, fiscalised, make, rejected } from "../sending/ScriptedGateway.ts"

const file = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "text-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => join(path, "store.db")
)

const engineOn = (filename: string) =>
  Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
    Layer.provideMerge(Layer.fresh(SqliteStore.layer({ filename })))
  )

const change = (filename: string, statement: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(filename)
    database.exec(statement)
    database.close()
  })

/** Makes the stored rejection one of an earlier version. */
const byText = (filename: string) => change(filename, "update fiscal_outcome set settled_by = 'text'")

describe("a rejection that a text had settled", () => {
  it.effect("stays Rejected, and its correction is held once, until an operator has looked", function* () {
    const filename = yield* file
    const gateway = make()
    gateway.state.status = (id) => rejected(id)
    const account = gateway.account({ firstLook: 0 })
    yield* Effect.gen(function* () {
      yield* at(now)
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
      yield* byText(filename)
      yield* plan(invoice("i1", { total: "2.00" }))
      yield* drain(account)
      assert.deepInclude(yield* get("i1"), { state: "Held" })
      assert.include((yield* get("i1")).hold?.text ?? "", "look in the portal")
      assert.lengthOf(gateway.submitted, 1)
      yield* SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Resend" }, "not in the portal"))
      yield* drain(account)
      assert.lengthOf(gateway.submitted, 2)
      yield* sweep(account)
      assert.strictEqual(yield* stateOf("i1"), "Rejected")
      yield* plan(invoice("i1", { total: "3.00" }))
      yield* drain(account)
      assert.lengthOf(gateway.submitted, 3)
    }).pipe(Effect.provide(engineOn(filename)))
  })

  it.effect("is held if the gateway now states another failure", function* () {
    const filename = yield* file
    const gateway = make()
    gateway.state.status = (id) => rejected(id)
    const account = gateway.account({ firstLook: 0 })
    yield* Effect.gen(function* () {
      yield* at(now)
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* sweep(account)
      yield* byText(filename)
      gateway.state.status = (id) => failed(id, "Still processing")
      yield* plan(invoice("i1", { total: "2.00" }))
      yield* drain(account)
      assert.include((yield* get("i1")).hold?.text ?? "", "no longer says")
    }).pipe(Effect.provide(engineOn(filename)))
  })

  it.effect("is asked for before an operator's resend of the same document, too", function* () {
    const filename = yield* file
    const gateway = make()
    gateway.state.status = (id) => rejected(id)
    const account = gateway.account({ firstLook: "1 hour" })
    yield* Effect.gen(function* () {
      yield* at(now)
      yield* plan(invoice("i1"))
      yield* drain(account)
      yield* TestClock.adjust("1 hour")
      yield* sweep(account)
      yield* byText(filename)
      gateway.state.status = (id) => fiscalised(id)
      yield* SubmissionStore.use((store) => store.decide(key("i1"), { _tag: "Resend" }, "not in the portal"))
      yield* drain(account)
      const { hold } = yield* get("i1")
      assert.deepStrictEqual([hold?.cause, gateway.submitted.length], ["contradicted", 1])
    }).pipe(Effect.provide(engineOn(filename)))
  })
})

it.effect("an open request id is asked for before a correction, even after the gateway's retention", function* () {
  const filename = yield* file
  const gateway = make()
  gateway.state.status = (id) => rejected(id)
  const account = gateway.account({ firstLook: 0 })
  yield* Effect.gen(function* () {
    yield* at(now)
    yield* plan(invoice("i1"))
    yield* drain(account)
    yield* sweep(account)
    yield* plan(invoice("i1", { total: "2.00", late: "restamp" }))
    // the evidence that had settled the request is gone
    yield* change(filename, "delete from fiscal_outcome")
    gateway.state.status = () => null
    yield* TestClock.adjust("8 days")
    yield* drain(account)
    assert.deepStrictEqual([yield* stateOf("i1"), gateway.submitted.length], ["Held", 1])
  }).pipe(Effect.provide(engineOn(filename)))
})

it.effect("a resend of many leaves out a rejected document with an open request", function* () {
  const filename = yield* file
  const gateway = make()
  gateway.state.status = (id) => rejected(id)
  const account = gateway.account({ firstLook: 0 })
  yield* Effect.gen(function* () {
    yield* at(now)
    yield* plan(invoice("i1"), invoice("i2"))
    yield* drain(account)
    yield* sweep(account)
    yield* change(filename, "delete from fiscal_outcome where request_id = 'r2'")
    const selection = { state: "Rejected", cause: "RCPT017" } as const
    const { documents, others } = yield* BulkDecision.select(selection, "Resend")
    assert.deepStrictEqual([documents.map(({ id }) => id), others], [["i1"], 1])
    assert.lengthOf((yield* BulkDecision.select(selection, "Withdrawn")).documents, 2)
  }).pipe(Effect.provide(engineOn(filename)))
})

it.effect("an override of the wait for an account that cannot send is recorded with the request", function* () {
  const filename = yield* file
  const gateway = make()
  gateway.state.status = (id) => failed(id, "DEV01: off")
  const account = gateway.account({ firstLook: 0, longestPause: "1 minute" })
  yield* Effect.gen(function* () {
    yield* at(now)
    yield* plan(invoice("i1"))
    yield* drain(account)
    gateway.state.device = { isSwitchedOn: false }
    yield* sweep(account)
    yield* TestClock.adjust("1 hour")
    yield* sweep(account)
    const store = yield* SubmissionStore
    const rejection = { error: "no", nature: "correctable" } as const
    const decision = { _tag: "Rejected", rejection } as const
    assert.strictEqual((yield* store.decide(key("i1"), decision, "I looked"))._tag, "Refused")
    assert.strictEqual((yield* store.decide(key("i1"), decision, "I looked", "recent"))._tag, "Resolved")
    const database = new DatabaseSync(filename)
    const [attempt] = database.prepare("select hurried_at from fiscal_attempt").all()
    database.close()
    assert.isNotNull(attempt!["hurried_at"])
  }).pipe(Effect.provide(engineOn(filename)))
})
