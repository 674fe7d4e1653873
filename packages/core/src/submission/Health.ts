/** Read from the store alone, so that health works with every worker dead. */
import type { OtherPrograms } from "./SubmissionQuery.ts"
import type { DateTime, Duration } from "effect"
import type { AcceptedUnknown } from "./ledger/AcceptedUnknown.ts"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import type { StatedFailure, StoredConflict } from "./Explanation.ts"
import type { LaneView } from "./Lane.ts"
import type { LiveSourceHealth } from "./LiveSourceState.ts"
import type { DayAcknowledgement, KeptNotice, Notice, NoticeSource } from "./Notice.ts"
import type { HoldCause, SubmissionKey } from "./PlannedDocument.ts"
import type { RefusedCause } from "./ledger/RefusedDocument.ts"
import type { DecisionFacts } from "./PermittedDecision.ts"
import type { Rejection, RequestIdBy, State, StuckState, Submission } from "./Submission.ts"
import type { StoreEffect, WriteFailure } from "./ledger/StoreError.ts"

/** State of one lane. */
export interface LaneHealth extends LaneView {
  readonly counts: Readonly<Partial<Record<State, number>>>
  /**
   * Time when the oldest submission entered the state, for every state that may still become a
   * receipt.
   */
  readonly oldest: Readonly<Partial<Record<State, DateTime.Utc>>>
  /** Causes of failures that no receipt of a later document has followed. */
  readonly standing: ReadonlyArray<string>
}

/** An accepted request that no status has mentioned. */
export interface UnansweredRequest {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly requestId: RequestId
  readonly by: RequestIdBy
  readonly since: DateTime.Utc
  readonly looks: number
}

/** Accepted document for which the gateway states a failure that proves nothing yet. */
export interface UnprovenDocument extends NamedDocument {
  readonly lane: string
  /** The text without what differs from document to document, for grouping. */
  readonly mask: string
  /** `waits`: the source states other values, which are not taken before the failure is settled. */
  readonly correction: "waits" | "none"
  readonly failure: StatedFailure
}

/** Documents that wait for an operator for the same reason. */
export interface StuckDocuments {
  readonly account: string
  readonly lane: string
  readonly state: StuckState
  readonly cause: HoldCause | null
  /**
   * Failure that Rejected or Declined documents share. Null in every other state, and for the rest
   * of many causes.
   */
  readonly failure: { readonly cause: string; readonly nature: Rejection["nature"] } | null
  readonly count: number
  /** Number of possible duplicates that differ in nothing but the spelling of their numbers. */
  readonly alike: number
  readonly since: DateTime.Utc
  readonly first: ReadonlyArray<DecidableDocument>
}

/** Documents with two contradicting statements. */
export interface OpenConflicts {
  readonly account: string
  readonly lane: string
  readonly code: StoredConflict["code"]
  /**
   * Reason of `PROOF_MISSING`: no proof was given, or its form is unknown. `no-receipt`: the source
   * canceled documents, and each of their attempts is proven not processed. Null for other codes.
   */
  readonly cause: "missing" | "unreadable" | "no-receipt" | null
  readonly count: number
  readonly since: DateTime.Utc
  readonly first: ReadonlyArray<DecidableDocument>
}

/** A document's key and number. */
export interface NamedDocument {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
}

/** A document with the facts on which its decisions depend. */
export interface DecidableDocument extends NamedDocument {
  readonly facts: DecisionFacts
}

/** Unfinished imports, oldest first, at most 20 of each kind. */
export interface OpenImports {
  readonly waiting: ReadonlyArray<OpenImport & { readonly documents: number }>
  readonly incomplete: ReadonlyArray<OpenImport>
  /**
   * Imports interrupted by an earlier version during the hand-over. Documents of the files may be
   * missing.
   */
  readonly unfinished: ReadonlyArray<OpenImport>
  /** Imports with consent whose process ended before acceptance. Nothing is sent. */
  readonly unaccepted: ReadonlyArray<OpenImport>
}

/** An unfinished import. */
export interface OpenImport {
  readonly id: number
  readonly account: string
  readonly since: DateTime.Utc
}

/** Health of the whole store. */
export interface Health {
  readonly at: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
  readonly lanes: ReadonlyArray<LaneHealth>
  /**
   * Time until the gateway stops answering for the first awaited request. Null when no request is
   * awaited. Negative when overdue.
   */
  readonly secondsToHorizon: number | null
  readonly stuck: ReadonlyArray<StuckDocuments>
  readonly conflicts: ReadonlyArray<OpenConflicts>
  /** Latest observations of accounts and fiscal days. */
  readonly notices: ReadonlyArray<KeptNotice>
  /** Number of outcomes with a request id of no known attempt. */
  readonly unmatched: number
  readonly imports: OpenImports
  /** Unanswered requests, the oldest of each account, at most 20. */
  readonly unanswered: ReadonlyArray<UnansweredRequest>
  /** Accepted documents for which the gateway states a failure that proves nothing yet. */
  readonly unproven: ReadonlyArray<UnprovenDocument & DecidableDocument>
  readonly acceptedUnknowns: ReadonlyArray<AcceptedUnknown>
  readonly liveSources: ReadonlyArray<LiveSourceHealth>
  readonly refused: ReadonlyArray<RefusedCause>
  /** Writes of a process that the store does not take. Null if no failed write is known. */
  readonly unwritten: WriteFailure | null
}

/**
 * `Told`: nothing has changed since the last alert. `NotYet`: another process has the turn, or the
 * last alert was sent or failed a moment ago. `before`: concerns of the last alert.
 */
export type AlertTurn =
  | { readonly _tag: "Told" }
  | { readonly _tag: "NotYet" }
  | { readonly _tag: "Tell"; readonly before: ReadonlyArray<string> }

/** Operations of everything that needs attention. Each operation is one transaction. */
export interface HealthOperations {
  readonly health: (retention: Duration.Duration) => StoreEffect<Health>
  readonly unproven: (accounts: ReadonlyArray<string>) => StoreEffect<ReadonlyArray<UnprovenDocument>>
  readonly decisionFacts: (
    documents: ReadonlyArray<Pick<Submission, "seq">>
  ) => StoreEffect<ReadonlyArray<DecisionFacts>>
  /**
   * Replaces the last observations of the source about the subject (an account or a lane). Writes
   * nothing if nothing changed. A known observation keeps the time of its first sighting.
   */
  readonly notice: (source: NoticeSource, subject: string, notices: ReadonlyArray<Notice>) => StoreEffect<void>
  /**
   * Records that an operator has checked the listed problems of the fiscal day, so that they need
   * no more attention. A new problem of the day needs attention again.
   */
  readonly acknowledgeDay: (lane: string, day: number, because: string) => StoreEffect<DayAcknowledgement>
  /**
   * Records an operator's statement if other programs make receipts on the device. The latest
   * statement counts. Returns the reason if nothing was recorded, otherwise null.
   */
  readonly stateOtherPrograms: (
    lane: string,
    stated: OtherPrograms["stated"],
    because: string
  ) => StoreEffect<string | null>
  /**
   * Asks for the turn to send an alert about these concerns (named as in attention/Alert). This
   * process has the turn for `lease`.
   */
  readonly takeAlert: (names: ReadonlyArray<string>, lease: Duration.Duration) => StoreEffect<AlertTurn>
  /**
   * Ends the turn with its result. The pause after a failure grows to one hour, after a success it
   * is ten seconds.
   */
  readonly endAlert: (names: ReadonlyArray<string>, how: "told" | "failed") => StoreEffect<void>
}
