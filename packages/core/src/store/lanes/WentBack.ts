/** Detects an older copy before the next attempt of a lane begins. */
import { Effect } from "effect"
import { type Acceptance, becauseMissing, becauseUnaccepted, compare } from "../../submission/ledger/NewestAttempt.ts"
import type { HeldLane } from "./QueueHead.ts"
import { type KnownOfLane, readAcceptance } from "./KnownAttempts.ts"
import { number } from "../rows/Rows.ts"
import type { SqlReturn, Transaction } from "../database/Transaction.ts"

/**
 * `Whole`: the store has everything that this process knows; `accepted` is the store's last
 * acceptance.
 */
export type Whole =
  | { readonly _tag: "Whole"; readonly accepted: Acceptance | null }
  | { readonly _tag: "WentBack"; readonly text: string }

const compared = Effect.fnUntraced(function* (
  { sql }: Transaction,
  { attempts, lane }: HeldLane,
  { accepted: known, newest }: KnownOfLane
): SqlReturn<Whole> {
  const accepted = yield* readAcceptance(sql)
  const comparison = compare(known, accepted)
  if (comparison === "lost") return { _tag: "WentBack", text: becauseUnaccepted }
  if (comparison === "later" || newest === undefined) return { _tag: "Whole", accepted }
  const found = yield* sql`select id from fiscal_attempt
    where id = ${newest.attempt} and lane = ${lane} and token = ${newest.token}`
  return found.length > 0
    ? { _tag: "Whole", accepted }
    : { _tag: "WentBack", text: becauseMissing(newest, number(attempts)) }
})

/**
 * Compares the store with the newest attempt of the lane and the last acceptance known to this
 * process. A process that has begun an attempt never sends through a store without that attempt.
 */
export const wentBack = (transaction: Transaction, lane: HeldLane, known: KnownOfLane) => {
  const { accepted, newest } = known
  // usually this process began the newest attempt; a store with the attempt also has the acceptance
  // before it
  return newest !== undefined && lane.newest_token === newest.token
    ? Effect.succeed<Whole>({ _tag: "Whole", accepted })
    : compared(transaction, lane, known)
}
