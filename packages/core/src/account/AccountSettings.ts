/** Settings of one account: its gateway and its policies. Always a value, never global. */
import type { DateTime, Duration } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { AssumptionSwitches } from "../gateway/contract/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import * as Patience from "../submission/ledger/Patience.ts"

/** Default of `quietPeriod`, and the shortest value that a configuration may set. */
export const standardQuietPeriod: Duration.Duration = Patience.quietPeriod.is

/** Policy for polling outcomes. Every field has a default. */
export interface PollingPolicy {
  /** Time from acceptance to the first look. Default 6 s (STAT-7). */
  readonly firstLook?: Duration.Input
  /** Longest pause between two looks at a pending request. Default 1 hour. */
  readonly longestPause?: Duration.Input
  /** Time for which the gateway answers about a request. Default 7 days. */
  readonly retention?: Duration.Input
}

/** An account whose outcomes are polled. Polling needs no permission to send. */
export interface PollingAccount extends PollingPolicy {
  readonly account: string
  readonly gateway: Pick<
    GatewayOperations,
    "status" | "misfits" | "control" | "clock" | "fiscalDevice" | "subscription"
  >
  /** Switches that are left out have their defaults. */
  readonly assumptions?: Partial<AssumptionSwitches>
  /**
   * Scheme, host and port of the gateway. No status is requested if the store knows another origin
   * for this account.
   */
  readonly origin?: string
}

/** Policy for sending. Every field has a default. */
export interface SendingPolicy extends PollingPolicy {
  /**
   * Treatment of an Unknown attempt that nothing explains. `resend-flagged` needs DOC-10 =
   * `deduplicates`. Default `hold`.
   */
  readonly unknown?: "hold" | "resend-flagged"
  /**
   * `exclusive`: only this store submits with these credentials, so an unknown request id belongs
   * to one of our requests. Default `shared`.
   */
  readonly credentials?: "exclusive" | "shared"
  /** Shortest pause between two submissions of the account. Default none. */
  readonly pace?: Duration.Input
  /**
   * Quiet period of a document after its last request, if the request may have been processed and
   * has no final result. No decision can send the document again before the period ends. At least
   * lease, longest request and a minute together (sending/Submitter). Default 5 minutes. Set a
   * longer period if a proxy between here and the gateway holds requests longer.
   */
  readonly quietPeriod?: Duration.Input
  /**
   * Time after which Planned documents need attention if no process works their device
   * (NOT_WORKED), in whole seconds. The store remembers the value, so that every view of the store
   * uses the same value. Default 15 minutes. Set a longer time if a job sends only a few times a
   * day.
   */
  readonly unworkedAfter?: Duration.Input
  /**
   * Permitted difference between this machine's clock and the gateway's.
   *
   * @default standardClockSkew
   */
  readonly clockSkew?: Duration.Input
  /** Earliest document date; documents with an earlier date are never sent. Default none. */
  readonly notBefore?: CivilDate
}

/**
 * A receipt must not be dated in the future of the device; machines that keep time differ by less
 * than a second.
 */
export const standardClockSkew: Duration.Duration = Patience.clockSkew.is

/** One account as its owner configures it: the gateway and the policies. */
export interface AccountSettings extends SendingPolicy {
  readonly account: string
  /** Gateway made by Gateway.make. A copy or a part of such a gateway cannot send. */
  readonly gateway: GatewayOperations
  /** Switches that are left out have their defaults. */
  readonly assumptions?: Partial<AssumptionSwitches>
  /**
   * Scheme, host and port of the gateway. If the store knows another origin for this account,
   * nothing is sent to this gateway. If left out, the store neither remembers nor compares an
   * origin.
   */
  readonly origin?: string
  /**
   * Texts about files that decide about sending, and that every user of the machine may write. If
   * there are any, nothing is sent to a live device.
   */
  readonly exposed?: ReadonlyArray<string>
  /**
   * `sandbox`: a gateway of our own; the device's statement does not matter. Default: live or test,
   * as the device states.
   */
  readonly environment?: "sandbox"
  /**
   * Time zone of date-times without an offset (TIME-1), from the mapping book. Default: the zone of
   * the last run. Without any, closes of the day are read only if they have an offset.
   */
  readonly zone?: DateTime.TimeZone
  /**
   * Numbers of prepared credit notes, with `{original}` and `{n}` (submission/ledger/CreditNumber).
   *
   * @default "{original}-C{n}"
   */
  readonly creditNumbers?: string
}
