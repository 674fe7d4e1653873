/** Reads one submission with its whole history, and the last attempts of all submissions. */
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { UndatedDocument } from "../../document/FiscalDocument.ts"
import type { RequestId } from "../../document/Identifiers.ts"
import { type ExchangeFacts, stages } from "../../gateway/contract/ExchangeFacts.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import type { Attempt, AttemptFacts } from "../../submission/Attempt.ts"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import type { Explanation, StoredConflict, TimelineEntry } from "../../submission/Explanation.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Reading, SqlEffect } from "../database/Transaction.ts"
import * as DecisionFacts from "../evidence/DecisionFacts.ts"
import { stated } from "../evidence/Failures.ts"
import { evidenceOf } from "../evidence/StoredOutcome.ts"
import { inbox } from "../evidence/Unknowns.ts"
import { quietUntil } from "../lanes/Quiet.ts"
import {
  type AttemptRow,
  type Integer,
  listed,
  type ListedRow,
  number,
  type OutcomeRow,
  submission
} from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"

const resultOf = ({ request_id, result, said }: AttemptRow): AttemptResult | null => {
  if (result === null) return null
  if (result !== "Accepted") return { _tag: result, because: said ?? "" }
  return { _tag: "Accepted", requestId: (request_id || "?") as RequestId }
}

/** Converts the observations of an attempt's request. */
const exchangedOf = (
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

export const explain = (reading: Reading, key: SubmissionKey): SqlEffect<Option.Option<Explanation>> =>
  Effect.gen(function* () {
    const { earliest, sql } = reading
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
      quietUntil: yield* Effect.map(quietUntil(reading, row.seq), (until) =>
        until === null ? null : DateTime.makeUnsafe(until)
      ),
      failures: yield* stated(sql, row.seq, earliest),
      facts: (yield* DecisionFacts.of(sql, [row]))[0]!,
      candidates: isUnknown ? yield* inbox(sql, row.account, number(idless.begun_at)) : []
    })
  })

type FactsRow = Pick<
  AttemptRow,
  "id" | "lane" | "repeats" | "begun_at" | "result" | "stage" | "status" | "code" | "millis"
>

export const lastAttempts = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<AttemptFacts>, SqlError> =>
  Effect.map(
    sql<FactsRow>`select id, lane, repeats, begun_at, result, stage, status, code, millis
      from fiscal_attempt order by id desc limit ${limit}`,
    (rows) =>
      rows.map((row) => {
        const at = (column: string) => () => `${column} of attempt ${row.id}`
        return {
          lane: row.lane,
          repeats: Stored.oneOf(StoredValues.repeats, row.repeats, at("repeats")),
          begunAt: Stored.time(row.begun_at, at("begun_at")),
          result: Stored.nullable(row.result, (result) => Stored.oneOf(StoredValues.results, result, at("result"))),
          exchanged: exchangedOf(row, at)
        }
      })
  )
