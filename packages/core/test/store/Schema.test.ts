import { assert, describe, it } from "../It.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import { reportsClashes } from "./ClashingStore.ts"
import { atOnce, dump, migrateUntil, stepByStep } from "./SchemaDump.ts"

const inMemory = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(SqliteClient.layer({ filename: ":memory:" })))

describe("a new store", () => {
  it.effect("has the same tables as a store that ran all migrations", function* () {
    assert.deepStrictEqual(
      yield* inMemory(Effect.andThen(atOnce, dump)),
      yield* inMemory(Effect.andThen(stepByStep, dump))
    )
  })
})

describe("a store of schema 25", () => {
  for (const [causes, stop] of [
    [[null, "clock"], null],
    [
      ["store-unproven", "store-older", "clock"],
      ["older", "attempt 3 is missing", 7000]
    ],
    [
      ["store-unproven", null],
      ["unproven", "another database", 6000]
    ]
  ] as const)
    it.effect(
      `has ${stop === null ? "no stop" : `the stop ${stop[0]}`} after stops of lanes ${causes.join(", ")}`,
      () =>
        inMemory(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* migrateUntil(25)
            yield* sql`insert into fiscal_store (one, id, made_at) values (1, 'a', 0)`
            const becauses = {
              "store-older": "the store is an older copy: attempt 3 is missing",
              "store-unproven": "another database",
              clock: "a clock"
            }
            for (const [lane, cause] of causes.entries())
              yield* sql`insert into fiscal_lane (lane, stop_cause, stop_because, stopped_at)
              values (${`test/${lane}`}, ${cause}, ${cause && becauses[cause]}, ${cause === "store-older" ? 7000 : 6000 + 2000 * (causes.length - 2)})`
            yield* migrateUntil(28)
            const [row] = yield* sql`select stop_cause, stop_because, stop_since from fiscal_store`
            assert.deepStrictEqual(Object.values(row!), stop === null ? [null, null, null] : [...stop])
            assert.deepStrictEqual(
              (yield* sql<{
                readonly stop_cause: string | null
              }>`select stop_cause from fiscal_lane order by lane`).map((lane) => lane.stop_cause),
              causes.map((cause) => (cause === "clock" ? cause : null))
            )
          })
        )
    )
})

describe("a store of schema 23", () => {
  it.effect("takes the gateway as the origin of a request id that the gateway has answered with", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrateUntil(23)
        yield* sql`pragma foreign_keys = off`
        for (const [id, result] of [
          [1, "Accepted"],
          [2, "Unknown"]
        ] as const) {
          yield* sql`insert into fiscal_attempt (id, submission, revision, account, lane, fence, receipt_at, receipt_text,
              repeats, begun_at, result, request_id, named_by)
            values (${id}, 1, 1, 'shop', 'test/1001', 1, 0, '2026-01-10T10:00:00Z', 'first', 0, ${result}, 'r1', 'operator')`
        }
        yield* migrateUntil(24)
        assert.deepStrictEqual(yield* sql`select result, named_by from fiscal_attempt order by id`, [
          { result: "Accepted", named_by: null },
          { result: "Unknown", named_by: "operator" }
        ])
      })
    )
  )
})

describe("a store of schema 25", () => {
  it.effect("is upgraded with its clashes of proofs, and reports them", () =>
    inMemory(Effect.andThen(TestClock.setTime(Date.now()), reportsClashes))
  )
})

describe("a store of schema 30", () => {
  it.effect("gets the fold of every number, of sent documents and of registered originals", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrateUntil(30)
        const numbers = Array.from({ length: 1001 }, (_, n) => `INV/${String(n).padStart(6, "0")}`)
        for (const number of numbers)
          yield* sql`insert into fiscal_number (taxpayer, number, account, kind, id)
            values ('2000000001', ${number}, 'shop', 'invoice', ${number})`
        yield* migrateUntil(31)
        const rows = yield* sql<{ readonly number: string; readonly folded: string }>`select number, folded
          from fiscal_number order by number`
        assert.deepStrictEqual(
          rows.map(({ folded, number }) => [number, folded]),
          numbers.map((number, n) => [number, `inv|${n}`])
        )
      })
    )
  )
})
