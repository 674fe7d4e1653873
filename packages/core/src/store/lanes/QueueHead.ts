/** Reads the head of a lane's queue and the documents that block the lane. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { LaneLease } from "../../submission/Lane.ts"
import type { Acceptance } from "../../submission/ledger/NewestAttempt.ts"
import type { HoldCause } from "../../submission/PlannedDocument.ts"
import type { Override } from "../../submission/Revisit.ts"
import type { State } from "../../submission/Submission.ts"
import type { AttemptOptions, NextAttempt } from "../../submission/Attempt.ts"
import type { LaneRow, LaneStopColumns } from "./Lanes.ts"
import { mayHaveReached, type SettledText } from "../rows/SettledSql.ts"
import { type Integer, keyOf, type MovableRow, number, type SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"

/** Columns of the state row for an attempt. Reading all columns would double the cost. */
export interface HeadRow
  extends
    MovableRow,
    Pick<
      SubmissionRow,
      | "environment"
      | "revision"
      | "source_date"
      | "receipt_at"
      | "receipt_text"
      | "dated"
      | "zone"
      | "good_until"
      | "late"
      | "passage"
      | "word"
      | "original_account"
      | "original_id"
      | "made"
    > {
  readonly body: string | null
  /**
   * Latest receipt date of another submission that may have reached the device, in seconds
   * (submission/ledger/Mark).
   */
  readonly mark: Integer | null
  readonly attempted: Integer
  /**
   * `elsewhere`: registered as fiscalized elsewhere. `replaces`: replaces another document, or is
   * replaced by one. Null for most documents.
   */
  readonly related: "elsewhere" | "replaces" | null
  readonly paced_until: Integer | null
  readonly under_way: Integer
  readonly any_accepted: Integer
}

export interface HeldLane
  extends
    LaneStopColumns,
    Pick<
      LaneRow,
      | "leased_until"
      | "closed_at"
      | "closed_text"
      | "fiscal_day"
      | "attempts"
      | "newest_token"
      | "failures"
      | "rule_failures"
      | "same_cause"
      | "same_count"
      | "same_from"
    > {
  readonly doubtful_until: string | null
  readonly accounts: Integer
  readonly next_attempt: Integer
}

export interface HeadTurn {
  readonly lane: HeldLane | undefined
  readonly head: HeadRow | undefined
}

/** `Next`: this document no longer blocks the queue; continue with the next document. */
export type LaneStep = NextAttempt | { readonly _tag: "Next" }

export const next: LaneStep = { _tag: "Next" }

export interface LaneContext {
  readonly transaction: Transaction
  readonly lease: LaneLease
  readonly lane: HeldLane
  /** Last acceptance of an older copy. Null if there was none. */
  readonly accepted: Acceptance | null
  readonly options: AttemptOptions
  /** Estimate of the gateway's time in seconds since the epoch, never later than the real one. */
  readonly now: number
  readonly ahead: number
}

export interface EarlierAttempt {
  readonly request_id: string | null
  readonly settled: SettledText
  /** 1 if an earlier version took the gateway's text for a rejection, without a rule's code. */
  readonly by_text: Integer
  /** 1 if the gateway's refusal of a later request may be the answer to this attempt. */
  readonly is_refuted: Integer
  readonly known_at: Integer | null
  readonly confirmed: Integer | null
  readonly quiet_until: Integer | null
}

export interface HeadCandidate extends LaneContext {
  readonly row: HeadRow
  readonly account: AttemptOptions["accounts"][number] | undefined
  readonly override: Override | null
  readonly attempts: ReadonlyArray<EarlierAttempt>
}

/**
 * Answer of a guard. Null: no objection. A text: why the document is held for the row's own cause.
 * A number: the receipt date of the attempt, in seconds.
 */
export type HeadAnswer =
  | LaneStep
  | { readonly _tag: "Hold"; readonly cause: HoldCause; readonly text: string }
  | string
  | number
  | null

// added to each renewal of a lease, so that not every attempt writes the lease
const lead = 1000

type HeadReader = Pick<Transaction, "sql" | "dialect">

const readLane = ({ dialect, sql }: HeadReader, { fence, lane }: LaneLease) =>
  sql.ahead<HeldLane>`select l.lane, l.leased_until, l.stop_cause, l.stop_because, l.retry_at, l.closed_at, l.closed_text,
      (select doubtful_until from fiscal_store) as doubtful_until, l.fiscal_day, l.attempts, l.newest_token,
      l.failures, l.rule_failures, l.same_cause, l.same_count, l.same_from, (select count(*) from fiscal_account a where a.lane = l.lane) as accounts,
      ${dialect.nextAttempt} as next_attempt
    from fiscal_lane l where l.lane = ${lane} and l.fence = ${fence} ${dialect.forUpdate}`

/** Renews the lane's lease to at least its length. */
export const renew = ({ now, sql }: Transaction, row: HeldLane, lease: Duration.Duration): SqlEffect<unknown> => {
  const until = now + Duration.toMillis(lease)
  return number(row.leased_until) < until
    ? sql`update fiscal_lane set leased_until = ${until + lead} where lane = ${row.lane}`
    : Effect.void
}

const waitsForOutcomes = ({ lane, options }: LaneContext): boolean =>
  number(lane.accounts) > 1 || options.accounts.some(({ continueAfter }) => continueAfter === "outcome")

