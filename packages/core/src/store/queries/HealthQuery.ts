/** The figures of `health`, each from an index or the tally: as quick with a hundred thousand submissions as with a thousand. */
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber, RequestId } from "../../document/Identifiers.ts"
import type { Health, LaneHealth, OpenImports, UnansweredRequest } from "../../submission/Health.ts"
import { settled, type State, states } from "../../submission/Submission.ts"
import { views } from "../lanes/Lanes.ts"
import { type AttemptRow, type Integer, keyOf, number, type SubmissionRow } from "../rows/Rows.ts"
import * as Stored from "../../ledger/Stored.ts"
import * as StoredWords from "../rows/StoredWords.ts"

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

interface UnansweredRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "lane"> {
  readonly request_id: string
  readonly named_by: AttemptRow["named_by"]
  readonly known_at: Integer
  readonly looks: Integer
}

const most = 20

/** What is awaited and was never mentioned: as pending requests count from when they were last mentioned, these are among the first. */
const unanswered = (sql: SqlClient, account: string): Effect.Effect<ReadonlyArray<UnansweredRequest>, SqlError> =>
  Effect.map(
    sql<UnansweredRow>`select s.account, s.kind, s.id, s.number, s.lane, a.request_id, a.named_by, a.known_at, a.looks
      from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
      where a.account = ${account} and a.poll_at is not null and a.mentioned_at is null and s.state = 'Accepted'
      order by a.known_at limit ${most}`,
    (rows) =>
      rows.map((row) => ({
        key: keyOf(row),
        number: Stored.name<DocumentNumber>(row.number, () => `number of ${row.kind} ${row.id}`),
        lane: row.lane,
        requestId: Stored.name<RequestId>(row.request_id, () => `request_id of ${row.kind} ${row.id}`),
        by: row.named_by ?? "gateway",
        since: Stored.time(row.known_at, () => `known_at of an attempt of ${row.kind} ${row.id}`),
        looks: number(row.looks)
      }))
  )

interface OpenImportRow {
  readonly id: Integer
  readonly account: string
  readonly standing: string
  readonly rest: Integer
}

const openImports = (sql: SqlClient): Effect.Effect<OpenImports, SqlError> =>
  Effect.map(
    sql<OpenImportRow>`select id, account, standing, rest from fiscal_import
      where standing in ('accepted', 'incomplete', 'unfinished') order by id limit ${3 * most}`,
    (rows) => ({
      incomplete: rows
        .filter(({ standing }) => standing === "incomplete")
        .slice(0, most)
        .map(({ account, id }) => ({ id: number(id), account })),
      waiting: rows
        .filter(({ standing }) => standing === "accepted")
        .slice(0, most)
        .map(({ account, id, rest }) => ({ id: number(id), account, documents: number(rest) })),
      unfinished: rows
        .filter(({ standing }) => standing === "unfinished")
        .slice(0, most)
        .map(({ account, id }) => ({ id: number(id), account }))
    })
  )

export const health = (sql: SqlClient, now: number, retention: Duration.Duration): Effect.Effect<Health, SqlError> =>
  Effect.gen(function* () {
    const tally = yield* sql<TallyRow>`select * from fiscal_tally`
    const lanes: Array<LaneHealth> = []
    for (const view of yield* views(sql, undefined)) {
      const own = tally.filter(({ lane }) => lane === view.lane)
      lanes.push({ ...view, counts: counts(own), oldest: yield* oldest(sql, view.lane, own) })
    }
    const accounts = yield* sql<{ readonly account: string }>`select account from fiscal_account`
    const known: Array<number> = []
    const silent: Array<UnansweredRequest> = []
    for (const { account } of accounts) {
      const first = figure(
        yield* sql<Figure>`select min(known_at) as n from fiscal_attempt where account = ${account} and poll_at is not null`
      )
      if (first === null) continue
      known.push(first)
      silent.push(...(yield* unanswered(sql, account)))
    }
    const conflicts = yield* sql<Figure>`select count(*) as n from fiscal_conflict where settled_at is null`
    const unmatched = yield* sql<Figure>`select count(*) as n from fiscal_outcome where submission is null`
    return {
      at: DateTime.makeUnsafe(now),
      counts: counts(tally),
      lanes,
      secondsToHorizon:
        known.length === 0 ? null : Math.floor((Math.min(...known) + Duration.toMillis(retention) - now) / 1000),
      conflicts: figure(conflicts) ?? 0,
      unmatched: figure(unmatched) ?? 0,
      imports: yield* openImports(sql),
      unanswered: silent
    }
  })
