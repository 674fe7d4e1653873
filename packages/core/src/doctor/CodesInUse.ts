/** Which tax and currency codes the documents of an account carry: what no mapping may be taken from. */
import { Effect, Option, Stream } from "effect"
import type { CodesInUse } from "../mapping/MappingPlan.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/**
 * Looks through the account's submissions, whatever became of them, until every one of the codes has been met. Reads each document, so give it
 * the codes in question only.
 */
export const codesInUse = (
  store: Pick<SubmissionStoreOperations, "stream" | "explain">,
  account: string,
  inQuestion: { readonly taxCodes: ReadonlySet<string>; readonly currencies: ReadonlySet<string> }
): Effect.Effect<CodesInUse, StoreError> =>
  Effect.gen(function* () {
    const taxCodes = new Set<string>()
    const currencies = new Set<string>()
    const isComplete = () =>
      taxCodes.size === inQuestion.taxCodes.size && currencies.size === inQuestion.currencies.size
    if (isComplete()) return { taxCodes, currencies }
    yield* store.stream({ accounts: [account] }).pipe(
      Stream.takeWhile(() => !isComplete()),
      Stream.runForEach((submission) =>
        Effect.gen(function* () {
          if (inQuestion.currencies.has(submission.currency)) currencies.add(submission.currency)
          if (taxCodes.size === inQuestion.taxCodes.size) return
          const explained = yield* store.explain(submission)
          for (const { taxCode } of Option.isNone(explained) ? [] : explained.value.document.payload.lineItems) {
            if (inQuestion.taxCodes.has(taxCode)) taxCodes.add(taxCode)
          }
        })
      )
    )
    return { taxCodes, currencies }
  })
