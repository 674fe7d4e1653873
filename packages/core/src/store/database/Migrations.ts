/**
 * Migrations of the tables, append-only: a released migration is never changed. A schema newer than
 * the last one here is refused.
 */
import { Clock, Duration, Effect } from "effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inOneLine } from "../../document/EscapedText.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import { acceptances } from "./Acceptances.ts"
import { dialect } from "./Dialect.ts"
import { inOneStep } from "./NewSchema.ts"
import { proofs } from "./Proofs.ts"
import { provenAttempts } from "./ProvenAttempts.ts"
import { storeStop } from "./StoredStop.ts"

const table = "fiscal_migrations"

/**
 * Submissions and their history: a small state table next to insert-only payloads, which halves the
 * cost of a state change.
 */
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

/** Last day on which a document's taxes are valid. */
const goodUntil = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_submission add column good_until text`
})

/**
 * Observations of an attempt's request: its progress, the status of the answer, the transport's
 * error code, the duration.
 */
const exchanged = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["stage text", "status bigint", "code text", "millis bigint"]) {
    yield* sql`alter table fiscal_attempt add column ${sql.literal(column)}`
  }
})

/** Identity of the store, and the exact device of an account. */
const permission = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_store (one bigint primary key, id text not null, made_at bigint not null)`
  yield* sql`alter table fiscal_account add column serial text`
  yield* sql`alter table fiscal_account add column zone text`
  yield* sql`alter table fiscal_lane add column known_at bigint`
  yield* sql`update fiscal_lane set known_at = 0 where lane in (select lane from fiscal_attempt)`
})

/** Operator's decision about an unsent document (submission/Revisit, Override). */
const word = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_submission add column word text`
})

/**
 * Origin of an attempt's request id, if not the gateway, and the time of the last status with the
 * id.
 */
const requestIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_attempt add column named_by text`
  yield* sql`alter table fiscal_attempt add column mentioned_at bigint`
})

/** Origin of the time of a receipt date: the source, or assigned. */
const dated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_submission add column dated text`
})

/**
 * Schema version of the program that wrote an attempt. The trigger of `guard` reads the version.
 */
const writtenBy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_attempt add column written_by bigint`
})

/**
 * Day up to which documents may have been sent without the store's knowledge, because the store was
 * an older copy.
 */
const doubt = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_lane add column doubtful_until text`
})

/** Latest fiscal day of a receipt of the lane. */
const fiscalDay = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_lane add column fiscal_day bigint`
})

/**
 * End of an account's pause between attempts. New place of a moved store, and the time of the move.
 */
const pacedAndMoved = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_account add column paced_until bigint`
  yield* sql`alter table fiscal_store add column moved_to text`
  yield* sql`alter table fiscal_store add column moved_at bigint`
})

/**
 * Concerns of the last health alert, earliest time of the next alert, and number of consecutive
 * failures.
 */
const alerts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_alert (
    one bigint primary key,
    told text not null,
    not_before bigint not null,
    failures bigint not null)`
})

/**
 * Inputs of imports, and their documents in pages. `oldest`: earliest day of a document that can be
 * forgotten.
 */
const imports = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { identity } = dialect(sql)
  yield* sql`create table fiscal_import (
    id ${identity},
    account text not null,
    at text not null,
    made text not null,
    standing text not null,
    documents bigint not null,
    refused bigint not null,
    skipped bigint not null)`
  yield* sql`create table fiscal_import_page (
    import bigint not null references fiscal_import,
    page bigint not null,
    oldest text,
    body text not null,
    primary key (import, page))`
  yield* sql`create index fiscal_import_page_oldest on fiscal_import_page (oldest) where oldest is not null`
})

/**
 * Waiting documents of accepted imports, in pages. `oldest`: earliest day of a document with
 * personal data in the page.
 */
