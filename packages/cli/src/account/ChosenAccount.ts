/** The account a command was told to work for; nothing has been asked of its gateway yet. */
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { StorePlace } from "@fiscal-connector/core/submission/StorePlace"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"

export interface ChosenAccount {
  readonly settings: AccountSettings
  /** Where submissions are kept. */
  readonly store: StorePlace
  /** How far the store has come, kept beside the configuration; undefined for a sandbox of this process. */
  readonly witness: StoreWitness | undefined
  /** The configuration's other accounts: those that share the device stand in the same line. */
  readonly others: ReadonlyArray<AccountSettings>
}
