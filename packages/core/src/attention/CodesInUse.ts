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

/** Receipts that were made with a code. A code in a receipt keeps its meaning. */
export interface CodesInReceipts {
  readonly receipts: number
  readonly taxes: ReadonlyMap<string, number>
  readonly currencies: ReadonlyMap<string, number>
  /** `newest`: the store has more receipts than were counted. */
  readonly counted: "all" | "newest"
}

/** Receipts that are counted: the page of the settings asks each time. */
const mostReceipts = 20_000

/** Counts the newest receipts of the accounts by the codes of their documents. */
export const inReceipts = (
  store: Pick<SubmissionStoreOperations, "meanings">,
  accounts: ReadonlyArray<string>
): Effect.Effect<CodesInReceipts, StoreError> =>
  Effect.map(store.meanings(accounts, mostReceipts), (found) => {
    const [taxes, currencies] = [new Map<string, number>(), new Map<string, number>()]
    const add = (to: Map<string, number>, code: string, documents: number) =>
      to.set(code, (to.get(code) ?? 0) + documents)
    for (const { currency, documents, meaning } of found) {
      add(currencies, currency, documents)
      for (const [code] of meaning?.taxes ?? []) add(taxes, code, documents)
    }
    const receipts = found.reduce((sum, { documents }) => sum + documents, 0)
    return { receipts, taxes, currencies, counted: receipts < mostReceipts ? "all" : "newest" }
  })
