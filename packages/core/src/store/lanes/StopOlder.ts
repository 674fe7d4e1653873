/** Stops the lanes of an older copy. */
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
    if (acceptance === "lost") {
      for (const one of new Set([lane, ...lanes.map(({ lane }) => lane)])) yield* halt(one, becauseUnaccepted)
      return
    }
    for (const one of missing) {
      const counted = lanes.find(({ lane }) => lane === one.lane)?.attempts ?? 0
      yield* halt(one.lane, becauseMissing(one, number(counted)))
    }
    if (missing.length > 0 || witnessed === undefined) return
    const because = becauseFewer(witnessed, { accepted, attempts })
    if (because !== undefined) yield* halt(lane, `the store is an older copy: ${because}`)
  })
