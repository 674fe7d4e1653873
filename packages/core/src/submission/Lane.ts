/**
 * A lane: the submissions for one device, sent one at a time in the order of their receipt dates.
 */
import type { DateTime } from "effect"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { SameCause } from "./ledger/LaneFailures.ts"
import type { Environment, SubmissionKey } from "./PlannedDocument.ts"

/**
 * Right to send for a lane. `fence` grows with every claim. A holder with an older fence cannot
 * begin another attempt.
 */
export interface LaneLease {
  readonly lane: string
  readonly holder: string
  readonly fence: number
}

/**
 * Reason why a lane sends nothing until the cause is gone.
 *
 * `credentials`: 401, 403.
 * `not-found`: 404.
 * `misdirected`: 405, 411.
 * `limited`: 429.
 * `not-sent`: the gateway is unreachable.
 * `device-changed`: the account now has another device, or a receipt is of another device.
 * `device-refuses`: device, subscription or permission is not active.
 * `clock`: this machine's clock differs too much from the gateway's.
 * `same-failure`: document after document failed with the same cause, which the device's own state
 * does not explain.
 * `mark-in-future`: a receipt date after now may have reached the device.
 * `store-older`: the store is an older copy without an attempt or acceptance that was made through
 * it.
 * `store-unproven`: the database is another one than before, and no record here proves that it is
 * complete.
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
  | "same-failure"
  | "mark-in-future"
  | StoreStopCause

/** Causes that are of the whole store, and stop each of its lanes. */
export type StoreStopCause = "store-older" | "store-unproven"

/** Returns true if the cause is of the whole store. */
export const isOfStore = (cause: StopCause | null): cause is StoreStopCause =>
  cause === "store-older" || cause === "store-unproven"

/** Stop of one lane, for a cause of this lane. */
export interface OwnStop extends LaneStop {
  readonly cause: Exclude<StopCause, StoreStopCause>
}

/** Stop of a lane: its cause, and the time to resume. */
export interface LaneStop {
  readonly cause: StopCause
  /** Explanation for people. */
  readonly because: string
  /**
   * Time to check if the cause is gone. Null: no check; an operator's decision, `restart` or `pin`
   * clears the stop.
   */
  readonly retryAt: DateTime.Utc | null
}

/** Reason why the lane's next document must wait although nothing is wrong. */
export type LaneWait =
  /**
   * An attempt is in flight, or was when its process died; or the outcome is awaited (ORD-1, shared
   * lane).
   */
  | { readonly for: "sending" | "outcome"; readonly key: SubmissionKey }
  /** The outcome is unknown: under `hold`, an operator must decide. */
  | { readonly for: "unknown"; readonly key: SubmissionKey }
  /** The original of the next credit note has no outcome yet. */
  | { readonly for: "original"; readonly key: SubmissionKey; readonly original: SubmissionKey }
  /**
   * The next document belongs to an account, or an environment, for which the caller does not send.
   * `LaneView.accounts` lists all accounts of the device.
   */
  | {
      readonly for: "account"
      readonly key: SubmissionKey
      readonly number: DocumentNumber
      readonly environment: Environment
    }
  /**
   * The receipt date, the second after the mark, or the end of the account's pause is in the
   * future.
   */
  | { readonly for: "clock"; readonly key: SubmissionKey; readonly until: DateTime.Utc }
  /** The last request may still arrive (submission/ledger/QuietPeriod). */
  | { readonly for: "quiet"; readonly key: SubmissionKey; readonly until: DateTime.Utc }

/** Current state of a lane. */
export interface LaneView {
  readonly lane: string
  readonly accounts: ReadonlyArray<string>
  /**
   * Seconds of waiting without a worker after which the lane's documents need attention: the
   * shortest time of its accounts. Default 15 minutes.
   */
  readonly unworkedAfterSeconds: number
  readonly stop: LaneStop | null
  /**
   * Number of consecutive stops since the last accepted or declined submission. The back-off grows
   * with the number.
   */
  readonly stops: number
  /**
   * Start of the stop for this cause. Null if the lane is not stopped, or if an earlier version
   * stopped the lane.
   */
  readonly stoppedAt: DateTime.Utc | null
  readonly holder: string | null
  readonly leasedUntil: DateTime.Utc | null
  /**
   * `known`: this store has had permission to send to the device. A new live device asks for a
   * first use.
   */
  readonly device: "known" | "new"
  /** Number of attempts of the lane. */
  readonly attempts: number
  /**
   * Number of failures reported for the lane's documents: by receipt rules of the device, and all
   * others. Each makes the lane look at its device before the next attempt.
   */
  readonly failures: { readonly ofRules: number; readonly others: number }
  /** Failures in a row with one cause, which no receipt of a later document has followed. */
  readonly sameCause: SameCause | null
  /** Latest fiscal day named by an outcome. Null if no outcome named a fiscal day. */
  readonly fiscalDay: number | null
  /**
   * Receipt date of the first request after the last close. Null if there is none, or no close is
   * known.
   */
  readonly daySince: DateTime.Utc | null
  /** ClosedAt of the last known successful Z-report. */
  readonly closedAt: DateTime.Utc | null
}

/** A lane with work to do, seen without claiming. */
export interface ClaimableLane {
  readonly lane: string
  /** Current or last holder. Null after a release. */
  readonly holder: string | null
  /** `over`: the lane has no holder, or the lease has expired. */
  readonly lease: "live" | "over"
  readonly stop: LaneStop | null
}

/** An account of a lane, with the settings that make the lane wait. */
export interface LaneFeeder {
  readonly account: string
  /** As in AttemptOptions. */
  readonly continueAfter: "accepted" | "outcome"
  /** `explained`: working the lane may explain an Unknown. `for-a-person`: only an operator can. */
  readonly unknown: "explained" | "for-a-person"
}
