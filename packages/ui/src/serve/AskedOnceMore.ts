/** Asks the gateway once more for Accepted documents before a decision settles their failure. */
import { askOnceMore } from "@fiscal-connector/core/engine/StatusPoller"
import { type Decision, settlesFailures } from "@fiscal-connector/core/submission/Decision"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Effect } from "effect"
import type { Site } from "./Site.ts"

/**
 * Asks for the documents if the decision needs it. A call that fails leaves the last answer old,
 * and the store then refuses the decision.
 */
export const before = ({ workplace }: Site, { _tag }: Decision, documents: ReadonlyArray<SubmissionKey>) =>
  settlesFailures.has(_tag)
    ? Effect.scoped(
        Effect.gen(function* () {
          const store = yield* SubmissionStore
          const accepted = (yield* store.getMany(documents)).filter(({ state }) => state === "Accepted")
          for (const account of new Set(accepted.map(({ account }) => account))) {
            const { settings } = yield* workplace.account(account, undefined)
            yield* askOnceMore(accepted, [settings])
          }
        })
      )
    : Effect.void
