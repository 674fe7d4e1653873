/**
 * What a person may decide about a submission; always with a reason, and never stronger than the gateway's evidence.
 *
 * Unknown is here also what is Accepted or Expired under a request id that a person gave, as long as the gateway has never answered for it: such
 * an id is taken back by whatever is decided instead.
 */
import type { DateTime } from "effect"
import type { RequestId } from "../document/Identifiers.ts"
import type { Proof, Rejection, State } from "./Submission.ts"

/** What a person decides about a submission, with a reason. */
export type Decision =
  /**
   * Unknown or Expired: it was fiscalised; the proof as far as the person has it. Rejected: it was after all, against what was said.
   * Held: by other hands than this store's, after an older copy or by hand in the portal; also ends a Held revision whose earlier one was.
   */
  | { readonly _tag: "Fiscalised"; readonly proof: Partial<Proof> }
  /** Unknown or Expired: it was processed and failed. */
  | { readonly _tag: "Rejected"; readonly rejection: Rejection }
  /** Unknown: the gateway has it under this request id; the outcome is then asked for. */
  | { readonly _tag: "Accepted"; readonly requestId: RequestId }
  /** Unknown: it was not processed. It is Planned again, with IsRetry. */
  | { readonly _tag: "NotProcessed" }
  /** Declined or Rejected (correctable): sent again as it is. Held: sent after all, with a receipt date of now where it is late. */
  | { readonly _tag: "Resend" }
  /** Never to be sent, or no longer waited for. */
  | { readonly _tag: "Withdrawn" }
  /** Its conflicts have been seen and dealt with; the state stays. */
  | { readonly _tag: "Acknowledged" }

/** Overrides the refusal of a decision during the quiet period (ledger/QuietPeriod). The override is kept with the document. */
export type Although = "recent"

/** What a person says became of an attempt that nobody knows about. */
export type Resolution =
  | { readonly _tag: "Resolved"; readonly from: State; readonly to: State }
  /** The decision does not fit the state, and why. Nothing was changed. */
  | {
      readonly _tag: "Refused"
      readonly because: string
      /** Earliest time at which the decision is accepted; absent if time does not change the refusal. */
      readonly from?: DateTime.Utc
    }
