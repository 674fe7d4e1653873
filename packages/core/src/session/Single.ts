/** One document that is sent as it stands, without an export and unchecked: for trying out a test device. */
import { Effect, type Option } from "effect"
import type { OpenAccount } from "../account/OpenAccount.ts"
import { Submitter, type SubmitterConfigError } from "../engine/Submitter.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { PlannedDocument } from "../submission/PlannedDocument.ts"
import type { PlanVerdict } from "../submission/PlanResult.ts"
import type { Submission } from "../submission/Submission.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

/** What the store said of the document, and how it stands after its one attempt; none where the store did not take it. */
export interface Sent {
  readonly verdict: PlanVerdict["_tag"]
  readonly submission: Option.Option<Submission>
}

/** Plans the document for the account's device and sends what the lane has, that document behind what was planned before. */
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
