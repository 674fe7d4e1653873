/** Read marks, documents and the result of the last run. */
import { type DateTime, Duration } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { StoreEffect } from "./ledger/StoreError.ts"
import type { SourceNotice } from "./PlanResult.ts"
import type { RefusedNote } from "./ledger/RefusedDocument.ts"
import type { Submission } from "./Submission.ts"

/** One tenant of one configured source. */
export interface LiveSourceKey {
  readonly source: string
  readonly tenant: string
}

/**
 * Read mark of an endpoint: the highest modified time, by the source's clock, in milliseconds since
 * the epoch.
 */
export interface LiveSourceMark {
  readonly endpoint: string
  readonly modified: number
}

/**
 * Status of a read document.
 *
 * `taken`: the document is in the store. `refused`: nothing is sent, and the document is read
 * again. `skipped`: not issued, not a sales document, or dated before the source's go-live. `gone`:
 * the source no longer has the document.
 */
export type LiveStanding = "taken" | "refused" | "skipped" | "gone"

/** A document as last read. */
export interface LiveDocument {
  readonly endpoint: string
  readonly id: string
  /** Null if not a sales document. */
  readonly kind: DocumentKind | null
  readonly number: string
  /** Modified time by the source's clock, in milliseconds since the epoch. */
  readonly modified: number
  readonly standing: LiveStanding
  readonly codes: ReadonlyArray<string>
}

/** A document to ask for again. A refusal applies under the conditions of its last reading. */
export interface AgainDocument extends LiveDocument {
  /** Time of the last request, in milliseconds since the epoch; 0 if not stored. */
  readonly askedAt: number
  /** `PulledRun.conditions` of that run. Null if not stored. */
  readonly conditions: string | null
}

/** Figures of a run. */
export interface LiveCounts {
  readonly read: number
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly skipped: Readonly<Record<string, number>>
}

/** Reason why the last run of a source ended without a result. */
export interface LiveSourceStop {
  readonly code: string
  readonly text: string
  /** Earliest retry requested by the source. Null if the source requested none. */
  readonly retryAt: DateTime.Utc | null
}

/** Settings of a source, the same from run to run. */
export interface LiveSourceSettings extends LiveSourceKey {
  readonly account: string
  readonly goLive: CivilDate
  /** Milliseconds without new or changed documents after which the silence needs attention. */
  readonly quietAfter: number
}

/** A source in the store. */
export interface LiveSourceState extends LiveSourceSettings {
  /** Time of the first run, or of a later run that was only planned. Null before the first run. */
  readonly plannedAt: DateTime.Utc | null
  readonly ranAt: DateTime.Utc | null
  readonly foundAt: DateTime.Utc | null
  /** Time of the last run that compared the documents of the last days one by one. */
  readonly sweptAt: DateTime.Utc | null
  readonly stop: (LiveSourceStop & { readonly since: DateTime.Utc }) | null
  readonly loginEnds: DateTime.Utc | null
  readonly counts: LiveCounts | null
  readonly marks: ReadonlyArray<LiveSourceMark>
}

/**
 * Everything that a run has read, written in one transaction: the transaction of the acceptance if
 * documents are handed over. Fails with `conflict`, and writes nothing, if another run has
 * ended since `follows` and has written a newer version of one of the documents.
 */
export interface PulledRun extends LiveSourceSettings {
  /**
   * `planned`: a first run, which takes nothing and moves no marks. `taken`: everything read is
   * accounted for.
   */
  readonly stage: "planned" | "taken"
  /** End of the last run when this run began. Null before the first run. */
  readonly follows: DateTime.Utc | null
  readonly sweep: "done" | "not-due"
  readonly marks: ReadonlyArray<LiveSourceMark>
  readonly documents: ReadonlyArray<LiveDocument>
  /**
   * Hash of everything outside the source that decides a refusal. Stored with refused documents: a
   * change is a reason to ask for them again.
   */
  readonly conditions: string
  /** Statements of these documents about planned or sent documents. */
  readonly notices: ReadonlyArray<SourceNotice>
  readonly counts: LiveCounts
  /** In milliseconds since the epoch. */
  readonly loginEnds: number | null
}

/** State of a source for attention. */
export interface LiveSourceHealth extends LiveSourceState {
  /** Number of its documents in the store, counted up to 20. */
  readonly taken: number
  readonly refused: number
}

/**
 * Settings of a run that are used unless the host states others; docs/configuration.md has the
 * reasons.
 */
export const liveDefaults = {
  overlap: Duration.minutes(5),
  clockSkew: Duration.minutes(5),
  sweep: Duration.days(7),
  quietAfter: Duration.days(7)
} as const

/** Store operations for live sources. Each operation is one transaction. */
export interface LiveSourceOperations {
  readonly state: (key: LiveSourceKey) => StoreEffect<LiveSourceState | undefined>
  readonly documents: (
    key: LiveSourceKey,
    endpoint: string,
    ids: ReadonlyArray<string>
  ) => StoreEffect<ReadonlyArray<LiveDocument>>
  /**
   * Returns a document among the ids that a run took of another tenant and that is not gone there,
   * if number and modified time are the same; undefined if there is none.
   */
  readonly foreign: (
    key: LiveSourceKey,
    endpoint: string,
    records: ReadonlyArray<Pick<LiveDocument, "id" | "modified" | "number">>
  ) => StoreEffect<(LiveSourceKey & { readonly number: string }) | undefined>
  /**
   * Returns the endpoint's documents modified at or after `from`, newest first, at most `limit`,
   * without documents that are gone.
   */
  readonly modified: (
    key: LiveSourceKey,
    endpoint: string,
    within: { readonly from: number; readonly limit: number }
  ) => StoreEffect<ReadonlyArray<LiveDocument>>
  /**
   * Returns documents to ask for again, oldest first: refused ones, and those that the gateway has
   * refused. The book or an earlier correction may make them sendable.
   */
  readonly again: (key: LiveSourceKey) => StoreEffect<ReadonlyArray<AgainDocument>>
  /**
   * Returns the source's documents in the account that are not fiscalized and not withdrawn, or
   * that the source has changed or canceled since.
   */
  readonly left: (
    key: LiveSourceKey,
    endpoints: ReadonlyArray<string>,
    account: string
  ) => StoreEffect<ReadonlyArray<Submission>>
  /** Records a run that hands over no documents. A mark never moves back. */
  readonly record: (run: PulledRun, refused?: RefusedNote) => StoreEffect<void>
  readonly stop: (settings: LiveSourceSettings, stop: LiveSourceStop) => StoreEffect<void>
  /**
   * Forgets the marks, documents and results of a source, in every tenant: its next run is a first
   * plan, and attention no longer mentions it. Documents in the store stay, and are not sent again.
   * An operator's decision. Returns the number of documents; undefined if the store does not know
   * the source.
   */
  readonly forget: (source: string, because: string) => StoreEffect<number | undefined>
}
