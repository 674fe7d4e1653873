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
import type { ReadContext, SqlEffect } from "../database/Transaction.ts"
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
  if (result !== "Accepted") return { _tag: result, text: said ?? "" }
  return { _tag: "Accepted", requestId: (request_id || "?") as RequestId }
}

const exchangedOf = (
  row: Pick<AttemptRow, "code" | "millis" | "stage" | "status">,
  whose: string
): ExchangeFacts | null => {
  const { optional } = Stored.columns(row, whose)
  const stage = optional("stage", Stored.among(stages))
  if (stage === null) return null
  return {
    stage,
    status: optional("status", Stored.integer),
    code: row.code,
    millis: optional("millis", Stored.integer) ?? 0
  }
}

const whose = ({ account, id, kind }: SubmissionKey, what: string) => `${what} of ${kind} ${id} of account ${account}`

const attempt = (key: SubmissionKey, row: AttemptRow): Attempt => {
  const named = whose(key, `attempt ${row.id}`)
  const { column, optional } = Stored.columns(row, named)
  optional("result", Stored.among(StoredValues.results))
  return {
    id: number(row.id),
    key,
    revision: column("revision", Stored.integer),
    receiptDate: column("receipt_text", Stored.instant),
    repeats: column("repeats", Stored.among(StoredValues.repeats)),
    begunAt: column("begun_at", Stored.time),
    finishedAt: optional("finished_at", Stored.time),
    result: resultOf(row),
    requestId: row.request_id === null ? null : column("request_id", Stored.name<RequestId>),
    requestIdBy: row.named_by ?? "gateway",
    mentionedAt: optional("mentioned_at", Stored.time),
    exchanged: exchangedOf(row, named)
  }
}

interface TimelineRow {
  readonly id: Integer
  readonly at: Integer
  readonly from_state: TimelineEntry["from"]
  readonly to_state: TimelineEntry["to"]
  readonly cause: TimelineEntry["cause"]
  readonly text: string | null
  readonly attempt: Integer | null
}

interface ExplainedConflictRow {
  readonly code: StoredConflict["code"]
  readonly detail: string
  readonly at: Integer
  readonly settled_at: Integer | null
}

const entry = (key: SubmissionKey, row: TimelineRow): TimelineEntry => {
  const { column, optional } = Stored.columns(row, whose(key, `event ${row.id}`))
  return {
    at: column("at", Stored.time),
    from: optional("from_state", Stored.among(StoredValues.states)),
    to: column("to_state", Stored.among(StoredValues.states)),
    cause: column("cause", Stored.among(StoredValues.causes)),
    text: row.text,
    attempt: optional("attempt", Stored.integer)
  }
}

const conflict = (key: SubmissionKey, row: ExplainedConflictRow): StoredConflict => {
  const { column, optional } = Stored.columns(row, whose(key, "a conflict"))
  return {
    code: column("code", Stored.among(StoredValues.conflicts)),
    detail: row.detail,
    at: column("at", Stored.time),
    settledAt: optional("settled_at", Stored.time)
  }
}

export const explain = (reading: ReadContext, key: SubmissionKey): SqlEffect<Option.Option<Explanation>> =>
  Effect.gen(function* () {
    const { earliest, sql } = reading
    const [row] = yield* sql<ListedRow>`${listed(sql)}
      where s.account = ${key.account} and s.kind = ${key.kind} and s.id = ${key.id}`
    if (row === undefined) return Option.none()
    const [payload] = yield* sql<{ readonly body: string }>`select body from fiscal_payload
      where submission = ${row.seq} and revision = ${row.revision}`
    const document: UndatedDocument = yield* StoredDocument.read(row.kind, payload?.body ?? "", row.number)
    const attempts = yield* sql<AttemptRow>`select * from fiscal_attempt where submission = ${row.seq} order by id`
    const events = yield* sql<TimelineRow>`select * from fiscal_event where submission = ${row.seq} order by id`
    const outcomes = yield* sql<OutcomeRow>`select * from fiscal_outcome where submission = ${row.seq} order by id`
    const conflicts =
      yield* sql<ExplainedConflictRow>`select * from fiscal_conflict where submission = ${row.seq} order by at`
    const idless = attempts.find(
      ({ possibly_processed, request_id }) => number(possibly_processed) === 1 && request_id === null
    )
    const isUnknown = row.state === "Unknown" && idless !== undefined
    return Option.some({
      submission: submission(row),
      document,
      attempts: attempts.map((one) => attempt(key, one)),
      timeline: events.map((row) => entry(key, row)),
      evidence: outcomes.map((outcome) => {
        const { column, optional } = Stored.columns(outcome, whose(key, `outcome ${outcome.id}`))
        return {
          ...evidenceOf(outcome),
          at: column("arrived_at", Stored.time),
          unknownFields: optional("unknown_fields", Stored.record)
        }
      }),
      conflicts: conflicts.map((row) => conflict(key, row)),
      quietUntil: yield* Effect.map(quietUntil(reading, row.seq), (until) =>
        until === null ? null : DateTime.makeUnsafe(until)
      ),
      failures: yield* stated(sql, row.seq, earliest),
      facts: (yield* DecisionFacts.of(sql, [row]))[0]!,
      candidates: isUnknown ? yield* inbox(sql, row.account, number(idless.begun_at)) : []
    })
  })

type AttemptFactsRow = Pick<
  AttemptRow,
  "id" | "lane" | "repeats" | "begun_at" | "result" | "stage" | "status" | "code" | "millis"
>

export const lastAttempts = (sql: SqlClient, limit: number): Effect.Effect<ReadonlyArray<AttemptFacts>, SqlError> =>
  Effect.map(
    sql<AttemptFactsRow>`select id, lane, repeats, begun_at, result, stage, status, code, millis
      from fiscal_attempt order by id desc limit ${limit}`,
    (rows) =>
      rows.map((row) => {
        const named = `attempt ${row.id}`
        const { column, optional } = Stored.columns(row, named)
        return {
          lane: row.lane,
          repeats: column("repeats", Stored.among(StoredValues.repeats)),
          begunAt: column("begun_at", Stored.time),
          result: optional("result", Stored.among(StoredValues.results)),
          exchanged: exchangedOf(row, named)
        }
      })
  )
