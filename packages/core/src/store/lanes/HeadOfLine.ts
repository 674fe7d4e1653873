/** The head of a lane's line, and what of the lane stands in its way. */
import { Duration, Effect } from "effect"
import type { LaneLease } from "../../submission/Lane.ts"
import type { State } from "../../submission/Submission.ts"
import type { AttemptOptions, NextAttempt } from "../../submission/SubmissionStore.ts"
import type { LaneRow } from "./Lanes.ts"
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
      | "zone"
      | "good_until"
      | "late"
      | "passage"
      | "word"
      | "original_account"
      | "original_id"
    > {
  readonly body: string
  /** The latest receipt date of another submission that may have reached the device, in seconds (ledger/Mark). */
  readonly mark: Integer | null
  readonly attempted: Integer
  /** Until when its account begins nothing. */
  readonly paced_until: Integer | null
  readonly blocked_since: Integer | null
}

interface HeldLane extends LaneRow {
  readonly accounts: Integer
}

/** `next`: this one is out of the way now, look at the one behind it. */
export type Step = NextAttempt | { readonly _tag: "Next" }

export const next: Step = { _tag: "Next" }

/** The lane and whoever works it. */
export interface Line {
  readonly transaction: Transaction
  readonly lease: LaneLease
  readonly lane: HeldLane
  readonly options: AttemptOptions
  /** The gateway's time, as near as we know, in seconds since the epoch: never after it. */
  readonly now: number
  /** By how many milliseconds this machine's may be ahead of it. */
  readonly ahead: number
}

// a lease is renewed by so much more than is asked for, so that not every attempt has to write it
const lead = 1000

/** The lane, its lease renewed to at least the lease's length; undefined when somebody else has it. */
export const renew = ({ dialect, now, sql }: Transaction, { fence, lane }: LaneLease, lease: Duration.Duration) =>
  Effect.gen(function* () {
    const [row] =
      yield* sql<HeldLane>`select l.*, (select count(*) from fiscal_account a where a.lane = l.lane) as accounts
      from fiscal_lane l where l.lane = ${lane} and l.fence = ${fence} ${dialect.forUpdate}`
    const until = now + Duration.toMillis(lease)
    if (row !== undefined && number(row.leased_until) < until) {
      yield* sql`update fiscal_lane set leased_until = ${until + lead} where lane = ${lane}`
    }
    return row
  })

/** What must have its answer, or its outcome, before anything else of the lane goes: Sending, Unknown and this state. */
const alsoBlocking = ({ lane, options }: Line): "Accepted" | "Unknown" => {
  const waits = number(lane.accounts) > 1 || options.accounts.some(({ goOnAfter }) => goOnAfter === "outcome")
  return waits ? "Accepted" : "Unknown"
}

const waitsFor = { Sending: "sending", Unknown: "unknown", Accepted: "outcome" } as const

const isBlocking = (state: State): state is keyof typeof waitsFor => Object.hasOwn(waitsFor, state)

/** What is under way in the lane; null when nothing is. */
export const underWay = (line: Line): SqlEffect<Step | null> =>
  Effect.gen(function* () {
    const { lane, transaction } = line
    const [row] = yield* transaction.sql<SubmissionRow>`select * from fiscal_submission
      where lane = ${lane.lane} and state in ('Sending', 'Unknown', ${alsoBlocking(line)}) order by lane_order limit 1`
    if (row === undefined || !isBlocking(row.state)) return null
    return { _tag: "Waiting", wait: { for: waitsFor[row.state], key: keyOf(row) } }
  })

/** The head of the line, with its text, the mark, and whether it was attempted before. */
export const head = (line: Line) => {
  const {
    lease: { lane },
    transaction: { sql }
  } = line
  return Effect.map(
    sql<HeadRow>`select s.seq, s.account, s.kind, s.id, s.state, s.lane, s.number, s.environment, s.revision, s.source_date, s.receipt_at,
        s.receipt_text, s.zone, s.good_until, s.late, s.passage, s.word, s.original_account, s.original_id, p.body,
        (select a.receipt_at from fiscal_attempt a
          where a.lane = s.lane and ${mayHaveReached(sql)} and a.submission <> s.seq
          order by a.receipt_at desc limit 1) as mark,
        (select count(*) from fiscal_attempt a where a.submission = s.seq and a.possibly_processed = 1) as attempted,
        (select paced_until from fiscal_account f where f.account = s.account) as paced_until,
        (select min(b.since) from fiscal_submission b where b.lane = s.lane and b.state in ('Sending', 'Unknown', ${alsoBlocking(line)})) as blocked_since
      from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.lane = ${lane} and s.state = 'Planned' order by s.lane_order, s.seq limit 1`,
    ([row]): HeadRow | undefined => row
  )
}
