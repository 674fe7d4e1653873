/**
 * Tables of a new store, on both engines. Every time is in milliseconds since the epoch.
 *
 * A column that a migration added follows the columns of before, so that both ways have one result.
 */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { numbered } from "./migrations/Steps.ts"

/**
 * The store itself, in one row, and its devices. `fiscal_lane`: lease, stop, fiscal day, newest
 * attempt and failures of a device. `fiscal_account`: the device of an account, and the account's
 * last observations.
 */
const devices = [
  `create table fiscal_store (
    one bigint primary key,
    id text not null,
    made_at bigint not null,
    moved_to text,
    moved_at bigint,
    accepted_at bigint,
    accepted_quiet bigint,
    proven_as text,
    accepted bigint not null default 0,
    accepted_token text,
    doubtful_until text,
    stop_cause text,
    stop_because text,
    stop_since bigint,
    stop_lane text)`,
  `create table fiscal_lane (
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
    closed_text text,
    known_at bigint,
    fiscal_day bigint,
    attempts bigint not null default 0,
    newest bigint,
    newest_token text,
    newest_begun bigint,
    stopped_at bigint,
    failures bigint not null default 0,
    rule_failures bigint not null default 0,
    same_cause text,
    same_count bigint not null default 0,
    same_from bigint,
    same_after bigint not null default 0)`,
  `create table fiscal_account (
    account text primary key,
    lane text not null references fiscal_lane,
    taxpayer text not null,
    environment text not null,
    serial text,
    zone text,
    paced_until bigint,
    origin text,
    unworked_after bigint,
    control_at bigint,
    control_answer text,
    control_mask text,
    able_since bigint,
    settles_after text)`,
  "create index fiscal_account_lane on fiscal_account (lane)"
]

/**
 * Documents: a small row with the state, insert-only payloads next to it (which halves the cost of
 * a change of state), the numbers that are taken with their folds (document/NumberFold), originals
 * of another system, relations between documents.
 */
const documents = (id: string) => [
  `create table fiscal_submission (
    seq ${id},
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
    good_until text,
    word text,
    dated text,
    restated text,
    made text, receipt text,
    unique (account, kind, id))`,
  "create index fiscal_submission_next on fiscal_submission (lane, lane_order, seq) where state = 'Planned'",
  "create index fiscal_submission_lane on fiscal_submission (lane, state, since)",
  "create index fiscal_submission_state on fiscal_submission (state, seq)",
  "create index fiscal_submission_number on fiscal_submission (number)",
  "create index fiscal_submission_id on fiscal_submission (id)",
  "create index fiscal_submission_receipt on fiscal_submission (lane, receipt_at) where receipt_at is not null",
  "create index fiscal_submission_original on fiscal_submission (original_account, original_id) where original_id is not null",
  "create index fiscal_submission_made on fiscal_submission (original_id) where made = 'here'",
  "create index fiscal_submission_unplaced on fiscal_submission (account, source_date) where kind = 'credit-note' and original_id is null",
  `create table fiscal_payload (
    submission bigint not null references fiscal_submission,
    revision bigint not null,
    planned_at bigint not null,
    buyer text,
    currency text not null,
    total text not null,
    source text not null,
    body text not null,
    meaning text,
    primary key (submission, revision))`,
  `create table fiscal_number (
    taxpayer text not null,
    number text not null,
    account text not null,
    kind text not null,
    id text not null,
    folded text,
    primary key (taxpayer, number))`,
  "create index fiscal_number_folded on fiscal_number (folded, taxpayer)",
  "create index fiscal_number_rule on fiscal_number (account) where upper(number) like '%RCPT%'",
  `create table fiscal_original (
    account text not null,
    invoice_id text not null,
    taxpayer text not null,
    number text not null,
    date text not null,
    currency text not null,
    total text not null,
    tax_codes text not null,
    credited text not null,
    registered_at bigint,
    primary key (account, invoice_id))`,
  `create table fiscal_relation (
    account text not null,
    kind text not null,
    id text not null,
    other_account text not null,
    other_kind text not null,
    other_id text not null,
    relation text not null,
    differs text,
    who text not null,
    because text not null,
    at bigint not null,
    primary key (account, kind, id, other_account, other_kind, other_id))`,
  "create index fiscal_relation_other on fiscal_relation (other_account, other_kind, other_id)",
  "create index fiscal_relation_id on fiscal_relation (id)",
  "create index fiscal_relation_same on fiscal_relation (account) where relation = 'same'",
  `create table fiscal_tally (
    lane text not null,
    state text not null,
    n bigint not null,
    primary key (lane, state))`
]

/**
 * Evidence: attempts, outcomes, failures that prove nothing yet (`fiscal_statement`),
 * contradictions, changes of state.
 */
