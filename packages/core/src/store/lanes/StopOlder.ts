/** Stops a store that is an older copy. */
import { Effect } from "effect"
import { becauseOlder, unmarked, type WitnessedMarks } from "../../submission/ledger/NewestAttempt.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import * as Identity from "../database/Identity.ts"
import * as StoreStops from "../database/StoreStops.ts"
import * as KnownAttempts from "./KnownAttempts.ts"

/** See `SubmissionStore.stopOlder`. */
export const stopOlder = (
  transaction: Transaction,
  known: KnownAttempts.KnownAttempts,
  recorded: WitnessedMarks | undefined
): SqlEffect<void> =>
  Effect.gen(function* () {
    const { attempts, id } = yield* Identity.read(transaction.sql)
    const witnessed = recorded?.id === id ? recorded : undefined
    const comparison = yield* KnownAttempts.compareWithin(transaction, known, witnessed ?? unmarked)
    const because = becauseOlder(comparison, attempts, witnessed)
    if (because !== undefined) yield* StoreStops.write(transaction, { is: "older", because })
  })
