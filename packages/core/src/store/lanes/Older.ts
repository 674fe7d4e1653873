/** Recognizes an older copy of the store, stops it, or accepts it as the store. */
import { Duration, Effect, Random } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import { becauseOlder, type StoreMarks, unmarked, type WitnessedMarks } from "../../ledger/NewestAttempt.ts"
import * as Patience from "../../ledger/Patience.ts"
import type { WholeStoreOperations } from "../../submission/SubmissionStore.ts"
import { type Integer, number } from "../rows/Rows.ts"
import { readAcceptance } from "../database/Acceptances.ts"
import * as StoreStops from "../database/StoreStops.ts"
import * as Place from "../database/Place.ts"
import type { Database, SqlEffect, Transaction } from "../database/Transaction.ts"
import * as KnownAttempts from "./KnownAttempts.ts"
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
const accept = (transaction: Transaction, until: CivilDate, known: ReadonlyArray<StoreMarks>): SqlEffect<void> =>
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

const stopOlder = (
  transaction: Transaction,
  known: KnownAttempts.KnownAttempts,
  recorded: WitnessedMarks | undefined
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { attempts, id } = yield* Place.identity(transaction.sql)
    const witnessed = recorded?.id === id ? recorded : undefined
    const comparison = yield* KnownAttempts.compareWithin(transaction, known, witnessed ?? unmarked)
    const because = becauseOlder(comparison, attempts, witnessed)
    if (because !== undefined) yield* StoreStops.write(transaction, { is: "older", because })
  })

export const make = ({ read, write }: Database, known: KnownAttempts.KnownAttempts) =>
  ({
    compareMarks: read("hold the store against what is known of it", (sql, witnessed) =>
      KnownAttempts.compareMarks(sql, known, witnessed)
    ),
    stopOlder: write("stop an older copy", (transaction, witnessed) => stopOlder(transaction, known, witnessed)),
    acceptOlder: write("accept an older copy", (transaction, until, witnessed) =>
      accept(transaction, until, [known.all(), witnessed])
    )
  }) satisfies Partial<WholeStoreOperations>
