/** One account as a caller names it: its gateway and what was settled for it. Always a value, never global. */
import type { DateTime, Duration } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { AssumptionSwitches } from "../gateway/contract/AssumptionSwitches.ts"
import type { GatewayOperations } from "../gateway/Gateway.ts"
import * as QuietPeriod from "../ledger/QuietPeriod.ts"

/** Default of `quietPeriod`, and the shortest that a configuration may name. */
export const standardQuietPeriod = QuietPeriod.standard

/** How outcomes are looked for; all of it has a default. */
export interface PollingPolicy {
  /** The first look after acceptance. Default 6 s (STAT-7). */
  readonly firstLook?: Duration.Input
  /** The longest pause between two looks at a pending request. Default 1 hour. */
  readonly longestPause?: Duration.Input
  /** How long the gateway answers for a request. Default 7 days. */
  readonly retention?: Duration.Input
}

/** An account whose outcomes are asked for; that takes no permission to send. */
export interface PollingAccount extends PollingPolicy {
  readonly account: string
  readonly gateway: Pick<GatewayOperations, "status" | "misfits">
  /** Scheme, host and port of the gateway. Nothing is asked where the store knows another one for this account. */
  readonly origin?: string
}

/** How an account is sent for; all of it has a default. */
export interface SendingPolicy extends PollingPolicy {
  /** What becomes of an Unknown that nothing explains. `resend-flagged` needs DOC-10 = `deduplicates`. Default `hold`. */
  readonly unknown?: "hold" | "resend-flagged"
  /** `exclusive`: nobody else submits with these credentials, so an unknown request id is one of ours. Default `shared`. */
  readonly credentials?: "exclusive" | "shared"
  /** The shortest pause between two submissions of the account. Default none. */
  readonly pace?: Duration.Input
  /**
   * How long a document is left alone after its last request, where that may have been processed and has no final result: no decision lets it be
   * sent again before. At least lease, longest request and a minute together (engine/Submitter). Default 5 minutes; longer where something between
   * here and the gateway holds requests longer.
   */
  readonly quietPeriod?: Duration.Input
  /**
   * After what time documents that are Planned while no process works their device need attention (NOT_WORKED); in whole seconds. The store
   * remembers it, so that every view of the store uses it. Default 15 minutes; longer where a job sends only a few times a day.
   */
  readonly unworkedAfter?: Duration.Input
  /** How far this machine's clock may be from the gateway's. Default 60 s. */
  readonly clockSkew?: Duration.Input
  /** Documents of an earlier date are never sent. Default none. */
  readonly notBefore?: CivilDate
}

/** One account as its owner configures it: the gateway it goes by, and its policies. */
export interface AccountSettings extends SendingPolicy {
  readonly account: string
  /** Of Gateway.make: a copy of it, or a part, cannot send. */
  readonly gateway: GatewayOperations
  /** What is left out has its default. */
  readonly assumptions?: Partial<AssumptionSwitches>
  /**
   * Scheme, host and port of the gateway. Where the store knows another one for this account, nothing is sent to this one. Left out: the store
   * neither remembers nor compares it.
   */
  readonly origin?: string
  /** Texts about files that every user of the machine may write, and that decide what is sent or where: a live device is not sent to. */
  readonly exposed?: ReadonlyArray<string>
  /** A gateway of our own, whatever its device says of itself. Default: live or test, as the device says. */
  readonly environment?: "sandbox"
  /** Where date-times without an offset are read (TIME-1): the mapping book's. Default: the one of the last run, else UTC. */
  readonly zone?: DateTime.TimeZone
}
