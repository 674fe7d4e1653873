/**
 * Everything that asks for failures of a lane asks here: the count that makes a lane look at its
 * device, the row of one cause that slows and stops it, and the causes that attention reports.
 */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Patience from "../../submission/ledger/Patience.ts"
import { causeOf, inARow, isReceiptRule, type LaneFailure } from "../../submission/ledger/LaneFailures.ts"
import type { SubmissionKey } from "../../submission/PlannedDocument.ts"
import type { Queries } from "../database/Statements.ts"
import type { SqlReturn, Transaction } from "../database/Transaction.ts"
import { type AttemptRow, type Integer, keyOf, number, rejectionOf, type SubmissionRow } from "../rows/Rows.ts"
import { type LaneRow, restart } from "./Lanes.ts"

/** Newest failures that are read of a lane: more than stop it. */
const most = 50

interface LaneFailureRow extends Pick<AttemptRow, "request_id" | "begun_at" | "finished_at"> {
  readonly attempt: Integer
  readonly detail: string | null
  readonly text: string | null
}

/**
 * Reads the failures of the lane, settled or not, that no receipt of a later document has followed,
 * newest first.
 * `after`: earlier attempts do not count, because the device could not take receipts then.
 */
export const standing = (
  sql: Queries,
  lane: string,
  after: number
): Effect.Effect<ReadonlyArray<LaneFailure>, SqlError> =>
  Effect.map(
    sql<LaneFailureRow>`with recent as (select a.* from fiscal_attempt a where a.lane = ${lane} and a.id > ${after}
        and a.id >= coalesce((select b.id from fiscal_attempt b where b.lane = ${lane} and exists (
          select 1 from fiscal_outcome f where f.attempt = b.id and f.outcome = 'Fiscalised' and f.source <> 'operator')
          order by b.id desc limit 1), 0))
      select n.* from (
        select o.attempt, o.id, o.detail, null as text, a.request_id, a.begun_at, a.finished_at
          from recent a join fiscal_outcome o on o.attempt = a.id
          where o.outcome = 'Rejected' and o.source <> 'operator'
        union all
        select a.id as attempt, 0 as id, null as detail, t.text, a.request_id, a.begun_at, a.finished_at
          from recent a join fiscal_statement t on t.account = a.account and t.request_id = a.request_id
          join fiscal_account c on c.account = t.account
          where t.mask <> coalesce(c.control_mask, '')) n
      order by n.attempt desc, n.id desc limit ${most}`,
    (rows) => {
      const newest = new Map<number, LaneFailure>()
      for (const { attempt, begun_at, detail, finished_at, request_id, text } of rows) {
        const id = number(attempt)
        if (newest.has(id)) continue
        const error =
          detail === null ? (text ?? "") : rejectionOf(detail, () => `detail of an outcome of attempt ${id}`).error
        newest.set(id, { attempt: id, cause: causeOf(error, request_id), acceptedAt: number(finished_at ?? begun_at) })
      }
      return [...newest.values()]
    }
  )

export const standingCauses = (sql: Queries, lane: string): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql<Pick<LaneRow, "same_after">>`select same_after from fiscal_lane where lane = ${lane}`
    const failures = yield* standing(sql, lane, number(row?.same_after ?? 0))
    return [...new Set(failures.map(({ cause }) => cause))]
  })

export interface Heard {
  readonly lane: string
  readonly requestId: string
  readonly error: string | null
}

/**
 * Records new answers on their lanes: counts the failures, and computes the row of one cause.
 * Ends the stop for that row once a later document has its receipt.
 */
export const hear = Effect.fnUntraced(function* (
  transaction: Transaction,
  heard: ReadonlyArray<Heard>
): SqlReturn<void> {
  const { sql } = transaction
  for (const [lane, answers] of Map.groupBy(heard, ({ lane }) => lane)) {
    const causes = answers.flatMap(({ error, requestId }) => (error === null ? [] : [causeOf(error, requestId)]))
    const ofRules = causes.filter(isReceiptRule).length
    // locked first, so that no other transaction computes the row from less
    yield* sql`update fiscal_lane set failures = failures + ${causes.length - ofRules},
      rule_failures = rule_failures + ${ofRules} where lane = ${lane}`
    const [held] = yield* sql<
      Pick<LaneRow, "same_after" | "stop_cause">
    >`select same_after, stop_cause from fiscal_lane where lane = ${lane}`
    const row = inARow(yield* standing(sql, lane, number(held?.same_after ?? 0)))
    yield* sql`update fiscal_lane set same_cause = ${row?.cause ?? null}, same_count = ${row?.count ?? 0},
      same_from = ${row?.from ?? null} where lane = ${lane}`
    if (row === null && held?.stop_cause === "same-failure") yield* restart(transaction, lane)
  }
})

/**
 * Reads the latest document of the lane that waits for its first answer, unless it was accepted
 * long ago.
 */
export const awaited = (
  { now, sql }: Pick<Transaction, "now" | "sql">,
  lane: string
): Effect.Effect<SubmissionKey | undefined, SqlError> =>
  Effect.map(
    sql<Pick<SubmissionRow, "account" | "kind" | "id">>`select s.account, s.kind, s.id
      from fiscal_submission s join fiscal_attempt a on a.submission = s.seq
      where s.lane = ${lane} and s.state = 'Accepted' and a.finished_at > ${now - Duration.toMillis(Patience.firstAnswer.is)}
        and not exists (select 1 from fiscal_outcome o where o.submission = s.seq and o.attempt = a.id)
        and not exists (select 1 from fiscal_statement t where t.account = a.account and t.request_id = a.request_id)
      order by a.id desc limit 1`,
    ([row]) => (row === undefined ? undefined : keyOf(row))
  )
