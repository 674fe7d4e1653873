/** One verification code in answers that two processes record at the same moment. */
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { RequestId } from "../../src/document/Identifiers.ts"
import type { StatusItem } from "../../src/gateway/operation/Status.ts"
import * as PgStore from "../../src/node/PgStore.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { fresh } from "./Database.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.zero
}

/** Pairs of documents; both of a pair get one code. */
const pairs = 20

const fiscalised = (attempt: number): StatusItem => ({
  _tag: "Fiscalised",
  requestId: RequestId.make(`r${attempt}`),
  qrData: {
    verificationCode: `V${attempt % pairs}`,
    qrCodeUrl: null,
    fiscalDay: 7,
    deviceId: 1001,
    invoiceNumber: attempt + 1
  },
  fiscalInvoicePdf: null
})

it.live("is a conflict of both documents", () => {
  const config = fresh()
  const withStore = <A, E>(use: (store: SubmissionStore["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(SubmissionStore.use(use), PgStore.layer(config), { local: true })
  return withStore((one) =>
    withStore((other) =>
      Effect.gen(function* () {
        const numbers = Array.from({ length: 2 * pairs }, (_, n) => n)
        yield* one.plan(numbers.map((n) => invoice(`i${n}`)))
        const claim = yield* one.claim("test/1001", "somebody", options.lease, () => false)
        assert(claim._tag === "Claimed")
        for (const n of numbers) {
          const begun = yield* one.beginAttempt(claim.lease, options)
          assert(begun._tag === "Begun")
          const result = { _tag: "Accepted", requestId: RequestId.make(`r${n}`) } as const
          yield* one.finishAttempt({ attempt: begun.attempt, result, firstLook: Duration.zero })
        }
        for (let n = 0; n < pairs; n++) {
          yield* Effect.all(
            [
              one.recordOutcomes("shop", [fiscalised(n)], "webhook"),
              other.recordOutcomes("shop", [fiscalised(n + pairs)], "webhook")
            ],
            { concurrency: 2 }
          )
        }
        const conflicts = yield* Effect.forEach(yield* one.list({}), (key) =>
          Effect.map(one.explain(key), (found) => Option.getOrThrow(found).conflicts.map(({ code }) => code))
        )
        assert.deepStrictEqual(
          conflicts,
          numbers.map(() => ["PROOF_SHARED"])
        )
      })
    )
  )
})
