import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
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
      const { reason } = yield* Effect.flip(Session.consent(account, planned))
      assert.strictEqual(reason._tag, "HistoricalRefused")
    }).pipe(Effect.provide(Layer.merge(engine(), SqliteStaging.layerMemory)), Effect.scoped)
  )
})
