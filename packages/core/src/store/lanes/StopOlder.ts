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
    const halt = (lane: string, because: string) =>
      stop(transaction, lane, { cause: "store-older", because, retryAt: null })
    const { attempts, id } = yield* Identity.read(sql)
    const witnessed = recorded?.id === id ? recorded : undefined
    const { acceptance, accepted, missing } = yield* KnownAttempts.compareMarks(sql, known, witnessed ?? unmarked)
    const lanes = yield* sql<Pick<LaneRow, "lane" | "attempts">>`select lane, attempts from fiscal_lane`
    // in one order, so that two processes never wait for each other
    const all = [...new Set([lane, ...lanes.map(({ lane }) => lane)])].toSorted()
    if (acceptance === "lost") {
      for (const one of all) yield* halt(one, becauseUnaccepted)
      return
    }
    const [first] = missing
    if (first !== undefined) {
      for (const lane of all) {
        const cause = missing.find((one) => one.lane === lane) ?? first
        const counted = lanes.find(({ lane }) => lane === cause.lane)?.attempts ?? 0
        yield* halt(lane, becauseMissing(cause, number(counted)))
      }
      return
    }
    if (witnessed === undefined) return
    const because = becauseFewer(witnessed, { accepted, attempts })
    if (because !== undefined) yield* halt(lane, `the store is an older copy: ${because}`)
  })
