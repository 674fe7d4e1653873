/** Accepted even from a holder that lost its lease, because a result is evidence. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AttemptResult } from "../../submission/AttemptResult.ts"
import { StoreError } from "../../submission/ledger/StoreError.ts"
import type { State } from "../../submission/Submission.ts"
import type { FinishedAttempt } from "../../submission/Attempt.ts"
import { type AttemptRow, type Integer, type MovableRow, number, type OutcomeRow } from "../rows/Rows.ts"
import { mayBeReceipt } from "../rows/SettledSql.ts"
import type { QueryResult } from "../database/Statements.ts"
import type { SqlEffect, SqlReturn, Transaction } from "../database/Transaction.ts"
import * as Refutation from "../lanes/Refutation.ts"
import * as LaneCauses from "../lanes/LaneCauses.ts"
import * as Quiet from "../lanes/Quiet.ts"
import { move, note } from "../lanes/Transition.ts"
import * as Failures from "./Failures.ts"
import * as ForeignId from "./ForeignId.ts"
import * as OverruledId from "./OverruledId.ts"
import { weigh } from "./Verdicts.ts"

const certain = (result: AttemptResult): boolean => result._tag === "Declined" || result._tag === "NotProcessed"

export interface AnsweredRow extends MovableRow {
  readonly attempt: Integer
  readonly attempt_lane: string
  readonly token: string | null
  readonly attempt_revision: Integer
  readonly repeats: AttemptRow["repeats"]
  readonly result: AttemptRow["result"]
  /** Request id before the answer: entered by an operator, or assigned by elimination. */
  readonly presumed_id: string | null
  readonly stops: Integer
  readonly foreign_ids: Integer
  readonly early: Integer
}

const readAnswered = (
  { dialect, sql }: Pick<Transaction, "sql" | "dialect">,
  id: Integer,
  requestId: string | null
): Effect.Effect<QueryResult<AnsweredRow>, SqlError> =>
  sql.ahead<AnsweredRow>`select s.seq, s.account, s.kind, s.id, s.state, s.lane, s.number, l.stops, a.id as attempt, a.lane as attempt_lane, a.token, a.revision as attempt_revision,
        a.repeats, a.result, a.request_id as presumed_id,
        (select count(*) from fiscal_attempt b
          where b.account = a.account and b.request_id = ${requestId} and b.submission <> a.submission) as foreign_ids,
        (select count(*) from fiscal_outcome o
          where o.account = a.account and o.request_id = ${requestId} and o.submission is null)
          + (select count(*) from fiscal_statement t
            where t.account = a.account and t.request_id = ${requestId}) as early
      from fiscal_attempt a
      join fiscal_submission s on s.seq = a.submission
      join fiscal_lane l on l.lane = a.lane
      where a.id = ${id} ${dialect.forUpdate}`

const identified = (
  transaction: Transaction,
  { account, attempt, attempt_lane: lane, seq }: AnsweredRow,
  requestId: string
) =>
  Effect.gen(function* () {
    const { sql } = transaction
    const early = yield* sql<
      Pick<OutcomeRow, "outcome">
    >`update fiscal_outcome set submission = ${seq}, attempt = ${attempt}
      where account = ${account} and request_id = ${requestId} and submission is null returning outcome`
    const [row] = yield* sql<Failures.TimedAttempt>`select a.*, ${Quiet.times({ sql })}
      from fiscal_attempt a where a.id = ${attempt}`
    yield* Failures.reconsider(transaction, row!, requestId)
    yield* sql`update fiscal_attempt set poll_at = null where id = ${attempt}
      and exists (select 1 from fiscal_outcome o where o.attempt = ${attempt} and o.outcome = 'Fiscalised' and o.missing is null)`
    const failed = yield* Failures.textsOf(transaction, account, requestId)
    yield* LaneCauses.hear(transaction, [
      ...early.flatMap(({ outcome }) => (outcome === "Fiscalised" ? [{ lane, requestId, error: null }] : [])),
      ...failed.map((error) => ({ lane, requestId, error }))
    ])
  })

/**
 * Assigns a request id to an attempt, from the gateway's own outcome or from an operator (`by`).
 * Fails with `conflict` if another document has the request id.
 */
export const identify = (transaction: Transaction, attempt: Integer, requestId: string, by: AttemptRow["named_by"]) =>
  Effect.gen(function* () {
    const { latest, now, sql } = transaction
    const [row] = yield* Effect.flatten(readAnswered(transaction, attempt, requestId))
    // the caller has checked before; one request never belongs to two documents
    if (number(row!.foreign_ids) > 0) {
      const problem = `the request id ${requestId} belongs to another document`
      return yield* new StoreError({ operation: "give an attempt its request id", reason: "conflict", text: problem })
    }
    yield* sql`update fiscal_attempt set ${sql.update({ request_id: requestId, named_by: by, known_at: latest, poll_at: now })}
      where id = ${attempt}`
    if (number(row!.early) > 0) yield* identified(transaction, row!, requestId)
  })

const textOf = (result: AttemptResult): string | null => (result._tag === "Accepted" ? null : result.text)

