/** Account that a command works for, before its gateway has been asked anything. */
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"

export interface ChosenAccount {
  readonly settings: AccountSettings
  /** Place of the submission store. */
  readonly store: StorePlace
  /**
   * Progress of the store, kept beside the configuration. Undefined for a sandbox in this process.
   */
  readonly witness: StoreWitness | undefined
  /** Other accounts of the configuration. Accounts that share the device share its lane. */
  readonly others: ReadonlyArray<AccountSettings>
}
