/** Several accounts opened at once, whatever becomes of the others: those of a configuration, or those that stand in the line of one device. */
import { Effect } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

export interface OpenAccounts {
  readonly opened: ReadonlyArray<OpenAccount.OpenAccount>
  readonly stopped: ReadonlyArray<AccountStopped>
}

/** Opens each of the accounts. */
export const openEach = (accounts: ReadonlyArray<AccountSettings>, options: OpenAccount.OpeningOptions) =>
  Effect.gen(function* () {
    const opened: Array<OpenAccount.OpenAccount> = []
    const stopped: Array<AccountStopped> = []
    for (const settings of accounts) {
      yield* OpenAccount.open(settings, options).pipe(
        Effect.map((account) => void opened.push(account)),
        Effect.catchTag("AccountStopped", (error) => Effect.sync(() => void stopped.push(error)))
      )
    }
    return { opened, stopped } satisfies OpenAccounts
  })

/** Opens those of the others that share the account's device: their documents stand in the same line. */
export const openBeside = (
  { destination }: OpenAccount.OpenAccount,
  others: ReadonlyArray<AccountSettings>,
  options: OpenAccount.OpeningOptions
) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const views = yield* store.lanes()
    const sharing = views.find(({ lane }) => lane === destination.lane)?.accounts ?? []
    return yield* openEach(
      others.filter(({ account }) => sharing.includes(account)),
      options
    )
  })
