import { Effect } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import * as HandingOver from "../sending/HandingOver.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

const handedOver = new WeakMap<OpenAccount.OpenAccount, HandingOver.HandOverResult>()

/** Returns the number of documents that were handed over when the account was opened. */
export const handedOverBy = (account: OpenAccount.OpenAccount): number => handedOver.get(account)?.documents ?? 0

/**
 * Returns and removes what was handed over when the account was opened. Only the next import gets
 * the result.
 */
export const takeHandedOver = (account: OpenAccount.OpenAccount): HandingOver.HandOverResult | undefined => {
  const found = handedOver.get(account)
  handedOver.delete(account)
  return found
}

/**
 * Opens the account (OpenAccount.open) and hands over the waiting documents of its accepted
 * imports, so that the next plan sees all of them. Fails with every reason to send nothing. After
 * success, the credentials are proven.
 */
export const open = (
  settings: AccountSettings,
  options: OpenAccount.OpeningOptions = {}
): Effect.Effect<OpenAccount.OpenAccount, AccountStopped | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const account = yield* OpenAccount.open(settings, options)
    handedOver.set(account, yield* HandingOver.all(yield* SubmissionStore, [account.account]))
    return account
  })
