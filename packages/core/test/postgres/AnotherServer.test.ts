import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { merged, type StoreWitness, type WitnessedStore } from "../../src/account/StoreWitness.ts"
import * as OpenAccount from "../../src/account/OpenAccount.ts"
import * as OlderStore from "../../src/session/OlderStore.ts"
import * as StatusPoller from "../../src/sending/StatusPoller.ts"
import * as Submitter from "../../src/sending/Submitter.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { plan } from "../sending/Engine.ts"
import { make } from "../sending/ScriptedGateway.ts"
import { beside, fresh } from "./Database.ts"

const remembering = () => {
  const known: Array<WitnessedStore> = []
  const witness: StoreWitness = {
    read: Effect.sync(() => [...known]),
    write: (store) =>
      Effect.sync(() => {
        known.splice(
          0,
          known.length,
          merged(
            known.find(({ id }) => id === store.id),
            store
          )
        )
        return "written" as const
      })
  }
  return witness
}

describe("a store whose database has a new identifier or timeline", () => {
  it.live(
    "continues if it contains the newest attempts; a process without attempts waits for a process that proves this",
    () => {
      const config = fresh()
      const process = Layer.mergeAll(Submitter.layer(), StatusPoller.layer).pipe(
        Layer.provideMerge(Layer.fresh(PgStore.layer(config)))
      )
      const proven = beside(
        config.schema,
        (sql) => sql<{ readonly proven_as: string }>`select proven_as from fiscal_store`
      )
      const failedOver = beside(
        config.schema,
        (sql) => sql`update fiscal_store set proven_as = '7000000000000000001/00000001'`
      )
      const gateway = make()
      const own = remembering()
      return Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const account = yield* OpenAccount.open(gateway.account(), { witness: own })
          yield* plan(invoice("i1"))
          yield* Submitter.Submitter.use((submitter) => submitter.drain([account]))
        }).pipe(Effect.provide(process))
        const [before] = yield* proven
        assert.match(before!.proven_as, /^\d+\/[0-9A-F]{8}$/)
        assert.strictEqual(gateway.submitted.length, 1)

        yield* failedOver
        const stranger = Effect.suspend(() => OpenAccount.open(gateway.account(), { witness: remembering() })).pipe(
          Effect.provide(process)
        )
        const refused = yield* Effect.flip(stranger)
        assert.include(refused.message, "this store may be an older copy")
        const stops = SubmissionStore.use((store) => Effect.map(store.lanes(), ([lane]) => lane!.stop?.cause))
        assert.strictEqual(yield* Effect.provide(stops, process), "store-unproven")

        const planned = yield* Effect.flip(Effect.provide(plan(invoice("i2")), process))
        assert.include(planned.message, "this store may be an older copy: it was 7000000000000000001/00000001 and is")

        // A worker without attempts reads the lanes, and opens the account again and again.
        yield* Effect.gen(function* () {
          const store = yield* SubmissionStore
          yield* store.claimable([{ account: "shop", continueAfter: "accepted", unknown: "for-a-person" }])
          for (let time = 0; time < 2; time++) {
            const again = yield* Effect.flip(OpenAccount.open(gateway.account(), { witness: remembering() }))
            assert.include(again.message, "this store may be an older copy")
          }
        }).pipe(Effect.provide(process))

        yield* Effect.provide(OpenAccount.open(gateway.account(), { witness: own }), process)
        assert.deepStrictEqual(yield* proven, [before!])
        assert.isUndefined(yield* Effect.provide(stops, process))
        yield* stranger

        // Another history with the same numbers, as after a failover with losses.
        yield* failedOver
        yield* beside(config.schema, (sql) => sql`update fiscal_attempt set token = 'another'`)
        yield* beside(config.schema, (sql) => sql`update fiscal_lane set newest_token = 'another'`)
        const lost = yield* Effect.flip(Effect.provide(OpenAccount.open(gateway.account(), { witness: own }), process))
        assert.include(lost.message, "older copy")
        assert.strictEqual(yield* Effect.provide(stops, process), "store-older")

        // An operator accepts the copy, and the copy is restored again.
        yield* Effect.provide(OlderStore.accept(own, "there is no newer one"), process)
        yield* Effect.provide(OpenAccount.open(gateway.account(), { witness: own }), process)
        assert.isUndefined(yield* Effect.provide(stops, process))
        yield* beside(config.schema, (sql) => sql`update fiscal_store set accepted = 0, accepted_token = null`)
        const again = yield* Effect.flip(Effect.provide(OpenAccount.open(gateway.account(), { witness: own }), process))
        assert.include(again.message, "put in place once more")
        assert.strictEqual(yield* Effect.provide(stops, process), "store-older")
      })
    }
  )
})
