import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { beside, fresh } from "./Database.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.zero
}
const policy = { firstLook: Duration.zero, longestPause: Duration.hours(1), retention: Duration.days(7) }
const requestId = RequestId.make("r1")
const fiscalised: StatusItem = { _tag: "Fiscalised", requestId, qrData: null, fiscalInvoicePdf: null }

describe("an outcome stored at the same moment as the answer with its request id", () => {
  it.live("is joined with its attempt by a later poll, although neither transaction saw the other", () => {
    const config = fresh()
    return Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* store.plan([invoice("i1")])
      const claim = yield* store.claim("test/1001", "somebody", options.lease, () => false)
      assert(claim._tag === "Claimed")
      const begun = yield* store.beginAttempt(claim.lease, options)
      assert(begun._tag === "Begun")
      const result = { _tag: "Accepted", requestId } as const
      yield* store.finishAttempt({ attempt: begun.attempt, result, firstLook: Duration.zero })
      // State after a delivery that looked for the request id before the answer was committed.
      yield* beside(
        config.schema,
        (sql) => sql`update fiscal_attempt set request_id = null where request_id = ${requestId}`
      )
      yield* store.recordOutcomes("shop", [fiscalised], "webhook")
      yield* beside(
        config.schema,
        (sql) => sql`update fiscal_attempt set request_id = ${requestId} where id = ${begun.attempt}`
      )
      assert.deepStrictEqual(
        (yield* store.list({})).map(({ state }) => state),
        ["Accepted"]
      )
      const asked = yield* store.duePolls("shop", 100, Duration.seconds(1))
      assert.deepStrictEqual(asked, [requestId])
      yield* store.recordPoll("shop", asked, [fiscalised], policy)
      assert.deepStrictEqual(
        (yield* store.list({})).map(({ state }) => state),
        ["Fiscalised"]
      )
      assert.deepStrictEqual(yield* store.duePolls("shop", 100, Duration.seconds(1)), [])
    }).pipe(Effect.provide(Layer.fresh(PgStore.layer(config))))
  })
})
