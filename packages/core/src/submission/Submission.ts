/**
 * States of a submission and all transitions between them, as data (docs/architecture.md#states).
 */
import type { DateTime } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { CurrencyCode, DocumentNumber } from "../document/Identifiers.ts"
import type { Instant } from "../document/Instant.ts"
import type { Money } from "../document/Money.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { Environment, HoldCause, SubmissionKey } from "./PlannedDocument.ts"

/** Every state, in the order of a submission's life. */
export const states = [
  "Held",
  "Planned",
  "Sending",
  "Accepted",
  "Fiscalised",
  "Rejected",
  "Expired",
  "Declined",
  "Unknown",
  "Withdrawn"
] as const
/** State of a submission. */
export type State = (typeof states)[number]

/** States that move on without an operator while a worker runs. */
export const moving: ReadonlyArray<State> = ["Planned", "Sending", "Accepted"]

/** States that need an operator before the document can become a receipt. */
export const stuck = ["Held", "Unknown", "Expired", "Rejected", "Declined"] as const satisfies ReadonlyArray<State>
/** State that needs an operator. */
export type StuckState = (typeof stuck)[number]
/** True if a document in this state needs an operator. */
export const isStuck = (state: State): state is StuckState => (stuck as ReadonlyArray<State>).includes(state)

/** States that may still become a receipt: moving and stuck. */
export const open: ReadonlyArray<State> = [...moving, ...stuck]

/**
 * States with a known outcome, after which nothing more happens automatically. Evidence may still
 * contradict Rejected, Declined and Withdrawn.
 */
export const settled: ReadonlyArray<State> = ["Fiscalised", "Rejected", "Declined", "Withdrawn"]

/** States that ended without a receipt. */
export const ended: ReadonlyArray<State> = settled.filter((state) => state !== "Fiscalised")

/**
 * True if the outcome of a document in this state is known. False for states of documents
 * outside the store.
 */
export const isSettled = (state: string): boolean => (settled as ReadonlyArray<string>).includes(state)

/** State of a document, also of one outside the store. */
export type DocumentState = State | "Refused" | "Skipped"

/** Groups of states, in the order of a document's life. */
export type StateGroup = "fiscalised" | "waiting" | "to-send" | "unknown" | "not-accepted" | "held" | "skipped"

/** Group of each state. */
export const groupOf: Readonly<Record<DocumentState, StateGroup>> = {
  Fiscalised: "fiscalised",
  Sending: "waiting",
  Accepted: "waiting",
  Planned: "to-send",
  Unknown: "unknown",
  Expired: "unknown",
  Refused: "not-accepted",
  Rejected: "not-accepted",
  Declined: "not-accepted",
  Held: "held",
  Skipped: "skipped",
  Withdrawn: "skipped"
}

/** States for which a run no longer waits. */
export const atRest: ReadonlyArray<State> = states.filter((state) => !moving.includes(state))

/** Reasons for a change of state. */
export const causes = [
  "held",
  "released",
  "attempt-begun",
  "accepted",
  "not-processed",
  "declined",
  "unknown-outcome",
  "evidence",
  "older-attempt",
  "contradicted",
  "horizon",
  "resend-policy",
  "operator",
  "revised",
  "withdrawn"
] as const
/** Reason for a change of state. */
export type Cause = (typeof causes)[number]

/** One edge of the transition table. */
export interface Transition {
  readonly from: State
  readonly to: State
  readonly cause: Cause
}

const edges = (cause: Cause, from: ReadonlyArray<State>, to: ReadonlyArray<State>): ReadonlyArray<Transition> =>
  from.flatMap((from) => to.map((to) => ({ from, to, cause })))

/**
 * Every permitted edge. No edge leads out of Fiscalised.
 *
 * `older-attempt`: evidence on an attempt from before the submission was planned again, or
 * declined, counts for the submission.
 * `operator` to Unknown: an operator withdraws an operator-entered request id for which the gateway
 * has never answered.
 * `contradicted` to Held: the attempt of an earlier revision turns out fiscalized, so the new
 * revision must not be sent; or a refusal may be the answer to an earlier request (`operator` leads
 * back to the refusal). To Unknown: the gateway assigned the operator-entered request id to another
 * document, or a late answer to the attempt contradicts it. Rejected to
 * Accepted: the gateway also states a proof of a receipt, so the document is not free to be
 * corrected.
 */
