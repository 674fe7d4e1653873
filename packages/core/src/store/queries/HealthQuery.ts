/**
 * Figures of `health` come from indexes and counts: as fast with a hundred thousand submissions as
 * with a thousand.
 */
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber, RequestId } from "../../document/Identifiers.ts"
import type { StoredConflict } from "../../submission/Explanation.ts"
import type {
  DecidableDocument,
  Health,
  HealthOperations,
  LaneHealth,
  OpenConflicts,
  OpenImports,
  StuckDocuments,
  UnansweredRequest
} from "../../submission/Health.ts"
import { causeNamed } from "../../submission/PlannedDocument.ts"
import { isStuck, open, type State, states, type StuckState } from "../../submission/Submission.ts"
import { causeOf } from "../../submission/ledger/LaneFailures.ts"
import * as LaneCauses from "../lanes/LaneCauses.ts"
import { views } from "../lanes/Lanes.ts"
import { type AttemptRow, type Integer, keyOf, number, type SubmissionRow } from "../rows/Rows.ts"
import * as AcceptedUnknowns from "./AcceptedUnknowns.ts"
import * as RefusedDocuments from "../evidence/RefusedDocuments.ts"
import * as LiveSourceQueries from "./LiveSourceQueries.ts"
import * as AlertTurn from "./AlertTurn.ts"
import * as Notices from "./Notices.ts"
import { type Database, ifNeeded, type ReadContext, type SqlEffect } from "../database/Transaction.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import * as ProofConflict from "../rows/ProofConflict.ts"
import * as DecisionFacts from "../evidence/DecisionFacts.ts"
import { unproven } from "../evidence/Failures.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { mayBeReceiptText } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"

interface TallyRow {
  readonly lane: string
  readonly state: State
  readonly n: Integer
}

interface CountRow {
  readonly n: Integer | null
}

const counts = (rows: ReadonlyArray<TallyRow>): Health["counts"] => {
  const counted: Partial<Record<State, number>> = {}
  for (const { n, state } of rows)
    if (number(n) !== 0)
      counted[Stored.oneOf(StoredValues.states, state, () => "a count (fiscal_tally)")] =
        (counted[state] ?? 0) + number(n)
  return Object.fromEntries(states.flatMap((state) => (counted[state] === undefined ? [] : [[state, counted[state]]])))
}

const figure = (rows: ReadonlyArray<CountRow>): number | null =>
  Stored.nullable(rows[0]?.n ?? null, (n) => Stored.integer(n, () => "a time or count that health reads"))

const sinceOf = (state: State, lane: string) => () => `since of a document that is ${state} (lane ${lane})`

