/** Accepts an older copy as the store. */
import { Duration, Effect } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { NewestAttempt } from "../../ledger/NewestAttempt.ts"
import * as QuietPeriod from "../../ledger/QuietPeriod.ts"
import { type Integer, number } from "../rows/Rows.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { doubt } from "./Lanes.ts"

/**
 * Clears the stops of an older copy. For the longest quiet period of any attempt, no decision lets a document be sent again, because requests that are
 * missing in the copy may still arrive. `until`: documents up to this day may have been sent. `witnessed`: known attempts of the lost store.
 */
export const accept = (
  transaction: Transaction,
  until: CivilDate | null,
  witnessed: ReadonlyArray<NewestAttempt>
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { now, sql } = transaction
    const [row] = yield* sql<{ readonly longest: Integer | null }>`select max(quiet) as longest from fiscal_attempt`
    const quiet = Math.max(Duration.toMillis(QuietPeriod.standard), number(row?.longest ?? 0))
    // after every known attempt, even if a clock was set back
    const at = Math.max(now, ...witnessed.map(({ begunAt }) => begunAt))
    yield* sql`update fiscal_store set accepted_at = ${at}, accepted_quiet = ${quiet}, proven_as = null`
    yield* sql`update fiscal_lane set stop_cause = null, stop_because = null, stop_account = null, retry_at = null
      where stop_cause in ('store-older', 'store-unproven')`
    if (until !== null) yield* doubt(transaction, until)
  })
