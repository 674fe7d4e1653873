/** Reads submissions: one, many, in pages, or one with its whole history. */
import { Array as Arr, DateTime, Duration, Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { UndatedDocument } from "../../document/FiscalDocument.ts"
import * as WrittenDocument from "../../document/WrittenDocument.ts"
import type { RequestId } from "../../document/Identifiers.ts"
import { type ExchangeFacts, stages } from "../../gateway/contract/ExchangeFacts.ts"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { StoreError } from "../../submission/ledger/StoreError.ts"
import { type State, states, type Submission } from "../../submission/Submission.ts"
import type { Attempt } from "../../submission/Attempt.ts"
import type { Explanation, StoredConflict, TimelineEntry } from "../../submission/Explanation.ts"
import type { KnownDocument } from "../../submission/PlanResult.ts"
import type { Activity, ListQuery } from "../../submission/SubmissionQuery.ts"
import { asksForTranslation, parseOverride } from "../../submission/Revisit.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { revisitFacts } from "../rows/RevisitFacts.ts"
import { isOpen } from "../rows/SettledSql.ts"
import {
  type AttemptRow,
  type Integer,
  listed,
  notices,
  type ListedRow,
  number,
  type OutcomeRow,
  submission,
  type SubmissionRow
} from "../rows/Rows.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { evidenceOf } from "../evidence/StoredOutcome.ts"
import { timing } from "../lanes/NewDates.ts"
import type { Clocks } from "../database/Clocks.ts"
import { quietUntil } from "../lanes/Quiet.ts"
import { stated } from "../evidence/Failures.ts"
import { inbox } from "../evidence/Unknowns.ts"

type Read<A> = Effect.Effect<A, SqlError | StoreError>

/** Reads one page of submissions in one state, or in any state. */
const page = (sql: SqlClient, query: ListQuery, state: State | undefined): Read<ReadonlyArray<Submission>> => {
  const { accounts, after = 0, before, changedFrom, datedFrom, datedTo } = query
  const { kind, lane, limit = 200, matching, order = "oldest-first" } = query
  const conditions = [
    sql`s.seq > ${after}`,
    ...(accounts === undefined ? [] : [sql.in("s.account", accounts)]),
    ...(lane === undefined ? [] : [sql`s.lane = ${lane}`]),
    ...(state === undefined ? [] : [sql`s.state = ${state}`]),
    ...(kind === undefined ? [] : [sql`s.kind = ${kind}`]),
    ...(datedFrom === undefined ? [] : [sql`s.source_date >= ${datedFrom}`]),
    ...(datedTo === undefined ? [] : [sql`s.source_date <= ${datedTo}`]),
    ...(changedFrom === undefined ? [] : [sql`s.since >= ${DateTime.toEpochMillis(changedFrom)}`]),
    ...(before === undefined ? [] : [sql`s.seq < ${before}`]),
    ...(matching === undefined ? [] : [isLike(sql, matching)])
  ]
  const direction = sql.literal(order === "newest-first" ? "desc" : "asc")
  const rows = sql<ListedRow>`${listed(sql)} where ${sql.and(conditions)} order by s.seq ${direction} limit ${limit}`
  return Effect.map(rows, (rows) => rows.map(submission))
}

/**
 * Builds the search condition. Input has no wildcards. The database converts both sides to lower
 * case: SQLite knows only ASCII, and text in capitals must still match itself.
 */
const isLike = (sql: SqlClient, matching: string) => {
  const text = `%${matching.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const escape = sql.literal(String.raw`escape '\'`)
  const columns = [sql`s.number`, sql`s.id`, sql`p.buyer`]
  return sql`(${sql.or(columns.map((column) => sql`lower(${column}) like lower(${text}) ${escape}`))})`
}

/**
 * Reads submissions in the order of planning, or the reverse. Each state is a range of its index.
 * Several states are read one by one and merged, so that the database scans nothing.
 */
export const list = (sql: SqlClient, query: ListQuery): Read<ReadonlyArray<Submission>> => {
  const { limit = 200, order = "oldest-first", states } = query
  if (states === undefined) return page(sql, query, undefined)
  return Effect.map(
    Effect.forEach(new Set(states), (state) => page(sql, query, state)),
    (pages) =>
      pages
        .flat()
        .toSorted((a, b) => (order === "newest-first" ? b.seq - a.seq : a.seq - b.seq))
        .slice(0, limit)
  )
}

/** Streams every page of `list`, each read on demand. */
export const stream = <E>(
  read: (query: ListQuery) => Effect.Effect<ReadonlyArray<Submission>, E>,
  query: ListQuery
): Stream.Stream<Submission, E> =>
  Stream.paginate(query, (query) =>
    Effect.map(read(query), (rows) => {
      const last = rows.at(-1)
      const full = rows.length === (query.limit ?? 200)
      const next =
        query.order === "newest-first" ? { ...query, before: last?.seq ?? 0 } : { ...query, after: last?.seq ?? 0 }
      return [rows, full && last !== undefined ? Option.some(next) : Option.none()]
    })
  )

/** Groups keys by account and kind, as many as one statement takes. */
const together = (keys: ReadonlyArray<SubmissionKey>) =>
  Array.from(Map.groupBy(keys, ({ account, kind }) => `${kind} ${account}`).values()).flatMap((group) => {
    const { account, kind } = group[0]!
    return Arr.chunksOf(group, 1000).map((chunk) => ({ account, kind, ids: chunk.map(({ id }) => id) }))
  })

export const getMany = (sql: SqlClient, keys: ReadonlyArray<SubmissionKey>): Read<ReadonlyArray<Submission>> =>
  Effect.gen(function* () {
    const found: Array<Submission> = []
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<ListedRow>`${listed(sql)}
        where s.account = ${account} and s.kind = ${kind} and ${sql.in("s.id", ids)}`
      for (const row of rows) found.push(submission(row))
    }
    return found
  })

