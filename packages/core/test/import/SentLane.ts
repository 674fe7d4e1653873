/** Sends what a lane has, without a gateway: every request is accepted. */
import { assert } from "@effect/vitest"
import { RequestId } from "../../src/document/Identifiers.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { destination } from "./SampleSources.ts"

let requests = 0

/** Sends everything that the lane has, within seconds: a receipt date may be of the next second. */
export const sendAll = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const claimed = yield* store.claim(destination.lane, "test", Duration.minutes(1), () => false)
  if (claimed._tag !== "Claimed") return assert.fail("the lane is taken")
  const accounts = [{ ...destination, afterRejection: "retry", continueAfter: "accepted" } as const]
  for (let waited = 0; waited < 5;) {
    const next = yield* store.beginAttempt(claimed.lease, { accounts, lease: Duration.minutes(1), skew: Duration.zero })
    if (next._tag !== "Begun") {
      waited += 1
      yield* TestClock.adjust("1 second")
      continue
    }
    waited = 0
    const requestId = RequestId.make(`r${(requests += 1)}`)
    yield* store.finishAttempt({
      attempt: next.attempt,
      result: { _tag: "Accepted", requestId },
      firstLook: Duration.zero
    })
  }
  assert.strictEqual((yield* store.list({ states: ["Planned"] })).length, 0, "everything planned is sent")
  yield* store.release(claimed.lease)
})
