/** Columns of the stop in `fiscal_store`, and the migration that moves the stops of lanes there. */
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import type { Queries } from "./Statements.ts"

/** Columns of the stop. All are null if the store is not stopped. */
export interface StopColumns {
  readonly stop_cause: StoreStop["is"] | null
  readonly stop_because: string | null
  readonly stop_since: Integer | null
}

export const ofRow = ({ stop_because, stop_cause, stop_since }: StopColumns): StoreStop | null =>
  stop_cause === null
    ? null
    : {
        is: Stored.oneOf(StoredValues.storeStops, stop_cause, () => "stop_cause of the store"),
        because: stop_because ?? "",
        since: number(stop_since ?? 0)
      }

export const read = (sql: Queries): Effect.Effect<StoreStop | null, SqlError> =>
  Effect.map(sql<StopColumns>`select stop_cause, stop_because, stop_since from fiscal_store`, ([row]) =>
    row === undefined ? null : ofRow(row)
  )

/**
 * Migration: stops of lanes because of the store, and the doubt after an accepted copy, are in the
 * store's row only. `behind`: milliseconds by which the store's time was behind the latest known
 * clock when the attempt was last written.
 */
export const storeStop = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table fiscal_store add column stop_cause text`
  yield* sql`alter table fiscal_store add column stop_because text`
  yield* sql`alter table fiscal_store add column stop_since bigint`
  yield* sql`alter table fiscal_attempt add column behind bigint`
  yield* sql`update fiscal_store set
    stop_cause = (select case min(stop_cause) when 'store-older' then 'older' when 'store-unproven' then 'unproven' end
      from fiscal_lane where stop_cause in ('store-older', 'store-unproven')),
    stop_because = (select replace(stop_because, 'the store is an older copy: ', '') from fiscal_lane
      where stop_cause in ('store-older', 'store-unproven') order by stop_cause, lane limit 1),
    stop_since = (select min(stopped_at) from fiscal_lane where stop_cause in ('store-older', 'store-unproven'))`
  yield* sql`update fiscal_lane set stop_cause = null, stop_because = null, stop_account = null, retry_at = null
    where stop_cause in ('store-older', 'store-unproven')`
  yield* sql`alter table fiscal_lane drop column doubtful_until`
})
