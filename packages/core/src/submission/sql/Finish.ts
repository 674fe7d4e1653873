/** What became of an attempt, written down; also for a holder that lost its lease, because it is evidence. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AttemptResult } from "../AttemptResult.ts"
import { StoreError } from "../StoreError.ts"
import type { State } from "../Submission.ts"
import { type AttemptRow, number, type SubmissionRow } from "./Rows.ts"
import type { Transaction } from "./Transaction.ts"
import { locked, move, note } from "./Transition.ts"
import { weigh } from "./Verdicts.ts"

type Work<A> = Effect.Effect<A, SqlError | StoreError>

interface FinishingRow extends AttemptRow {
  readonly lane: string
}

const certain = (result: AttemptResult): boolean => result._tag === "Declined" || result._tag === "NotProcessed"

/** A request id that is another document's says nothing about this one. */
const believable = ({ sql }: Transaction, attempt: FinishingRow, result: AttemptResult): Work<AttemptResult> => {
  if (result._tag !== "Accepted") return Effect.succeed(result)
  return Effect.map(
    sql`select id from fiscal_attempt where account = ${attempt.account} and request_id = ${result.requestId}
      and submission <> ${attempt.submission} limit 1`,
    (others) =>
      others.length === 0
        ? result
        : { _tag: "Unknown", because: "the gateway answered with the request id of another document" }
  )
}

/** Gives the attempt its request id, and the outcomes that came early their attempt. */
export const identify = ({ now, sql }: Transaction, attempt: AttemptRow, requestId: string, firstLook: number) =>
  Effect.gen(function* () {
    yield* sql`update fiscal_attempt set ${sql.update({ request_id: requestId, known_at: now, poll_at: now + firstLook })}
      where id = ${attempt.id}`
    const early = yield* sql`update fiscal_outcome set submission = ${attempt.submission}, attempt = ${attempt.id}
      where account = ${attempt.account} and request_id = ${requestId} and submission is null returning id`
    if (early.length > 0) yield* sql`update fiscal_attempt set poll_at = null where id = ${attempt.id}`
    return early.length
  })

const because = (result: AttemptResult): string | null => (result._tag === "Accepted" ? null : result.because)

/** The answer to the attempt that is being sent. */
const answered = (transaction: Transaction, row: SubmissionRow, attempt: number, result: AttemptResult) => {
  const text = because(result)
  const particulars = { attempt, text, patch: { said: text } }
  switch (result._tag) {
    case "Accepted":
      return move(transaction, row, "Accepted", "accepted", {
        attempt,
        text: `request id ${result.requestId}`,
        patch: { request_id: result.requestId, said: null }
      })
    case "Declined":
      return move(transaction, row, "Declined", "declined", particulars)
    case "NotProcessed":
      return move(transaction, row, "Planned", "not-processed", particulars)
    case "Unknown":
      return move(transaction, row, "Unknown", "unknown-outcome", particulars)
  }
}

/** An answer that comes after the attempt was given up: a sure no brings an Unknown back into the line. */
const late = (transaction: Transaction, row: SubmissionRow, attempt: number, result: AttemptResult): Work<unknown> =>
  Effect.gen(function* () {
    const { sql } = transaction
    yield* note(transaction, row, "noted", `a late answer: ${because(result) ?? "accepted"}`, attempt)
    if (!certain(result) || row.state !== "Unknown") return
    const open =
      yield* sql`select id from fiscal_attempt where submission = ${row.seq} and possibly_processed = 1 and ruled_out = 0`
    if (open.length === 0) yield* move(transaction, row, "Planned", "not-processed", { attempt, text: because(result) })
  })

export const finish = (
  transaction: Transaction,
  id: number,
  answer: AttemptResult,
  firstLook: Duration.Duration
): Work<State> =>
  Effect.gen(function* () {
    const { dialect, now, sql } = transaction
    const [attempt] = yield* sql<FinishingRow>`select * from fiscal_attempt where id = ${id} ${dialect.forUpdate}`
    if (attempt === undefined) {
      return yield* new StoreError({
        operation: "finish an attempt",
        reason: "conflict",
        problem: `there is no attempt ${id}`
      })
    }
    const row = (yield* locked(transaction, attempt.submission))!
    // said before: the same call again, or a late answer to an attempt that was called Unknown
    if (attempt.result !== null && (attempt.result !== "Unknown" || answer._tag === "Unknown")) return row.state
    const result = yield* believable(transaction, attempt, answer)
    yield* sql`update fiscal_attempt set ${sql.update({
      result: result._tag,
      said: because(result),
      finished_at: now,
      possibly_processed: certain(result) ? 0 : 1
    })} where id = ${id}`
    const early =
      result._tag === "Accepted"
        ? yield* identify(transaction, attempt, result.requestId, Duration.toMillis(firstLook))
        : 0
    const inFlight = row.state === "Sending" && attempt.result === null
    const moved = inFlight
      ? yield* answered(transaction, row, id, result)
      : yield* Effect.as(late(transaction, row, id, result), row)
    if (result._tag === "Accepted" || result._tag === "Declined") {
      yield* sql`update fiscal_lane set stops = 0 where lane = ${attempt.lane} and stops > 0`
    }
    const olderMaySpeak = number(attempt.revision) > 1 || early > 0 || !inFlight || attempt.repeats === "retry"
    return olderMaySpeak ? yield* weigh(transaction, row.seq, "fresh") : moved.state
  })
