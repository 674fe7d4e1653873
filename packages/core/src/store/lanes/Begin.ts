/**
 * Begins the lane's next attempt: commits the head of the queue before sending, or returns the
 * blocker.
 */
import { Duration, Effect, Option } from "effect"
import { type FiscalDocument, stamp } from "../../document/FiscalDocument.ts"
import { DocumentNumber, type RequestId } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import type { LaneLease, LaneStop } from "../../submission/Lane.ts"
import type { NewestAttempt } from "../../ledger/NewestAttempt.ts"
import * as QuietPeriod from "../../ledger/QuietPeriod.ts"
import { parseOverride, sendsDespite } from "../../submission/Revisit.ts"
import type { AttemptOptions } from "../../submission/Attempt.ts"
import { type EarlierAttempt, receiptDate, zoneOf } from "./AttemptDate.ts"
import {
  head,
  type HeadRow,
  isBlocked,
  type LaneContext,
  next,
  renew,
  type Since,
  type Turn,
  type Step,
  underWay
} from "./QueueHead.ts"
import { original } from "./CreditTurn.ts"
import type { KnownOfLane } from "./KnownAttempts.ts"
import { stop, stopOf } from "./Lanes.ts"
import { token } from "./Older.ts"
import { until } from "./Quiet.ts"
import { wentBack } from "./WentBack.ts"
import { latest } from "../database/Migrations.ts"
import { settled } from "../rows/SettledSql.ts"
import { keyOf, number } from "../rows/Rows.ts"
import * as Stored from "../../ledger/Stored.ts"
import * as StoredDocument from "../../ledger/StoredDocument.ts"
import { type SqlReturn, type Transaction, utc } from "../database/Transaction.ts"
import { holdBack, move } from "./Transition.ts"

/** Reads earlier attempts that may have been processed, with the gateway's evidence. */
const earlier = ({ transaction: { sql } }: LaneContext, row: HeadRow) =>
  sql<EarlierAttempt>`select a.request_id, a.known_at, a.confirmed, ${until({ sql })} as quiet_until, ${settled(sql)} as settled,
      (select count(*) from fiscal_outcome o where o.attempt = a.id and o.settled_by = 'text'
        and not exists (select 1 from fiscal_attempt b where b.submission = a.submission and b.id > a.id)) as by_text
    from fiscal_attempt a where a.submission = ${row.seq} and a.possibly_processed = 1`

/** Waits for the end of the quiet period. */
const quiet = (
  { transaction: { hostNow, now } }: LaneContext,
  row: HeadRow,
  attempts: ReadonlyArray<EarlierAttempt>
): Step | null => {
  const latest = Math.max(...attempts.map(({ quiet_until }) => number(quiet_until ?? 0)))
  if (latest <= now) return null
  return { _tag: "Waiting", wait: { for: "quiet", key: keyOf(row), until: utc(hostNow + latest - now) } }
}

/**
 * Returns the earlier requests of the document for one more query: a rejection may have been
 * settled wrongly (STAT-9), or stated by an operator. Null if an operator sends the document
 * anyway,
 * or if every request is settled and the gateway no longer answers for it.
 */
const unconfirmed = (
  { transaction: { now } }: LaneContext,
  row: HeadRow,
  { retention = Duration.days(7) }: AttemptOptions["accounts"][number],
  attempts: ReadonlyArray<EarlierAttempt>
): Step | null => {
  if (sendsDespite(parseOverride(row.word), "person")) return null
  const asked = attempts.flatMap(({ confirmed, known_at, request_id, settled }) => {
    if (request_id === null || (confirmed !== null && number(confirmed) === number(row.revision))) return []
    return settled === "open" || now < number(known_at ?? 0) + Duration.toMillis(retention)
      ? [Stored.name<RequestId>(request_id, () => `request_id of an attempt of ${row.kind} ${row.number}`)]
      : []
  })
  return asked.length === 0 ? null : { _tag: "Unconfirmed", key: keyOf(row), requestIds: [...new Set(asked)] }
}

const byText =
  "an earlier version of this program took a text of the gateway for a rejection; look in the portal that its request made no receipt"

const write = Effect.fnUntraced(function* (
  context: LaneContext,
  row: HeadRow,
  account: AttemptOptions["accounts"][number],
  second: number,
  repeats: "first" | "retry"
): SqlReturn<Step> {
  const { lane, lease, transaction } = context
  const { now, sql } = transaction
  // the row changed while waiting for its lock; the next step reads the row again
  if (row.body === null) return next
  const dated = row.receipt_text === null ? Option.none() : Instant.parse(row.receipt_text)
  const date = Option.getOrElse(dated, () => Instant.fromSeconds(second, zoneOf(row)))
  const receipt = { receipt_at: second, receipt_text: row.receipt_text ?? Instant.format(date) }
  // another transaction that read at the same time may have begun an attempt since
  const id = Math.max(number(lane.next_attempt), transaction.last.attempt + 1)
  transaction.last.attempt = id
  const newest: NewestAttempt = {
    lane: row.lane,
    number: number(lane.attempts) + 1,
    attempt: id,
    token: yield* token,
    begunAt: now
  }
  yield* sql`insert into fiscal_attempt ${sql.insert({
    id,
    submission: row.seq,
    revision: row.revision,
    account: row.account,
    lane: row.lane,
    fence: lease.fence,
    ...receipt,
    repeats,
    begun_at: now,
    number: newest.number,
    token: newest.token,
    quiet: Duration.toMillis(account.quietPeriod ?? QuietPeriod.standard),
    written_by: latest
  })}`
  yield* sql`update fiscal_lane set attempts = ${newest.number}, newest = ${id}, newest_token = ${newest.token}, newest_begun = ${now}
    where lane = ${row.lane}`
  const settles = row.receipt_at === null ? { ...receipt, lane_order: second } : {}
  // the operator's decision has been carried out
  const patch = row.word === null ? settles : { ...settles, word: null }
  yield* move(transaction, row, "Sending", "attempt-begun", { attempt: id, patch })
  const document: FiscalDocument = stamp(yield* StoredDocument.read(row.kind, row.body, row.number), date, repeats)
  return {
    _tag: "Begun",
    attempt: id,
    key: keyOf(row),
    number: DocumentNumber.make(row.number),
    document,
    newest,
    accepted: context.accepted
  }
})