const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_import add column memory text`
  yield* sql`alter table fiscal_import add column rest bigint not null default 0`
  yield* sql`alter table fiscal_import add column begun_at bigint`
  yield* sql`create index fiscal_import_open on fiscal_import (standing, account) where standing <> 'whole'`
  yield* sql`create table fiscal_import_rest (
    import bigint not null references fiscal_import,
    page bigint not null,
    documents bigint not null,
    oldest text not null,
    body text not null,
    primary key (import, page))`
})

/** Facts that operators accepted as unknown. `back_at`: when the gateway stated the fact again. */
const acceptedUnknowns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { identity } = dialect(sql)
  yield* sql`create table fiscal_accepted_unknown (
    id ${identity},
    account text not null,
    fact text not null,
    because text not null,
    at bigint not null,
    back_at bigint)`
  yield* sql`create index fiscal_accepted_unknown_open on fiscal_accepted_unknown (account) where back_at is null`
})

/**
 * Latest observations of accounts and fiscal days (submission/Notice), and start of a lane's stop.
 */
const notices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_notice (
    source text not null,
    subject text not null,
    code text not null,
    detail text not null,
    text text not null,
    since bigint not null,
    seen_at bigint not null,
    primary key (source, subject, code, detail))`
  yield* sql`alter table fiscal_lane add column stopped_at bigint`
})

/**
 * Fingerprint of the source's statement when it differed from the sent document, so that the same
 * difference is recorded once.
 */
const sourceStated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_conflict add column stated text`
})

/** Operator decisions, in sequence (submission/OperatorRecord). */
const decisions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_decision (
    id bigint primary key,
    at bigint not null,
    who text not null,
    act text not null,
    account text,
    subject text not null,
    what text not null,
    because text,
    because_digest text not null,
    digest text not null,
    submission bigint references fiscal_submission)`
  yield* sql`create index fiscal_decision_submission on fiscal_decision (submission) where submission is not null`
})

/** Gateway for which an account's key was used. */
const keyOrigin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_account add column origin text`
})

/**
 * Seconds of waiting without a worker after which an account's documents need attention. Null for
 * the default.
 */
const unworkedAfter = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_account add column unworked_after bigint`
})

/**
 * Live sources (submission/LiveSourceState): last runs, marks per endpoint, and each document as
 * last read.
 */
const liveSources = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table fiscal_source (
    source text not null,
    tenant text not null,
    account text not null,
    go_live text not null,
    quiet_after bigint not null,
    planned_at bigint,
    ran_at bigint,
    found_at bigint,
    swept_at bigint,
    stop_code text,
    stop_text text,
    stop_since bigint,
    retry_at bigint,
    login_ends bigint,
    counts text,
    primary key (source, tenant))`
  yield* sql`create table fiscal_source_mark (
    source text not null,
    tenant text not null,
    endpoint text not null,
    modified bigint not null,
    primary key (source, tenant, endpoint))`
  yield* sql`create table fiscal_source_document (
    source text not null,
    tenant text not null,
    endpoint text not null,
    id text not null,
    kind text,
    number text not null,
    modified bigint not null,
    standing text not null,
    since bigint not null,
    codes text not null,
    primary key (source, tenant, endpoint, id))`
  yield* sql`create index fiscal_source_document_modified on fiscal_source_document (source, tenant, endpoint, modified)`
  yield* sql`create index fiscal_source_document_refused on fiscal_source_document (source, tenant) where standing = 'refused'`
})

/**
 * Removes an operator as the origin of a request id that the gateway has answered with. A late
 * answer replaced the operator's id and left the origin unchanged.
 */
const answeredIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update fiscal_attempt set named_by = null where named_by = 'operator' and result = 'Accepted'`
})

/**
 * Civil date of the store for lanes that an accepted older copy does not have: documents up to this
 * date may have been sent through the lost store.
 */
const doubtfulStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_store add column doubtful_until text`
  yield* sql`update fiscal_store set doubtful_until = (select max(doubtful_until) from fiscal_lane)`
})

/** Splits the hold cause `person`: no stored fact tells which of its four causes a document has. */
const holds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update fiscal_submission set hold_cause = 'older-copy' where hold_cause = 'person'`
})

/**
 * Failures that the gateway states and that prove nothing yet; what settled a rejection; the
 * control
 * and the ability of an account to send. `confirmed` is cleared where no proof is left.
 */
