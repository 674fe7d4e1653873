/**
 * Stream of all stored documents' results in the order of the last change, with a cursor to
 * continue from.
 */
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect, Option, Stream } from "effect"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { StoredResult } from "../Result.ts"
import { ofSubmission } from "./resultOf.ts"

/** Results read from the store at once. */
const perPage = 200

/**
 * Reads page by page. The cursor stays at the last position before which no change can appear any
 * more.
 */
export const storedResults = (
  account: string,
  after: string | undefined
): Stream.Stream<StoredResult, FiscalConnectorError | StoreError, SubmissionStore> => {
  const start = after === undefined ? 0 : Number(after)
  if (!Number.isSafeInteger(start) || start < 0) {
    return Stream.fail(new FiscalConnectorError("config_invalid", `"${after}" is not a cursor of results`))
  }
  return Stream.paginate({ position: start, cursor: start }, ({ cursor, position }) =>
    Effect.map(
      SubmissionStore.use((store) => store.changed({ accounts: [account], after: position, limit: perPage })),
      (page) => {
        let kept = cursor
        const results = page.map(({ order, position, submission }): StoredResult => {
          if (order === "final") kept = position
          return { ...ofSubmission(submission), cursor: String(kept) }
        })
        const last = page.at(-1)
        const isWhole = last !== undefined && page.length === perPage
        return [results, isWhole ? Option.some({ position: last.position, cursor: kept }) : Option.none()]
      }
    )
  )
}
