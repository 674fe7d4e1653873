import { Array as Arr, DateTime, Duration, Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as WrittenDocument from "../../document/WrittenDocument.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import { causeNamed, type HoldCause, type SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { KnownDocument } from "../../submission/PlanResult.ts"
import { asksForTranslation, parseOverride } from "../../submission/Revisit.ts"
import { type State, states, type Submission } from "../../submission/Submission.ts"
import type {
  Activity,
  ChangedSubmission,
  ChangeQuery,
  ListQuery,
  SubmissionQueries
} from "../../submission/SubmissionQuery.ts"
import { type Database, type ReadContext, type SqlEffect, utc } from "../database/Transaction.ts"
import { inbox } from "../evidence/Unknowns.ts"
import { timing } from "../lanes/NewDates.ts"
import { isForgotten } from "../rows/Forgotten.ts"
import { revisitFacts } from "../rows/RevisitFacts.ts"
import { type Integer, listed, type ListedRow, number, stated, submission, type SubmissionRow } from "../rows/Rows.ts"
import { isOpen } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { explain } from "./Explain.ts"
import * as FamilyQuery from "./FamilyQuery.ts"
import * as ReceiptQuery from "./ReceiptQuery.ts"
import { gatewaySeen } from "./SeenQuery.ts"

const page = (sql: SqlClient, query: ListQuery, state: State | undefined): SqlEffect<ReadonlyArray<Submission>> => {
  const { accounts, after = 0, before, changedFrom, datedFrom, datedTo } = query
  const { kind, lane, limit = 200, matching, order = "oldest-first" } = query
  const conditions = [
    // the second condition keeps PostgreSQL from joining every payload up to the page
    sql`s.seq > ${after}`,
    ...(after === 0 ? [] : [sql`p.submission > ${after}`]),
    ...(accounts === undefined ? [] : [sql.in("s.account", accounts)]),
    ...(lane === undefined ? [] : [sql`s.lane = ${lane}`]),
    ...(state === undefined ? [] : [sql`s.state = ${state}`]),
    ...(kind === undefined ? [] : [sql`s.kind = ${kind}`]),
    ...(datedFrom === undefined ? [] : [sql`s.source_date >= ${datedFrom}`]),
    ...(datedTo === undefined ? [] : [sql`s.source_date <= ${datedTo}`]),
    ...(changedFrom === undefined ? [] : [sql`s.since >= ${DateTime.toEpochMillis(changedFrom)}`]),
    ...(before === undefined ? [] : [sql`s.seq < ${before}`, sql`p.submission < ${before}`]),
    ...(matching === undefined ? [] : [isLike(sql, matching)])
  ]
  const direction = sql.literal(order === "newest-first" ? "desc" : "asc")
  const rows = sql<ListedRow>`${listed(sql)} where ${sql.and(conditions)} order by s.seq ${direction} limit ${limit}`
  return Effect.map(rows, (rows) => rows.map(submission))
}

/**
 * Input has no wildcards. The database converts both sides to lower case: SQLite knows only ASCII,
 * and text in capitals must still match itself.
 */
const isLike = (sql: SqlClient, matching: string) => {
  const text = `%${matching.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const escape = sql.literal(String.raw`escape '\'`)
  const columns = [sql`s.number`, sql`s.id`, sql`p.buyer`]
  return sql`(${sql.or(columns.map((column) => sql`lower(${column}) like lower(${text}) ${escape}`))})`
}

/**
 * Each state is a range of its index. Several states are read one by one and merged, so that the
 * database scans nothing.
 */
const list = (sql: SqlClient, query: ListQuery): SqlEffect<ReadonlyArray<Submission>> => {
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

const stream = <E>(
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

const together = (keys: ReadonlyArray<SubmissionKey>) =>
  Array.from(Map.groupBy(keys, ({ account, kind }) => `${kind} ${account}`).values()).flatMap((group) => {
    const { account, kind } = group[0]!
    return Arr.chunksOf(group, 1000).map((chunk) => ({ account, kind, ids: chunk.map(({ id }) => id) }))
  })

const getMany = (sql: SqlClient, keys: ReadonlyArray<SubmissionKey>): SqlEffect<ReadonlyArray<Submission>> =>
  Effect.gen(function* () {
    const found: Array<Submission> = []
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<ListedRow>`${listed(sql)}
        where s.account = ${account} and s.kind = ${kind} and ${sql.in("s.id", ids)}`
      for (const row of rows) found.push(submission(row))
    }
    return found
  })

interface SentBodyRow extends Pick<SubmissionRow, "kind" | "id" | "number"> {
  readonly body: string
}

const sent = (
  sql: SqlClient,
  keys: ReadonlyArray<SubmissionKey>,
  which: "sent" | "every" = "sent"
): SqlEffect<ReadonlyMap<string, WrittenDocument.WrittenDocument>> =>
  Effect.gen(function* () {
    const found = new Map<string, WrittenDocument.WrittenDocument>()
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<SentBodyRow>`select s.kind, s.id, s.number, p.body
        from fiscal_submission s join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
        where s.account = ${account} and s.kind = ${kind} and ${sql.in("s.id", ids)}
          and ${sql.literal(which === "every" ? "1 = 1" : "s.state not in ('Planned', 'Held')")}`
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
  readonly timing: KnownDocument["dated"]
}

const known = (sql: SqlClient, keys: ReadonlyArray<SubmissionKey>): SqlEffect<ReadonlyArray<KnownDocument>> =>
  Effect.gen(function* () {
    const found: Array<KnownDocument> = []
    for (const { account, ids, kind } of together(keys)) {
      const rows = yield* sql<KnownRow>`select s.*, p.buyer, p.currency, p.total, p.source, ${sql.literal(stated)},
          case when s.state in ('Declined', 'Rejected') then p.body end as body,
          (select count(*) from fiscal_attempt a where a.submission = s.seq and ${isOpen(sql)}) as open, ${timing(sql)} as timing,
          (select count(*) from fiscal_conflict c where c.submission = s.seq
            and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED') and (c.settled_at is null or c.stated <> ''))
            + (select count(*) from fiscal_submission o where o.made = 'here' and o.original_account = s.account
            and o.original_id = s.id and s.kind = 'invoice') as noted,
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
          canceling: number(row.settled_cancelling) === 0 ? ("open" as const) : ("settled" as const)
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

const activity = (
  sql: SqlClient,
  since: DateTime.Utc,
  stretch: Duration.Duration
): SqlEffect<ReadonlyArray<Activity>> => {
  const millis = Math.max(1000, Math.round(Duration.toMillis(stretch)))
  const [from, long] = [sql.literal(String(since.epochMilliseconds)), sql.literal(String(millis))]
  // each lane and state is a range of one index
  const rows = sql<ActivityRow>`select (s.since - ${from}) / ${long} as stretch, s.state, count(*) as n
    from fiscal_lane l cross join fiscal_submission s
    where s.lane = l.lane and s.since >= ${from} and ${sql.in("s.state", outcomes)} group by 1, 2 order by 1`
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

const find = (sql: SqlClient, idOrNumber: string): SqlEffect<ReadonlyArray<Submission>> =>
  Effect.map(
    sql<ListedRow>`${listed(sql)} where s.id = ${idOrNumber} or s.number = ${idOrNumber} order by s.seq`,
    (rows) => rows.map(submission)
  )

interface ChangedRow extends ListedRow {
  readonly position: Integer
  readonly changed_at: Integer
}

/**
 * Maximum duration of a transaction in milliseconds. An event gets its number when written, but is
 * visible only after the commit.
 */
const longestTransaction = 60_000

const changed = (
  { now, sql }: ReadContext,
  { accounts, after = 0, limit = 200, order = "oldest-first", since }: ChangeQuery
): SqlEffect<ReadonlyArray<ChangedSubmission>> =>
  Effect.map(
    sql<ChangedRow>`select listed.*, e.id as position, e.at as changed_at from fiscal_event e
      join (${listed(sql)}) listed on listed.seq = e.submission
      where ${sql.and([
        sql`e.id > ${after}`,
        ...(since === undefined ? [] : [sql`e.at >= ${since.epochMilliseconds}`]),
        sql`not exists (select 1 from fiscal_event later where later.submission = e.submission and later.id > e.id)`,
        ...(accounts === undefined ? [] : [sql.in("listed.account", accounts)])
      ])} order by e.id ${sql.literal(order === "newest-first" ? "desc" : "asc")} limit ${limit}`,
    (rows) =>
      rows.map((row) => ({
        submission: submission(row),
        position: number(row.position),
        at: utc(number(row.changed_at)),
        order: number(row.changed_at) < now - longestTransaction ? "final" : "recent"
      }))
  )

const changedAt = (sql: SqlClient, position: number): SqlEffect<Option.Option<DateTime.Utc>> =>
  Effect.map(sql<{ readonly at: Integer }>`select at from fiscal_event where id = ${position}`, ([event]) =>
    Option.map(Option.fromUndefinedOr(event), ({ at }) => utc(number(at)))
  )

const holdCauses = (sql: SqlClient): SqlEffect<Readonly<Partial<Record<HoldCause, number>>>> =>
  Effect.map(
    sql<{ readonly cause: string | null; readonly n: Integer }>`select hold_cause as cause, count(*) as n
      from fiscal_submission where state = 'Held' group by hold_cause order by hold_cause`,
    (rows) =>
      Object.fromEntries(
        rows.map(({ cause, n }) => [
          causeNamed(Stored.oneOf(StoredValues.holdCauses, cause ?? "", () => "hold_cause of a held document")),
          number(n)
        ])
      )
  )

export const make = (database: Database): SubmissionQueries => {
  const { read, readAt } = database
  const listing = read("list", list)
  return {
    ...ReceiptQuery.make(database),
    family: database.read("read an invoice with its notes", FamilyQuery.familyOf),
    noticed: database.read("list invoices that the source states otherwise", FamilyQuery.noticed),
    ruled: read("look up numbers of a rule", FamilyQuery.ruled),
    get: read("get", (sql, key) => Effect.map(getMany(sql, [key]), ([found]) => Option.fromNullishOr(found))),
    find: read("find", find),
    getMany: read("get", getMany),
    sent: read("read what was sent", sent),
    known: read("compare", known),
    list: listing,
    stream: (query) => stream(listing, query),
    changed: readAt("list changes", changed),
    changedAt: read("read a change", changedAt),
    explain: readAt("explain", explain),
    inbox: read("read the inbox", (sql, account) => inbox(sql, account, 0)),
    holdCauses: read("count what is held", holdCauses)(),
    activity: read("count activity", activity),
    gatewaySeen: read("read what was seen of the gateway", gatewaySeen)
  }
}