const consider = Effect.fnUntraced(function* (context: LaneContext, row: HeadRow): SqlReturn<Step> {
  const account = context.options.accounts.find(
    ({ account, environment }) => account === row.account && environment === row.environment
  )
  if (account === undefined) {
    const { environment } = row
    const number = DocumentNumber.make(row.number)
    return { _tag: "Waiting", wait: { for: "account", key: keyOf(row), number, environment } }
  }
  if (account.notBefore !== undefined && row.source_date < account.notBefore) {
    const because = `it is dated before ${account.notBefore}, where the account ${row.account} begins`
    return yield* Effect.as(holdBack(context.transaction, row, "person", because), next)
  }
  const { doubtful_until: doubtful } = context.lane
  if (doubtful !== null && row.source_date <= doubtful && !sendsDespite(parseOverride(row.word), "person")) {
    const because = `the store was an older copy, and until ${doubtful} documents may have been sent that it does not have`
    return yield* Effect.as(holdBack(context.transaction, row, "person", because), next)
  }
  const waits = yield* original(context, row)
  if (waits !== null) return waits
  const attempts = number(row.attempted) > 0 ? yield* earlier(context, row) : []
  const early = quiet(context, row, attempts) ?? unconfirmed(context, row, account, attempts)
  if (early !== null) return early
  if (attempts.some(({ by_text }) => number(by_text) > 0) && !sendsDespite(parseOverride(row.word), "person")) {
    return yield* Effect.as(holdBack(context.transaction, row, "person", byText), next)
  }
  const second = yield* receiptDate(context, row, attempts)
  if (typeof second !== "number") return second
  const { hostNow, now } = context.transaction
  const pause = row.paced_until === null ? 0 : number(row.paced_until) - now
  if (pause > 0) return { _tag: "Waiting", wait: { for: "clock", key: keyOf(row), until: utc(hostNow + pause) } }
  const counts = attempts.some(({ settled }) => settled !== "rejected" || account.afterRejection === "retry")
  return yield* write(context, row, account, second, counts ? "retry" : "first")
})

// held documents are committed in portions of this size
const portion = 100

/**
 * Begins the next attempt from the rows read in this transaction. Reads the head again if anything
 * may have changed `since`. Returns `Next` after a full portion of held documents, if more follow.
 */
export const begin = Effect.fnUntraced(function* (
  transaction: Transaction,
  lease: LaneLease,
  options: AttemptOptions,
  known: KnownOfLane,
  { head: first, lane }: Turn,
  since: Since
): SqlReturn<Step> {
  if (lane === undefined) return { _tag: "Lost" }
  const { interruptions: seen } = transaction
  if (options.accounts.some(({ interruptions = seen }) => interruptions !== seen)) return { _tag: "Outdated" }
  const whole = yield* wentBack(transaction, lane, known)
  if (whole._tag === "WentBack") {
    // written to the store for every process and for `health`; only an operator clears the stop.
    // `stopOlder` stops the other lanes in a separate transaction
    const older: LaneStop = { cause: "store-older", because: whole.because, retryAt: null }
    yield* stop(transaction, lane.lane, older)
    return { _tag: "Stopped", stop: older }
  }
  yield* renew(transaction, lane, options.lease)
  const stopped = stopOf(lane)
  if (stopped !== null) return { _tag: "Stopped", stop: stopped }
  const day = lane.fiscal_day === null ? null : number(lane.fiscal_day)
  if (options.accounts.some(({ fiscalDay = day }) => fiscalDay !== day)) return { _tag: "Outdated" }
  const ahead = options.ahead === undefined ? 0 : Duration.toMillis(options.ahead)
  const now = Math.floor((transaction.hostNow - ahead) / 1000)
  const { accepted } = whole
  const context: LaneContext = { transaction, lease, lane, accepted, options, now, ahead }
  for (let held = 0; held < portion; held++) {
    const isAsRead = held === 0 && since !== "anything"
    const row = isAsRead ? first : yield* head(context)
    if (row === undefined || isBlocked(context, row, isAsRead ? since : "nothing"))
      return (yield* underWay(context)) ?? { _tag: "Drained" }
    const step = yield* consider(context, row)
    if (step._tag !== "Next") return step
  }
  return next
})
