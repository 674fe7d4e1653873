/** Asks the gateway what became of accepted submissions, in calls of at most 100 ids. */
import { Context, type Effect } from "effect"
import type { StoreError } from "./StoreError.ts"
import type { SubmittingAccount } from "./SubmittingAccount.ts"

export interface SweepReport {
  readonly calls: number
  readonly answered: number
  readonly pending: number
  readonly expired: number
  /** Calls that failed, in words; what they asked for is asked again at its next look. */
  readonly problems: ReadonlyArray<{ readonly account: string; readonly problem: string }>
}

export interface StatusPollerShape {
  /** One look at everything that is due. */
  sweep(accounts: ReadonlyArray<SubmittingAccount>): Effect.Effect<SweepReport, StoreError>
}

export class StatusPoller extends Context.Service<StatusPoller, StatusPollerShape>()(
  "@fiscal-connector/core/submission/StatusPoller"
) {}