const evidence = (id: string) => [
  `create table fiscal_attempt (
    id ${id},
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
    looks bigint not null default 0,
    named_by text,
    mentioned_at bigint,
    stage text,
    status bigint,
    code text,
    millis bigint,
    written_by bigint,
    number bigint,
    token text,
    quiet bigint,
    hurried_at bigint,
    confirmed bigint,
    behind bigint)`,
  "create index fiscal_attempt_submission on fiscal_attempt (submission)",
  "create index fiscal_attempt_request on fiscal_attempt (account, request_id) where request_id is not null",
  "create index fiscal_attempt_mark on fiscal_attempt (lane, receipt_at) where possibly_processed = 1",
  "create index fiscal_attempt_idless on fiscal_attempt (account) where possibly_processed = 1 and request_id is null",
  "create index fiscal_attempt_lane on fiscal_attempt (lane, id)",
  "create index fiscal_attempt_named on fiscal_attempt (account) where named_by is not null",
  "create index fiscal_attempt_awaited on fiscal_attempt (account, known_at) where poll_at is not null",
  `create table fiscal_outcome (
    id ${id},
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
    code text,
    receipt text,
    missing text,
    settled_by text,
    unique (account, request_id, digest))`,
  "create index fiscal_outcome_submission on fiscal_outcome (submission) where submission is not null",
  "create index fiscal_outcome_inbox on fiscal_outcome (account) where submission is null",
  "create index fiscal_outcome_code on fiscal_outcome (code) where code is not null",
  "create index fiscal_outcome_receipt on fiscal_outcome (receipt) where receipt is not null",
  "create index fiscal_outcome_attempt on fiscal_outcome (attempt) where attempt is not null",
  `create table fiscal_statement (
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
    primary key (account, request_id, mask))`,
  "create index fiscal_statement_mask on fiscal_statement (mask)",
  `create table fiscal_conflict (
    submission bigint not null references fiscal_submission,
    code text not null,
    detail text not null,
    at bigint not null,
    settled_at bigint,
    stated text,
    body text,
    meaning text,
    primary key (submission, code, detail))`,
  "create index fiscal_conflict_open on fiscal_conflict (code, submission) where settled_at is null",
  "create index fiscal_conflict_code on fiscal_conflict (code, detail)"
]

const records = (id: string) => [
  `create table fiscal_event (
    id ${id},
    submission bigint not null references fiscal_submission,
    at bigint not null,
    from_state text,
    to_state text not null,
    cause text not null,
    text text,
    attempt bigint)`,
  "create index fiscal_event_submission on fiscal_event (submission, id)",
  `create table fiscal_decision (
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
    submission bigint references fiscal_submission)`,
  "create index fiscal_decision_submission on fiscal_decision (submission) where submission is not null",
  "create index fiscal_decision_subject on fiscal_decision (subject)",
  "create index fiscal_decision_report on fiscal_decision (id) where act = 'report'",
  "create index fiscal_decision_day on fiscal_decision (id) where act = 'acknowledge-day'",
  `create table fiscal_accepted_unknown (
    id ${id},
    account text not null,
    fact text not null,
    because text not null,
    at bigint not null,
    back_at bigint)`,
  "create index fiscal_accepted_unknown_open on fiscal_accepted_unknown (account) where back_at is null",
  `create table fiscal_notice (
    source text not null,
    subject text not null,
    code text not null,
    detail text not null,
    text text not null,
    since bigint not null,
    seen_at bigint not null,
    primary key (source, subject, code, detail))`,
  `create table fiscal_alert (
    one bigint primary key,
    told text not null,
    not_before bigint not null,
    failures bigint not null)`
]

const imports = (id: string) => [
  `create table fiscal_import (
    id ${id},
    account text not null,
    at text not null,
    made text not null,
    standing text not null,
    documents bigint not null,
    refused bigint not null,
    skipped bigint not null,
    memory text,
    rest bigint not null default 0,
    begun_at bigint)`,
  "create index fiscal_import_standing on fiscal_import (standing, account)",
  `create table fiscal_import_page (
    import bigint not null references fiscal_import,
    page bigint not null,
    oldest text,
    body text not null,
    primary key (import, page))`,
  "create index fiscal_import_page_oldest on fiscal_import_page (oldest) where oldest is not null",
  `create table fiscal_import_rest (
    import bigint not null references fiscal_import,
    page bigint not null,
    documents bigint not null,
    oldest text not null,
    body text not null,
    primary key (import, page))`
]

/**
 * Live sources: the last run, the mark of each endpoint, each document as last read. Refused
 * documents of imports and sources, until they are accounted for.
 */
const sources = [
  `create table fiscal_source (
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
    primary key (source, tenant))`,
  `create table fiscal_source_mark (
    source text not null,
    tenant text not null,
    endpoint text not null,
    modified bigint not null,
    primary key (source, tenant, endpoint))`,
  `create table fiscal_source_document (
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
    asked_at bigint,
    conditions text,
    primary key (source, tenant, endpoint, id))`,
  "create index fiscal_source_document_modified on fiscal_source_document (source, tenant, endpoint, modified)",
  "create index fiscal_source_document_refused on fiscal_source_document (source, tenant) where standing = 'refused'",
  `create table fiscal_refused (
    account text not null,
    name text not null,
    origin text not null,
    kind text,
    number text not null,
    day text,
    content text not null,
    codes text not null,
    first_at bigint not null,
    last_at bigint not null,
    late_at bigint,
    dismissed_at bigint,
    original text,
    primary key (account, name))`,
  "create index fiscal_refused_open on fiscal_refused (account, first_at, name) where dismissed_at is null"
]

/**
 * Creates the tables. Adding the columns one by one costs SQLite more than the rest of a first
 * start.
 */
export const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = numbered(sql)
  yield* Effect.forEach(
    [...devices, ...documents(id), ...evidence(id), ...records(id), ...imports(id), ...sources],
    (statement) => sql.unsafe(statement),
    { discard: true }
  )
})
