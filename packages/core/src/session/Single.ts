import { Effect, type Option } from "effect"
import type { OpenAccount } from "../account/OpenAccount.ts"
import { Submitter, type SubmitterConfigError } from "../sending/Submitter.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { PlannedDocument } from "../submission/PlannedDocument.ts"
import type { PlanVerdict } from "../submission/PlanResult.ts"
import type { Submission } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

export interface Sent {
  readonly verdict: PlanVerdict["_tag"]
  readonly submission: Option.Option<Submission>
}

/**
 * Plans the document for the account's device and sends everything that the lane has. Documents
 * planned earlier are sent before the new document.
 */
export const sendOne = (
  account: OpenAccount,
  given: Omit<PlannedDocument, "account" | "taxpayer" | "lane" | "environment">
): Effect.Effect<Sent, StoreError | SubmitterConfigError, SubmissionStore | Submitter> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const [planned] = yield* store.plan([{ ...account.destination, ...given }])
    const { key, verdict } = planned!
    if (verdict._tag !== "NumberTaken") yield* Submitter.use((submitter) => submitter.drain([account]))
    return { verdict: verdict._tag, submission: yield* store.get(key) }
  })