const oldest = (sql: SqlClient, lane: string, tally: ReadonlyArray<TallyRow>) =>
  Effect.gen(function* () {
    const found: Partial<Record<State, DateTime.Utc>> = {}
    for (const state of open) {
      if (!tally.some((row) => row.state === state && number(row.n) > 0)) continue
      const since = figure(
        yield* sql<CountRow>`select min(since) as n from fiscal_submission where lane = ${lane} and state = ${state}`
      )
      if (since !== null) found[state] = Stored.time(since, sinceOf(state, lane))
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

/** Each mention renews `known_at`, so requests that no status has mentioned are among the first. */
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

// examples for an operator to begin with
const examples = 3

interface NamedRow extends Pick<SubmissionRow, "account" | "kind" | "id" | "number" | "seq"> {}

const decidable = (sql: SqlClient, rows: ReadonlyArray<NamedRow>) =>
  Effect.map(DecisionFacts.of(sql, rows), (facts) =>
    rows.map((row, n): DecidableDocument => ({
      key: keyOf(row),
      number: Stored.name<DocumentNumber>(row.number, () => `number of ${row.kind} ${row.id}`),
      facts: facts[n]!
    }))
  )

const mostCauses = 20

const mostTexts = 100

interface FailureCountRow {
  readonly account: string
  readonly said: string
  readonly request_id: string | null
  readonly final: Integer
  readonly made: string
  readonly n: Integer
  readonly since: Integer
}

interface FailedGroup {
  readonly failure: StuckDocuments["failure"]
  readonly account: string
  readonly final: number
  readonly made: string
  readonly texts: Array<string>
  count: number
  since: number
}

const failedDocuments = (sql: SqlClient, lane: string, state: StuckState) =>
  Effect.gen(function* () {
    const rows =
      yield* sql<FailureCountRow>`select account, said, max(request_id) as request_id, final, made, count(*) as n, min(since) as since
      from (select account, coalesce(said, '') as said, request_id, since, coalesce(made, 'source') as made, case when rejection like '%"nature":"final"%' then 1 else 0 end as final
        from fiscal_submission where lane = ${lane} and state = ${state}) f
      group by account, said, final, made order by min(since), account`
    const groups = new Map<string, FailedGroup>()
    for (const { account, made, n, request_id, said, since, ...row } of rows) {
      const final = number(row.final)
      const cause = causeOf(said, request_id)
      const key = JSON.stringify([account, cause, final, made])
      const nature = final === 1 ? "final" : "correctable"
      const group = groups.get(key) ?? {
        failure: { cause, nature },
        account,
        final,
        made,
        texts: [],
        count: 0,
        since: Infinity
      }
      group.count += number(n)
      group.since = Math.min(group.since, number(since))
      group.texts.push(said)
      groups.set(key, group)
    }
    const byCount = [...groups.values()].toSorted((a, b) => b.count - a.count)
    const rest = Map.groupBy(byCount.slice(mostCauses), ({ account, final, made }) => `${final} ${made} ${account}`)
    const others = [...rest.values()].map((some): FailedGroup => ({
      ...some[0]!,
      failure: null,
      texts: some.flatMap(({ texts }) => texts),
      count: some.reduce((sum, { count }) => sum + count, 0),
      since: Math.min(...some.map(({ since }) => since))
    }))
    return yield* Effect.forEach([...byCount.slice(0, mostCauses), ...others], (group) =>
      Effect.map(
        Effect.flatMap(
          sql<NamedRow>`select account, kind, id, number, seq from (select f.*, coalesce(said, '') as words, coalesce(made, 'source') as origin,
            case when rejection like '%"nature":"final"%' then 1 else 0 end as final
            from fiscal_submission f where lane = ${lane} and state = ${state} and account = ${group.account}) f
          where final = ${group.final} and origin = ${group.made} and ${sql.in("words", group.texts.slice(0, mostTexts))}
          order by since, seq limit ${examples}`,
          (rows) => decidable(sql, rows)
        ),
        (first): StuckDocuments => ({
          account: group.account,
          lane,
          state,
          cause: null,
          failure: group.failure,
          count: group.count,
          alike: 0,
          since: Stored.time(group.since, sinceOf(state, lane)),
          first
        })
      )
    )
  })

interface StuckRow {
  readonly account: string
  readonly lane: string
  readonly state: State
  readonly cause: string | null
  readonly n: Integer
  readonly since: Integer
}

/** By account, state and cause. Queried only for states with a count. */
const stuckDocuments = (sql: SqlClient, tally: ReadonlyArray<TallyRow>) =>
  Effect.gen(function* () {
    const found: Array<StuckDocuments> = []
    for (const { lane, n, state } of tally) {
      if (number(n) <= 0 || !isStuck(state)) continue
      if (state === "Rejected" || state === "Declined") {
        found.push(...(yield* failedDocuments(sql, lane, state)))
        continue
      }
      const rows =
        yield* sql<StuckRow>`select account, lane, state, hold_cause as cause, count(*) as n, min(since) as since
        from fiscal_submission where lane = ${lane} and state = ${state} group by account, lane, state, hold_cause
        order by min(since), account, hold_cause`
      for (const row of rows) {
        const { account } = row
        const of = row.cause === null ? sql`hold_cause is null` : sql`hold_cause = ${row.cause}`
        const rows = yield* sql<NamedRow>`select account, kind, id, number, seq from fiscal_submission
          where lane = ${lane} and state = ${state} and account = ${account} and ${of} order by since, seq limit ${examples}`
        const [question] =
          row.cause !== "duplicate"
            ? []
            : yield* sql<{ readonly n: Integer }>`select count(*) as n from fiscal_submission s
                where s.lane = ${lane} and s.state = ${state} and s.account = ${account} and s.hold_cause = 'duplicate'
                and exists (select 1 from fiscal_relation r where r.account = s.account and r.kind = s.kind
                and r.id = s.id and r.relation = 'possible' and r.differs = 'nothing')`
        found.push({
          account,
          lane,
          state,
          alike: number(question?.n ?? 0),
          cause:
            state !== "Held"
              ? null
              : Stored.nullable(row.cause, (cause) =>
                  causeNamed(Stored.oneOf(StoredValues.holdCauses, cause, () => "hold_cause of a held document"))
                ),
          failure: null,
          count: number(row.n),
          since: Stored.time(row.since, sinceOf(state, lane)),
          first: yield* decidable(sql, rows)
        })
      }
    }
    return found
  })

interface CountedConflictRow {
  readonly account: string
  readonly lane: string
  readonly code: StoredConflict["code"]
  readonly cause: string
  readonly n: Integer
  readonly since: Integer
}

/**
 * One item per code, per cause of `PROOF_MISSING`, and for canceled documents that can be closed
 * because they have no receipt.
 */
const conflictCause = `case when c.code = 'PROOF_MISSING' then c.detail
  when c.code = 'SOURCE_CANCELLED' and s.state in ('Held', 'Planned', 'Declined', 'Rejected')
    and not exists (select 1 from fiscal_attempt a where a.submission = s.seq and ${mayBeReceiptText}) then 'no-receipt'
  else '' end`

const openConflicts = (sql: SqlClient, now: number) =>
  Effect.gen(function* () {
    const missingSince = now - Duration.toMillis(Patience.proofMissingAfter.is)
    const isReported = sql`c.settled_at is null and (c.code <> 'PROOF_MISSING' or c.at <= ${missingSince})`
    const group = sql.literal(conflictCause)
    const rows =
      yield* sql<CountedConflictRow>`select s.account, s.lane, c.code, ${group} as cause, count(distinct s.seq) as n, min(c.at) as since
      from fiscal_conflict c join fiscal_submission s on s.seq = c.submission where ${isReported}
      group by s.account, s.lane, c.code, ${group} order by min(c.at), s.account, c.code`
    return yield* Effect.forEach(rows, ({ account, cause, code, lane, n, since }) =>
      Effect.map(
        // in this order: the lane has more documents than open conflicts
        Effect.flatMap(
          sql<NamedRow>`select distinct s.account, s.kind, s.id, s.number, s.seq
          from fiscal_conflict c cross join fiscal_submission s
          where s.seq = c.submission and s.account = ${account} and s.lane = ${lane} and c.code = ${code}
            and ${group} = ${cause} and ${isReported}
          order by s.seq limit ${examples}`,
          (rows) => decidable(sql, rows)
        ),
        (first): OpenConflicts => ({
          account,
          lane,
          code: Stored.oneOf(StoredValues.conflicts, code, () => "code of a conflict"),
          cause: code === "PROOF_MISSING" ? ProofConflict.causeOf(cause) : cause === "no-receipt" ? "no-receipt" : null,
          count: number(n),
          since: Stored.time(since, () => "at of a conflict"),
          first
        })
      )
    )
  })

interface OpenImportRow {
  readonly id: Integer
  readonly account: string
  readonly standing: string
  readonly rest: Integer
  readonly at: string
}

// a live process stores and accepts within this time; 100 000 documents take 20 s
const acceptedWithin = 600_000

const openImports = (sql: SqlClient, now: number): Effect.Effect<OpenImports, SqlError> =>
  Effect.map(
    sql<OpenImportRow>`select id, account, standing, rest, at from fiscal_import
      where standing in ('accepted', 'incomplete', 'unfinished')
        or (standing = 'begun' and begun_at < ${now - acceptedWithin}) order by id limit ${4 * most}`,
    (rows) => {
      const withStanding = (wanted: string) =>
        rows
          .filter(({ standing }) => standing === wanted)
          .slice(0, most)
          .map(({ account, at, id, rest }) => ({
            id: number(id),
            account,
            since: DateTime.toUtc(Stored.instant(at, () => `time of import ${number(id)}`)),
            documents: number(rest)
          }))
      const without = ({ account, id, since }: { id: number; account: string; since: DateTime.Utc }) => ({
        id,
        account,
        since
      })
      return {
        waiting: withStanding("accepted"),
        incomplete: withStanding("incomplete").map(without),
        unfinished: withStanding("unfinished").map(without),
        unaccepted: withStanding("begun").map(without)
      }
    }
  )

const health = ({ now, sql }: ReadContext, retention: Duration.Duration): SqlEffect<Omit<Health, "unwritten">> =>
  Effect.gen(function* () {
    const tally = yield* sql<TallyRow>`select * from fiscal_tally order by lane, state`
    const lanes: Array<LaneHealth> = []
    for (const view of yield* views(sql)) {
      const own = tally.filter(({ lane }) => lane === view.lane)
      lanes.push({
        ...view,
        counts: counts(own),
        oldest: yield* oldest(sql, view.lane, own),
        standing: view.sameCause === null ? [] : yield* LaneCauses.standingCauses(sql, view.lane)
      })
    }
    const accounts = yield* sql<{ readonly account: string }>`select account from fiscal_account`
    const known: Array<number> = []
    const silent: Array<UnansweredRequest> = []
    for (const { account } of accounts) {
      const first = figure(
        // a success without a proof is asked for, too, and needs no alarm
        yield* sql<CountRow>`select a.known_at as n from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
          where a.account = ${account} and a.poll_at is not null and s.state <> 'Fiscalised' order by a.known_at limit 1`
      )
      if (first === null) continue
      known.push(first)
      silent.push(...(yield* unanswered(sql, account)))
    }
    const unmatched = yield* sql<CountRow>`select count(*) as n from fiscal_outcome where submission is null`
    return {
      at: DateTime.makeUnsafe(now),
      counts: counts(tally),
      lanes,
      secondsToHorizon:
        known.length === 0 ? null : Math.floor((Math.min(...known) + Duration.toMillis(retention) - now) / 1000),
      stuck: yield* stuckDocuments(sql, tally),
      conflicts: yield* openConflicts(sql, now),
      notices: yield* Notices.all(sql),
      unmatched: figure(unmatched) ?? 0,
      imports: yield* openImports(sql, now),
      unanswered: silent,
      unproven: yield* Effect.flatMap(unproven(sql, now), (documents) =>
        Effect.map(DecisionFacts.of(sql, documents), (facts) =>
          documents.map((one, n) => ({ ...one, facts: facts[n]! }))
        )
      ),
      acceptedUnknowns: yield* AcceptedUnknowns.open(sql),
      liveSources: yield* LiveSourceQueries.all(sql),
      refused: yield* RefusedDocuments.causes(sql)
    }
  })

export const make = (database: Database): HealthOperations => {
  const { read, readAt, tryWrite, write, writeFailure } = database
  const stored = readAt("health", health)
  return {
    ...AlertTurn.make(database),
    health: (retention) =>
      Effect.zipWith(
        stored(retention),
        Effect.flatMap(writeFailure, (failure) => (failure === null ? Effect.succeed(null) : tryWrite)),
        (found, unwritten) => ({ ...found, unwritten })
      ),
    unproven: readAt("list failures that prove nothing", ({ now, sql }, accounts) => unproven(sql, now, accounts)),
    decisionFacts: read("read what decisions depend on", DecisionFacts.of),
    notice: ifNeeded(
      readAt("compare what was seen", Notices.differs),
      write("note what was seen", Notices.replace),
      undefined
    ),
    acknowledgeDay: write("acknowledge a day", Notices.acknowledgeDay),
    stateOtherPrograms: write("state other programs", Notices.stateOtherPrograms)
  }
}
