/**
 * Begins the lane's next attempt: commits the head of the queue before sending, or returns the
 * blocker.
 */
import { Duration, Effect, Option } from "effect"
import { type FiscalDocument, stamp } from "../../document/FiscalDocument.ts"
import { DocumentNumber, type RequestId } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import { paceOf } from "../../submission/ledger/LaneFailures.ts"
import type { LaneLease, LaneStop, OwnStop } from "../../submission/Lane.ts"
import type { NewestAttempt } from "../../submission/ledger/NewestAttempt.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import { type Override, parseOverride, sendsDespite } from "../../submission/Revisit.ts"
import type { AttemptOptions } from "../../submission/Attempt.ts"
import { type EarlierAttempt, receiptDate, zoneOf } from "./AttemptDate.ts"
import {
  head,
  type HeadRow,
  type HeldLane,
  probeHead,
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
import { awaited } from "./LaneCauses.ts"
import { rowOf, stop, stopOf, stopOfStore } from "./Lanes.ts"
import * as Refutation from "./Refutation.ts"
import { token } from "./Older.ts"
import { until } from "./Quiet.ts"
import * as Relations from "./Relations.ts"
import * as Replaced from "./Replaced.ts"
import { wentBack } from "./WentBack.ts"
import { overAt } from "../database/Clocks.ts"
import { latest } from "../database/Migrations.ts"
import * as StoreStops from "../database/StoreStops.ts"
import { settled } from "../rows/SettledSql.ts"
import { keyOf, number } from "../rows/Rows.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import { type SqlReturn, type Transaction, utc } from "../database/Transaction.ts"
import { holdBack, move } from "./Transition.ts"

/** Reads earlier attempts that may have been processed, with the gateway's evidence. */
const earlier = ({ transaction: { sql } }: LaneContext, row: HeadRow) =>
  sql<EarlierAttempt>`select a.request_id, a.known_at, a.confirmed, ${until({ sql })} as quiet_until, ${settled(sql)} as settled,
      (select count(*) from fiscal_outcome o where o.attempt = a.id and o.settled_by = 'text'
        and not exists (select 1 from fiscal_attempt b where b.submission = a.submission and b.id > a.id)) as by_text,
      case when ${Refutation.isRefuted(sql)} then 1 else 0 end as is_refuted
    from fiscal_attempt a where a.submission = ${row.seq} and a.possibly_processed = 1`

/** Waits for the end of the quiet period. */
const quiet = ({ transaction }: LaneContext, row: HeadRow, attempts: ReadonlyArray<EarlierAttempt>): Step | null => {
  const over = overAt(transaction, Math.max(...attempts.map(({ quiet_until }) => number(quiet_until ?? 0))))
  return over === null ? null : { _tag: "Waiting", wait: { for: "quiet", key: keyOf(row), until: utc(over) } }
}

/**
 * Returns the earlier requests of the document for one more query: a rejection may have been
 * settled wrongly (STAT-9), or stated by an operator. Null if an operator sends the document
 * anyway,
 * or if every request is settled and the gateway no longer answers for it.
 */
const unconfirmed = (
  { transaction: { earliest } }: LaneContext,
  row: HeadRow,
  { retention = Patience.retention.is }: AttemptOptions["accounts"][number],
  attempts: ReadonlyArray<EarlierAttempt>
): Step | null => {
  if (sendsDespite(parseOverride(row.word), "rejection-unconfirmed")) return null
  const asked = attempts.flatMap(({ confirmed, known_at, request_id, settled }) => {
    if (request_id === null || (confirmed !== null && number(confirmed) === number(row.revision))) return []
    return settled === "open" || earliest < number(known_at ?? 0) + Duration.toMillis(retention)
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
  const { latest: latestTime, now, sql } = transaction
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
    quiet: Duration.toMillis(account.quietPeriod ?? Patience.quietPeriod.is),
    behind: latestTime - now,
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

/**
 * Holds a document that is registered as fiscalised elsewhere, or whose replacement, or the
 * document that it replaces, may have a receipt. Null if it may be sent.
 */
const relatedHold = Effect.fnUntraced(function* (
  { transaction }: LaneContext,
  row: HeadRow,
  override: Override | null
): SqlReturn<Step | null> {
  const key = keyOf(row)
  if (row.related === "elsewhere" && !sendsDespite(override, "duplicate")) {
    const because = yield* Relations.openRegistration(transaction, key)
    if (because !== null) return yield* Effect.as(holdBack(transaction, row, "duplicate", because), next)
  }
  if (sendsDespite(override, "replaces")) return null
  const because = yield* Replaced.holds(transaction.sql, key)
  return because === null ? null : yield* Effect.as(holdBack(transaction, row, "replaces", because), next)
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
  const override = parseOverride(row.word)
  const isEarly = account.notBefore !== undefined && row.source_date < account.notBefore
  if (isEarly && !sendsDespite(override, "before-start")) {
    const because = `it is dated before ${account.notBefore}, where the account ${row.account} begins`
    return yield* Effect.as(holdBack(context.transaction, row, "before-start", because), next)
  }
  const { doubtful_until: doubtful } = context.lane
  if (doubtful !== null && row.source_date <= doubtful && !sendsDespite(override, "older-copy")) {
    const because = `the store was an older copy, and until ${doubtful} documents may have been sent that it does not have`
    return yield* Effect.as(holdBack(context.transaction, row, "older-copy", because), next)
  }
  const related = row.related === null ? null : yield* relatedHold(context, row, override)
  if (related !== null) return related
  const waits = yield* original(context, row)
  if (waits !== null) return waits
  const attempts = number(row.attempted) > 0 ? yield* earlier(context, row) : []
  const isRefuted = attempts.some(({ is_refuted }) => number(is_refuted) === 1)
  if (isRefuted && (yield* Refutation.hold(context.transaction, row))) return next
  const early = quiet(context, row, attempts) ?? unconfirmed(context, row, account, attempts)
  if (early !== null) return early
  if (
    attempts.some(({ by_text }) => number(by_text) > 0) &&
    !sendsDespite(parseOverride(row.word), "rejection-unconfirmed")
  ) {
    return yield* Effect.as(holdBack(context.transaction, row, "rejection-unconfirmed", byText), next)
  }
  const second = yield* receiptDate(context, row, attempts)
  if (typeof second !== "number") return second
  const { hostNow, now } = context.transaction
  const pause = row.paced_until === null ? 0 : number(row.paced_until) - now
  if (pause > 0) return { _tag: "Waiting", wait: { for: "clock", key: keyOf(row), until: utc(hostNow + pause) } }
  const counts = attempts.some(({ settled }) => settled !== "rejected" || account.afterRejection === "retry")
  return yield* write(context, row, account, second, counts ? "retry" : "first")
})

/** Returns true if a document of the lane has failed since an account was queried. */
const hasFailed = (lane: HeldLane, { accounts }: AttemptOptions): boolean => {
  const [ofRules, others] = [number(lane.rule_failures), number(lane.failures)]
  return accounts.some(
    ({ failures }) => (failures?.ofRules ?? ofRules) !== ofRules || (failures?.others ?? others) !== others
  )
}

/**
 * Returns the pause that the lane's own failures require: a stop, or the wait for the first answer
 * about the last document. Null if the next document may be sent.
 */
const failing = Effect.fnUntraced(function* (
  transaction: Transaction,
  lane: HeldLane,
  { accounts }: AttemptOptions
): SqlReturn<Step | null> {
  const row = rowOf(lane)
  const quiet = accounts.reduce(
    (longest, { quietPeriod = Patience.quietPeriod.is }) => Duration.max(longest, quietPeriod),
    Duration.zero
  )
  switch (paceOf(row, transaction.now, quiet)) {
    case "free":
      return null
    case "stopped": {
      const because = `${row!.count} documents in a row failed with the same cause: ${row!.cause}`
      const stopped: OwnStop = { cause: "same-failure", because, retryAt: nextProbe(transaction) }
      yield* stop(transaction, lane.lane, stopped)
      return { _tag: "Stopped", stop: stopped }
    }
    case "one-by-one": {
      const key = yield* awaited(transaction, lane.lane)
      return key === undefined ? null : { _tag: "Waiting", wait: { for: "outcome", key } }
    }
  }
})

const nextProbe = ({ hostNow }: Transaction) => utc(hostNow + Duration.toMillis(Patience.probe.is))

/** Returns true if a stopped lane sends one document now, as a test. */
const isProbe = ({ cause, retryAt }: LaneStop, { hostNow }: Transaction): boolean =>
  cause === "same-failure" && retryAt !== null && retryAt.epochMilliseconds <= hostNow

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
  if (transaction.stop !== null) return { _tag: "Stopped", stop: stopOfStore(transaction.stop) }
  const whole = yield* wentBack(transaction, lane, known)
  if (whole._tag === "WentBack") {
    const older = yield* StoreStops.write(transaction, { is: "older", because: whole.because })
    return { _tag: "Stopped", stop: stopOfStore(older) }
  }
  yield* renew(transaction, lane, options.lease)
  const stopped = stopOf(lane)
  const probes = stopped !== null && isProbe(stopped, transaction)
  if (stopped !== null && !probes) return { _tag: "Stopped", stop: stopped }
  const day = lane.fiscal_day === null ? null : number(lane.fiscal_day)
  if (options.accounts.some(({ fiscalDay = day }) => fiscalDay !== day)) return { _tag: "Outdated" }
  if (hasFailed(lane, options)) return { _tag: "Failed" }
  const pause = probes ? null : yield* failing(transaction, lane, options)
  if (pause !== null) return pause
  const ahead = options.ahead === undefined ? 0 : Duration.toMillis(options.ahead)
  const now = Math.floor((transaction.hostNow - ahead) / 1000)
  const { accepted } = whole
  const context: LaneContext = { transaction, lease, lane, accepted, options, now, ahead }
  for (let held = 0; held < portion; held++) {
    const isAsRead = !probes && held === 0 && since !== "anything"
    const row = isAsRead ? first : probes && held === 0 ? yield* probeHead(context) : yield* head(context)
    if (row === undefined || isBlocked(context, row, isAsRead ? since : "nothing"))
      return (yield* underWay(context)) ?? { _tag: "Drained" }
    const step = yield* consider(context, row)
    if (step._tag === "Begun" && probes) {
      yield* transaction.sql`update fiscal_lane set retry_at = ${nextProbe(transaction).epochMilliseconds}
        where lane = ${lane.lane}`
    }
    if (step._tag !== "Next") return step
  }
  return next
})
