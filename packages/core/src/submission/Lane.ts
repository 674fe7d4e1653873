/** A lane: the submissions for one device, one request in flight, in the order of their receipt dates. */
import { type DateTime, Duration } from "effect"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { Environment, SubmissionKey } from "./PlannedDocument.ts"

/** The right to send for a lane. `fence` grows with every claim; whoever holds an older one can begin nothing more. */
export interface LaneLease {
  readonly lane: string
  readonly holder: string
  readonly fence: number
}

/**
 * Why a lane sends nothing until the cause is gone. `credentials`: 401, 403; `not-found`: 404; `misdirected`: 405, 411; `limited`: 429;
 * `not-sent`: the gateway is out of reach; `device-changed`: the account has another device now; `device-refuses`: device, subscription or
 * permission is not active; `clock`: this machine's differs too much from the gateway's; `mark-in-future`: a receipt date after now may have
 * reached the device; `store-older`: the store does not have an attempt that was begun through it: it is an older copy; `store-unproven`: its
 * database is another one than before, and nothing here tells whether it has everything.
 */
export type StopCause =
  | "credentials"
  | "not-found"
  | "misdirected"
  | "limited"
  | "not-sent"
  | "device-changed"
  | "device-refuses"
  | "clock"
  | "mark-in-future"
  | "store-older"
  | "store-unproven"

/** Why a lane stands still, and when it may go on. */
export interface LaneStop {
  readonly cause: StopCause
  /** For people. */
  readonly because: string
  /** When the lane looks whether the cause is gone; null: only `restart` or `pin` clears it. */
  readonly retryAt: DateTime.Utc | null
}

/** Why the lane's next document must wait although nothing is wrong. */
export type LaneWait =
  /** An attempt is in flight, or was when its process died; or the outcome is awaited (ORD-1, shared lane). */
  | { readonly for: "sending" | "outcome"; readonly key: SubmissionKey }
  /** Nobody knows whether it was processed: under `hold`, a person must say. */
  | { readonly for: "unknown"; readonly key: SubmissionKey }
  /** The original of the next credit note has no outcome yet. */
  | { readonly for: "original"; readonly key: SubmissionKey; readonly original: SubmissionKey }
  /** The next document belongs to an account, or an environment, the caller does not send for; `LaneView.accounts` are all that feed the device. */
  | {
      readonly for: "account"
      readonly key: SubmissionKey
      readonly number: DocumentNumber
      readonly environment: Environment
    }
  /** Its receipt date is not reached yet, or the second after the mark. */
  | { readonly for: "clock"; readonly key: SubmissionKey; readonly until: DateTime.Utc }
  /** Its last request may still arrive (ledger/QuietPeriod). */
  | { readonly for: "quiet"; readonly key: SubmissionKey; readonly until: DateTime.Utc }

/** Default of `unworkedAfter` of an account. */
export const standardUnworkedAfter = Duration.minutes(15)

/** A lane as it is shown. */
export interface LaneView {
  readonly lane: string
  readonly accounts: ReadonlyArray<string>
  /** After how many seconds of waiting without a worker its documents need attention: the shortest time of its accounts. Default 15 minutes. */
  readonly unworkedAfterSeconds: number
  readonly stop: LaneStop | null
  /** How often in a row it was stopped without a submission getting through; the back-off grows with it. */
  readonly stops: number
  /** Since when it is stopped for this cause; null where it is not stopped, or an earlier version stopped it. */
  readonly stoppedAt: DateTime.Utc | null
  readonly holder: string | null
  readonly leasedUntil: DateTime.Utc | null
  /** Whether this store has had permission to send to the device; a live one that is new asks for a first use. */
  readonly device: "known" | "new"
  /** How many attempts of the lane there are. */
  readonly attempts: number
  /** The latest fiscal day that an outcome has named; null where none has. */
  readonly fiscalDay: number | null
  /** Receipt date of the first request after the last close; null where there is none, or no close is known. */
  readonly daySince: DateTime.Utc | null
  /** ClosedAt of the last successful Z-report we know of. */
  readonly closedAt: DateTime.Utc | null
}

/** A lane with something to do, as it is seen without claiming it. */
export interface ClaimableLane {
  readonly lane: string
  /** Who has claimed it, or had when it ended; null when it was given back. */
  readonly holder: string | null
  /** `over`: nobody has it, or the lease has run out. */
  readonly lease: "live" | "over"
  readonly stop: LaneStop | null
}

/** An account that feeds a lane, and what keeps its lane waiting. */
export interface LaneFeeder {
  readonly account: string
  /** As in AttemptOptions. */
  readonly goOnAfter: "accepted" | "outcome"
  /** Whether an Unknown may be explained by working the lane, or only a person can. */
  readonly unknown: "explained" | "for-a-person"
}