interface SentRow extends Pick<SubmissionRow, "kind" | "id" | "number"> {
  readonly body: string
}

/** Reads documents as sent. Planned and Held documents were not sent. */
export const sent = (
  sql: SqlClient,
  keys: ReadonlyArray<SubmissionKey>
): Read<ReadonlyMap<string, WrittenDocument.WrittenDocument>> =>
  Effect.gen(function* () {
    const found = new Map<string, WrittenDocument.WrittenDocument>()
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<SentRow>`select s.kind, s.id, s.number, p.body
        from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
        where s.account = ${account} and s.kind = ${kind} and s.state not in ('Planned', 'Held') and ${sql.in("s.id", ids)}`
      for (const row of rows) {
        const document = yield* StoredDocument.read(row.kind, row.body, row.number)
        found.set(`${row.kind} ${row.id}`, WrittenDocument.of(document))
      }
    }
    return found
  })

interface KnownRow extends ListedRow {
  readonly noted: Integer
  readonly open: Integer
  readonly body: string | null
  readonly settled_change: string | null
  readonly settled_cancelling: Integer
  /** As `dated`, but `stated` once an attempt may have been processed. */
  readonly timing: KnownDocument["dated"]
}

/**
 * Reads documents that an import delivers again. Includes the stored translation only if the
 * decision needs it.
 */
export const known = (sql: SqlClient, keys: ReadonlyArray<SubmissionKey>): Read<ReadonlyArray<KnownDocument>> =>
  Effect.gen(function* () {
    const found: Array<KnownDocument> = []
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<KnownRow>`select s.*, p.buyer, p.currency, p.total, p.source, ${sql.literal(notices)},
          case when s.state in ('Declined', 'Rejected') then p.body end as body,
          (select count(*) from fiscal_attempt a where a.submission = s.seq and ${isOpen(sql)}) as open, ${timing(sql)} as timing,
          (select count(*) from fiscal_conflict c where c.submission = s.seq
            and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED') and (c.settled_at is null or c.stated <> '')) as noted,
          (select c.stated from fiscal_conflict c where c.submission = s.seq and c.code = 'SOURCE_CONFLICT'
            and c.settled_at is not null order by c.at desc limit 1) as settled_change,
          (select count(*) from fiscal_conflict c where c.submission = s.seq and c.code = 'SOURCE_CANCELLED'
            and c.settled_at is not null and c.stated <> '') as settled_cancelling
        from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
        where s.account = ${account} and s.kind = ${kind} and ${sql.in("s.id", ids)}`
      for (const row of rows) {
        const facts = revisitFacts(row, number(row.open))
        const body = asksForTranslation(facts) && !isForgotten(row) ? row.body : null
        const { original_id: original, timing: dated } = row
        const last = number(row.noted) === 0 ? "as-sent" : "otherwise"
        const override = parseOverride(row.word)
        const settled = {
          change: row.settled_change === "" ? null : row.settled_change,
          cancelling: number(row.settled_cancelling) === 0 ? ("open" as const) : ("settled" as const)
        }
        found.push({
          submission: submission(row),
          facts,
          restated: row.restated,
          override,
          body,
          original,
          dated,
          lastStated: last,
          settled
        })
      }
    }
    return found
  })

