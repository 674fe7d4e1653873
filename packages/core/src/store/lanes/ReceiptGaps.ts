/**
 * Compares the receipts of the device with the store's before the second attempt of a process: a
 * store that was restored together with its witness lacks receipts, and only the gateway can show
 * it. A missing number is a lost receipt, a receipt of another program, or one that the device
 * skipped (NUM-2). The store stops if these cannot be distinguished: once in a shop with an
 * unstated till, and at each skipped number of a device that is stated to be alone. The portal
 * shows the cause, and one statement, `device others`, ends these stops for good. Several gaps, or
 * one within a claim, show other programs without a statement. Not recognized: a store without a
 * receipt number from before the restore, and documents sent before the first number since is
 * known, at most a minute after the first of a process.
 */
import { Effect } from "effect"
import type { LaneStop } from "../../submission/Lane.ts"
import {
  becauseMissing,
  gapsIn,
  inOrder,
  type NumberedAttempt,
  type ReceiptGap
} from "../../submission/ledger/ReceiptGap.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import type { OtherPrograms } from "../../submission/SubmissionQuery.ts"
import * as StoreStops from "../database/StoreStops.ts"
import type { Queries } from "../database/Statements.ts"
import { type SqlEffect, type SqlReturn, type Transaction, utc } from "../database/Transaction.ts"
import { type AttemptRow, type Integer, number } from "../rows/Rows.ts"
import { isOpen } from "../rows/SettledSql.ts"
import { awaited } from "./LaneCauses.ts"
import { stopOfStore } from "./Lanes.ts"
import type { LaneStep } from "./QueueHead.ts"

export const otherPrograms: Readonly<Record<OtherPrograms["stated"], string>> = {
  others: "other programs use the device",
  alone: "no other program uses the device"
}

interface GapStatementRow {
  readonly at: Integer
  readonly what: string
}

const statements = (sql: Queries, lane: string) =>
  Effect.map(
    sql<GapStatementRow>`select at, what from fiscal_decision
      where subject = ${lane} and act = 'other-programs' order by id desc limit 2`,
    (rows) =>
      rows.map(({ at, what }): OtherPrograms | null => {
        const stated = (["others", "alone"] as const).find((one) => otherPrograms[one] === what)
        return stated === undefined ? null : { stated, since: utc(number(at)) }
      })
  )

export const otherProgramsOf = (sql: Queries, lane: string): SqlEffect<OtherPrograms | null> =>
  Effect.map(statements(sql, lane), ([latest]) => latest ?? null)

interface ReceiptRow extends Pick<AttemptRow, "begun_at" | "repeats"> {
  readonly attempt: Integer
  readonly fence: Integer
  readonly receipt: string
}

const numberedOf = ({ attempt, begun_at, fence, receipt, repeats }: ReceiptRow): NumberedAttempt => {
  const [day, own] = receipt.split("/").map(Number)
  const of = { attempt: number(attempt), fence: number(fence), repeats, begunAt: number(begun_at) }
  return { ...of, day: day!, number: own! }
}

const isNumbered = "o.receipt is not null and o.source <> 'operator'"

/** Later attempts that may have a receipt with an unknown number. */
const unnumbered = (
  { sql }: Transaction,
  lane: string,
  oldest: number,
  { attempt, begunAt }: NumberedAttempt,
  to: number
) =>
  Effect.map(
    sql<{ readonly n: Integer }>`select (select count(*) from fiscal_attempt a where a.lane = ${lane}
        and a.id >= ${oldest} and a.id < ${to} and a.possibly_processed = 1 and (a.id > ${attempt} or ${isOpen(sql)})
        and not exists (select 1 from fiscal_outcome o where o.attempt = a.id and ${sql.literal(isNumbered)}))
      + (select count(*) from fiscal_submission s where s.lane = ${lane} and s.state = 'Fiscalised' and s.since >= ${begunAt}
        and not exists (select 1 from fiscal_outcome o where o.submission = s.seq and ${sql.literal(isNumbered)})) as n`,
    ([row]) => number(row?.n ?? 0)
  )

interface KnownReceipts {
  readonly newest: NumberedAttempt
  readonly oldest: number
  /** Missing numbers that no process has compared, such as those before the only receipt of one. */
  readonly gap: ReceiptGap | undefined
  /** In milliseconds; every later receipt of the device is expected in the store. */
  readonly since: number
}

/**
 * A process knows its own attempts: numbers missing within one claim are not of a lost store. The
 * receipt of a repeated request may be older than the claim.
 */
const mayBeLost = ({ after, before }: ReceiptGap): boolean => after.fence !== before.fence || before.repeats === "retry"

