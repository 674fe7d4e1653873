/** Until an operator has settled each receipt of the other device. */
import { Effect } from "effect"
import { deviceOf } from "../../submission/Lane.ts"
import type { Proof } from "../../submission/Submission.ts"
import { restart, stop } from "./Lanes.ts"
import type { SubmissionRow } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"

/**
 * Describes a proof from another device than the documents were sent to. Null if the proof is from
 * one of these lanes, or names no device.
 */
export const difference = (lanes: ReadonlyArray<string>, { deviceId, verificationCode }: Proof): string | null =>
  deviceId === null || lanes.some((lane) => String(deviceId) === deviceOf(lane))
    ? null
    : `the receipt ${verificationCode ?? "without a code"} is of the device ${deviceId}, and the document went to ${lanes.join(" and ")}`

export const halt = (transaction: Transaction, lane: string, text: string): SqlEffect<void> =>
  stop(transaction, lane, { cause: "device-changed", text, retryAt: null })

export const settled = (transaction: Transaction, row: Pick<SubmissionRow, "lane">): SqlEffect<void> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const open = yield* sql`select 1 from fiscal_conflict c join fiscal_submission s on s.seq = c.submission
      where s.lane = ${row.lane} and c.code = 'OTHER_DEVICE' and c.settled_at is null limit 1`
    const byReceipt = yield* sql`select 1 from fiscal_lane
      where lane = ${row.lane} and stop_cause = 'device-changed' and stop_account is null`
    if (open.length === 0 && byReceipt.length > 0) yield* restart(transaction, row.lane)
  })
