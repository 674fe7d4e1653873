import { Effect, Option, Stream } from "effect"
import type { CodesInUse } from "../mapping/MappingPlan.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

/**
 * In all states, until every given code has been found. Reads each document, so pass only the codes
 * in question.
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
      Stream.runForEach(
        Effect.fnUntraced(function* (submission) {
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
