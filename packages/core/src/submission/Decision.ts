/**
 * Always with a reason and never stronger than the gateway's evidence. Here, Unknown includes
 * Accepted and Expired with an operator-entered request id for which the gateway has never
 * answered. Any other decision withdraws this id.
 */
import type { DateTime } from "effect"
import type { RequestId } from "../document/Identifiers.ts"
import type { Proof, Rejection, State } from "./Submission.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"
import type { OperatorDecision, RecordedDecision } from "./OperatorRecord.ts"
import type { SubmissionKey } from "./PlannedDocument.ts"

/** Operator decision about a submission. */
export type Decision =
  /**
   * Unknown, Expired, or Accepted with a contradictory answer: the document was fiscalized; the
   * proof has the details known to the operator. Rejected: fiscalized in spite of the evidence.
   * Held: fiscalized outside this store, after an older copy or manually in the portal; or by an
   * earlier request (`contradicted`). Also ends a Held revision of a fiscalized earlier revision.
   */
  | { readonly _tag: "Fiscalised"; readonly proof: Partial<Proof> }
  /** Unknown, Expired, or Accepted with a contradictory answer: processed and failed. */
  | { readonly _tag: "Rejected"; readonly rejection: Rejection }
  /** Unknown: the gateway has the document under this request id. The outcome is then polled. */
  | { readonly _tag: "Accepted"; readonly requestId: RequestId }
  /**
   * Unknown: the document was not processed. Planned again, with IsRetry. Held as `contradicted`
   * after a refusal: no earlier request was processed. Rejected or Declined, to be corrected.
   */
  | { readonly _tag: "NotProcessed" }
  /**
   * Declined or Rejected (correctable): sent again unchanged. Accepted, if the gateway states a
   * failure of every open request: the operator's look settles the failures, and the document is
   * sent again unchanged. Held: sent after all. All get the current time as receipt date if they
   * are late.
   */
  | { readonly _tag: "Resend" }
  /**
   * Held as `duplicate`: another spelling of the known document. Never sent; every later import of
   * the spelling is compared with the known document.
   */
  | { readonly _tag: "Same" }
  /** Never to be sent, or no longer awaited. */
  | { readonly _tag: "Withdrawn" }
  /** The conflicts have been checked and handled. The state stays. */
  | { readonly _tag: "Acknowledged" }

/**
 * Decisions that settle the failures which the gateway states of an Accepted document. Each request
 * is asked for once more before them (session/BulkDecision `before`).
 */
export const settlesFailures: ReadonlySet<Decision["_tag"]> = new Set(["Rejected", "Resend"])

/** Decisions after which the document, or a document in its place, can be sent again. */
export const letsSendAgain: ReadonlySet<Decision["_tag"]> = new Set([
  "NotProcessed",
  "Rejected",
  "Resend",
  "Same",
  "Withdrawn"
])

/**
 * Overrides the refusal of a decision during the quiet period (`QuietPeriod`). The override is
 * stored with the document.
 */
export type Although = "recent"

/** Result of a decision. */
export type DecisionResult =
  | { readonly _tag: "Resolved"; readonly from: State; readonly to: State }
  /** The decision does not fit the state. Nothing was changed. */
  | {
      readonly _tag: "Refused"
      readonly text: string
      /**
       * Earliest time at which the decision is accepted. Absent if time does not change the
       * refusal.
       */
      readonly from?: DateTime.Utc
    }

/** Operations of operator decisions. Each operation is one transaction. */
export interface DecisionOperations {
  /**
   * Applies an operator's decision, with the reason. A decision that permits a resend is refused
   * while the last request may still arrive, unless `although` overrides the refusal. `shown`: the
   * latest `since` that the operator has seen; a decision about a document that has changed its
   * state after it is refused.
   */
  readonly decide: (
    key: SubmissionKey,
    decision: Decision,
    because: string,
    although?: Although,
    shown?: DateTime.Utc
  ) => StoreEffect<DecisionResult>
  /**
   * Records which receipt of an invoice the gateway's portal shows as credited, and releases the
   * notes that waited for this statement.
   */
  readonly stateCredited: (invoice: SubmissionKey, receipt: string, because: string) => StoreEffect<void>
  /**
   * Adds a decision to the record (submission/OperatorRecord). `once`: only if the same operator
   * has not recorded the same decision before.
   */
  readonly recordDecision: (decision: OperatorDecision, how: "each" | "once") => StoreEffect<void>
  /** Returns the entries of the record after the id, oldest first. */
  /** Latest report of each period and account. */
  readonly reports: StoreEffect<ReadonlyArray<RecordedDecision>>
  readonly decisions: (after: number, limit: number) => StoreEffect<ReadonlyArray<RecordedDecision>>
}
