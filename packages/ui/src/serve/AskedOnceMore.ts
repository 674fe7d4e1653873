/** Asks the gateway for what a decision depends on, before the store decides. */
import { BulkDecision, type Decision } from "@fiscal-connector/core/decisions"
import { type PlannedDocument, SubmissionStore } from "@fiscal-connector/core/store"
import { Effect } from "effect"
import type { Site } from "./Site.ts"

/**
 * Asks for the documents and for the gateway's time. A call that fails leaves the last answer old,
 * and the store then refuses the decision.
 */
export const before = (
  { workplace }: Site,
  decision: Decision.Decision,
  keys: ReadonlyArray<PlannedDocument.SubmissionKey>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const documents = yield* SubmissionStore.SubmissionStore.use((store) => store.getMany(keys))
      const accounts = Effect.forEach(new Set(documents.map(({ account }) => account)), (account) =>
        Effect.map(workplace.account(account, undefined), ({ settings }) => settings)
      )
      return yield* BulkDecision.before(decision, documents, accounts)
    })
  )
