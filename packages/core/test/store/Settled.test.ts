/** The definition of what is known of an attempt in SQL, and the rules for stated failures. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqliteClient from "../../src/node/SqliteClient.ts"
import * as Settled from "../../src/submission/ledger/Settled.ts"
import { isOpen, mayBeReceipt, mayHaveReached, settled, type SettledText } from "../../src/store/rows/SettledSql.ts"

const pick = <A>(values: ReadonlyArray<A>, n: number): A => values[n % values.length]!

type Row = Record<string, unknown>

const outcomes = ["Fiscalised", "Contradictory", "Rejected", "Expired"] as const
const sources = ["poll", "webhook", "operator"] as const

/** Every combination of up to two outcomes on every kind of attempt. */
const cases = [0, 1].flatMap((possible) =>
  ([0, 1, 2] as const).flatMap((ruledOut) =>
    ["r1", null].flatMap((requestId) =>
      Array.from({ length: 25 * 25 }, (_, n) => {
        const outcome = (m: number) =>
          m === 0
            ? []
            : [{ outcome: pick(outcomes, m), source: pick(sources, Math.floor(m / 4)), id: m > 12 ? "r1" : "r0" }]
        return { possible, ruledOut, requestId, evidence: [...outcome(n % 25), ...outcome(Math.floor(n / 25))] }
      })
    )
  )
)

/** The definition without SQL. */
const pure = ({ evidence, possible, requestId, ruledOut }: (typeof cases)[number]): SettledText => {
  const standing = evidence.filter(
    ({ outcome }, n) =>
      outcome !== "Contradictory" || !evidence.slice(n + 1).some(({ source }) => source === "operator")
  )
  if (standing.some(({ outcome }) => outcome === "Fiscalised")) return "receipt"
  if (possible === 0) return "not-processed"
  if (standing.some(({ outcome }) => outcome === "Contradictory")) return "open"
  const rejections = standing.filter(({ outcome }) => outcome === "Rejected")
  if (rejections.some(({ id, source }) => source !== "operator" && id === requestId)) return "rejected"
  if (rejections.some(({ source }) => source === "operator")) return "statement"
  return ruledOut === 2 || (ruledOut === 1 && requestId === null) ? "statement" : "open"
}

describe("what is known of an attempt", () => {
  it.effect("is the same in SQL as in the definition, for every attempt", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table fiscal_attempt (id bigint, possibly_processed bigint, ruled_out bigint, request_id text)`
      yield* sql`create table fiscal_outcome
        (id integer primary key, submission bigint, attempt bigint, request_id text, source text, outcome text)`
      const attempts: ReadonlyArray<Row> = cases.map(({ possible, requestId, ruledOut }, id) => ({
        id,
        possibly_processed: possible,
        ruled_out: ruledOut,
        request_id: requestId
      }))
      const stored: ReadonlyArray<Row> = cases.flatMap(({ evidence }, id) =>
        evidence.map(({ id: request_id, outcome, source }) => ({
          submission: id,
          attempt: id,
          request_id,
          source,
          outcome
        }))
      )
      yield* sql`create index own on fiscal_outcome (attempt)`
      yield* sql`create index whole on fiscal_outcome (submission)`
      yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const attempt of attempts) yield* sql`insert into fiscal_attempt ${sql.insert(attempt)}`
          for (const outcome of stored) yield* sql`insert into fiscal_outcome ${sql.insert(outcome)}`
        })
      )
      const rows = yield* sql<Record<"settled" | "open" | "receipt" | "reached", string | number>>`select
        ${settled(sql)} as settled, (${isOpen(sql)}) as open, (${mayBeReceipt(sql)}) as receipt,
        (${mayHaveReached(sql)}) as reached from fiscal_attempt a order by id`
      const seen = new Set<string>()
      for (const [n, one] of cases.entries()) {
        const value = pure(one)
        seen.add(value)
        const row = rows[n]!
        const said = JSON.stringify(one)
        assert.strictEqual(row.settled, value, said)
        assert.strictEqual(row.open, Number(value === "open"), said)
        assert.strictEqual(row.receipt, Number(value === "open" || value === "receipt"), said)
        const isRuledOut = one.ruledOut === 2 || (one.ruledOut === 1 && one.requestId === null)
        const isOutOfReach = one.possible === 0 || isRuledOut
        assert.strictEqual(row.reached, Number(!isOutOfReach), said)
      }
      assert.deepStrictEqual([...seen].toSorted(), ["not-processed", "open", "receipt", "rejected", "statement"])
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})

const hour = 3_600_000

const failure: Settled.UnprovenFailure = {
  control: "told-apart",
  beside: "nothing",
  code: "none",
  deliveredAt: null,
  looks: 3,
  ableMillis: 20 * hour,
  ableSince: 0,
  ability: "able",
  quietUntil: hour,
  quiet: hour,
  lane: "later-receipt",
  after: Settled.standardAfter,
  now: 24 * hour
}

describe("a failure", () => {
  it("is settled by time only with every one of the facts", () => {
    assert.strictEqual(Settled.settledBy(failure, "poll"), "time")
    const lacking: ReadonlyArray<Partial<Settled.UnprovenFailure>> = [
      { control: "same" },
      { control: "not-answered" },
      { looks: 2 },
      { ableMillis: 20 * hour - 1 },
      { ableSince: null },
      { ableSince: 20 * hour + 1 },
      { ability: "unable" },
      { ability: "unknown" },
      { quietUntil: 24 * hour + 1 },
      { quiet: 20 * hour + 1 },
      { lane: "no-later-receipt" },
      { after: "never" }
    ]
    for (const one of lacking) {
      assert.isNull(Settled.settledBy({ ...failure, ...one }, "poll"), JSON.stringify(one))
    }
    assert.isNull(Settled.settledBy(failure, "webhook"))
  })

  it("is settled by a delivery after the quiet period, by its code at once, and by neither against the control", () => {
    const delivered = { ...failure, ableMillis: 0, deliveredAt: hour }
    assert.strictEqual(Settled.settledBy(delivered, "poll"), "delivery")
    assert.isNull(Settled.settledBy({ ...delivered, now: hour - 1 }, "poll"))
    assert.isNull(Settled.settledBy({ ...delivered, control: "not-answered" }, "poll"))
    const coded = { ...failure, ableMillis: 0, now: 0, code: "rule" as const }
    for (const source of ["poll", "webhook"] as const) {
      assert.strictEqual(Settled.settledBy(coded, source), "code")
      assert.strictEqual(Settled.settledBy({ ...coded, control: "not-answered" }, source), "code")
      assert.isNull(Settled.settledBy({ ...coded, control: "same" }, source))
      assert.isNull(Settled.settledBy({ ...coded, beside: "doubt" }, source))
    }
  })

  it("shows the time from which time alone can settle it", () => {
    assert.strictEqual(Settled.timeDecidesFrom({ ...failure, ableMillis: hour }), 43 * hour)
    assert.strictEqual(Settled.timeDecidesFrom({ ...failure, ableSince: 23 * hour }), 27 * hour)
    assert.isNull(Settled.timeDecidesFrom({ ...failure, after: "never" }))
    assert.isNull(Settled.timeDecidesFrom({ ...failure, control: "same" }))
  })
})
