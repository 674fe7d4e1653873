/** Attempts: as a lane is given them, as they are kept, and as they end. */
import type { DateTime, Duration } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { FiscalDocument } from "../document/FiscalDocument.ts"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Exchanged } from "../gateway/contract/Exchanged.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import type { LaneStop, LaneWait } from "./Lane.ts"
import type { Acceptance, NewestAttempt } from "../ledger/NewestAttempt.ts"
import type { Environment, SubmissionKey } from "./PlannedDocument.ts"
import type { RequestIdBy } from "./Submission.ts"

/** One request for one submission: written and committed before it is sent. */
export interface Attempt {
  readonly id: number
  readonly key: SubmissionKey
  readonly revision: number
  readonly receiptDate: Instant
  /** IsRetry: `retry` when an earlier attempt is not certainly unprocessed. */
  readonly repeats: "first" | "retry"
  readonly begunAt: DateTime.Utc
  readonly finishedAt: DateTime.Utc | null
  readonly result: AttemptResult | null
  /** As answered, or joined later. */
  readonly requestId: RequestId | null
  /** Whose word the request id is. */
  readonly requestIdBy: RequestIdBy
  /** When a status last mentioned the request id as pending; null where none has. */
  readonly mentionedAt: DateTime.Utc | null
  /** What is known of the request; null where nobody was there to see it (a crash), or none was tried. */
  readonly exchanged: Exchanged | null
}

/** What a lane is given to send. */
export interface BegunAttempt {
  readonly _tag: "Begun"
  readonly attempt: number
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  /** With its receipt date and IsRetry, just as it must be sent. */
  readonly document: FiscalDocument
  /** By what a store is known that still has it. */
  readonly newest: NewestAttempt
  /** The last acceptance of an older copy, as the store had it then. */
  readonly accepted: Acceptance | null
}

/** What asking for a lane's next attempt came to. */
export type NextAttempt =
  | BegunAttempt
  | { readonly _tag: "Waiting"; readonly wait: LaneWait }
  | { readonly _tag: "Stopped"; readonly stop: LaneStop }
  /** Nothing Planned is left in the lane. */
  | { readonly _tag: "Drained" }
  /** The lease was taken over: the holder must not send anything more. */
  | { readonly _tag: "Lost" }
  /** A corrected document comes after a rejection: these earlier requests of it are asked for once more before it is sent (`confirmRejections`). */
  | { readonly _tag: "Unconfirmed"; readonly key: SubmissionKey; readonly requestIds: ReadonlyArray<RequestId> }
  /**
   * The accounts have to be asked about again: an outcome names another fiscal day than the permission knew of, so a day was closed; or the store's
   * server was started again, and may have another store now.
   */
  | { readonly _tag: "Outdated" }

/** What became of an attempt, and what is known of its request; an accepted one is looked at after `firstLook`. */
export interface FinishedAttempt {
  readonly attempt: number
  /** The attempt's own: a store that went back may have given its number to another. Left out, it is not compared. */
  readonly token?: string | undefined
  readonly result: AttemptResult
  readonly exchanged?: Exchanged | undefined
  readonly firstLook: Duration.Duration
  /** The account's pace: nothing of it begins sooner after this one, whoever sends it. */
  readonly pace?: Duration.Duration | undefined
}

/** Whether a historical document may be dated at or before the last close of a fiscal day now, as the device's upload permission says. */
export type BehindClose = { readonly _tag: "Permitted" } | { readonly _tag: "Refused"; readonly because: string }

/** How the accounts of a lane want it run. */
export interface AttemptOptions {
  /** Accounts the caller can send for; the lane waits at another account's document. */
  readonly accounts: ReadonlyArray<{
    readonly account: string
    readonly environment: Environment
    /** DOC-10b: `retry` sets IsRetry after an actionable rejection. */
    readonly afterRejection: "retry" | "first"
    /** ORD-1: go on after `accepted`, or wait for the `outcome`. A lane shared by several accounts always waits. */
    readonly goOnAfter: "accepted" | "outcome"
    /** The lane's fiscal day when the account was asked about (LaneView); left out, it is not compared. */
    readonly fiscalDay?: number | null
    /** The store's interruptions when the account was asked about; left out, they are not compared. */
    readonly interruptions?: number
    /** Documents of an earlier date are held, not sent. */
    readonly notBefore?: CivilDate
    /** How long a document is left alone after its last request (ledger/QuietPeriod). Default 5 minutes. */
    readonly quietPeriod?: Duration.Duration
    /** How long the gateway answers for a request. Default 7 days. */
    readonly retention?: Duration.Duration
    /** Left out, nothing is dated behind a close. */
    readonly behindClose?: BehindClose
  }>
  readonly lease: Duration.Duration
  /** How far a receipt date may lie ahead of the clock (RCPT031). */
  readonly skew: Duration.Duration
  /** How far our clock may be ahead of the gateway's: receipts are dated by the gateway's time. Default none. */
  readonly ahead?: Duration.Duration
}

/** One attempt without its document: how the request went, for whoever must not know whose it was. */
export interface AttemptFacts extends Pick<Attempt, "repeats" | "begunAt" | "exchanged"> {
  readonly lane: string
  /** Null while it is under way, or where its process died. */
  readonly result: AttemptResult["_tag"] | null
}
