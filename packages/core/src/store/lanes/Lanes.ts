import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { Environment } from "../../submission/PlannedDocument.ts"
import * as StateLog from "../../submission/StateLog.ts"
import { type LaneStop, type LaneView, type OwnStop, type StopCause } from "../../submission/Lane.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import type { SameCause } from "../../submission/ledger/LaneFailures.ts"
import type { Pin } from "../../submission/Pin.ts"
import { type Integer, number, type SubmissionRow } from "../rows/Rows.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { sentence, type StoreStop } from "../../submission/ledger/StoreStop.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { type Transaction, utc } from "../database/Transaction.ts"
import type { Queries } from "../database/Statements.ts"
import * as StoredStop from "../database/StoredStop.ts"
import { move } from "./Transition.ts"
import type { SqlClient } from "effect/sql/SqlClient"

export interface LaneRow {
  readonly lane: string
  readonly fence: Integer
  readonly holder: string | null
  readonly leased_until: Integer
  readonly stop_cause: StopCause | null
  readonly stop_because: string | null
  readonly stop_account: string | null
  readonly retry_at: Integer | null
  readonly stops: Integer
  readonly stopped_at: Integer | null
  readonly closed_at: Integer | null
  readonly closed_text: string | null
  readonly known_at: Integer | null
  readonly fiscal_day: Integer | null
  /** Number of attempts of the lane. The next columns describe the newest attempt. */
  readonly attempts: Integer
  readonly newest: Integer | null
  readonly newest_token: string | null
  readonly newest_begun: Integer | null
  readonly rule_failures: Integer
  readonly failures: Integer
  readonly same_cause: string | null
  readonly same_count: Integer
  readonly same_from: Integer | null
  /** Attempts up to this one do not count, because the device could not take receipts then. */
  readonly same_after: Integer
}

interface LaneAccountRow {
  readonly account: string
  readonly lane: string
  readonly taxpayer: string
  readonly environment: Environment
  readonly serial: string | null
  readonly zone: string | null
  readonly origin: string | null
  /** In seconds. Null for the default. */
  readonly unworked_after: Integer | null
}

export type LaneStopColumns = Pick<LaneRow, "lane" | "stop_cause" | "stop_because" | "retry_at">

export const stopOf = (row: LaneStopColumns): LaneStop | null =>
  row.stop_cause === null
    ? null
    : {
        cause: Stored.oneOf(StoredValues.stopCauses, row.stop_cause, () => `stop_cause of lane ${row.lane}`),
        text: row.stop_because ?? "",
        retryAt: row.retry_at === null ? null : utc(number(row.retry_at))
      }

export const rowOf = ({
  same_cause: cause,
  same_count: count,
  same_from: from
}: Pick<LaneRow, "same_cause" | "same_count" | "same_from">): SameCause | null =>
  cause === null ? null : { cause, count: number(count), from: number(from ?? 0) }

export const laneRow = ({ dialect, sql }: Transaction, lane: string) =>
  Effect.map(
    sql<LaneRow>`select * from fiscal_lane where lane = ${lane} ${dialect.forUpdate}`,
    ([row]): LaneRow | undefined => row
  )

export const stopOfStore = (stop: StoreStop): LaneStop => ({
  cause: `store-${stop.is}`,
  text: sentence(stop),
  retryAt: null
})

export const ensure = ({ sql }: Transaction, lane: string) =>
  sql`insert into fiscal_lane (lane) values (${lane}) on conflict (lane) do nothing`

/**
 * Takes the lane unless a live lease exists. Documents left in Sending by an earlier holder become
 * Unknown.
 */
