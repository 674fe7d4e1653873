/** The first step of a session that may send: the permission, and what earlier imports of the account left to be handed over. */
import { Effect } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import * as HandingOver from "../engine/HandingOver.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

const handedOver = new WeakMap<OpenAccount.OpenAccount, HandingOver.HandedOver>()

/** Takes what was handed over when the account was opened: told once, to the import that comes next. */
export const takeHandedOver = (account: OpenAccount.OpenAccount): HandingOver.HandedOver | undefined => {
  const found = handedOver.get(account)
  handedOver.delete(account)
  return found
}

/**
 * Opens the account (OpenAccount.open) and hands over what waits in its accepted imports, so that a plan made next sees all of it. Fails with every
 * reason for which nothing may be sent; the credentials are proven by then.
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
