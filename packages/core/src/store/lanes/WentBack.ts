/** Stops a lane whose store is an older copy. */
import { Effect } from "effect"
import type { LaneStop } from "../../submission/Lane.ts"
import { becauseMissing, isPardoned, type NewestAttempt } from "../../ledger/NewestAttempt.ts"
import type { HeldLane } from "./HeadOfLine.ts"
import { stop } from "./Lanes.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"

/** Reads the time of the last acceptance by an operator. */
const acceptedAt = (sql: Transaction["sql"]): SqlEffect<number | null> =>
  Effect.map(sql<{ readonly accepted_at: Integer | null }>`select accepted_at from fiscal_store`, ([row]) =>
    row === undefined || row.accepted_at === null ? null : number(row.accepted_at)
  )

/**
 * Stops the lane if the store does not have the newest attempt known to this process. A process that has begun an attempt never sends through a store
 * without that attempt. The stop is written to the store, so every process and `health` see it. Only an operator clears it.
 */
export const wentBackStop = (
  transaction: Transaction,
  { attempts, known_token, lane }: HeldLane,
  known: NewestAttempt | undefined
): SqlEffect<LaneStop | null> =>
  Effect.gen(function* () {
    if (known === undefined || known_token === known.token) return null
    if (isPardoned(known, yield* acceptedAt(transaction.sql))) return null
    const stopped: LaneStop = { cause: "store-older", because: becauseMissing(known, number(attempts)), retryAt: null }
    yield* stop(transaction, lane, stopped)
    return stopped
  })
