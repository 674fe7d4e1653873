import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { TaxCode } from "../../src/document/Identifiers.ts"
import * as AccountFacts from "../../src/account/AccountFacts.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import * as Session from "../../src/session/Session.ts"
import type { StoreError } from "../../src/submission/ledger/StoreError.ts"
import type { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { at, engine, now, plan } from "../sending/Engine.ts"
import { make } from "../sending/ScriptedGateway.ts"
import { invoice as document } from "../submission/PlannedDocuments.ts"
import { bookWith, invoice } from "../import/SampleSources.ts"

describe("the consent to send documents from before the last close of the day", () => {
  it.effect("is refused if the device has lost its upload permission since the plan", () =>
    Effect.gen(function* () {
      yield* at(now)
      const gateway = make()
      gateway.state.mappings = { taxes: [], currencies: [] }
      gateway.state.device = { allowCsvUpload: true }
      const account = yield* Session.open(gateway.account())
      const readings = Stream.make(invoice("i1", "2026-01-05"))
      const planned = yield* Session.plan(account, { readings, book: bookWith(), timing: "historical" })
      yield* Session.consent(account, planned)
      gateway.state.device = { allowCsvUpload: false }
      yield* OpenAccount.renew(account)
      const { reason } = yield* Session.consent(account, planned).pipe(
        Effect.catchTag("StoreError", Effect.die),
        Effect.flip
      )
      assert.strictEqual(reason._tag, "HistoricalRefused")
    }).pipe(Effect.provide(Layer.merge(engine(), SqliteStaging.layerMemory)))
  )
})

describe("the consent to send under codes of the gateway", () => {
  it.effect("is refused while the gateway lacks a code of the plan", () =>
    Effect.gen(function* () {
      yield* at(now)
      const gateway = make()
      gateway.state.mappings = { taxes: [], currencies: [] }
      const account = yield* Session.open(gateway.account())
      const planned = yield* Session.plan(account, { readings: Stream.empty, book: bookWith() })
      yield* Session.consent(account, planned)
      const step = { _tag: "AddTax", code: TaxCode.make("VAT15"), name: "VAT 15 %", device: 1 } as const
      const missing = { codes: [{ step, documents: 1 }], findings: [] }
      const { reason } = yield* Session.consent(account, { ...planned, missing }).pipe(
        Effect.catchTag("StoreError", Effect.die),
        Effect.flip
      )
      const problems = ["to be done: map tax code VAT15 (VAT 15 %) to device tax 1"]
      assert.deepStrictEqual(reason, { _tag: "MappingsDiffer", problems })
    }).pipe(Effect.provide(Layer.merge(engine(), SqliteStaging.layerMemory)))
  )
})

interface PlannedEarlier {
  readonly gateway: ReturnType<typeof make>
  readonly settings: object
}

/** Runs a change between a plan and the opening of its account. */
const stands = (
  name: string,
  is: "kept" | "made again",
  change: (one: PlannedEarlier) => Effect.Effect<unknown, StoreError, SubmissionStore>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* at(now)
      const gateway = make()
      gateway.state.mappings = { taxes: [], currencies: [] }
      let count = 0
      const readings = Stream.suspend(() => {
        count += 1
        return Stream.make(invoice("i1", "2026-01-09"))
      })
      const settings = { ...gateway.account() }
      const book = bookWith()
      const planned = yield* Session.plan(yield* AccountFacts.read(settings, null), { readings, book })
      const before = count
      yield* change({ gateway, settings })
      const { standing } = yield* Session.openFor(planned, settings)
      assert.strictEqual(standing === null ? "made again" : "kept", is)
      if (is === "kept") assert.strictEqual(standing, planned)
      assert.strictEqual(count, before)
    }).pipe(Effect.provide(Layer.merge(engine(), SqliteStaging.layerMemory)))
  )

describe("a plan that was made before its account is opened", () => {
  stands("is kept while nothing has changed", "kept", () => Effect.void)
  stands("is kept an hour later on the same day", "kept", () => TestClock.adjust("1 hour"))
  stands("is made again on another day", "made again", () => TestClock.adjust("1 day"))
  stands("is made again once the store has one document more", "made again", () => plan(document("i9")))
  stands("is made again once the gateway maps codes otherwise", "made again", ({ gateway }) =>
    Effect.sync(() => {
      const mapping = { id: 1, userId: 1, taxCode: TaxCode.make("VAT15"), taxName: null, destinationTaxId: 2 }
      gateway.state.mappings = { taxes: [{ ...mapping, unknownFields: {} }], currencies: [] }
    })
  )
  stands("is made again once credit notes are numbered otherwise", "made again", ({ settings }) =>
    Effect.sync(() => Object.assign(settings, { creditNumbers: "CN-{original}-{n}" }))
  )
  stands("is made again once the device is another", "made again", ({ gateway }) =>
    Effect.sync(() => {
      gateway.state.device = { tin: "2000000002" }
    })
  )
})
