/** The tables, append-only: a migration that has been released is never changed. A schema newer than the last one here is refused. */
import { Effect } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StoreError } from "../StoreError.ts"
import { dialect } from "./Dialect.ts"

const table = "fiscal_migrations"

/** Submissions and what happens to them: a small state table beside insert-only payloads, which halves the cost of a state change. */
const submissions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { identity } = dialect(sql)
  yield* sql`create table fiscal_lane (
    lane text primary key,
    fence bigint not null default 0,
    holder text,
    leased_until bigint not null default 0,
    stop_cause text,
    stop_because text,
    stop_account text,
    retry_at bigint,
    stops bigint not null default 0,
    closed_at bigint,
    closed_text text)`
  yield* sql`create table fiscal_account (
    account text primary key,
    lane text not null references fiscal_lane,
    taxpayer text not null,
    environment text not null)`
  yield* sql`create index fiscal_account_lane on fiscal_account (lane)`
  yield* sql`create table fiscal_submission (
    seq ${identity},
    account text not null,
    kind text not null,
    id text not null,
    state text not null,
    since bigint not null,
    lane text not null references fiscal_lane,
    taxpayer text not null,
    environment text not null,
    number text not null,
    revision bigint not null,
    fingerprint text not null,
    source_date text not null,
    receipt_at bigint,
    receipt_text text,
    lane_order bigint not null,
    zone text not null,
    late text not null,
    passage text not null,
    original_account text,
    original_id text,
    hold_cause text,
    hold_because text,
    request_id text,
    said text,
    rejection text,
    proof text,
    unique (account, kind, id))`
  yield* sql`create index fiscal_submission_next on fiscal_submission (lane, lane_order, seq) where state = 'Planned'`
  yield* sql`create index fiscal_submission_lane on fiscal_submission (lane, state, since)`
  yield* sql`create index fiscal_submission_state on fiscal_submission (state, seq)`
  yield* sql`create index fiscal_submission_number on fiscal_submission (number)`
  yield* sql`create index fiscal_submission_id on fiscal_submission (id)`
  yield* sql`create index fiscal_submission_receipt on fiscal_submission (lane, receipt_at) where receipt_at is not null`
  yield* sql`create index fiscal_submission_original on fiscal_submission (original_account, original_id) where original_id is not null`
  yield* sql`create table fiscal_payload (
    submission bigint not null references fiscal_submission,
    revision bigint not null,
    planned_at bigint not null,
    buyer text,
    currency text not null,
    total text not null,
    source text not null,
    body text not null,
    primary key (submission, revision))`
  yield* sql`create table fiscal_number (
    taxpayer text not null,
    number text not null,
    account text not null,
    kind text not null,
    id text not null,
    primary key (taxpayer, number))`
  yield* sql`create table fiscal_attempt (
    id ${identity},
    submission bigint not null references fiscal_submission,
    revision bigint not null,
    account text not null,
    lane text not null,
    fence bigint not null,
    receipt_at bigint not null,
    receipt_text text not null,
    repeats text not null,
    begun_at bigint not null,
    finished_at bigint,
    result text,
    said text,
    request_id text,
    possibly_processed bigint not null default 1,
    ruled_out bigint not null default 0,
    known_at bigint,
    poll_at bigint,
    looks bigint not null default 0)`
  yield* sql`create index fiscal_attempt_submission on fiscal_attempt (submission)`
  yield* sql`create index fiscal_attempt_request on fiscal_attempt (account, request_id) where request_id is not null`
  yield* sql`create index fiscal_attempt_mark on fiscal_attempt (lane, receipt_at) where possibly_processed = 1`
  yield* sql`create index fiscal_attempt_idless on fiscal_attempt (account) where possibly_processed = 1 and request_id is null`
  yield* sql`create index fiscal_attempt_awaited on fiscal_attempt (account, known_at) where poll_at is not null`
  yield* sql`create table fiscal_outcome (
    id ${identity},
    account text not null,
    request_id text not null,
    digest text not null,
    submission bigint references fiscal_submission,
    attempt bigint references fiscal_attempt,
    source text not null,
    outcome text not null,
    detail text not null,
    unknown_fields text,
    arrived_at bigint not null,
    unique (account, request_id, digest))`
  yield* sql`create index fiscal_outcome_submission on fiscal_outcome (submission) where submission is not null`
  yield* sql`create index fiscal_outcome_inbox on fiscal_outcome (account) where submission is null`
  yield* sql`create table fiscal_conflict (
    submission bigint not null references fiscal_submission,
    code text not null,
    detail text not null,
    at bigint not null,
    settled_at bigint,
    primary key (submission, code, detail))`
  yield* sql`create index fiscal_conflict_open on fiscal_conflict (submission) where settled_at is null`
  yield* sql`create table fiscal_event (
    id ${identity},
    submission bigint not null references fiscal_submission,
    at bigint not null,
    from_state text,
    to_state text not null,
    cause text not null,
    text text,
    attempt bigint)`
  yield* sql`create index fiscal_event_submission on fiscal_event (submission, id)`
  yield* sql`create table fiscal_tally (
    lane text not null,
    state text not null,
    n bigint not null,
    primary key (lane, state))`
  yield* sql`create table fiscal_original (
    account text not null,
    invoice_id text not null,
    taxpayer text not null,
    number text not null,
    date text not null,
    currency text not null,
    total text not null,
    tax_codes text not null,
    credited text not null,
    primary key (account, invoice_id))`
})

/** Until which day a document's taxes are good. */
const goodUntil = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_submission add column good_until text`
})

/** Which store this is, and which very device an account feeds. */
const permission = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_store (one bigint primary key, id text not null, made_at bigint not null)`
  yield* sql`alter table fiscal_account add column serial text`
  yield* sql`alter table fiscal_account add column zone text`
  yield* sql`alter table fiscal_lane add column known_at bigint`
  yield* sql`update fiscal_lane set known_at = 0 where lane in (select lane from fiscal_attempt)`
})

const migrations = { "0001_submissions": submissions, "0002_good_until": goodUntil, "0003_permission": permission }

const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** Brings the schema up to date. Fails with `newer-version` where a newer version of this library has migrated it; that schema is left alone. */
export const migrate: Effect.Effect<void, StoreError | SqlError | Migrator.MigrationError, SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })
    const [row] = yield* sql<{ readonly id: number }>`select max(migration_id) as id from ${sql(table)}`
    if (row !== undefined && row.id > latest) {
      return yield* new StoreError({
        operation: "open",
        reason: "newer-version",
        problem: `a newer version wrote it (schema ${row.id}; this version knows ${latest}). Update the program, or use another file`
      })
    }
  })
