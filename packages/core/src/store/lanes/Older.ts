/** Recognizes an older copy of the store, stops it, or accepts it as the store. */
import { Duration, Effect, Random } from "effect"
import { becauseOlder, unmarked } from "../../submission/ledger/NewestAttempt.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import type { WholeStoreOperations } from "../../submission/SubmissionStore.ts"
import { type Integer, number } from "../rows/Rows.ts"
import * as StoreStops from "../database/StoreStops.ts"
import * as Place from "../database/Place.ts"
import type { Database } from "../database/Transaction.ts"
import * as KnownAttempts from "./KnownAttempts.ts"
import { doubt } from "./Lanes.ts"
import { stopBehind } from "./ReceiptGaps.ts"

/**
 * Draws 30 random bits: two attempts, or two acceptances, with the same number practically never
 * have the same token.
 */
export const token = Effect.map(Random.nextIntBetween(0, 2 ** 30), String)

export const make = ({ read, write }: Database, known: KnownAttempts.KnownAttempts) => {
  const stopLane = write("stop a store that lacks receipts", (transaction, lane: string, text: string) =>
    Effect.asVoid(stopBehind(transaction, lane, text))
  )
  return {
    compareMarks: read("hold the store against what is known of it", (sql, witnessed) =>
      KnownAttempts.compareMarks(sql, known, witnessed)
    ),
    stopOlder: write("stop an older copy", (transaction, recorded) =>
      Effect.gen(function* () {
        const { attempts, id } = yield* Place.identity(transaction.sql)
        const witnessed = recorded?.id === id ? recorded : undefined
        const comparison = yield* KnownAttempts.compareWithin(transaction, known, witnessed ?? unmarked)
        const text = becauseOlder(comparison, attempts, witnessed)
        if (text !== undefined) yield* StoreStops.write(transaction, { is: "older", text })
      })
    ),
    compareDays: (lane, text) => (text === null ? Effect.sync(() => known.comparedDays(lane)) : stopLane(lane, text)),
    // numbers the acceptance after every known one, so that a store without it is an older copy
    acceptOlder: write("accept an older copy", (transaction, until, witnessed) =>
      Effect.gen(function* () {
        const { latest, sql } = transaction
        const [row] = yield* sql<{ readonly longest: Integer | null }>`select max(quiet) as longest from fiscal_attempt`
        const before = yield* KnownAttempts.readAcceptance(sql)
        const numbers = [before, known.all().accepted, witnessed.accepted].map((acceptance) => acceptance?.number ?? 0)
        yield* sql`update fiscal_store set ${sql.update({
          accepted: Math.max(...numbers) + 1,
          accepted_token: yield* token,
          accepted_at: latest,
          // longest quiet period of any attempt: requests missing in the copy may still arrive
          accepted_quiet: Math.max(Duration.toMillis(Patience.quietPeriod.is), number(row?.longest ?? 0)),
          proven_as: null
        })}`
        yield* StoreStops.clear(transaction)
        yield* doubt(transaction, until)
      })
    )
  } satisfies Partial<WholeStoreOperations>
}
