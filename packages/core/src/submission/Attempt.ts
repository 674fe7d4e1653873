import type { DateTime, Duration } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { ExchangeFacts } from "../gateway/contract/ExchangeFacts.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import type { LaneLease, LaneStop, LaneWait } from "./Lane.ts"
import type { Acceptance, NewestAttempt } from "./ledger/NewestAttempt.ts"
import type { Environment, SubmissionKey } from "./PlannedDocument.ts"
import type { RequestIdBy, State } from "./Submission.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"

/** One request for one submission, committed before sending. */
export interface Attempt {
  readonly id: number
  readonly key: SubmissionKey
  readonly revision: number
  readonly receiptDate: Instant
  /**
   * IsRetry: `retry` if an earlier attempt may have been processed. After rejections alone, the
   * account's `afterRejection` decides.
   */
  readonly repeats: "first" | "retry"
  readonly begunAt: DateTime.Utc
  readonly finishedAt: DateTime.Utc | null
  readonly result: AttemptResult | null
  /** Request id from the answer, or assigned later. */
  readonly requestId: RequestId | null
  readonly requestIdBy: RequestIdBy
  /**
   * Time of the last status with the request id as pending. Null if no status has mentioned the
   * request id.
   */
  readonly mentionedAt: DateTime.Utc | null
  /**
   * Observations of the request. Null if no process observed the request (a crash), or none was
   * tried.
   */
  readonly exchanged: ExchangeFacts | null
}

/** Attempt handed to a lane for sending. */
export interface BegunAttempt {
  readonly _tag: "Begun"
  readonly attempt: number
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  /** Document with its receipt date and IsRetry, exactly as to send. */
  readonly document: FiscalDocument
  /** Identifies this attempt. A store without exactly this attempt is an older copy. */
  readonly newest: NewestAttempt
  /** Last acceptance of an older copy in the store at that time. */
  readonly accepted: Acceptance | null
}

/** Result of asking for a lane's next attempt. */
export type NextAttempt =
  | BegunAttempt
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** The lane has no Planned document left. */
  | { readonly _tag: "Drained" }
  /** Another holder took the lease: this holder must not send anything more. */
  | { readonly _tag: "Lost" }
  /**
   * A corrected document follows a rejection. The caller queries these earlier requests once more
   * before sending (`confirmRejections`).
   */
  | { readonly _tag: "Unconfirmed"; readonly key: SubmissionKey; readonly requestIds: ReadonlyArray<RequestId> }
  /**
   * The store may have been restored together with its witness. The caller compares the days that
   * were closed since, before this process's first attempt (`compareDays`). `day`: fiscal day of
   * the store's newest receipt. `since`: the store should have every later receipt of the device.
   */
  | { readonly _tag: "Uncompared"; readonly day: number; readonly since: DateTime.Utc }
  /**
   * The accounts need another query, for one of two reasons: an outcome names another fiscal day
   * than the permission, so a day was closed; or the database server restarted and may now have
   * another store.
   */
  | { readonly _tag: "Outdated" }
  /**
   * A document of the lane has failed since the accounts were queried, perhaps because the device
   * refuses every document: the accounts need another query.
   */
  | { readonly _tag: "Failed" }

/**
 * Result of an attempt, with the observations of its request. The first look at an accepted request
 * is after `firstLook`.
 */
export interface FinishedAttempt {
  readonly attempt: number
  /**
   * Random text of the attempt. In a store restored to an earlier state, another attempt may have
   * the same number. If absent, the token is not compared.
   */
  readonly token?: string | undefined
  readonly result: AttemptResult
  readonly exchanged?: ExchangeFacts | undefined
  readonly firstLook: Duration.Duration
  /** Minimum delay from the end of this attempt to the account's next attempt, for any sender. */
  readonly pace?: Duration.Duration | undefined
}

/**
 * Permission to date a historical document at or before the last close of a fiscal day, from the
 * device's upload permission.
 */
export type BehindClose = { readonly _tag: "Permitted" } | { readonly _tag: "Refused"; readonly text: string }

/** Options from the accounts of a lane for its next attempt. */
export interface AttemptOptions {
  /** Accounts of the caller. The lane waits at the document of any other account. */
  readonly accounts: ReadonlyArray<{
    readonly account: string
    readonly environment: Environment
    /** DOC-10b: `retry` sets IsRetry after an actionable rejection. */
    readonly afterRejection: "retry" | "first"
    /**
     * ORD-1: continue after `accepted`, or wait for the `outcome`. A lane shared by several
     * accounts always waits.
     */
    readonly continueAfter: "accepted" | "outcome"
    /**
     * Fiscal day of the lane when the account was queried (LaneView). If absent, the day is not
     * compared.
     */
    readonly fiscalDay?: number | null
    /**
     * Failures of the lane when the account was queried (LaneView). Counts that are absent are not
     * compared.
     */
    readonly failures?: { readonly ofRules?: number; readonly others?: number }
    /**
     * Interruptions of the store when the account was queried. If absent, interruptions are not
     * compared.
     */
    readonly interruptions?: number
    /** Documents of an earlier date are held, not sent. */
    readonly notBefore?: CivilDate
    /**
     * Delay before a document is sent again after its last request (`QuietPeriod`). Default 5
     * minutes.
     */
    readonly quietPeriod?: Duration.Duration
    /** How long the gateway answers for a request. Default 7 days. */
    readonly retention?: Duration.Duration
    /** If absent, no document is dated behind a close. */
    readonly behindClose?: BehindClose
  }>
  readonly lease: Duration.Duration
  /** Maximum time by which a receipt date may be ahead of the clock (RCPT031). */
  readonly skew: Duration.Duration
  /**
   * Maximum time by which our clock may be ahead of the gateway's clock. Receipts are dated by the
   * gateway's time. Default zero.
   */
  readonly clockLead?: Duration.Duration
}

/**
 * Attempt without its document: the course of the request, for readers without access to the
 * document's identity.
 */
export interface AttemptFacts extends Pick<Attempt, "repeats" | "begunAt" | "exchanged"> {
  readonly lane: string
  readonly result: AttemptResult["_tag"] | null
}

/** Operations of attempts. Each operation is one transaction. */
export interface AttemptOperations {
  /**
   * Commits the lane's next attempt, or returns the reason for none. Renews the lease.
   *
   * `finished` is written in the same commit, which halves the cost of a document.
   */
  readonly beginAttempt: (
    lease: LaneLease,
    options: AttemptOptions,
    finished?: FinishedAttempt
  ) => StoreEffect<NextAttempt>
  /**
   * Writes the result of an attempt. Accepted even from a holder that lost its lease, because a
   * result is evidence.
   */
  readonly finishAttempt: (finished: FinishedAttempt) => StoreEffect<State>
  readonly lastAttempts: (limit: number) => StoreEffect<ReadonlyArray<AttemptFacts>>
}
