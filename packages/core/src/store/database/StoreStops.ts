import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import * as StateLog from "../../submission/StateLog.ts"
import type { Transaction } from "./Transaction.ts"

export const write = (
  { last, logEntries, now, sql, stop }: Transaction,
  { is, lane = null, text }: Pick<StoreStop, "text" | "is"> & { readonly lane?: string | null }
): Effect.Effect<StoreStop, SqlError> => {
  // another stop for the same cause is not a change
  const isKnown = stop?.is === is
  if (!isKnown) logEntries.push(StateLog.ofStoreStop(is))
  last.stop = { is, text, lane, since: isKnown ? stop.since : now }
  return Effect.as(
    sql`update fiscal_store set stop_cause = ${is}, stop_because = ${text}, stop_since = ${last.stop.since},
      stop_lane = ${lane}`,
    last.stop
  )
}

export const clear = ({ logEntries, sql, stop }: Transaction): Effect.Effect<void, SqlError> => {
  if (stop === null) return Effect.void
  logEntries.push(StateLog.ofStoreRestart())
  return Effect.asVoid(
    sql`update fiscal_store set stop_cause = null, stop_because = null, stop_since = null, stop_lane = null`
  )
}
