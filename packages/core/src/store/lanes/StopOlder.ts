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
    const [first] = missing
    const missingOf = (lane: string) => missing.find((one) => one.lane === lane) ?? first
    const countOf = (lane: string) => number(lanes.find((one) => one.lane === lane)?.attempts ?? 0)
    const fewer = witnessed && becauseFewer(witnessed, { accepted, attempts })
    for (const one of all) {
      const lost = missingOf(one)
      if (acceptance === "lost") yield* halt(one, becauseUnaccepted)
      else if (lost !== undefined) yield* halt(one, becauseMissing(lost, countOf(lost.lane)))
      else if (fewer !== undefined) yield* halt(one, `the store is an older copy: ${fewer}`)
    }
  })