export const claim = (
  transaction: Transaction,
  lane: string,
  holder: string,
  lease: Duration.Duration,
  presumedDead: (holder: string) => boolean
) =>
  Effect.gen(function* () {
    const { dialect, now, sql } = transaction
    yield* ensure(transaction, lane)
    const row = (yield* laneRow(transaction, lane))!
    const live = row.holder !== null && row.holder !== holder && number(row.leased_until) > now
    if (live && !presumedDead(row.holder)) {
      return { _tag: "Busy", holder: row.holder, until: utc(number(row.leased_until)) } as const
    }
    const fence = number(row.fence) + 1
    yield* sql`update fiscal_lane set ${sql.update({ fence, holder, leased_until: now + Duration.toMillis(lease) })} where lane = ${lane}`
    const abandoned = yield* sql<SubmissionRow>`select * from fiscal_submission
      where lane = ${lane} and state = 'Sending' ${dialect.forUpdate}`
    for (const submission of abandoned) {
      const text = "the process that sent it ended before the answer was written"
      yield* sql`update fiscal_attempt set ${sql.update({ result: "Unknown", said: text, finished_at: now })}
        where submission = ${submission.seq} and result is null`
      yield* move(transaction, submission, "Unknown", "unknown-outcome", { text, patch: { said: text } })
    }
    return { _tag: "Claimed", lease: { lane, holder, fence } } as const
  })

export const stop = (
  transaction: Transaction,
  lane: string,
  { cause, retryAt, text }: OwnStop,
  account: string | null = null
) =>
  Effect.gen(function* () {
    const { logEntries, now, sql } = transaction
    yield* ensure(transaction, lane)
    // another stop for the same cause is not a change
    if ((yield* laneRow(transaction, lane))?.stop_cause !== cause) {
      logEntries.push(StateLog.ofStop(lane, cause))
      yield* sql`update fiscal_lane set stopped_at = ${now} where lane = ${lane}`
    }
    const retry = retryAt === null ? null : retryAt.epochMilliseconds
    yield* sql`update fiscal_lane set stop_cause = ${cause}, stop_because = ${text}, stop_account = ${account},
      retry_at = ${retry}, stops = stops + 1 where lane = ${lane}`
  })

export const restart = ({ logEntries, sql }: Transaction, lane: string) =>
  Effect.map(
    // failures while the device refused have their explanation
    sql`update fiscal_lane set
      same_after = case when stop_cause = 'device-refuses' then coalesce(newest, 0) else same_after end,
      same_cause = case when stop_cause = 'device-refuses' then null else same_cause end,
      same_count = case when stop_cause = 'device-refuses' then 0 else same_count end,
      stop_cause = null, stop_because = null, stop_account = null, retry_at = null
      where lane = ${lane} and stop_cause is not null returning lane`,
    (gone) => {
      if (gone.length > 0) logEntries.push(StateLog.ofRestart(lane))
    }
  )

/**
 * Marks documents dated up to `until` as possibly sent without this store. Earlier operator
 * decisions to send these documents are removed, so that the operator is asked again.
 */
export const doubt = ({ sql }: Transaction, until: CivilDate) =>
  Effect.gen(function* () {
    yield* sql`update fiscal_store set doubtful_until = ${until} where doubtful_until is null or doubtful_until < ${until}`
    yield* sql`update fiscal_submission set word = null where word like 'send%' and source_date <= ${until}`
  })

/** Records the fiscal day of a receipt of the lane. Never moves back. */
export const seeFiscalDay = ({ sql }: Transaction, lane: string, day: number) =>
  sql`update fiscal_lane set fiscal_day = ${day} where lane = ${lane} and (fiscal_day is null or fiscal_day < ${day})`

export const pinnedTo = ({ sql }: { readonly sql: Queries }, account: string) =>
  Effect.map(
    sql<LaneAccountRow>`select account, lane, taxpayer, environment, serial, zone, origin, unworked_after from fiscal_account where account = ${account}`,
    ([row]): LaneAccountRow | undefined => row
  )

const difference = (row: LaneAccountRow, { account, lane, serial = null, taxpayer }: Pin): string | null => {
  if (row.lane !== lane) return `account ${account} is pinned to device ${row.lane}, and the gateway now names ${lane}`
  if (row.taxpayer !== taxpayer)
    return `device ${lane} belonged to the taxpayer ${row.taxpayer}, and now to ${taxpayer}`
  return row.serial === null || serial === null || row.serial === serial
    ? null
    : `device ${lane} had the serial number ${row.serial}, and now has ${serial}`
}

