/** Commits the head of the queue before sending, or returns the blocker. */
import { Duration, Effect, Option } from "effect"
import { type FiscalDocument, stamp } from "../../document/FiscalDocument.ts"
import { DocumentNumber } from "../../document/Identifiers.ts"
import * as Instant from "../../document/Instant.ts"
import { paceOf } from "../../submission/ledger/LaneFailures.ts"
import type { LaneLease, LaneStop, OwnStop } from "../../submission/Lane.ts"
import type { NewestAttempt } from "../../submission/ledger/NewestAttempt.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import { parseOverride, sendsDespite } from "../../submission/Revisit.ts"
import type { AttemptOptions } from "../../submission/Attempt.ts"
import { zoneOf } from "./AttemptDate.ts"
import { guards } from "./Guards.ts"
import {
  type HeadCandidate,
  type EarlierAttempt,
  head,
  type HeadRow,
  type HeldLane,
  probeHead,
  isBlocked,
  type LaneContext,
  next,
  renew,
  type Since,
  type HeadTurn,
  type LaneStep,
  underWay
} from "./QueueHead.ts"
import type { KnownOfLane } from "./KnownAttempts.ts"
import { awaited } from "./LaneCauses.ts"
import { rowOf, stop, stopOf, stopOfStore } from "./Lanes.ts"
import * as ReceiptGaps from "./ReceiptGaps.ts"
import * as Refutation from "./Refutation.ts"
import { token } from "./Older.ts"
import { until } from "./Quiet.ts"
import { wentBack } from "./WentBack.ts"
import { latest } from "../database/Migrations.ts"
import * as StoreStops from "../database/StoreStops.ts"
import { settled } from "../rows/SettledSql.ts"
import { keyOf, number } from "../rows/Rows.ts"
import * as StoredDocument from "../../submission/ledger/StoredDocument.ts"
import { type SqlReturn, type Transaction, utc } from "../database/Transaction.ts"
import { holdBack, move } from "./Transition.ts"

const earlier = ({ transaction: { sql } }: LaneContext, row: HeadRow) =>
  sql<EarlierAttempt>`select a.request_id, a.known_at, a.confirmed, ${until({ sql })} as quiet_until, ${settled(sql)} as settled,
      (select count(*) from fiscal_outcome o where o.attempt = a.id and o.settled_by = 'text'
        and not exists (select 1 from fiscal_attempt b where b.submission = a.submission and b.id > a.id)) as by_text,
      case when ${Refutation.isRefuted(sql)} then 1 else 0 end as is_refuted
    from fiscal_attempt a where a.submission = ${row.seq} and a.possibly_processed = 1`

const write = Effect.fnUntraced(function* (candidate: HeadCandidate, second: number): SqlReturn<LaneStep> {
  const { account, attempts, lane, lease, row, transaction } = candidate
  const { latest: latestTime, now, sql } = transaction
  // the row changed while waiting for its lock; the next step reads the row again
  if (row.body === null) return next
  const dated = row.receipt_text === null ? Option.none() : Instant.parse(row.receipt_text)
  const date = Option.getOrElse(dated, () => Instant.fromSeconds(second, zoneOf(row)))
  const receipt = { receipt_at: second, receipt_text: row.receipt_text ?? Instant.format(date) }
  const counts = attempts.some(({ settled }) => settled !== "rejected" || account?.afterRejection === "retry")
  const repeats = counts ? "retry" : "first"
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
    quiet: Duration.toMillis(account?.quietPeriod ?? Patience.quietPeriod.is),
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
    accepted: candidate.accepted
  }
})

const consider = Effect.fnUntraced(function* (context: LaneContext, row: HeadRow): SqlReturn<LaneStep> {
  const { options, transaction } = context
  const account = options.accounts.find(
    ({ account, environment }) => account === row.account && environment === row.environment
  )
  const attempts = number(row.attempted) > 0 ? yield* earlier(context, row) : []
  const candidate: HeadCandidate = { ...context, row, account, attempts, override: parseOverride(row.word) }
  let second = number(row.receipt_at ?? context.now)
  for (const { cause, question } of guards) {
    if (cause !== undefined && sendsDespite(candidate.override, cause)) continue
    const asked = question(candidate)
    const answer = Effect.isEffect(asked) ? yield* asked : asked
    if (answer === null) continue
    if (typeof answer === "number") second = answer
    else if (typeof answer === "object" && answer._tag !== "Hold") return answer
    else {
      const held = typeof answer === "object" ? answer : { cause: cause ?? "operator", text: answer }
      return yield* Effect.as(holdBack(transaction, row, held.cause, held.text), next)
    }
  }
  return yield* write(candidate, second)
})

/** True if a document of the lane has failed since an account was queried. */
const hasFailed = (lane: HeldLane, { accounts }: AttemptOptions): boolean => {
  const [ofRules, others] = [number(lane.rule_failures), number(lane.failures)]
  return accounts.some(
    ({ failures }) => (failures?.ofRules ?? ofRules) !== ofRules || (failures?.others ?? others) !== others
  )
}

/**
 * A stop, or the wait for the first answer about the last document. Null if the next document may
 * be sent.
 */
const failing = Effect.fnUntraced(function* (
  transaction: Transaction,
  lane: HeldLane,
  { accounts }: AttemptOptions
): SqlReturn<LaneStep | null> {
  const row = rowOf(lane)
  const quiet = accounts.reduce(
    (longest, { quietPeriod = Patience.quietPeriod.is }) => Duration.max(longest, quietPeriod),
    Duration.zero
  )
  switch (paceOf(row, transaction.now, quiet)) {
    case "free":
      return null
    case "stopped": {
      const text = `${row!.count} documents in a row failed with the same cause: ${row!.cause}`
      const stopped: OwnStop = { cause: "same-failure", text, retryAt: nextProbe(transaction) }
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
  { head: first, lane }: HeadTurn,
  since: Since
): SqlReturn<LaneStep> {
  if (lane === undefined) return { _tag: "Lost" }
  const { interruptions: seen } = transaction
  if (options.accounts.some(({ interruptions = seen }) => interruptions !== seen)) return { _tag: "Outdated" }
  if (transaction.stop !== null) return { _tag: "Stopped", stop: stopOfStore(transaction.stop) }
  const whole = yield* wentBack(transaction, lane, known)
  if (whole._tag === "WentBack") {
    const older = yield* StoreStops.write(transaction, { is: "older", text: whole.text })
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
  // a lane with nothing to send compares nothing
  const compare = first === undefined ? null : yield* ReceiptGaps.step(transaction, lane.lane, known.compared)
  if (compare === "compared") known.isCompared()
  else if (compare !== null) return compare
  const ahead = options.clockLead === undefined ? 0 : Duration.toMillis(options.clockLead)
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
