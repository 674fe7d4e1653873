/**
 * A device is switched off after 30 of many documents. At most the documents that were accepted
 * before the first failure could be seen have failed, and after one act each document has one
 * receipt.
 */
import { DateTime, Duration, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as Runner from "../../packages/core/src/sending/Runner.ts"
import * as BulkDecision from "../../packages/core/src/session/BulkDecision.ts"
import type { OpenAccount } from "../../packages/core/src/account/OpenAccount.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import * as Patience from "../../packages/core/src/submission/ledger/Patience.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { bookWith, invoice } from "../../packages/core/test/import/SampleSources.ts"
import { assert, it } from "../../packages/core/test/It.ts"
import { engine } from "../../packages/core/test/sending/Engine.ts"
import * as WithoutSockets from "../../packages/core/test/sending/WithoutSockets.ts"
import { gatewayOf, sandboxOf } from "../answers/AnswersWorld.ts"
import { given } from "../Given.ts"

const { count } = given("device-off")

const offAfter = 30
const pace = Duration.millis(200)
const start = DateTime.makeUnsafe("2026-06-01T12:00:00+02:00").epochMilliseconds

const book = bookWith({
  late: "restamp",
  taxes: [{ from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" }]
})

const passing = <A, E, R>(work: Effect.Effect<A, E, R>) => WithoutSockets.ticking(work, TestClock.adjust(pace))

/** Sends until nothing more can change; a stopped lane is probed every 15 minutes. */
const sending = (account: OpenAccount) =>
  Effect.gen(function* () {
    for (let left = Infinity; left > 0;) {
      const { open } = yield* passing(Runner.run([account]))
      if (open >= left) return
      left = open
      yield* TestClock.adjust(Duration.sum(Patience.probe.is, Duration.minutes(1)))
    }
  })

it.effect(
  `a device that is off after ${offAfter} of ${count} documents fails few, and one act sends them`,
  function* () {
    yield* Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sandbox = yield* sandboxOf("registered")
      let accepted = 0
      // Documents that were accepted when the first answer stated the failure.
      let before: number | null = null
      const gateway = yield* gatewayOf(sandbox, (operation, text) => {
        if (operation === "submitInvoice" && ++accepted === offAfter)
          Effect.runSync(sandbox.control.changeDevice({ isSwitchedOn: false }))
        if (operation === "status" && before === null && text.includes("DEV01")) before = accepted
        return undefined
      })
      const account = yield* Session.open({ account: "main", gateway, zone: book.zone, pace })
      const documents = Array.from({ length: count }, (_, n) => invoice(`INV-${n + 1}`, "2026-06-01"))
      const planned = yield* Session.plan(account, { readings: Stream.fromIterable(documents), book })
      const consent = yield* Session.consent(account, planned)
      yield* passing(Session.report(Session.send(consent, { patience: "30 seconds" })))
      const store = yield* SubmissionStore
      const counts = Effect.map(store.health(Duration.days(7)), ({ counts }) => ({ ...counts }))

      const { Accepted: failed = 0, ...others } = yield* counts
      assert.isAbove(failed, 0)
      assert.isAtMost(failed, before! - offAfter, "accepted before the first outcome could be seen")
      assert.deepStrictEqual(others, { Fiscalised: offAfter, Planned: count - offAfter - failed })

      yield* Effect.orDie(sandbox.control.changeDevice({ isSwitchedOn: true }))
      yield* TestClock.adjust("20 minutes")
      const decision = { _tag: "Resend" } as const
      const { documents: found } = yield* BulkDecision.select({ cause: "DEV01" }, decision._tag)
      assert.lengthOf(found, failed)
      // A quiet period counts from the first look that finds the device on.
      yield* BulkDecision.before(decision, found, Effect.succeed([account]))
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* BulkDecision.before(decision, found, Effect.succeed([account])), [])
      const decided = yield* BulkDecision.decideAll(found, decision, "the device was off")
      assert.deepStrictEqual(
        decided.flatMap(({ resolution }) => (resolution._tag === "Refused" ? [resolution.text] : [])),
        []
      )
      yield* sending(account)

      assert.deepStrictEqual(yield* counts, { Fiscalised: count })
      const receipts = Map.groupBy(yield* sandbox.control.accepted, ({ receipts }) => receipts)
      assert.deepStrictEqual(
        [...receipts].map(([own, { length }]) => [own, length]),
        [[1, count]]
      )
      assert.isEmpty(yield* sandbox.control.coloured)
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.merge(engine(), SqliteStaging.layerMemory), { local: true }),
      Effect.orDie
    )
  }
)