interface ActivityRow {
  readonly stretch: Integer
  readonly state: State
  readonly n: Integer
}

const outcomes = states.filter((state) => state !== "Held" && state !== "Planned" && state !== "Sending")

/** Counts outcomes by interval. */
export const activity = (
  sql: SqlClient,
  since: DateTime.Utc,
  stretch: Duration.Duration
): Read<ReadonlyArray<Activity>> => {
  const millis = Math.max(1000, Math.round(Duration.toMillis(stretch)))
  const [from, long] = [sql.literal(String(since.epochMilliseconds)), sql.literal(String(millis))]
  const rows = sql<ActivityRow>`select (since - ${from}) / ${long} as stretch, state, count(*) as n from fiscal_submission
    where since >= ${from} and ${sql.in("state", outcomes)} group by 1, 2 order by 1`
  return Effect.map(rows, (rows) =>
    Array.from(
      Map.groupBy(rows, (row) => number(row.stretch)),
      ([index, ofIt]) => ({
        from: DateTime.makeUnsafe(since.epochMilliseconds + index * millis),
        counts: Object.fromEntries(
          ofIt.map(({ n, state }) => [Stored.oneOf(StoredValues.states, state, () => "a state of activity"), number(n)])
        )
      })
    )
  )
}

export const find = (sql: SqlClient, idOrNumber: string): Read<ReadonlyArray<Submission>> =>
  Effect.map(
    sql<ListedRow>`${listed(sql)} where s.id = ${idOrNumber} or s.number = ${idOrNumber} order by s.seq`,
    (rows) => rows.map(submission)
  )

const resultOf = ({ request_id, result, said }: AttemptRow): AttemptResult | null => {
  if (result === null) return null
  if (result !== "Accepted") return { _tag: result, because: said ?? "" }
  return { _tag: "Accepted", requestId: (request_id || "?") as RequestId }
}

/** Converts the observations of an attempt's request. */
export const exchangedOf = (
  { code, millis, stage, status }: Pick<AttemptRow, "code" | "millis" | "stage" | "status">,
  at: (column: string) => () => string
): ExchangeFacts | null =>
  stage === null
    ? null
    : {
        stage: Stored.oneOf(stages, stage, at("stage")),
        status: Stored.nullable(status, (status) => Stored.integer(status, at("status"))),
        code,
        millis: Stored.integer(millis ?? 0, at("millis"))
      }

/** Names a column of an attempt, an event, an outcome or a conflict, for errors. */
const place =
  ({ account, id, kind }: SubmissionKey, what: string) =>
  (column: string) =>
  () =>
    `${column} of ${what} of ${kind} ${id} of account ${account}`

const attempt = (key: SubmissionKey, row: AttemptRow): Attempt => {
  const at = place(key, `attempt ${row.id}`)
  Stored.nullable(row.result, (result) => Stored.oneOf(StoredValues.results, result, at("result")))
  return {
    id: number(row.id),
    key,
    revision: Stored.integer(row.revision, at("revision")),
    receiptDate: Stored.instant(row.receipt_text, at("receipt_text")),
    repeats: Stored.oneOf(StoredValues.repeats, row.repeats, at("repeats")),
    begunAt: Stored.time(row.begun_at, at("begun_at")),
    finishedAt: Stored.nullable(row.finished_at, (time) => Stored.time(time, at("finished_at"))),
    result: resultOf(row),
    requestId: row.request_id === null ? null : Stored.name<RequestId>(row.request_id, at("request_id")),
    requestIdBy: row.named_by ?? "gateway",
    mentionedAt: Stored.nullable(row.mentioned_at, (time) => Stored.time(time, at("mentioned_at"))),
    exchanged: exchangedOf(row, at)
  }
}

