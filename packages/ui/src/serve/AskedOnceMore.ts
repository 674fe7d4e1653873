/** Asks the gateway once more for Accepted documents before a decision settles their failure. */
import { askOnceMore } from "@fiscal-connector/core/engine/StatusPoller"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import { Effect } from "effect"
import type { Site } from "./Site.ts"

/**
 * Asks for the documents if the decision needs it. A call that fails leaves the last answer old,
 * and the store then refuses the decision.
 */
export const before = ({ workplace }: Site, { _tag }: Decision, documents: ReadonlyArray<SubmissionKey>) =>
  _tag === "Rejected"
    ? Effect.scoped(
        Effect.forEach(
          new Set(documents.map(({ account }) => account)),
          (account) =>
            Effect.flatMap(workplace.account(account, undefined), ({ settings }) => askOnceMore(documents, [settings])),
          { discard: true }
        )
      )
    : Effect.void
