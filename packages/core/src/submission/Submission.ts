/** The states of a submission and every way between them, as data (docs/architecture.md#states). */
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
/** The word for how a submission stands. */
export type State = (typeof states)[number]

/** Moves on without an operator, while a worker runs. */
export const moving: ReadonlyArray<State> = ["Planned", "Sending", "Accepted"]

/** Does not become a receipt without an operator. */
export const stuck: ReadonlyArray<State> = ["Held", "Unknown", "Expired", "Rejected", "Declined"]

/** May still become a receipt: what moves on, and what waits for an operator. */
export const open: ReadonlyArray<State> = [...moving, ...stuck]

/** The outcome is known, and nothing more happens by itself; evidence may still contradict Rejected, Declined and Withdrawn. */
export const settled: ReadonlyArray<State> = ["Fiscalised", "Rejected", "Declined", "Withdrawn"]

/** Ended without a receipt. */
export const ended: ReadonlyArray<State> = settled.filter((state) => state !== "Fiscalised")

/** The outcome of a document in this state is known; of documents that are in no store it is not. */
export const isSettled = (state: string): boolean => (settled as ReadonlyArray<string>).includes(state)

/** A run waits no longer for these. */
export const atRest: ReadonlyArray<State> = states.filter((state) => !moving.includes(state))

/** Why a submission changed its state. */
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
/** The word for why a submission changed its state. */
export type Cause = (typeof causes)[number]

/** One edge of the table. */
export interface Transition {
  readonly from: State
  readonly to: State
  readonly cause: Cause
}

const edges = (cause: Cause, from: ReadonlyArray<State>, to: ReadonlyArray<State>): ReadonlyArray<Transition> =>
  from.flatMap((from) => to.map((to) => ({ from, to, cause })))

/**
 * Every edge there is; what is not here does not happen. Nothing leads out of Fiscalised.
 *
 * `older-attempt`: evidence on an attempt made before the submission was planned again, or declined, counts for the submission.
 * `operator` to Unknown: a person takes back a request id that a person gave and the gateway has never answered for.
 * `contradicted`: the attempt of an earlier revision turns out fiscalised, so the new revision must not be sent. To Unknown: the gateway has given
 * the request id that a person gave to another document.
 */
export const transitions: ReadonlyArray<Transition> = [
  ...edges("held", ["Planned"], ["Held"]),
  ...edges("contradicted", ["Planned"], ["Held"]),
  ...edges("released", ["Held"], ["Planned"]),
  ...edges("operator", ["Held"], ["Planned", "Fiscalised"]),
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
  ...edges("contradicted", ["Rejected"], ["Fiscalised"]),
  ...edges("revised", ["Rejected", "Declined"], ["Planned"]),
  ...edges("operator", ["Rejected", "Declined"], ["Planned"]),
  ...edges("older-attempt", ["Planned", "Held", "Declined"], ["Accepted", "Fiscalised", "Rejected"]),
  ...edges("withdrawn", ["Held", "Planned", "Declined", "Rejected", "Expired", "Unknown"], ["Withdrawn"]),
  ...edges("contradicted", ["Withdrawn"], ["Accepted", "Fiscalised", "Rejected"])
]

/** Whether the table has an edge between the two states, for this cause. */
export const permits = (from: State, to: State, cause: Cause): boolean =>
  transitions.some((edge) => edge.from === from && edge.to === to && edge.cause === cause)

/** Why a submission is not to be sent yet. */
export interface Hold {
  readonly cause: HoldCause
  readonly because: string
}

/** Proof of fiscalisation. `invoiceNumber` is the authority's, not the seller's (HOOK-2). */
export interface Proof {
  readonly verificationCode: string | null
  readonly qrCodeUrl: string | null
  readonly fiscalDay: number | null
  readonly deviceId: number | null
  readonly invoiceNumber: number | null
  /** A file name for the download operation (STAT-4); untrusted text, never a local path. */
  readonly fiscalInvoicePdf: string | null
  /** The error text that came beside the success; left out where none came. */
  readonly said?: string
}

/** Why the gateway, or a person, says no after processing. `correctable`: may be corrected and sent again (STAT-2). */
export interface Rejection {
  readonly error: string
  readonly nature: "correctable" | "final"
}

/** Whose word a request id is: the gateway's answer, or a person's. */
export type RequestIdBy = "gateway" | "operator"

/** A submission as it stands: one row of `list`. Times of ours are UTC; the receipt date carries its offset. */
export interface Submission extends SubmissionKey {
  /** Grows in the order in which documents were first planned; the cursor of `list`. */
  readonly seq: number
  readonly state: State
  readonly since: DateTime.Utc
  readonly number: DocumentNumber
  readonly taxpayer: string
  readonly lane: string
  readonly environment: Environment
  /** Counted from 1; grows when what is sent is replaced or corrected. */
  readonly revision: number
  readonly fingerprint: string
  readonly sourceDate: CivilDate
  /** Null until the first attempt under `at-submission`. */
  readonly receiptDate: Instant | null
  readonly buyer: string | null
  readonly currency: CurrencyCode
  readonly total: Money
  /** The request id the outcome is awaited for, or came for. */
  readonly requestId: string | null
  readonly hold: Hold | null
  /** What the gateway, or we, said last about it that a person may want to read. */
  readonly said: string | null
  readonly rejection: Rejection | null
  readonly proof: Proof | null
  readonly source: Provenance
  /** What the source states otherwise since it was sent, in words; null where nothing, or an operator has settled it. */
  readonly changed: string | null
  /** How the source has cancelled it since it was planned; null where it has not, or an operator has settled it. */
  readonly cancelled: string | null
}

/** A state change that has been committed. `from` is null when the document is new. */
export interface Change {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly from: State | null
  readonly to: State
  readonly cause: Cause | "planned"
  readonly at: DateTime.Utc
}

/** A document of which the source states something else than before, after the commit that noted it. */
export interface SourceChange {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly state: State
  /** What differs from what was sent, or null. */
  readonly changed: string | null
  /** How the source cancelled it, or null. */
  readonly cancelled: string | null
  readonly at: DateTime.Utc
}