interface EventRow {
  readonly id: Integer
  readonly at: Integer
  readonly from_state: TimelineEntry["from"]
  readonly to_state: TimelineEntry["to"]
  readonly cause: TimelineEntry["cause"]
  readonly text: string | null
  readonly attempt: Integer | null
}

interface ConflictRow {
  readonly code: StoredConflict["code"]
  readonly detail: string
  readonly at: Integer
  readonly settled_at: Integer | null
}

const entry = (key: SubmissionKey, row: EventRow): TimelineEntry => {
  const at = place(key, `event ${row.id}`)
  return {
    at: Stored.time(row.at, at("at")),
    from: Stored.nullable(row.from_state, (state) => Stored.oneOf(StoredValues.states, state, at("from_state"))),
    to: Stored.oneOf(StoredValues.states, row.to_state, at("to_state")),
    cause: Stored.oneOf(StoredValues.causes, row.cause, at("cause")),
    text: row.text,
    attempt: Stored.nullable(row.attempt, (attempt) => Stored.integer(attempt, at("attempt")))
  }
}

const conflict = (key: SubmissionKey, row: ConflictRow): StoredConflict => {
  const at = place(key, "a conflict")
  return {
    code: Stored.oneOf(StoredValues.conflicts, row.code, at("code")),
    detail: row.detail,
    at: Stored.time(row.at, at("at")),
    settledAt: Stored.nullable(row.settled_at, (time) => Stored.time(time, at("settled_at")))
  }
}

export const explain = (sql: SqlClient, key: SubmissionKey, clocks: Clocks): Read<Option.Option<Explanation>> =>
  Effect.gen(function* () {
    const [row] = yield* sql<ListedRow>`${listed(sql)}
      where s.account = ${key.account} and s.kind = ${key.kind} and s.id = ${key.id}`
    if (row === undefined) return Option.none()
    const [payload] = yield* sql<{ readonly body: string }>`select body from fiscal_payload
      where submission = ${row.seq} and revision = ${row.revision}`
    const document: UndatedDocument = yield* StoredDocument.read(row.kind, payload?.body ?? "", row.number)
    const attempts = yield* sql<AttemptRow>`select * from fiscal_attempt where submission = ${row.seq} order by id`
    const events = yield* sql<EventRow>`select * from fiscal_event where submission = ${row.seq} order by id`
    const outcomes = yield* sql<OutcomeRow>`select * from fiscal_outcome where submission = ${row.seq} order by id`
    const conflicts = yield* sql<ConflictRow>`select * from fiscal_conflict where submission = ${row.seq} order by at`
    const idless = attempts.find(
      ({ possibly_processed, request_id }) => number(possibly_processed) === 1 && request_id === null
    )
    const isUnknown = row.state === "Unknown" && idless !== undefined
    return Option.some({
      submission: submission(row),
      document,
      attempts: attempts.map((one) => attempt(key, one)),
      timeline: events.map((row) => entry(key, row)),
      evidence: outcomes.map((outcome) => ({
        ...evidenceOf(outcome),
        at: Stored.time(outcome.arrived_at, place(key, `outcome ${outcome.id}`)("arrived_at")),
        unknownFields: Stored.nullable(outcome.unknown_fields, (text) =>
          Stored.record(text, place(key, `outcome ${outcome.id}`)("unknown_fields"))
        )
      })),
      conflicts: conflicts.map((row) => conflict(key, row)),
      quietUntil: yield* Effect.map(quietUntil({ ...clocks, sql }, row.seq), (until) =>
        until === null ? null : DateTime.makeUnsafe(until)
      ),
      failures: yield* stated(sql, row.seq, clocks.earliest),
      candidates: isUnknown ? yield* inbox(sql, row.account, number(idless.begun_at)) : []
    })
  })
