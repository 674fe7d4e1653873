/** Several accounts opened at once, whatever becomes of the others: those of a configuration, or those that stand in the line of one device. */
import { Effect, Option } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import { retentionOf } from "../engine/StatusPoller.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

export interface OpenAccounts {
  readonly opened: ReadonlyArray<OpenAccount.OpenAccount>
  readonly stopped: ReadonlyArray<AccountStopped>
}

/** Accounts that there is something to go on with: the store has sent for them, or they could not be opened when they were tried last. */
export const toGoOnWith = (
  accounts: ReadonlyArray<AccountSettings>
): Effect.Effect<ReadonlyArray<AccountSettings>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const { notices } = yield* store.health(retentionOf(accounts))
    const tried = new Set(notices.flatMap(({ source, subject }) => (source === "opening" ? [subject] : [])))
    return yield* Effect.filter(accounts, ({ account }) =>
      Effect.map(store.pinOf(account), (pin) => Option.isSome(pin) || tried.has(account))
    )
  })

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
