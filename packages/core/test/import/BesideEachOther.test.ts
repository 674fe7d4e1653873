/**
 * Concurrent imports of one device, and a worker that sends during a handover: no import makes
 * another's documents late.
 */
import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as SqliteStaging from "../../src/node/SqliteStaging.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { drain, engine, sweep } from "../sending/Engine.ts"
import { fiscalised, make, type ScriptedGateway } from "../sending/ScriptedGateway.ts"
import { creditNote, destination, invoice, plan, outcomesOf } from "./SampleSources.ts"

const services = Layer.merge(engine(), SqliteStaging.layerMemory)

const test =
  <A, E>(body: (gateway: ScriptedGateway) => Effect.Effect<A, E, Layer.Success<typeof services> | Scope.Scope>) =>
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-01T12:00:00Z"))
      const gateway = make()
      gateway.state.status = (id) => fiscalised(id, `V-${id}`, 1)
      return yield* body(gateway)
    }).pipe(Effect.provide(services), Effect.scoped)

const account = (gateway: ScriptedGateway) =>
  gateway.account({ account: destination.account, firstLook: 0 }, { deviceId: 1 })

const send = (gateway: ScriptedGateway) =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 3; turn++) {
      yield* drain(account(gateway))
      yield* sweep(account(gateway))
    }
  })

const states = SubmissionStore.use((store) =>
  Effect.map(store.list({ limit: 5000 }), (rows) => rows.map(({ number, state }) => `${number} ${state}`))
)

const notFiscalized = Effect.map(states, (rows) => rows.filter((row) => !row.endsWith(" Fiscalised")))

describe("two imports planned before either was sent", () => {
  it.effect(
    "are both sent, the second after the first, with its credit note after its invoice",
    test((gateway) =>
      Effect.gen(function* () {
        const first = yield* plan([invoice("INV-1", "2026-03-01"), invoice("INV-2", "2026-03-01")])
        const second = yield* plan([invoice("INV-3", "2026-03-01"), creditNote("CN-3", "2026-03-01", "INV-3")])
        yield* acceptPlan(first)
        yield* send(gateway)
        yield* acceptPlan(second)
        yield* send(gateway)
        assert.deepStrictEqual(
          gateway.submitted.map(({ date, id }) => `${id} ${date.slice(11, 19)}`),
          ["INV-1 08:00:01", "INV-2 08:00:02", "INV-3 08:00:03", "CN-3 08:00:04"]
        )
      })
    )
  )

  it.effect(
    "and a new plan of the second: a waiting document is not late because of its assigned time",
    test((gateway) =>
      Effect.gen(function* () {
        const first = yield* plan([invoice("INV-1", "2026-03-01"), invoice("INV-2", "2026-03-01")])
        const second = yield* plan([invoice("INV-3", "2026-03-01")])
        yield* acceptPlan(first)
        yield* drain(account(gateway))
        yield* acceptPlan(second)
        const again = yield* plan([invoice("INV-3", "2026-03-01")])
        assert.deepStrictEqual(outcomesOf(yield* Stream.runCollect(again.entries)), { "INV-3": "2026-03-01" })
        yield* acceptPlan(again)
        yield* send(gateway)
        assert.deepStrictEqual(yield* notFiscalized, [])
      })
    )
  )
})

describe("an import accepted beside one that is not over", () => {
  it.effect(
    "is that import only with the same files: another file with the same book and settings is remembered too",
    test(() =>
      Effect.gen(function* () {
        const at = yield* DateTime.now
        const made = (sha256: string) => ({
          at: DateTime.setZone(at, DateTime.zoneMakeOffset(0)),
          destination,
          adapter: "csv",
          files: [{ name: "sales.csv", bytes: 1, sha256 }],
          book: null,
          settings: {}
        })
        const accepted = (number: string, sha256: string, joined: ReadonlyArray<number> = []) =>
          Effect.flatMap(plan([invoice(number, "2026-03-01")]), (planned) => acceptPlan(planned, made(sha256), joined))
        const { import: first } = yield* accepted("INV-1", "a")
        assert.isNotNull(first)
        assert.notStrictEqual((yield* accepted("INV-2", "b", [first!])).import, first)
        assert.strictEqual((yield* accepted("INV-1", "a", [first!])).import, first)
      })
    )
  )
})

describe("an export with the newest day first, too large for one transaction", () => {
  it.effect(
    "is planned in sending order: a worker that sends meanwhile makes no document late",
    test((gateway) =>
      Effect.gen(function* () {
        const numbers = Array.from({ length: 450 }, (_, n) => n)
        const documents = numbers.map((n) => {
          const day = String(28 - Math.floor(n / 20)).padStart(2, "0")
          return invoice(`INV-${String(1000 - n)}`, `2026-02-${day}`)
        })
        const made = yield* plan(documents)
        const store = yield* SubmissionStore
        // Documents are sent immediately after their handover.
        const sending = Effect.provideContext(send(gateway), yield* Effect.context<Layer.Success<typeof services>>())
        const eager = SubmissionStore.of({
          ...store,
          handOver: (accounts) =>
            Effect.tap(store.handOver(accounts), (page) => (Option.isSome(page) ? Effect.orDie(sending) : Effect.void))
        })
        yield* acceptPlan(made).pipe(Effect.provideService(SubmissionStore, eager))
        yield* send(gateway)
        assert.deepStrictEqual(yield* notFiscalized, [])
        assert.strictEqual(gateway.submitted.length, documents.length)
      })
    )
  )
})