export const transitions: ReadonlyArray<Transition> = [
  ...edges("held", ["Planned"], ["Held"]),
  ...edges("contradicted", ["Planned", "Sending", "Accepted", "Expired", "Unknown"], ["Held"]),
  ...edges("released", ["Held"], ["Planned"]),
  ...edges("operator", ["Held"], ["Planned", "Fiscalised", "Declined"]),
  ...edges("attempt-begun", ["Planned"], ["Sending"]),
  ...edges("accepted", ["Sending"], ["Accepted"]),
  ...edges("not-processed", ["Sending", "Unknown"], ["Planned"]),
  ...edges("declined", ["Sending"], ["Declined"]),
  ...edges("unknown-outcome", ["Sending"], ["Unknown"]),
  ...edges("evidence", ["Accepted"], ["Fiscalised", "Rejected"]),
  ...edges("horizon", ["Accepted"], ["Expired"]),
  ...edges("evidence", ["Expired"], ["Fiscalised", "Rejected"]),
  ...edges("operator", ["Expired"], ["Fiscalised", "Rejected"]),
  ...edges("evidence", ["Unknown"], ["Accepted", "Fiscalised", "Rejected"]),
  ...edges("operator", ["Unknown"], ["Fiscalised", "Rejected", "Planned"]),
  ...edges("operator", ["Accepted", "Expired"], ["Unknown"]),
  ...edges("contradicted", ["Accepted", "Expired"], ["Unknown"]),
  ...edges("resend-policy", ["Unknown"], ["Planned"]),
  ...edges("operator", ["Accepted"], ["Fiscalised", "Rejected"]),
  ...edges("contradicted", ["Rejected"], ["Fiscalised", "Accepted"]),
  ...edges("revised", ["Rejected", "Declined"], ["Planned"]),
  ...edges("operator", ["Rejected", "Declined"], ["Planned"]),
  ...edges("older-attempt", ["Planned", "Held", "Declined"], ["Accepted", "Fiscalised", "Rejected"]),
  ...edges("withdrawn", ["Held", "Planned", "Declined", "Rejected", "Expired", "Unknown"], ["Withdrawn"]),
  ...edges("contradicted", ["Withdrawn"], ["Accepted", "Fiscalised", "Rejected"])
]

/** True if the table has an edge between the two states for this cause. */
export const permits = (from: State, to: State, cause: Cause): boolean =>
  transitions.some((edge) => edge.from === from && edge.to === to && edge.cause === cause)

/** Code of a contradiction about a document, which an operator must check. */
export type ConflictCode =
  | "OUTCOME_CONFLICT"
  | "DOUBLE_FISCALISED"
  | "SOURCE_CONFLICT"
  | "SOURCE_CANCELLED"
  | "OTHER_DEVICE"
  | "SUCCESS_WITH_ERROR"
  | "SUCCESS_AND_FAILURE"
  | "PROOF_SHARED"
  | "PROOF_MISSING"
  | "CODE_NOT_UNIQUE"
  | "RECEIPT_NOT_UNIQUE"
  | "ALSO_ELSEWHERE"

/** True if the contradiction is with the source, and not between two statements of a result. */
export const isOfSource = (code: string): code is "SOURCE_CONFLICT" | "SOURCE_CANCELLED" =>
  code === "SOURCE_CONFLICT" || code === "SOURCE_CANCELLED"

/** Reason not to send a submission yet. */
export interface Hold {
  readonly cause: HoldCause
  readonly text: string
}

/** Proof of fiscalization. `invoiceNumber` is the authority's number, not the seller's (HOOK-2). */
export interface Proof {
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  readonly invoiceNumber: number | null
  /** File name for the download operation (STAT-4). Untrusted text, never a local path. */
  readonly fiscalInvoicePdf: string | null
  /** Error text that came with the success. Absent if there was none. */
  readonly said?: string
}

/**
 * Rejection after processing, from the gateway or an operator. `correctable`: may be corrected and
 * sent again (STAT-2).
 */
export interface Rejection {
  readonly error: string
  readonly nature: "correctable" | "final"
}

/** Origin of a request id: the gateway's answer, or an operator. */
export type RequestIdBy = "gateway" | "operator"

/**
 * Current state of a submission: one row of `list`. Our times are UTC. The receipt date carries its
 * offset.
 */
export interface Submission extends SubmissionKey {
  /** Grows in the order in which documents were first planned. Cursor of `list`. */
  readonly seq: number
  readonly state: State
  readonly since: DateTime.Utc
  readonly number: DocumentNumber
  readonly taxpayer: string
  readonly lane: string
  readonly environment: Environment
  /**
   * Counted from 1. Grows when the content to send is replaced or corrected, and when an operator
   * has the document sent again.
   */
  readonly revision: number
  readonly fingerprint: string
  readonly sourceDate: CivilDate
  /** Null until the first attempt under `at-submission`. */
  readonly receiptDate: Instant | null
  readonly buyer: string | null
  readonly currency: CurrencyCode
  readonly total: Money
  /** Request id with an awaited or received outcome. */
  readonly requestId: string | null
  readonly hold: Hold | null
  /**
   * Latest explanation of the state: from the gateway, from us, or from the operator who withdrew
   * the document.
   */
  readonly text: string | null
  readonly rejection: Rejection | null
  readonly proof: Proof | null
  readonly source: Provenance
  /**
   * Difference between the source and the sent document, in words. Null if there is no difference,
   * or an operator has settled the difference.
   */
  readonly changed: string | null
  /**
   * How the source canceled the document after planning, in words. Null if the source has not
   * canceled the document, or an operator has settled the cancellation.
   */
  readonly cancelled: string | null
  /**
   * Number of the document that this one replaces, as the source states it, or its id if the store
   * does not know the number.
   */
  readonly replaces: string | null
}

/** A committed change of state. `from` is null for a new document. */
export interface Change {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly from: State | null
  readonly to: State
  readonly cause: Cause | "planned"
  readonly at: DateTime.Utc
}

/**
 * A changed statement of the source about a document, after the commit that recorded the change.
 */
export interface SourceChange {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly state: State
  /** Difference from the sent document, or null. */
  readonly changed: string | null
  /** How the source canceled the document, or null. */
  readonly cancelled: string | null
  readonly at: DateTime.Utc
}
