/** The head of a lane's line, and what of the lane stands in its way. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { LaneLease } from "../../submission/Lane.ts"
import type { Acceptance } from "../../ledger/NewestAttempt.ts"
import type { State } from "../../submission/Submission.ts"
import type { AttemptOptions, NextAttempt } from "../../submission/Attempt.ts"
import type { LaneRow, LaneStopColumns } from "./Lanes.ts"
import { mayHaveReached } from "./Mark.ts"
import { type Integer, keyOf, type MovableRow, number, type SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"

/** What an attempt needs of the state row; reading all of it costs as much again. */
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
    > {
  /** Null where it was replaced while this row was waited for. */
  readonly body: string | null
  /** The latest receipt date of another submission that may have reached the device, in seconds (ledger/Mark). */
  readonly mark: Integer | null
  readonly attempted: Integer
  /** Until when its account begins nothing. */
  readonly paced_until: Integer | null
  /** How many of the lane are Sending or Unknown. */
  readonly under_way: Integer
  /** Whether any is Accepted, 1 or 0. */
  readonly any_accepted: Integer
}

/** What an attempt needs of the lane's row. */
export interface HeldLane
  extends
    LaneStopColumns,
    Pick<
      LaneRow,
      "leased_until" | "closed_at" | "closed_text" | "doubtful_until" | "fiscal_day" | "attempts" | "newest_token"
    > {
  readonly accounts: Integer
  /** The number of the attempt, if there is to be one. */
  readonly next_attempt: Integer
}

/** The lane and the head of its line, as one look sees them. */
export interface Turn {
  /** Undefined when somebody else has it. */
  readonly lane: HeldLane | undefined
  /** Undefined when nothing is Planned. */
  readonly head: HeadRow | undefined
}

/** `next`: this one is out of the way now, look at the one behind it. */
export type Step = NextAttempt | { readonly _tag: "Next" }

export const next: Step = { _tag: "Next" }

/** The lane and whoever works it. */
export interface Line {
  readonly transaction: Transaction
  readonly lease: LaneLease
  readonly lane: HeldLane
  /** The last acceptance of an older copy; null if there was none. */
  readonly accepted: Acceptance | null
  readonly options: AttemptOptions
  /** The gateway's time, as near as we know, in seconds since the epoch: never after it. */
  readonly now: number
  /** By how many milliseconds this machine's may be ahead of it. */
  readonly ahead: number
}

// a lease is renewed by so much more than is asked for, so that not every attempt has to write it
const lead = 1000

type Reading = Pick<Transaction, "sql" | "dialect">

const readLane = ({ dialect, sql }: Reading, { fence, lane }: LaneLease) =>
  sql.ahead<HeldLane>`select l.lane, l.leased_until, l.stop_cause, l.stop_because, l.retry_at, l.closed_at, l.closed_text,
      l.doubtful_until, l.fiscal_day, l.attempts, l.newest_token, (select count(*) from fiscal_account a where a.lane = l.lane) as accounts,
      ${dialect.nextAttempt} as next_attempt
    from fiscal_lane l where l.lane = ${lane} and l.fence = ${fence} ${dialect.forUpdate}`

/** Renews the lane's lease to at least its length. */
export const renew = ({ now, sql }: Transaction, row: HeldLane, lease: Duration.Duration): SqlEffect<unknown> => {
  const until = now + Duration.toMillis(lease)
  return number(row.leased_until) < until
    ? sql`update fiscal_lane set leased_until = ${until + lead} where lane = ${row.lane}`
    : Effect.void
}

/** Whether an Accepted one has to have its outcome before anything else of the lane goes. */
const waitsForOutcomes = ({ lane, options }: Line): boolean =>
  number(lane.accounts) > 1 || options.accounts.some(({ goOnAfter }) => goOnAfter === "outcome")

/** What has changed in the lane since its head was read; `one-accepted`: one that was Sending has become Accepted, and nothing else. */
export type Since = "nothing" | "one-accepted" | "anything"

/** Whether something of the lane must have its answer, or its outcome, before its head goes. */
export const isBlocked = (
  line: Line,
  { any_accepted, under_way }: HeadRow,
  since: Exclude<Since, "anything">
): boolean => {
  const answered = since === "one-accepted" ? 1 : 0
  return number(under_way) > answered || (number(any_accepted) + answered > 0 && waitsForOutcomes(line))
}

const waitsFor = { Sending: "sending", Unknown: "unknown", Accepted: "outcome" } as const

const isBlocking = (state: State): state is keyof typeof waitsFor => Object.hasOwn(waitsFor, state)

/** What is under way in the lane; null when nothing is. */
export const underWay = (line: Line): SqlEffect<Step | null> =>
  Effect.gen(function* () {
    const { lane, transaction } = line
    const [row] = yield* transaction.sql<SubmissionRow>`select * from fiscal_submission
      where lane = ${lane.lane} and state in ('Sending', 'Unknown', ${waitsForOutcomes(line) ? "Accepted" : "Unknown"})
      order by lane_order limit 1`
    if (row === undefined || !isBlocking(row.state)) return null
    return { _tag: "Waiting", wait: { for: waitsFor[row.state], key: keyOf(row) } }
  })

/**
 * The head of the line, locked, with its text, the mark, and whether it was attempted before. Who plans or decides takes no lock of the lane: the
 * row is read as it is once nobody else changes it, and the text of a revision that came meanwhile is not seen here.
 */
const readHead = ({ dialect, sql }: Reading, lane: string) =>
  sql.ahead<HeadRow>`select s.seq, s.account, s.kind, s.id, s.state, s.lane, s.number, s.environment, s.revision, s.source_date, s.receipt_at,
      s.receipt_text, s.dated, s.zone, s.good_until, s.late, s.passage, s.word, s.original_account, s.original_id,
      (select p.body from fiscal_payload p where p.submission = s.seq and p.revision = s.revision) as body,
      (select a.receipt_at from fiscal_attempt a
        where a.lane = s.lane and ${mayHaveReached(sql)} and a.submission <> s.seq
        order by a.receipt_at desc limit 1) as mark,
      (select count(*) from fiscal_attempt a where a.submission = s.seq and a.possibly_processed = 1) as attempted,
      (select paced_until from fiscal_account f where f.account = s.account) as paced_until,
      (select count(*) from fiscal_submission b where b.lane = s.lane and b.state in ('Sending', 'Unknown')) as under_way,
      (select case when exists (select 1 from fiscal_submission b
        where b.lane = s.lane and b.state = 'Accepted') then 1 else 0 end) as any_accepted
    from fiscal_submission s
    where s.lane = ${lane} and s.state = 'Planned' order by s.lane_order, s.seq limit 1 ${dialect.forUpdateOfS}`

/** The head of the line as it is now. */
export const head = ({ lease: { lane }, transaction }: Line): SqlEffect<HeadRow | undefined> =>
  Effect.map(Effect.flatten(readHead(transaction, lane)), ([row]) => row)

/** Sends the reading of the lane and, once it is locked, of its head. */
export const readTurn = (reading: Reading, lease: LaneLease): Effect.Effect<SqlEffect<Turn>, SqlError> =>
  Effect.zipWith(readLane(reading, lease), readHead(reading, lease.lane), (lanes, heads) =>
    Effect.zipWith(lanes, heads, ([lane], [head]) => ({ lane, head }))
  )
