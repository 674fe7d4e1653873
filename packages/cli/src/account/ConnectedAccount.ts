/** An account with its gateway at hand: what a command needs to send for it. */
import type { AssumptionSwitches } from "@fiscal-connector/core/gateway/AssumptionSwitches"
import type { FiscalDevice } from "@fiscal-connector/core/gateway/FiscalDevice"
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import type { Subscription } from "@fiscal-connector/core/gateway/Subscription"
import type { Tolerances } from "@fiscal-connector/core/preflight/Rule"
import type { SubmittingAccount } from "@fiscal-connector/core/submission/SubmittingAccount"

export interface ConnectedAccount {
  readonly gateway: GatewayOperations
  readonly device: FiscalDevice
  /** Null where the gateway has none. */
  readonly subscription: Subscription | null
  readonly assumptions: AssumptionSwitches
  /** The account as the engine sees it. */
  readonly submitting: SubmittingAccount
  /** How far a stated tax may be from the device's (DOC-7). */
  readonly tolerances: Tolerances
  /** Where submissions are kept: a file, or `:memory:`. */
  readonly store: string
}
