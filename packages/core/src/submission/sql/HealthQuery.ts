/** The figures of `health`, each from an index or the tally: as quick with a hundred thousand submissions as with a thousand. */
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Health, LaneHealth } from "../Health.ts"
import { settled, type State, states } from "../Submission.ts"
import { views } from "./Lanes.ts"
import { type Integer, number } from "./Rows.ts"
import * as Stored from "./Stored.ts"
import * as StoredWords from "./StoredWords.ts"

interface TallyRow {
  readonly lane: string
  readonly state: State
  readonly n: Integer
}

interface Figure {
  readonly n: Integer | null
}

const unsettled = states.filter((state) => !settled.includes(state))

const counts = (rows: ReadonlyArray<TallyRow>): Health["counts"] => {
  const counted: Partial<Record<State, number>> = {}
  for (const { n, state } of rows)
    if (number(n) !== 0)
      counted[Stored.oneOf(StoredWords.states, state, () => "a count (fiscal_tally)")] =
        (counted[state] ?? 0) + number(n)
  return counted
}

const figure = (rows: ReadonlyArray<Figure>): number | null =>
  Stored.nullable(rows[0]?.n ?? null, (n) => Stored.integer(n, () => "a time or count that health reads"))

/** Since when the oldest submission of the lane has been in each state that is not final. */
const oldest = (sql: SqlClient, lane: string, tally: ReadonlyArray<TallyRow>) =>
  Effect.gen(function* () {
    const found: Partial<Record<State, DateTime.Utc>> = {}
    for (const state of unsettled) {
      if (!tally.some((row) => row.state === state && number(row.n) > 0)) continue
      const since = figure(
        yield* sql<Figure>`select min(since) as n from fiscal_submission where lane = ${lane} and state = ${state}`
      )
      if (since !== null) found[state] = Stored.time(since, () => `since of a document that is ${state} (lane ${lane})`)
    }
    return found
  })

export const health = (sql: SqlClient, now: number, horizon: Duration.Duration): Effect.Effect<Health, SqlError> =>
  Effect.gen(function* () {
    const tally = yield* sql<TallyRow>`select * from fiscal_tally`
    const lanes: Array<LaneHealth> = []
    for (const view of yield* views(sql, undefined)) {
      const own = tally.filter(({ lane }) => lane === view.lane)
      lanes.push({ ...view, counts: counts(own), oldest: yield* oldest(sql, view.lane, own) })
    }
    const accounts = yield* sql<{ readonly account: string }>`select account from fiscal_account`
    const known: Array<number> = []
    for (const { account } of accounts) {
      const first = figure(
        yield* sql<Figure>`select min(known_at) as n from fiscal_attempt where account = ${account} and poll_at is not null`
      )
      if (first !== null) known.push(first)
    }
    const conflicts = yield* sql<Figure>`select count(*) as n from fiscal_conflict where settled_at is null`
    const unmatched = yield* sql<Figure>`select count(*) as n from fiscal_outcome where submission is null`
    return {
      at: DateTime.makeUnsafe(now),
      counts: counts(tally),
      lanes,
      secondsToHorizon:
        known.length === 0 ? null : Math.floor((Math.min(...known) + Duration.toMillis(horizon) - now) / 1000),
      conflicts: figure(conflicts) ?? 0,
      unmatched: figure(unmatched) ?? 0
    }
  })
