/** What a transaction writes last, all at once: timelines and tallies. */
import { Array as Arr, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { State } from "../../submission/Submission.ts"
import type { TimelineEntry } from "../../submission/Explanation.ts"
import type { Integer } from "../rows/Rows.ts"
import type { Statements } from "./Statements.ts"

/** A line of the timeline. */
export type EventRow = {
  readonly submission: Integer
  readonly at: number
  readonly from_state: State | null
  readonly to_state: State
  readonly cause: TimelineEntry["cause"]
  readonly text: string | null
  readonly attempt: number | null
}

/** What is written last, all at once: timelines, and how many submissions came into a state of a lane or left it. */
export interface Journal {
  readonly events: Array<EventRow>
  readonly counts: Map<string, Map<State, number>>
  /** The number of the last attempt that was begun; 0 before the first. */
  readonly last: { attempt: number }
}

/** Counts submissions that came into a state of the lane, or left it. */
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
  // in one order, so that two transactions never wait for each other's
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
