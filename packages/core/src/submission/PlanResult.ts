/** Results of planning, and known facts from an earlier plan. */
import type { PlannedDocument, SubmissionKey } from "./PlannedDocument.ts"
import type { RevisitFacts, Override } from "./Revisit.ts"
import type { Hold, State, Submission } from "./Submission.ts"
import type { CodeMeaning, RegisteredOriginal } from "./ledger/Original.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"

/** Result of planning one document. */
export type PlanVerdict =
  /** New document: Planned, or Held with its given reason. */
  | { readonly _tag: "Planned" }
  /**
   * A Planned or Held document now has the new content. The receipt date stays, unless the source's
   * date differs.
   */
  | { readonly _tag: "Replaced" }
  /**
   * A Declined or Rejected (correctable) document got a new revision, because the source or the
   * translation differs.
   */
  | { readonly _tag: "Revised" }
  | { readonly _tag: "Unchanged" }
  /**
   * The document is in flight or done, but the export now states other values. An operator must
   * decide.
   */
  | { readonly _tag: "Conflict"; readonly text: string }
  /** Another document of the taxpayer has this number (RCPT013). Nothing is stored. */
  | { readonly _tag: "NumberTaken"; readonly by: SubmissionKey }
  /** The account is pinned to another device. Nothing is stored; see `pin`. */
  | { readonly _tag: "OtherLane"; readonly pinned: string }

/** Result of planning one document, and its state. */
export interface PlanResult {
  readonly key: SubmissionKey
  readonly verdict: PlanVerdict
  readonly state: State | null
  readonly hold: Hold | null
}

/** A stored submission that appears again in an export (submission/Revisit). */
export interface KnownDocument {
  readonly submission: Submission
  readonly facts: RevisitFacts
  /** Fingerprint of a later reading that shows more places of unit prices, or null. */
  readonly restated: string | null
  readonly override: Override | null
  readonly body: string | null
  /** Id of the invoice that a credit note credits, as last planned. */
  readonly original: string | null
  /**
   * Origin of the time of the receipt date. `assigned`: the policy assigned the time, and no
   * attempt of the document may have been processed. The lane may then move the time later on the
   * same day if another document is sent first.
   */
  readonly dated: "stated" | "assigned"
  /**
   * Statement of the source at the last import, compared with the sent document. `otherwise`
   * includes a cancellation.
   */
  readonly lastStated: "as-sent" | "otherwise"
  /**
   * Settled differences: the fingerprint of the source's settled change, and the state of its
   * cancellation. Null and `open` if an operator has settled nothing.
   */
  readonly settled: { readonly change: string | null; readonly canceling: "open" | "settled" }
}

/** Finding of an import about one stored document. */
export interface SourceNotice {
  readonly key: SubmissionKey
  /**
   * `as-sent`: the source states the sent values. `restated`: the same, with more places of unit
   * prices than before. `changed`: the source states other values. `cancelled`: the source has
   * canceled the document.
   */
  readonly states: "as-sent" | "restated" | "changed" | "cancelled"
  /**
   * Fingerprint of the source's current statement. Null for `cancelled`. The same change is
   * recorded once.
   */
  readonly fingerprint: string | null
  /** Description of `changed` for people. */
  readonly text: string | null
  /** Translation of `changed`, if the source's statement could be translated. Default: none. */
  readonly now?: StatedNow | undefined
}

/** Translation of what the source states now, with the meaning of its codes. */
export interface StatedNow {
  readonly body: string
  readonly meaning: CodeMeaning
}

/**
 * Result of registering an original. `held`: a document of the store is held, or will be, because
 * of it. `differs`: registered before with other values. `fiscalised-here`: it has a receipt here,
 * and is a conflict. `number-taken`: its number belongs to another document.
 */
export type Registration = "registered" | "held" | "known" | "differs" | "fiscalised-here" | "number-taken"

/** Operations before a document is sent. Each operation is one transaction. */
export interface PlanOperations {
  /**
   * Plans documents in one transaction and returns one result each, in their order. Pass batches of
   * a few hundred. The documents to send first belong in the first batch.
   */
  readonly plan: (documents: ReadonlyArray<PlannedDocument>) => StoreEffect<ReadonlyArray<PlanResult>>
  /**
   * Holds Planned documents, and replaces the reason of Held documents, except `contradicted`.
   * Documents in other states stay unchanged. After the causes `operator` and `older-copy`, only an
   * operator sends the document; no import releases it.
   */
  readonly hold: (keys: ReadonlyArray<SubmissionKey>, hold: Hold) => StoreEffect<void>
  /**
   * Records the current statements of the source about stored documents. A difference from the sent
   * document stays open until the source states the sent values again, or an operator settles the
   * difference.
   */
  readonly noteSource: (notices: ReadonlyArray<SourceNotice>) => StoreEffect<void>
  /**
   * Registers invoices fiscalized elsewhere, and holds the store's own documents of the same sale.
   */
  readonly registerOriginals: (originals: ReadonlyArray<RegisteredOriginal>) => StoreEffect<ReadonlyArray<Registration>>
  readonly registeredOriginals: StoreEffect<ReadonlyArray<RegisteredOriginal>>
}
