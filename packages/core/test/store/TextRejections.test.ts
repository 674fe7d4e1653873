/** Rejections that an earlier version of the program settled by a text. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { at, drain, get, key, now, plan, stateOf, sweep } from "../sending/Engine.ts"
import { failed, make, rejected } from "../sending/ScriptedGateway.ts"

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

/** Makes the stored rejection one of an earlier version. */
const byText = (filename: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(filename)
    database.exec("update fiscal_outcome set settled_by = 'text'")
    database.close()
  })

describe("a rejection that a text had settled", () => {
  it.effect("stays Rejected, and its correction is held once, until an operator has looked", () =>
    Effect.gen(function* () {
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
        assert.include((yield* get("i1")).hold?.because ?? "", "look in the portal")
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
    }).pipe(Effect.scoped)
  )

  it.effect("is held if the gateway now states another failure", () =>
    Effect.gen(function* () {
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
        assert.include((yield* get("i1")).hold?.because ?? "", "no longer says")
      }).pipe(Effect.provide(engineOn(filename)))
    }).pipe(Effect.scoped)
  )
})
