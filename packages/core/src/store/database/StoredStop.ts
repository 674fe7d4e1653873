import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Stored from "../../submission/ledger/Stored.ts"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import type { Queries } from "./Statements.ts"

export interface StopColumns {
  readonly stop_cause: StoreStop["is"] | null
  readonly stop_because: string | null
  readonly stop_since: Integer | null
  readonly stop_lane: string | null
}

export const ofRow = ({ stop_because, stop_cause, stop_lane, stop_since }: StopColumns): StoreStop | null =>
  stop_cause === null
    ? null
    : {
        is: Stored.oneOf(StoredValues.storeStops, stop_cause, () => "stop_cause of the store"),
        text: stop_because ?? "",
        since: number(stop_since ?? 0),
        lane: stop_lane
      }

export const read = (sql: Queries): Effect.Effect<StoreStop | null, SqlError> =>
  Effect.map(sql<StopColumns>`select stop_cause, stop_because, stop_since, stop_lane from fiscal_store`, ([row]) =>
    row === undefined ? null : ofRow(row)
  )
