/** Accepts an older copy as the store. */
import { Duration, Effect, Random } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { StoreMarks } from "../../submission/ledger/NewestAttempt.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { readAcceptance } from "../database/Acceptances.ts"
import * as StoreStops from "../database/StoreStops.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import { doubt } from "./Lanes.ts"

/**
 * Draws 30 random bits: two attempts, or two acceptances, with the same number practically never
 * have the same token.
 */
export const token = Effect.map(Random.nextIntBetween(0, 2 ** 30), String)

/**
 * Clears the stop of an older copy, and numbers the acceptance after every known one, so that a
 * store without the acceptance is recognized as an older copy.
 *
 * For the longest quiet period of any attempt, no decision permits a resend, because requests
 * missing in the copy may still arrive. `until`: documents up to this day may have been sent.
 * `known`: known marks of the lost store.
 */
export const accept = (transaction: Transaction, until: CivilDate, known: ReadonlyArray<StoreMarks>): SqlEffect<void> =>
  Effect.gen(function* () {
    const { latest, sql } = transaction
    const [row] = yield* sql<{ readonly longest: Integer | null }>`select max(quiet) as longest from fiscal_attempt`
    const quiet = Math.max(Duration.toMillis(Patience.quietPeriod.is), number(row?.longest ?? 0))
    const before = yield* readAcceptance(sql)
    const numbers = [before, ...known.map(({ accepted }) => accepted)].map((acceptance) => acceptance?.number ?? 0)
    yield* sql`update fiscal_store set ${sql.update({
      accepted: Math.max(...numbers) + 1,
      accepted_token: yield* token,
      accepted_at: latest,
      accepted_quiet: quiet,
      proven_as: null
    })}`
    yield* StoreStops.clear(transaction)
    yield* doubt(transaction, until)
  })
