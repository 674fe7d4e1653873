/** The lane's next attempt: the head of its line, unless something stands in its way; written before it may be sent. */
import { DateTime, Duration, Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as CivilDate from "../../document/CivilDate.ts"
import { type FiscalDocument, stamp } from "../../document/FiscalDocument.ts"
import { DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import type { LaneLease } from "../Lane.ts"
import type { StoreError } from "../StoreError.ts"
import type { State } from "../Submission.ts"
import type { AttemptOptions, NextAttempt } from "../SubmissionStore.ts"
import { type LaneRow, stop, stopOf } from "./Lanes.ts"
import { type Integer, keyOf, type MovableRow, number, type SubmissionRow, unsettledOrder } from "./Rows.ts"
import * as StoredDocument from "./StoredDocument.ts"
import { type Transaction, utc } from "./Transaction.ts"
import { amend, holdBack, move, note } from "./Transition.ts"

type Work<A> = Effect.Effect<A, SqlError | StoreError>

/** What an attempt needs of the state row; reading all of it costs as much again. */
interface HeadRow
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
      | "original_account"
      | "original_id"
    > {
  readonly body: string
  /** The latest receipt date of another submission that may have reached the device, in seconds. */
  readonly mark: Integer | null
  readonly attempted: Integer
  readonly blocked_since: Integer | null
}

interface HeldLane extends LaneRow {
  readonly accounts: Integer
}

/** `next`: this one is out of the way now, look at the one behind it. */
type Step = NextAttempt | { readonly _tag: "Next" }

const next: Step = { _tag: "Next" }

interface Line {
  readonly transaction: Transaction
  readonly lease: LaneLease
  readonly lane: HeldLane
  readonly options: AttemptOptions
  /** Seconds since the epoch. */
  readonly now: number
}

// a lease is renewed by so much more than is asked for, so that not every attempt has to write it
const lead = 1000

/** The lane, its lease renewed to at least the lease's length; undefined when somebody else has it. */
const renew = ({ dialect, now, sql }: Transaction, { fence, lane }: LaneLease, lease: Duration.Duration) =>
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

/** Which states must have their answer, or their outcome, before anything else of the lane goes: these and Sending, Unknown. */
const alsoBlocking = ({ lane, options }: Line): "Accepted" | "Unknown" => {
  const waits = number(lane.accounts) > 1 || options.accounts.some(({ goOnAfter }) => goOnAfter === "outcome")
  return waits ? "Accepted" : "Unknown"
}

const waitsFor = { Sending: "sending", Unknown: "unknown", Accepted: "outcome" } as const

const isBlocking = (state: State): state is keyof typeof waitsFor => Object.hasOwn(waitsFor, state)

/** What is under way in the lane; null when nothing is. */
const underWay = (line: Line): Work<Step | null> =>
  Effect.gen(function* () {
    const { lane, transaction } = line
    const [row] = yield* transaction.sql<SubmissionRow>`select * from fiscal_submission
      where lane = ${lane.lane} and state in ('Sending', 'Unknown', ${alsoBlocking(line)}) order by lane_order limit 1`
    if (row === undefined || !isBlocking(row.state)) return null
    return { _tag: "Waiting", wait: { for: waitsFor[row.state], key: keyOf(row) } }
  })

/** The head of the line, with its text, the mark, and whether it was attempted before. */
const head = (line: Line) => {
  const {
    lease: { lane },
    transaction: { sql }
  } = line
  return Effect.map(
    sql<HeadRow>`select s.seq, s.account, s.kind, s.id, s.state, s.lane, s.number, s.environment, s.revision, s.source_date, s.receipt_at,
        s.receipt_text, s.zone, s.good_until, s.late, s.passage, s.original_account, s.original_id, p.body,
        (select a.receipt_at from fiscal_attempt a
          where a.lane = s.lane and a.possibly_processed = 1 and a.submission <> s.seq
          order by a.receipt_at desc limit 1) as mark,
        (select count(*) from fiscal_attempt a where a.submission = s.seq and a.possibly_processed = 1) as attempted,
        (select min(b.since) from fiscal_submission b where b.lane = s.lane and b.state in ('Sending', 'Unknown', ${alsoBlocking(line)})) as blocked_since
      from fiscal_submission s
      join fiscal_payload p on p.submission = s.seq and p.revision = s.revision
      where s.lane = ${lane} and s.state = 'Planned' order by s.lane_order, s.seq limit 1`,
    ([row]): HeadRow | undefined => row
  )
}

/** A credit note waits for its original's outcome; where there will be none, it is held and does not hold the lane. */
const original = ({ transaction }: Line, row: HeadRow): Work<Step | null> =>
  Effect.gen(function* () {
    if (row.original_id === null || row.original_account === null) return null
    const { sql } = transaction
    const key = { account: row.original_account, kind: "invoice", id: row.original_id } as const
    const [invoice] = yield* sql<SubmissionRow>`select * from fiscal_submission
      where account = ${key.account} and kind = 'invoice' and id = ${key.id}`
    const held = (because: string) => Effect.as(holdBack(transaction, row, "original", because), next)
    if (invoice === undefined) {
      const elsewhere =
        yield* sql`select 1 from fiscal_original where account = ${key.account} and invoice_id = ${key.id}`
      return elsewhere.length > 0 ? null : yield* held(`its original ${key.id} is not known`)
    }
    switch (invoice.state) {
      case "Fiscalised":
        return null
      case "Sending":
      case "Accepted":
      case "Unknown":
        return { _tag: "Waiting", wait: { for: "original", key: keyOf(row), original: key } }
      case "Planned":
        return invoice.lane === row.lane
          ? yield* held(`its original ${invoice.number} is to be sent after it`)
          : { _tag: "Waiting", wait: { for: "original", key: keyOf(row), original: key } }
      default:
        return yield* held(`its original ${invoice.number} is ${invoice.state}`)
    }
  })

interface EarlierAttempt {
  readonly request_id: string | null
  readonly outcome: string | null
}

/** Earlier attempts that are not certainly unprocessed, with what the gateway said of them. */
const earlier = ({ transaction: { sql } }: Line, row: HeadRow) =>
  sql<EarlierAttempt>`select a.request_id, (select max(o.outcome) from fiscal_outcome o
      where o.attempt = a.id and o.source <> 'operator' and o.outcome = 'Rejected') as outcome
    from fiscal_attempt a where a.submission = ${row.seq} and a.possibly_processed = 1`

const markOf = ({ mark }: HeadRow): number => (mark === null ? Number.NEGATIVE_INFINITY : number(mark))

const waitUntil = (row: HeadRow, second: number): Step => ({
  _tag: "Waiting",
  wait: { for: "clock", key: keyOf(row), until: utc(second * 1000) }
})

const zoneOf = (row: HeadRow) => Option.getOrElse(DateTime.zoneFromString(row.zone), () => DateTime.zoneMakeOffset(0))

/** A second on the wall clock of the document's own zone. */
const dateText = (row: HeadRow, second: number): string => {
  const own = row.receipt_text === null ? Option.none() : Instant.parse(row.receipt_text)
  const zone = Option.match(own, { onNone: () => zoneOf(row), onSome: ({ zone }) => zone })
  return Instant.format(Instant.fromSeconds(second, zone))
}

/** A receipt date of its own for what has none yet: now, but after the mark. */
const settleDate = (line: Line, row: HeadRow): Work<number | Step> =>
  Effect.gen(function* () {
    const today = CivilDate.of(Instant.fromSeconds(line.now, zoneOf(row)))
    if (row.late === "hold" && row.source_date !== today) {
      const because = `dated ${row.source_date}: receipt dates set at submission are for documents of today (${today})`
      return yield* Effect.as(holdBack(line.transaction, row, "late", because), next)
    }
    if (row.good_until !== null && today > row.good_until) {
      const because = `its taxes are good until ${row.good_until}, and its receipt would be dated ${today}: state it anew in the source under the taxes of its new date and import it again, or withdraw it`
      return yield* Effect.as(holdBack(line.transaction, row, "outdated", because), next)
    }
    const closed = line.lane.closed_at === null ? Number.NEGATIVE_INFINITY : number(line.lane.closed_at)
    const second = Math.max(line.now, markOf(row) + 1, closed + 1)
    return second > line.now ? waitUntil(row, second) : second
  })

/** What a receipt date at or before the mark leads to: held, or restamped behind everything that has its date. */
const overtaken = (
  line: Line,
  row: HeadRow,
  cause: "late" | "historical",
  because: string,
  attempts: ReadonlyArray<EarlierAttempt>
): Work<Step> =>
  Effect.gen(function* () {
    const { transaction } = line
    const answered = attempts.every(({ outcome }) => outcome === "Rejected")
    if (row.late === "hold") return yield* Effect.as(holdBack(transaction, row, cause, because), next)
    if (!answered) {
      const why = `${because}; it may have been processed with this date, so it is not restamped`
      return yield* Effect.as(holdBack(transaction, row, "person", why), next)
    }
    yield* amend(transaction, row, { receipt_at: null, receipt_text: null, lane_order: unsettledOrder })
    note(transaction, row, "noted", `${because}; its receipt date becomes that of its submission`)
    return next
  })

/** The receipt date of the attempt, in seconds, or why there is none now. */
const receiptDate = (line: Line, row: HeadRow, attempts: ReadonlyArray<EarlierAttempt>): Work<number | Step> =>
  Effect.gen(function* () {
    const { lane, now, options } = line
    const skew = Math.floor(Duration.toSeconds(options.skew))
    const mark = markOf(row)
    if (mark > now + skew) {
      const because = `a receipt date after now (${dateText(row, mark)}) may have reached the device: every receipt before it would be red`
      const stopped = { cause: "mark-in-future", because, retryAt: utc(mark * 1000) } as const
      yield* stop(line.transaction, lane.lane, stopped)
      return { _tag: "Stopped", stop: stopped }
    }
    if (row.receipt_at === null) return yield* settleDate(line, row)
    const at = number(row.receipt_at)
    if (at <= mark) {
      return yield* overtaken(
        line,
        row,
        "late",
        `receipt date ${row.receipt_text} is not after ${dateText(row, mark)}, which was sent before`,
        attempts
      )
    }
    if (lane.closed_at !== null && at <= number(lane.closed_at) && row.passage === "ordinary") {
      const because = `receipt date ${row.receipt_text} is not after the close of the fiscal day at ${lane.closed_text}`
      return yield* overtaken(line, row, "historical", because, attempts)
    }
    return at > now + skew ? waitUntil(row, at - skew) : at
  })

const write = (line: Line, row: HeadRow, second: number, repeats: "first" | "retry"): Work<NextAttempt> =>
  Effect.gen(function* () {
    const { lease, transaction } = line
    const { now, sql } = transaction
    const settled = row.receipt_text === null ? Option.none() : Instant.parse(row.receipt_text)
    const date = Option.getOrElse(settled, () => Instant.fromSeconds(second, zoneOf(row)))
    const receipt = { receipt_at: second, receipt_text: row.receipt_text ?? Instant.format(date) }
    const [attempt] = yield* sql<{ readonly id: Integer }>`insert into fiscal_attempt ${sql.insert({
      submission: row.seq,
      revision: row.revision,
      account: row.account,
      lane: row.lane,
      fence: lease.fence,
      ...receipt,
      repeats,
      begun_at: now
    })} returning id`
    const id = number(attempt!.id)
    const patch = { ...receipt, lane_order: second }
    yield* move(transaction, row, "Sending", "attempt-begun", {
      attempt: id,
      ...(row.receipt_at === null ? { patch } : {})
    })
    const document: FiscalDocument = stamp(yield* StoredDocument.decode(row.kind, row.body), date, repeats)
    return { _tag: "Begun", attempt: id, key: keyOf(row), number: DocumentNumber.make(row.number), document }
  })

const consider = (line: Line, row: HeadRow): Work<Step> =>
  Effect.gen(function* () {
    const account = line.options.accounts.find(
      ({ account, environment }) => account === row.account && environment === row.environment
    )
    if (account === undefined) return { _tag: "Waiting", wait: { for: "account", key: keyOf(row) } }
    const waits = yield* original(line, row)
    if (waits !== null) return waits
    const attempts = number(row.attempted) > 0 ? yield* earlier(line, row) : []
    const second = yield* receiptDate(line, row, attempts)
    if (typeof second !== "number") return second
    const { notBefore } = account
    if (notBefore !== undefined && notBefore.epochMilliseconds > line.transaction.now) {
      return { _tag: "Waiting", wait: { for: "clock", key: keyOf(row), until: notBefore } }
    }
    const counts = attempts.some(({ outcome }) => outcome !== "Rejected" || account.afterRejection === "retry")
    return yield* write(line, row, second, counts ? "retry" : "first")
  })

// what is held on the way is committed in portions
const portion = 100

/** Begins the next attempt; `Next` when a portion of the line had to be held and more is behind it. */
export const begin = (transaction: Transaction, lease: LaneLease, options: AttemptOptions): Work<Step> =>
  Effect.gen(function* () {
    const lane = yield* renew(transaction, lease, options.lease)
    if (lane === undefined) return { _tag: "Lost" }
    const stopped = stopOf(lane)
    if (stopped !== null) return { _tag: "Stopped", stop: stopped }
    const line: Line = { transaction, lease, lane, options, now: Math.floor(transaction.now / 1000) }
    for (let held = 0; held < portion; held++) {
      const row = yield* head(line)
      if (row === undefined || row.blocked_since !== null) return (yield* underWay(line)) ?? { _tag: "Drained" }
      const step = yield* consider(line, row)
      if (step._tag !== "Next") return step
    }
    return next
  })
