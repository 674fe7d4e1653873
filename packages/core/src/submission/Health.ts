/** How the submissions stand, read from the store alone: it works with every worker dead. */
import type { DateTime } from "effect"
import type { AcceptedUnknown } from "../ledger/AcceptedUnknown.ts"
import type { DocumentNumber, RequestId } from "../document/Identifiers.ts"
import type { StoredConflict } from "./Explanation.ts"
import type { LaneView } from "./Lane.ts"
import type { LiveSourceHealth } from "./LiveSourceState.ts"
import type { KeptNotice } from "./Notice.ts"
import type { HoldCause, SubmissionKey } from "./PlannedDocument.ts"
import type { RequestIdBy, State } from "./Submission.ts"

/** How one lane stands. */
export interface LaneHealth extends LaneView {
  readonly counts: Readonly<Partial<Record<State, number>>>
  /** Since when the oldest submission has been in the state, for every state that may still become a receipt. */
  readonly oldest: Readonly<Partial<Record<State, DateTime.Utc>>>
}

/** A request that was accepted, and that no status has mentioned. */
export interface UnansweredRequest {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
  readonly lane: string
  readonly requestId: RequestId
  /** Whose word the request id is. */
  readonly by: RequestIdBy
  readonly since: DateTime.Utc
  /** How often the gateway was asked for it. */
  readonly looks: number
}

/** Documents that wait for an operator for one reason. */
export interface StuckDocuments {
  readonly account: string
  readonly lane: string
  readonly state: State
  /** Why they are Held; null in every other state. */
  readonly cause: HoldCause | null
  readonly count: number
  readonly since: DateTime.Utc
  /** The first of them, at most three. */
  readonly first: ReadonlyArray<NamedDocument>
}

/** Documents about which two statements contradict each other. */
export interface OpenConflicts {
  readonly account: string
  readonly lane: string
  readonly code: StoredConflict["code"]
  readonly count: number
  readonly since: DateTime.Utc
  /** The first of them, at most three. */
  readonly first: ReadonlyArray<NamedDocument>
}

/** A document by its key and its number. */
export interface NamedDocument {
  readonly key: SubmissionKey
  readonly number: DocumentNumber
}

/** Imports that are not over, the oldest first, at most 20 of each. */
export interface OpenImports {
  /** Accepted, and documents of them wait to be handed over. */
  readonly waiting: ReadonlyArray<OpenImport & { readonly documents: number }>
  /** Handed over, and the store did not take some of its documents. */
  readonly incomplete: ReadonlyArray<OpenImport>
  /** An earlier version broke off while it handed them over: documents of the files may be missing. */
  readonly unfinished: ReadonlyArray<OpenImport>
  /** Consented to, and their process ended before they were accepted: nothing of them is sent. */
  readonly unaccepted: ReadonlyArray<OpenImport>
}

/** An import that is not over. */
export interface OpenImport {
  readonly id: number
  readonly account: string
  readonly since: DateTime.Utc
}

/** How everything in the store stands. */
export interface Health {
  readonly at: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
  readonly lanes: ReadonlyArray<LaneHealth>
  /** Until the first awaited request is no longer answered for; null when nothing is awaited. Negative when overdue. */
  readonly secondsToHorizon: number | null
  /** What waits for an operator, by account, state and cause. */
  readonly stuck: ReadonlyArray<StuckDocuments>
  /** Conflicts that no operator has settled, by account and code. */
  readonly conflicts: ReadonlyArray<OpenConflicts>
  /** What processes last saw of accounts and fiscal days. */
  readonly notices: ReadonlyArray<KeptNotice>
  /** Outcomes whose request id belongs to no attempt we know. */
  readonly unmatched: number
  /** Imports that are not over. */
  readonly imports: OpenImports
  /** The oldest of each account, at most 20. */
  readonly unanswered: ReadonlyArray<UnansweredRequest>
  /** Facts that operators accepted as unknown and the gateway has not stated since. */
  readonly acceptedUnknowns: ReadonlyArray<AcceptedUnknown>
  /** Sources that are read live. */
  readonly liveSources: ReadonlyArray<LiveSourceHealth>
}
