/** The submissions for one device, sent one at a time in the order of their receipt dates. */
import type { DateTime, Duration } from "effect"
import type { DocumentNumber } from "../document/Identifiers.ts"
import type { SameCause } from "./ledger/LaneFailures.ts"
import type { Environment, SubmissionKey } from "./PlannedDocument.ts"
import type { Instant } from "../document/Instant.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"
import type { StoreStop } from "./ledger/StoreStop.ts"

/** Returns the device of a lane, which is an environment and a device: `live/1001`. */
export const deviceOf = (lane: string): string => lane.slice(lane.lastIndexOf("/") + 1)

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
 * `store-behind`: the device has receipts that the store does not have.
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
export type StoreStopCause = `store-${StoreStop["is"]}`

/** True if the cause is of the whole store. */
export const isOfStore = (cause: StopCause | null): cause is StoreStopCause =>
  cause !== null && cause.startsWith("store-")

/** Stop of one lane, for a cause of this lane. */
export interface OwnStop extends LaneStop {
  readonly cause: Exclude<StopCause, StoreStopCause>
}

/** Stop of a lane: its cause, and the time to resume. */
export interface LaneStop {
  readonly cause: StopCause
  readonly text: string
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
  readonly holder: string | null
  /** `over`: the lane has no holder, or the lease has expired. */
  readonly lease: "live" | "over"
  readonly stop: LaneStop | null
}

/** An account of a lane, with the settings that make the lane wait. */
export interface LaneFeeder {
  readonly account: string
  readonly continueAfter: "accepted" | "outcome"
  /** `explained`: working the lane may explain an Unknown. `for-a-person`: only an operator can. */
  readonly unknown: "explained" | "for-a-person"
}

/** Operations of lanes. Each operation is one transaction. */
export interface LaneOperations {
  /** Records that this store has permission to send to the device. */
  readonly know: (lane: string) => StoreEffect<void>
  /**
   * Takes the lane unless a live lease exists. Documents left in Sending by an earlier holder
   * become Unknown (a crash in Sending).
   *
   * `presumedDead` may report that a holder's process is gone, so that its lease need not expire. A
   * mistake is harmless because of fencing.
   */
  readonly claim: (
    lane: string,
    holder: string,
    lease: Duration.Duration,
    presumedDead: (holder: string) => boolean
  ) => StoreEffect<
    | { readonly _tag: "Claimed"; readonly lease: LaneLease }
    | { readonly _tag: "Busy"; readonly holder: string; readonly until: DateTime.Utc }
  >
  readonly release: (lease: LaneLease) => StoreEffect<void>
  /** Stops the lane and logs the stop. `retryAt`: when a probe may clear the stop. */
  readonly stop: (lane: string, stop: OwnStop) => StoreEffect<void>
  /**
   * Clears the stop. The back-off starts over only after the gateway has accepted or declined a
   * submission.
   */
  readonly restart: (lane: string) => StoreEffect<void>
  readonly lanes: (accounts?: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<LaneView>>
  /**
   * Returns the lanes of these accounts with work to do, without claiming them.
   *
   * Work is a document that nothing in its lane blocks, an Unknown that may be explained, a Sending
   * document whose sender may be gone, or an accepted import with waiting documents.
   */
  readonly claimable: (accounts: ReadonlyArray<LaneFeeder>) => StoreEffect<ReadonlyArray<ClaimableLane>>
  /**
   * Records ClosedAt of the last successful Z-report: the day before ClosedAt is closed. Never
   * moves back.
   */
  readonly closeDay: (lane: string, closedAt: Instant) => StoreEffect<void>
}