const statements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`create table fiscal_statement (
    account text not null,
    request_id text not null,
    mask text not null,
    text text not null,
    nature text not null,
    beside text,
    first_at bigint not null,
    last_at bigint not null,
    looks bigint,
    counted_at bigint,
    able_at bigint,
    able_millis bigint not null,
    delivered_at bigint,
    primary key (account, request_id, mask))`
  yield* sql`alter table fiscal_outcome add column settled_by text`
  for (const column of [
    "control_at bigint",
    "control_answer text",
    "control_mask text",
    "able_since bigint",
    "settles_after text"
  ]) {
    yield* sql`alter table fiscal_account add column ${sql.literal(column)}`
  }
  yield* sql`update fiscal_outcome set settled_by = case when source = 'operator' then 'operator'
    when detail like '%RCPT___%' then 'code' when source = 'webhook' then 'delivery' else 'text' end
    where outcome = 'Rejected'`
  yield* sql`update fiscal_attempt set confirmed = null where confirmed is not null and not exists (
    select 1 from fiscal_outcome o where o.attempt = fiscal_attempt.id and o.outcome in ('Rejected', 'Fiscalised')
      and (o.settled_by is null or o.settled_by <> 'text'))`
  yield* sql`update fiscal_attempt set poll_at = ${now} where poll_at is null and request_id is not null
    and known_at > ${now - Duration.toMillis("7 days")} and possibly_processed = 1 and not exists (
    select 1 from fiscal_outcome o where o.attempt = fiscal_attempt.id
      and (o.outcome = 'Fiscalised' or o.settled_by in ('code', 'delivery', 'operator')))`
})

/**
 * Failures of a lane's documents: their number, and those in a row with one cause
 * (store/lanes/LaneCauses).
 */
const laneCauses = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_lane add column failures bigint not null default 0`
  yield* sql`alter table fiscal_lane add column rule_failures bigint not null default 0`
  yield* sql`alter table fiscal_lane add column same_cause text`
  yield* sql`alter table fiscal_lane add column same_count bigint not null default 0`
  yield* sql`alter table fiscal_lane add column same_from bigint`
  yield* sql`alter table fiscal_lane add column same_after bigint not null default 0`
  yield* sql`create index fiscal_outcome_failed on fiscal_outcome (attempt) where outcome = 'Rejected'`
})

/**
 * Refused documents of a source: when the source was last asked for them, and under which
 * conditions they were refused. `restated`: fingerprint of a later reading of a sent document that
 * differs only in the places of its unit prices.
 */
const askedAgain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_source_document add column asked_at bigint`
  yield* sql`alter table fiscal_source_document add column conditions text`
  yield* sql`alter table fiscal_submission add column restated text`
})

/** Every step from a store without tables to this version's schema. */
export const migrations = {
  "0001_submissions": submissions,
  "0002_good_until": goodUntil,
  "0003_permission": permission,
  "0004_word": word,
  "0005_request_ids": requestIds,
  "0006_dated": dated,
  "0007_exchanged": exchanged,
  "0008_written_by": writtenBy,
  "0009_doubt": doubt,
  "0010_fiscal_day": fiscalDay,
  "0011_paced_and_moved": pacedAndMoved,
  "0012_alerts": alerts,
  "0013_imports": imports,
  "0014_proven_attempts": provenAttempts,
  "0015_waiting": waiting,
  "0016_accepted_unknowns": acceptedUnknowns,
  "0017_acceptances": acceptances,
  "0018_source_stated": sourceStated,
  "0019_notices": notices,
  "0020_decisions": decisions,
  "0021_key_origin": keyOrigin,
  "0022_unworked_after": unworkedAfter,
  "0023_live_sources": liveSources,
  "0024_answered_ids": answeredIds,
  "0025_doubtful_store": doubtfulStore,
  "0026_proofs": proofs,
  "0027_holds": holds,
  "0028_store_stop": storeStop,
  "0029_statements": statements,
  "0030_lane_causes": laneCauses,
  "0033_asked_again": askedAgain
}

/** Schema version that this library reads and writes. */
export const latest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

type Sql = (
  strings: TemplateStringsArray
) => Effect.Effect<ReadonlyArray<{ readonly id: number | bigint | null }>, SqlError>

/** Reads the schema version of a store with tables. */
const version = (sql: Sql): Effect.Effect<number, SqlError> =>
  Effect.map(sql`select max(migration_id) as id from fiscal_migrations`, ([row]) => Number(row?.id ?? 0))

