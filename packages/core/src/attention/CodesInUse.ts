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

/** Receipts that were made with a code: a code in a receipt keeps its meaning. */
export interface CodesInReceipts {
  /** Receipts with a code. Null: not known, because the store has more than were counted. */
  readonly taxes: (code: string) => number | null
  readonly currencies: (code: string) => number | null
}

/** Receipts that are counted: each page of the settings reads their documents. */
const mostReceipts = 2000

/** Counts the newest receipts of the accounts by the codes of their documents. */
export const inReceipts = (
  store: Pick<SubmissionStoreOperations, "list" | "sent">,
  accounts: ReadonlyArray<string>
): Effect.Effect<CodesInReceipts, StoreError> =>
  Effect.gen(function* () {
    const newest = yield* store.list({ accounts, states: ["Fiscalised"], limit: mostReceipts, order: "newest-first" })
    const sent = Array.from((yield* store.sent(newest)).values())
    const counting = (isUsed: (document: (typeof sent)[number], code: string) => boolean) => (code: string) => {
      const count = sent.filter((one) => isUsed(one, code)).length
      return count === 0 && newest.length === mostReceipts ? null : count
    }
    return {
      taxes: counting(({ taxCodes }, code) => taxCodes.some((one) => one === code)),
      currencies: counting(({ currency }, code) => currency === code)
    }
  })
