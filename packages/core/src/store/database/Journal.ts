import { Array as Arr, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { State } from "../../submission/Submission.ts"
import type { TimelineEntry } from "../../submission/Explanation.ts"
import type { StoreStop } from "../../submission/ledger/StoreStop.ts"
import type { Integer } from "../rows/Rows.ts"
import type { Statements } from "./Statements.ts"

export type EventRow = {
  readonly submission: Integer
  readonly at: number
  readonly from_state: State | null
  readonly to_state: State
  readonly cause: TimelineEntry["cause"]
  readonly text: string | null
  readonly attempt: number | null
}

export interface Journal {
  readonly events: Array<EventRow>
  readonly counts: Map<string, Map<State, number>>
  /**
   * `attempt`: number of the last attempt begun in this commit, 0 before the first. `stop`: stop of
   * the store, if this commit contains it.
   */
  readonly last: { attempt: number; stop: StoreStop | undefined }
}

export const count = ({ counts }: Journal, lane: string, state: State, n: number): void => {
  const own = counts.get(lane) ?? new Map<State, number>()
  counts.set(lane, own.set(state, (own.get(state) ?? 0) + n))
}

// a statement takes at most 32766 parameters
const together = 1000

export const flush = Effect.fnUntraced(function* ({
  counts,
  events,
  sql
}: Journal & { readonly sql: Statements }): Effect.fn.Return<void, SqlError> {
  for (const chunk of Arr.chunksOf(events, together)) yield* sql`insert into fiscal_event ${sql.insert(chunk)}`
  const changed: Array<{ readonly lane: string; readonly state: State; readonly n: number }> = []
  // in a fixed order, so that two transactions never deadlock
  for (const lane of Array.from(counts.keys()).toSorted()) {
    const states = counts.get(lane)!
    for (const state of Array.from(states.keys()).toSorted()) {
      const n = states.get(state)!
      if (n !== 0) changed.push({ lane, state, n })
    }
  }
  for (const chunk of Arr.chunksOf(changed, together)) {
    yield* sql`insert into fiscal_tally ${sql.insert(chunk)}
      on conflict (lane, state) do update set n = fiscal_tally.n + excluded.n`
  }
})