/**
 * Null if nothing can be compared: the store has no receipt of the device, other programs use it,
 * or the numbers had gaps before.
 */
const knownBefore = Effect.fnUntraced(function* (
  transaction: Transaction,
  lane: string,
  first: number
): SqlReturn<KnownReceipts | null> {
  const { sql } = transaction
  const [latest = null, previous] = yield* statements(sql, lane)
  if (latest?.stated === "others") return null
  const [store] = yield* sql<{ readonly at: Integer | null }>`select accepted_at as at from fiscal_store`
  // earlier receipts may be of the lost store, or of programs that no longer use the device
  const alone = previous?.stated === "others" ? latest!.since.epochMilliseconds : 0
  const from = Math.max(number(store?.at ?? 0), alone)
  const rows = yield* sql<ReceiptRow>`select o.attempt, a.fence, a.begun_at, a.repeats, o.receipt from fiscal_attempt a
    join fiscal_outcome o on o.attempt = a.id
    where a.lane = ${lane} and a.id < ${first} and a.begun_at > ${from} and ${sql.literal(isNumbered)}
    order by a.id desc limit ${Patience.comparedNumbers.is}`
  const [begun] = yield* sql<Pick<ReceiptRow, "begun_at">>`select begun_at from fiscal_attempt
    where lane = ${lane} and begun_at > ${from} order by id limit 1`
  const receipts = rows.map(numberedOf)
  const newest = receipts.toSorted(inOrder).at(-1)
  if (newest === undefined) return null
  const { attempt: oldest } = receipts.at(-1)!
  const gaps = gapsIn(receipts.toSorted(inOrder))
  const found = gaps.filter((gap) => mayBeLost(gap) && gap.after.begunAt > (latest?.since.epochMilliseconds ?? 0))
  // one gap may be of a lost store; several, or one within a claim, are of other programs
  if (latest === null && gaps.length > 0 && (gaps.length > 1 || found.length === 0)) {
    const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0)
    if (missing > (yield* unnumbered(transaction, lane, oldest, { ...receipts.at(-1)!, begunAt: from }, first)))
      return null
  }
  return { newest, oldest, gap: found.at(-1), since: number(begun!.begun_at) }
})

/** Stops the store, because the device has receipts that it lacks. */
export const stopBehind = (transaction: Transaction, lane: string, text: string): SqlEffect<LaneStop> =>
  Effect.map(StoreStops.write(transaction, { is: "behind", text, lane }), stopOfStore)

/** Progress of the comparison in this process. A number: the first attempt of the process. */
export type Compared = "nothing" | "days" | number | "everything"

/**
 * Returns the step that the comparison requires before the next attempt: the closed days, the wait
 * for the first answer, or the stop. `compared`: nothing is required any more in this process.
 */
export const step = Effect.fnUntraced(function* (
  transaction: Transaction,
  lane: string,
  compared: Compared
): SqlReturn<LaneStep | "compared" | null> {
  if (compared === "everything") return null
  const isBefore = compared === "nothing" || compared === "days"
  const first = isBefore ? Number.MAX_SAFE_INTEGER : compared
  const known = yield* knownBefore(transaction, lane, first)
  if (known === null) return "compared"
  const { gap, newest, oldest, since } = known
  /** Stops the store if nothing of it can have the missing numbers. */
  const stopped = Effect.fnUntraced(function* (gap: ReceiptGap): SqlReturn<LaneStep | null> {
    const mayHave = yield* unnumbered(transaction, lane, oldest, gap.before, gap.after.attempt)
    const text = becauseMissing(lane, gap, mayHave)
    return text === null ? null : { _tag: "Stopped", stop: yield* stopBehind(transaction, lane, text) }
  })
  if (isBefore) {
    // also after the days: another process may have got the first number since the restore
    const stop = gap === undefined ? null : yield* stopped(gap)
    return stop ?? (compared === "days" ? null : { _tag: "Uncompared", day: newest.day, since: utc(since) })
  }
  const own =
    yield* transaction.sql<ReceiptRow>`select o.attempt, a.fence, a.begun_at, a.repeats, o.receipt from fiscal_attempt a
    join fiscal_outcome o on o.attempt = a.id
    where a.lane = ${lane} and a.id >= ${first} and ${transaction.sql.literal(isNumbered)} order by a.id limit 10`
  const [after] = own.map(numberedOf).toSorted(inOrder)
  if (after === undefined) {
    const key = yield* awaited(transaction, lane)
    return key === undefined ? null : { _tag: "Waiting", wait: { for: "outcome", key } }
  }
  const [missing = gap] = gapsIn([newest, after])
  return (missing === undefined ? null : yield* stopped(missing)) ?? "compared"
})