export const pin = (transaction: Transaction, pin: Pin) =>
  Effect.gen(function* () {
    const { account, environment, lane, origin = null, serial = null, taxpayer, zone = null } = pin
    const unworked_after = pin.unworkedAfterSeconds ?? null
    const { sql } = transaction
    const known = yield* pinnedTo(transaction, account)
    if (known === undefined) {
      yield* ensure(transaction, lane)
      const pinned =
        yield* sql`insert into fiscal_account ${sql.insert({ account, lane, taxpayer, environment, serial, zone, origin, unworked_after })}
        on conflict (account) do nothing returning account`
      if (pinned.length > 0) return { _tag: "Pinned" } as const
    }
    // another process may have pinned the account meanwhile, perhaps to another device
    const row = known ?? (yield* pinnedTo(transaction, account))!
    const text = difference(row, pin)
    if (text !== null) {
      yield* stop(transaction, row.lane, { cause: "device-changed", text, retryAt: null }, account)
      return { _tag: "Changed", pinned: row.lane } as const
    }
    // the first origin stays until an operator trusts another origin
    const stated = {
      serial: serial ?? row.serial,
      zone: zone ?? row.zone,
      origin: row.origin ?? origin,
      unworked_after
    }
    const isNew =
      stated.zone !== row.zone ||
      stated.origin !== row.origin ||
      unworked_after !== (row.unworked_after === null ? null : number(row.unworked_after))
    if ((serial !== null && row.serial === null) || isNew) {
      yield* sql`update fiscal_account set ${sql.update(stated)} where account = ${account}`
    }
    // a serial number that is left out shows no device
    const isShown = serial !== null || row.serial === null
    if (isShown && (yield* laneRow(transaction, lane))?.stop_account === account) yield* restart(transaction, lane)
    return { _tag: "Pinned" } as const
  })

const unworkedAfter = (pins: ReadonlyArray<Pick<LaneAccountRow, "unworked_after">>): number => {
  const standard = Duration.toSeconds(Patience.unworked.is)
  return pins.length === 0
    ? standard
    : Math.min(...pins.map(({ unworked_after: given }) => (given === null ? standard : number(given))))
}

export const views = (
  sql: SqlClient,
  accounts?: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<LaneView>, SqlError> =>
  Effect.gen(function* () {
    const chosen =
      accounts === undefined
        ? sql``
        : sql`where lane in (select lane from fiscal_account where ${sql.in("account", accounts)})`
    const stopped = yield* StoredStop.read(sql)
    const rows = yield* sql<LaneRow & { readonly day_since: Integer | null }>`select *, (select min(a.receipt_at)
      from fiscal_attempt a where a.lane = fiscal_lane.lane and a.possibly_processed = 1
      and a.receipt_at > fiscal_lane.closed_at) as day_since from fiscal_lane ${chosen} order by lane`
    const pins = Map.groupBy(
      yield* sql<
        Pick<LaneAccountRow, "account" | "lane" | "unworked_after">
      >`select account, lane, unworked_after from fiscal_account ${chosen} order by account`,
      ({ lane }) => lane
    )
    return rows.map((row) => ({
      lane: row.lane,
      accounts: (pins.get(row.lane) ?? []).map(({ account }) => account),
      unworkedAfterSeconds: unworkedAfter(pins.get(row.lane) ?? []),
      stop: stopped === null ? stopOf(row) : stopOfStore(stopped),
      stops: number(row.stops),
      stoppedAt:
        stopped !== null
          ? utc(stopped.since)
          : row.stop_cause === null
            ? null
            : Stored.nullable(row.stopped_at, (at) => Stored.time(at, () => `stopped_at of lane ${row.lane}`)),
      holder: row.holder,
      leasedUntil: row.holder === null ? null : Stored.time(row.leased_until, () => `leased_until of lane ${row.lane}`),
      attempts: number(row.attempts),
      failures: { ofRules: number(row.rule_failures), others: number(row.failures) },
      sameCause: rowOf(row),
      device: row.known_at === null ? ("new" as const) : ("known" as const),
      fiscalDay: row.fiscal_day === null ? null : number(row.fiscal_day),
      daySince: Stored.nullable(row.day_since, (at) => utc(number(at) * 1000)),
      closedAt: Stored.nullable(row.closed_at, (at) =>
        utc(Stored.integer(at, () => `closed_at of lane ${row.lane}`) * 1000)
      )
    }))
  })
