/**
 * Stops the lanes of an older copy: all of them, because the copy also lacks what was planned and
 * decided for the other lanes after it was made.
 */
import { Effect } from "effect"
import {
  becauseFewer,
  becauseMissing,
  becauseUnaccepted,
  unmarked,
  type WitnessedMarks
} from "../../ledger/NewestAttempt.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as Identity from "../database/Identity.ts"
import { number } from "../rows/Rows.ts"
import * as KnownAttempts from "./KnownAttempts.ts"
import { type LaneRow, stop } from "./Lanes.ts"

/** See `SubmissionStore.stopOlder`. */
export const stopOlder = (
  transaction: Transaction,
  known: KnownAttempts.KnownAttempts,
  lane: string,
  recorded: WitnessedMarks | undefined
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { sql } = transaction
    const { attempts, id } = yield* Identity.read(sql)
    const witnessed = recorded?.id === id ? recorded : undefined
    const { acceptance, accepted, missing } = yield* KnownAttempts.compareWithin(
      transaction,
      known,
      witnessed ?? unmarked
    )
    const lanes = yield* sql<Pick<LaneRow, "lane" | "attempts" | "stop_cause" | "stop_because">>`
      select lane, attempts, stop_cause, stop_because from fiscal_lane`
    // in one order, so that two processes never wait for each other
    const all = [...new Set([lane, ...lanes.map(({ lane }) => lane)])].toSorted()
    const [first] = missing
    const rowOf = (lane: string) => lanes.find((one) => one.lane === lane)
    const fewer = witnessed && becauseFewer(witnessed, { accepted, attempts })
    const becauseOf = (lane: string): string | undefined => {
      if (acceptance === "lost") return becauseUnaccepted
      const lost = missing.find((one) => one.lane === lane) ?? first
      if (lost !== undefined) return becauseMissing(lost, number(rowOf(lost.lane)?.attempts ?? 0))
      return fewer && `the store is an older copy: ${fewer}`
    }
    for (const one of all) {
      const because = becauseOf(one)
      const row = rowOf(one)
      const isStopped = row?.stop_cause === "store-older" && row.stop_because === because
      if (because !== undefined && !isStopped)
        yield* stop(transaction, one, { cause: "store-older", because, retryAt: null })
    }
  })
