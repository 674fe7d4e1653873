/**
 * Each account independent of the others: those of a configuration, or those sharing the lane of
 * one device.
 */
import { Effect, Option } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import { retentionOf } from "../sending/StatusPoller.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"

export interface OpenAccounts {
  readonly opened: ReadonlyArray<OpenAccount.OpenAccount>
  readonly stopped: ReadonlyArray<AccountStopped>
}

/** The store has sent for the account, or the account could not be opened at the last try. */
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

/**
 * Opens the other accounts of the same device, because their documents are queued in the same lane.
 */
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
