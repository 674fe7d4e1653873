/** Asks the gateway for what a decision depends on, before the store decides. */
import * as BulkDecision from "@fiscal-connector/core/connector/BulkDecision"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect } from "effect"
import type { Site } from "./Site.ts"

/**
 * Asks for the documents and for the gateway's time. A call that fails leaves the last answer old,
 * and the store then refuses the decision.
 */
export const before = ({ workplace }: Site, decision: Decision, keys: ReadonlyArray<SubmissionKey>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const documents = yield* SubmissionStore.use((store) => store.getMany(keys))
      const accounts = Effect.forEach(new Set(documents.map(({ account }) => account)), (account) =>
        Effect.map(workplace.account(account, undefined), ({ settings }) => settings)
      )
      return yield* BulkDecision.before(decision, documents, accounts)
    })
  )
