/** Upgrade of a store whose rejections were settled by any text. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import { migrate } from "../../src/store/database/Migrations.ts"
import { migrateUntil } from "./SchemaDump.ts"

const day = 86_400_000
/** Writes one document with one attempt, known for that many days, and its rejection. */
const rejected = (id: number, source: string, error: string, days: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const now = yield* Clock.currentTimeMillis
    const known = now - days * day
    const submission = { seq: id, account: "shop", kind: "invoice", id: `i${id}`, state: "Rejected", since: known }
    yield* sql`insert into fiscal_submission ${sql.insert({
      ...submission,
      lane: "l",
      taxpayer: "t",
      environment: "test",
      number: `N-${id}`,
      revision: 1,
      fingerprint: "f",
      source_date: "2026-01-10",
      lane_order: 1,
      zone: "+00:00",
      late: "hold",
      passage: "ordinary"
    })}`
    yield* sql`insert into fiscal_attempt ${sql.insert({
      id,
      submission: id,
      revision: 1,
      account: "shop",
      lane: "l",
      fence: 1,
      receipt_at: 1,
      receipt_text: "",
      repeats: "first",
      begun_at: known,
      request_id: `r${id}`,
      known_at: known,
      confirmed: 2
    })}`
    yield* sql`insert into fiscal_outcome ${sql.insert({
      account: "shop",
      request_id: `r${id}`,
      digest: `d${id}`,
      submission: id,
      attempt: id,
      source,
      outcome: "Rejected",
      detail: JSON.stringify({ error, nature: "correctable" }),
      arrived_at: known
    })}`
  })

describe("a store of an earlier version", () => {
  it.effect("keeps its rejections, names those that a text settled, and asks for the young ones again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(100 * day)
      const sql = yield* SqlClient
      yield* migrateUntil(28)
      yield* sql`insert into fiscal_lane (lane) values ('l')`
      yield* rejected(1, "poll", "RCPT026: the tax is wrong", 1)
      yield* rejected(2, "poll", "Still processing", 1)
      yield* rejected(3, "webhook", "TaxCode X9 is not mapped", 1)
      yield* rejected(4, "operator", "no", 1)
      yield* rejected(5, "poll", "Pending", 8)
      yield* migrate(() => Effect.void)
      const rows = yield* sql<Record<string, unknown>>`select o.settled_by, a.confirmed, s.state,
          case when a.poll_at is null then 'not asked' else 'asked' end as asked
        from fiscal_attempt a join fiscal_outcome o on o.attempt = a.id
        join fiscal_submission s on s.seq = a.submission order by a.id`
      assert.deepStrictEqual(
        rows.map((row) => Object.values(row).join(" ")),
        [
          "code 2 Rejected not asked",
          "text  Rejected asked",
          "delivery 2 Rejected not asked",
          "operator 2 Rejected not asked",
          "text  Rejected not asked"
        ]
      )
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})
