/** A source that is read live, as the store knows it: how far it was read, its documents, and how its last run ended. */
import { type DateTime, Duration, type Effect } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { StoreError } from "../ledger/StoreError.ts"

/** One tenant of one source of the configuration. */
export interface LiveSourceKey {
  readonly source: string
  readonly tenant: string
}

/** How far an endpoint was read: the highest modified time, by the source's clock, in milliseconds since the epoch. */
export interface LiveSourceMark {
  readonly endpoint: string
  readonly modified: number
}

/**
 * Standing of a document that was read. `taken`: the store has it. `refused`: nothing of it is sent, and it is asked for again. `skipped`: not
 * issued, not a sales document, or dated before the source begins. `gone`: the source does not have it any more.
 */
export type LiveStanding = "taken" | "refused" | "skipped" | "gone"

/** A document as it was read last. */
export interface LiveDocument {
  readonly endpoint: string
  readonly id: string
  /** Null: not a sales document. */
  readonly kind: DocumentKind | null
  readonly number: string
  /** By the source's clock, in milliseconds since the epoch. */
  readonly modified: number
  readonly standing: LiveStanding
  /** Codes of the findings that refuse it. */
  readonly codes: ReadonlyArray<string>
}

/** Figures of a run. */
export interface LiveCounts {
  readonly read: number
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  /** By reason. */
  readonly skipped: Readonly<Record<string, number>>
}

/** Why the last run of a source ended without a result. */
export interface LiveSourceStop {
  readonly code: string
  readonly text: string
  /** The source asks not to be asked before; null where it did not say. */
  readonly retryAt: DateTime.Utc | null
}

/** Settings of a source, the same from run to run. */
export interface LiveSourceSettings extends LiveSourceKey {
  readonly account: string
  readonly goLive: CivilDate
  /** From when on it is worth a look that nothing new came, in milliseconds. */
  readonly quietAfter: number
}

/** A source as the store knows it. */
export interface LiveSourceState extends LiveSourceSettings {
  /** When it was planned first; null where no run has come so far. */
  readonly plannedAt: DateTime.Utc | null
  /** The last run that ended well. */
  readonly ranAt: DateTime.Utc | null
  /** The last run that found something new. */
  readonly foundAt: DateTime.Utc | null
  /** The last run that compared the documents of the last days one by one. */
  readonly sweptAt: DateTime.Utc | null
  readonly stop: (LiveSourceStop & { readonly since: DateTime.Utc }) | null
  readonly loginEnds: DateTime.Utc | null
  /** Figures of the last run that ended well. */
  readonly counts: LiveCounts | null
  readonly marks: ReadonlyArray<LiveSourceMark>
}

/** Everything that a run has read. It is written in one transaction: that of the acceptance, where documents are handed over. */
export interface PulledRun extends LiveSourceSettings {
  /** `planned`: a first run; nothing is taken, and the marks stay. `taken`: everything that was read is accounted for. */
  readonly stage: "planned" | "taken"
  readonly sweep: "done" | "not-due"
  readonly marks: ReadonlyArray<LiveSourceMark>
  readonly documents: ReadonlyArray<LiveDocument>
  readonly counts: LiveCounts
  /** In milliseconds since the epoch. */
  readonly loginEnds: number | null
}

/** How a source stands, for attention. */
export interface LiveSourceHealth extends LiveSourceState {
  /** How many documents of it the store has, counted up to 20. */
  readonly taken: number
  readonly refused: {
    readonly count: number
    readonly since: DateTime.Utc | null
    /** The first of them, at most three. */
    readonly first: ReadonlyArray<Pick<LiveDocument, "kind" | "id" | "number" | "codes">>
  }
}

/** Settings of a run that are used unless the host states others; docs/configuration.md has the reasons. */
export const liveDefaults = {
  overlap: Duration.minutes(5),
  clockSkew: Duration.minutes(5),
  sweep: Duration.days(7),
  quietAfter: Duration.days(7)
} as const

type StoreEffect<A> = Effect.Effect<A, StoreError>

/** Operations of the store for sources that are read live; each is one transaction. */
export interface LiveSourceOperations {
  /** The source, its marks and how its last run ended; undefined where the store does not know it. */
  readonly state: (key: LiveSourceKey) => StoreEffect<LiveSourceState | undefined>
  /** Those of the documents that were read before. */
  readonly documents: (
    key: LiveSourceKey,
    endpoint: string,
    ids: ReadonlyArray<string>
  ) => StoreEffect<ReadonlyArray<LiveDocument>>
  /** Documents of the endpoint that were modified in the time, or the last ones, without those that are gone. */
  readonly modified: (
    key: LiveSourceKey,
    endpoint: string,
    within: { readonly from: number; readonly limit: number }
  ) => StoreEffect<ReadonlyArray<LiveDocument>>
  /** Documents that are refused, the oldest first. */
  readonly refused: (key: LiveSourceKey) => StoreEffect<ReadonlyArray<LiveDocument>>
  /** Notes what a run has read where nothing is handed over. A mark never moves back. */
  readonly record: (run: PulledRun) => StoreEffect<void>
  /** Notes why a run ended without a result. */
  readonly stop: (settings: LiveSourceSettings, stop: LiveSourceStop) => StoreEffect<void>
}