/** Reads the schema version of the database. 0 without our tables. */
export const schemaOf = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const tables = yield* sql.onDialectOrElse({
      // to_regclass does not see tables that another process created while this transaction waited
      pg: () => sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'fiscal_migrations'`,
      orElse: () => sql`select 1 from sqlite_schema where type = 'table' and name = 'fiscal_migrations'`
    })
    return tables.length === 0 ? 0 : yield* version(sql)
  })

/** Error for a schema of a newer version. */
export const newer = (found: number) =>
  new StoreError({
    operation: "open",
    reason: "newer-version",
    problem: `a newer version wrote it (schema ${found}; this version knows ${latest}). Update the program, or use another file`
  })

/** Prefix of `moved_to` in a copy that is not yet the store, followed by the source's place. */
export const unfinished = "unfinished copy of "

/** Error for a store that was moved away, or for an unfinished copy. */
export const moved = (to: string) =>
  new StoreError({
    operation: "open",
    reason: "moved",
    problem: to.startsWith(unfinished)
      ? `it is an ${inOneLine(to)}. Copying it again finishes it`
      : `it was moved to ${inOneLine(to)}. Nothing is sent from here any more; name that one in the configuration`
  })

/**
 * Called in the transaction of an upgrade, before any change. A caller that makes a backup makes it
 * here.
 */
export type BeforeUpgrade = (from: number, to: number) => Effect.Effect<void, StoreError>

const overtaken = "a newer version of this program has upgraded the store: update this one"

/**
 * Installs a trigger that refuses attempts of programs of an earlier version. A program that was
 * running during the upgrade does not check the schema again, but its attempts lack this version
 * number.
 */
export const guard = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        yield* sql`create or replace function fiscal_refuse_attempt() returns trigger language plpgsql as
          $$ begin raise exception ${sql.literal(`'${overtaken}'`)}; end $$`
        yield* sql`drop trigger if exists fiscal_attempt_of_this_version on fiscal_attempt`
        yield* sql`create trigger fiscal_attempt_of_this_version before insert on fiscal_attempt for each row
          when (new.written_by is distinct from ${sql.literal(String(latest))}) execute function fiscal_refuse_attempt()`
      }),
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`drop trigger if exists fiscal_attempt_of_this_version`
        yield* sql`create trigger fiscal_attempt_of_this_version before insert on fiscal_attempt
          when new.written_by is not ${sql.literal(String(latest))}
          begin select raise(abort, ${sql.literal(`'${overtaken}'`)}); end`
      })
  })

/**
 * Removes the guard, for rows of earlier versions. Use inside a transaction that installs the guard
 * again.
 */
export const unguard = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`drop trigger if exists fiscal_attempt_of_this_version on fiscal_attempt`),
    orElse: () => Effect.asVoid(sql`drop trigger if exists fiscal_attempt_of_this_version`)
  })

/**
 * Serializes processes that upgrade the store at the same time. SQLite has one writer at a time
 * anyway.
 */
const oneAtATime = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(
        sql`select pg_advisory_xact_lock(hashtextextended('fiscal-connector migrations ' || current_schema(), 0))`
      ),
    orElse: () => Effect.void
  })

/**
 * Upgrades the schema in one transaction. Fails with `newer-version`, without any change, if a
 * newer version of this library has migrated the schema.
 */
export const migrate = (
  before: BeforeUpgrade
): Effect.Effect<void, StoreError | SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // most stores are up to date, and opening one must not wait for its writers
    const found = yield* schemaOf(sql)
    if (found > latest) return yield* newer(found)
    if (found === latest) return
    const upgrade = Effect.gen(function* () {
      yield* oneAtATime(sql)
      // another process may have upgraded meanwhile
      const from = yield* schemaOf(sql)
      if (from > latest) return yield* newer(from)
      if (from === latest) return
      if (from > 0) yield* before(from, latest)
      const steps = from === 0 ? inOneStep(migrations) : migrations
      yield* Migrator.make({})({ loader: Migrator.fromRecord(steps), table })
      yield* guard(sql)
    })
    yield* sql.withTransaction(upgrade)
  })
