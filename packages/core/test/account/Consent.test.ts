import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TaxCode } from "../../src/document/Identifiers.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import * as Session from "../../src/session/Session.ts"
import { at, engine, now } from "../sending/Engine.ts"
import { make } from "../sending/ScriptedGateway.ts"
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
