import { assert, describe, it } from "../It.ts"
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Fiber, Layer } from "effect"
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

const dated = (id: string, second: string) => invoice(id, { receiptDate: `2026-01-10T12:00:${second}+02:00` })

/**
 * Begins the lane's next attempt while another transaction changes rows; returns the begun document
 * after the commit.
 */
const begunMeanwhile = (change: (sql: PgClient.PgClient) => Effect.Effect<unknown, unknown>) => {
  const config = fresh()
  return Effect.gen(function* () {
    const store = yield* SubmissionStore
    yield* store.plan([dated("i1", "01"), dated("i2", "02")])
    const claim = yield* store.claim("test/1001", "somebody", options.lease, () => false)
    assert(claim._tag === "Claimed")
    return yield* beside(config.schema, (sql) =>
      Effect.gen(function* () {
        const waits = Effect.map(
          sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          (rows) => rows.length > 0
        )
        const begin = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* change(sql)
            const fiber = yield* Effect.forkDetach(store.beginAttempt(claim.lease, options))
            yield* Effect.repeat(Effect.delay(waits, "10 millis"), { until: (so) => so })
            return fiber
          })
        )
        return { begun: yield* Fiber.join(begin), documents: yield* store.list({}) }
      })
    )
  }).pipe(Effect.provide(Layer.fresh(PgStore.layer(config))))
}

describe("the head of a queue during a change by another client", () => {
  it.live("is not sent if an operator has withdrawn it", function* () {
    const { begun, documents } = yield* begunMeanwhile(
      (sql) => sql`update fiscal_submission set state = 'Withdrawn' where id = 'i1'`
    )
    assert.strictEqual(begun._tag === "Begun" ? begun.key.id : begun._tag, "i2")
    assert.deepStrictEqual(documents.map(({ id, state }) => `${id} ${state}`).toSorted(), [
      "i1 Withdrawn",
      "i2 Sending"
    ])
  })

  it.live("is sent with its new text, and not after the next document", function* () {
    const { begun } = yield* begunMeanwhile((sql) =>
      Effect.andThen(
        sql`insert into fiscal_payload (submission, revision, planned_at, currency, total, source, body)
            select submission, 2, planned_at, currency, total, source, replace(body, 'USD', 'EUR') from fiscal_payload
            where submission = (select seq from fiscal_submission where id = 'i1')`,
        sql`update fiscal_submission set revision = 2 where id = 'i1'`
      )
    )
    assert(begun._tag === "Begun")
    assert.strictEqual(begun.key.id, "i1")
    assert.strictEqual(begun.document.payload.currencyCode, "EUR")
  })
})