const answered = (transaction: Transaction, row: MovableRow, attempt: number, result: AttemptResult) => {
  const text = textOf(result)
  const particulars = { attempt, text, patch: { said: text } }
  switch (result._tag) {
    case "Accepted":
      return move(transaction, row, "Accepted", "accepted", {
        attempt,
        text: `request id ${result.requestId}`,
        patch: { request_id: result.requestId, said: null }
      })
    case "Declined":
      return Effect.flatMap(Refutation.hold(transaction, row), (isHeld) =>
        isHeld ? Effect.succeed<State>("Held") : move(transaction, row, "Declined", "declined", particulars)
      )
    case "NotProcessed":
      return move(transaction, row, "Planned", "not-processed", particulars)
    case "Unknown":
      return move(transaction, row, "Unknown", "unknown-outcome", particulars)
  }
}

/**
 * A certainly unprocessed attempt moves an Unknown document back to Planned, unless another attempt
 * may have been processed.
 */
const late = (transaction: Transaction, row: MovableRow, attempt: number, result: AttemptResult): SqlEffect<unknown> =>
  Effect.gen(function* () {
    const { sql } = transaction
    note(transaction, row, "noted", `a late answer: ${textOf(result) ?? "accepted"}`, attempt)
    if (!certain(result) || row.state !== "Unknown") return
    const open = yield* sql`select a.id from fiscal_attempt a where a.submission = ${row.seq} and ${mayBeReceipt(sql)}`
    if (open.length === 0) yield* move(transaction, row, "Planned", "not-processed", { attempt, text: textOf(result) })
  })

const requestIdOf = (result: AttemptResult): string | null => (result._tag === "Accepted" ? result.requestId : null)

export const read = (reading: Pick<Transaction, "sql" | "dialect">, { attempt, result }: FinishedAttempt) =>
  readAnswered(reading, attempt, requestIdOf(result))

export interface Finished {
  readonly state: State
  readonly wentOn: string | null
}

/** Writes the answer. `found`: as read in this transaction. */
export const finish = Effect.fnUntraced(function* (
  transaction: Transaction,
  { attempt: id, exchanged, firstLook, pace, result: answer, token }: FinishedAttempt,
  found: AnsweredRow | undefined
): SqlReturn<Finished> {
  const { latest, now, sql } = transaction
  const requestId = requestIdOf(answer)
  if (found === undefined) {
    return yield* new StoreError({
      operation: "finish an attempt",
      reason: "conflict",
      text: `there is no attempt ${id}`
    })
  }
  if (token !== undefined && found.token !== token) {
    return yield* new StoreError({
      operation: "finish an attempt",
      reason: "conflict",
      text: "the store is an older copy: it does not have the attempt that was begun through it"
    })
  }
  // recorded before: the same call again, or a late Unknown; only a real answer may replace Unknown
  if (found.result !== null && (found.result !== "Unknown" || answer._tag === "Unknown")) {
    return { state: found.state, wentOn: null }
  }
  const row =
    found.presumed_id === null || found.presumed_id === requestId
      ? found
      : yield* OverruledId.settle(transaction, found, answer)
  const early = number(row.early)
  const isForeign = number(row.foreign_ids) > 0 && answer._tag === "Accepted"
  const result = isForeign ? yield* ForeignId.settle(transaction, row, answer) : answer
  yield* sql`update fiscal_attempt set ${sql.update({
    result: result._tag,
    said: textOf(result),
    finished_at: now,
    behind: latest - now,
    stage: exchanged?.stage ?? null,
    status: exchanged?.status ?? null,
    code: exchanged?.code ?? null,
    millis: exchanged?.millis ?? null,
    possibly_processed: certain(result) ? 0 : 1,
    ...(result._tag === "Accepted"
      ? { request_id: requestId, named_by: null, known_at: latest, poll_at: now + Duration.toMillis(firstLook) }
      : {})
  })} where id = ${id}`
  if (pace !== undefined) {
    yield* sql`update fiscal_account set paced_until = ${now + Duration.toMillis(pace)} where account = ${row.account}`
  }
  if (requestId !== null && early > 0 && result._tag === "Accepted") yield* identified(transaction, row, requestId)
  const inFlight = row.state === "Sending" && row.result === null
  const state = inFlight
    ? yield* answered(transaction, row, id, result)
    : yield* Effect.as(late(transaction, row, id, result), row.state)
  if (number(row.stops) > 0 && (result._tag === "Accepted" || result._tag === "Declined")) {
    yield* sql`update fiscal_lane set stops = 0 where lane = ${row.attempt_lane}`
  }
  const olderMaySpeak =
    number(row.attempt_revision) > 1 || early > 0 || !inFlight || row.repeats === "retry" || isForeign
  if (olderMaySpeak) return { state: yield* weigh(transaction, row.seq, "fresh"), wentOn: null }
  return { state, wentOn: state === "Accepted" && pace === undefined ? row.lane : null }
})

export const finishAlone = (transaction: Transaction, finished: FinishedAttempt): SqlEffect<State> =>
  Effect.gen(function* () {
    const [row] = yield* Effect.flatten(read(transaction, finished))
    return (yield* finish(transaction, finished, row)).state
  })
