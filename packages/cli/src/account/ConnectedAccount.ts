/** An account with its gateway at hand: what a command needs to send for it. */
import type { FiscalDevice } from "@fiscal-connector/core/gateway/FiscalDevice"
import type { GatewayOperations } from "@fiscal-connector/core/gateway/Gateway"
import type { Environment } from "@fiscal-connector/core/submission/PlannedDocument"
import type { Duration } from "effect"

export interface ConnectedAccount {
  /** Our own name of the account. */
  readonly name: string
  readonly gateway: GatewayOperations
  readonly device: FiscalDevice
  readonly environment: Environment
  /** Where submissions are kept: a file, or `:memory:`. */
  readonly store: string
  /** Between acceptance and the first look at the outcome. */
  readonly firstLook: Duration.Input
}