/**
 * Changes in the lane since its head was read. `one-accepted`: only that one Sending document has
 * become Accepted.
 */
export type Since = "nothing" | "one-accepted" | "anything"

export const isBlocked = (
  context: LaneContext,
  { any_accepted, under_way }: HeadRow,
  since: Exclude<Since, "anything">
): boolean => {
  const answered = since === "one-accepted" ? 1 : 0
  return number(under_way) > answered || (number(any_accepted) + answered > 0 && waitsForOutcomes(context))
}

const waitsFor = { Sending: "sending", Unknown: "unknown", Accepted: "outcome" } as const

const isBlocking = (state: State): state is keyof typeof waitsFor => Object.hasOwn(waitsFor, state)

export const underWay = (context: LaneContext): SqlEffect<LaneStep | null> =>
  Effect.gen(function* () {
    const { lane, transaction } = context
    const [row] = yield* transaction.sql<SubmissionRow>`select * from fiscal_submission
      where lane = ${lane.lane} and state in ('Sending', 'Unknown', ${waitsForOutcomes(context) ? "Accepted" : "Unknown"})
      order by lane_order limit 1`
    if (row === undefined || !isBlocking(row.state)) return null
    return { _tag: "Waiting", wait: { for: waitsFor[row.state], key: keyOf(row) } }
  })

/**
 * With its text, the mark, and the number of earlier attempts. Planning and decisions do not lock
 * the lane. The row is read in its latest committed state, but the text of a revision committed
 * meanwhile is not visible here.
 */
const readHead = ({ dialect, sql }: HeadReader, lane: string, only: Integer | null = null) =>
  sql.ahead<HeadRow>`select s.seq, s.account, s.kind, s.id, s.state, s.lane, s.number, s.environment, s.revision, s.source_date, s.receipt_at,
      s.receipt_text, s.dated, s.zone, s.good_until, s.late, s.passage, s.word, s.original_account, s.original_id, s.made,
      (select p.body from fiscal_payload p where p.submission = s.seq and p.revision = s.revision) as body,
      (select a.receipt_at from fiscal_attempt a
        where a.lane = s.lane and ${mayHaveReached(sql)} and a.submission <> s.seq
        order by a.receipt_at desc limit 1) as mark,
      (select count(*) from fiscal_attempt a where a.submission = s.seq and a.possibly_processed = 1) as attempted,
      case when s.kind = 'invoice' and exists (select 1 from fiscal_original o
          where o.account = s.account and o.invoice_id = s.id) then 'elsewhere'
        when exists (select 1 from fiscal_relation r where r.account = s.account and r.kind = s.kind and r.id = s.id
          and r.relation = 'replaces') then 'replaces'
        when exists (select 1 from fiscal_relation r where r.other_account = s.account and r.other_kind = s.kind
          and r.other_id = s.id and r.relation = 'replaces') then 'replaces' end as related,
      (select paced_until from fiscal_account f where f.account = s.account) as paced_until,
      (select count(*) from fiscal_submission b where b.lane = s.lane and b.state in ('Sending', 'Unknown')) as under_way,
      (select case when exists (select 1 from fiscal_submission b
        where b.lane = s.lane and b.state = 'Accepted') then 1 else 0 end) as any_accepted
    from fiscal_submission s
    where s.lane = ${lane} and s.state = 'Planned' ${sql.literal(only === null ? "" : `and s.seq = ${only}`)}
    order by s.lane_order, s.seq limit 1 ${dialect.forUpdateOfS}`

export const head = ({ lease: { lane }, transaction }: LaneContext): SqlEffect<HeadRow | undefined> =>
  Effect.map(Effect.flatten(readHead(transaction, lane)), ([row]) => row)

/**
 * Reads the document that tests a lane whose documents all fail: after a failed test one of another
 * buyer, because the cause may be the buyer. Else, as the first test, and where a document with a
 * stated time would become late, the head of the queue.
 */
export const probeHead = (context: LaneContext): SqlEffect<HeadRow | undefined> =>
  Effect.gen(function* () {
    const { lease, transaction } = context
    const [other] = yield* transaction.sql<{ readonly seq: Integer }>`select s.seq from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.lane = ${lease.lane} and s.state = 'Planned' and coalesce(p.buyer, '') <> (select coalesce(q.buyer, '')
        from fiscal_attempt a join fiscal_payload q on q.submission = a.submission and q.revision = a.revision
        where a.id = (select newest from fiscal_lane where lane = ${lease.lane}))
      and exists (select 1 from fiscal_lane l where l.lane = ${lease.lane} and l.newest_begun > l.stopped_at)
      and not exists (select 1 from fiscal_submission e where e.lane = s.lane and e.state = 'Planned'
        and e.lane_order < s.lane_order and coalesce(e.dated, 'stated') = 'stated')
      order by s.lane_order, s.seq limit 1`
    if (other === undefined) return yield* head(context)
    const [row] = yield* Effect.flatten(readHead(transaction, lease.lane, other.seq))
    return row ?? (yield* head(context))
  })

export const readTurn = (reading: HeadReader, lease: LaneLease): Effect.Effect<SqlEffect<HeadTurn>, SqlError> =>
  Effect.zipWith(readLane(reading, lease), readHead(reading, lease.lane), (lanes, heads) =>
    Effect.zipWith(lanes, heads, ([lane], [head]) => ({ lane, head }))
  )
