/**
 * Asks the gateway once more for Accepted documents before an operator settles the failure that it
 * states of them: the store takes only an answer of the last minute.
 */
import { Effect } from "effect"
import type { PollingAccount } from "../account/AccountSettings.ts"
import * as StatusPoller from "../engine/StatusPoller.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { SubmissionKey } from "../submission/PlannedDocument.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

const nameOf = ({ account, id, kind }: SubmissionKey) => JSON.stringify([account, kind, id])

/** Asks for every request of these documents that has a failure. Returns the calls that failed. */
export const askOnceMore = (
  documents: ReadonlyArray<SubmissionKey>,
  accounts: ReadonlyArray<PollingAccount>
): Effect.Effect<ReadonlyArray<StatusPoller.PollProblem>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const poller = yield* StatusPoller.make
    const chosen = new Set(documents.map(nameOf))
    const asked: Array<PollingAccount> = []
    for (const account of accounts) {
      const unproven = yield* store.unproven([account.account])
      const ids = unproven.filter(({ key }) => chosen.has(nameOf(key))).map(({ failure }) => failure.requestId)
      if (ids.length === 0) continue
      yield* store.hastenPolls(account.account, ids)
      asked.push(account)
    }
    return (yield* poller.sweep(asked)).problems
  })
