import type { AccountSettings, StoreWitness } from "@fiscal-connector/core/session"
import type { StorePlace } from "@fiscal-connector/core/store"

export interface ChosenAccount {
  readonly settings: AccountSettings.AccountSettings
  readonly store: StorePlace.StorePlace
  /**
   * Progress of the store, kept beside the configuration. Undefined for a sandbox in this process.
   */
  readonly witness: StoreWitness.StoreWitness | undefined
  readonly others: ReadonlyArray<AccountSettings.AccountSettings>
}
