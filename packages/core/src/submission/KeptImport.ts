/**
 * An import's inputs and each of its documents, so that their outcomes can be shown at any later
 * time.
 */
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Instant } from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import { catalogue } from "../finding/FindingCode.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { PlannedDocument } from "./PlannedDocument.ts"
import type { PlanResult, PlanVerdict } from "./PlanResult.ts"
import type { Option, Stream } from "effect"
import type { StoreEffect, StoreError } from "./ledger/StoreError.ts"
import type { RefusedNote } from "./ledger/RefusedDocument.ts"
import type { PulledRun } from "./LiveSourceState.ts"

/** An input file: name, size, and the SHA-256 of its bytes to compare another file with. */
export interface FileRecord {
  readonly name: string
  readonly bytes: number
  /** 64 hexadecimal digits, as `sha256sum` prints them. */
  readonly sha256: string
}

export interface ImportMade {
  /** Time at which the import was begun in the store, in the book's zone. */
  readonly at: Instant
  readonly destination: Pick<PlannedDocument, "account" | "taxpayer" | "lane" | "environment">
  readonly adapter: string
  readonly files: ReadonlyArray<FileRecord>
  readonly book: FileRecord | null
  /** Operator's settings for reading the files, under the adapter's names. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Operator who imported. Undefined in imports of earlier versions. */
  readonly by?: string
}

/** Number of documents of an import, and how many never reached the store. */
export interface ImportCounts {
  readonly documents: number
  readonly refused: number
  readonly skipped: number
}

/**
 * Progress of an import.
 *
 * `begun`: documents are being stored and nothing is accepted; the process may be gone.
 * `accepted`: all documents with consent are in the store, and documents wait for the hand-over.
 * `whole`: all documents were handed over.
 * `incomplete`: all documents were handed over, but the store did not take some. They stay among
 * the import's documents as refused, until an operator cancels the import.
 * `cancelled`: an operator ended the import, or an unaccepted import was abandoned for 24 hours.
 * The rest will never be handed over.
 * `unfinished`: an earlier version was interrupted during the hand-over, so documents of the files
 * may be missing.
 */
export type ImportStanding = "begun" | "accepted" | "whole" | "incomplete" | "cancelled" | "unfinished"

export interface KeptImport extends ImportMade, ImportCounts {
  readonly id: number
  readonly standing: ImportStanding
  readonly rest: number
}

export interface HandedOver {
  readonly import: number
  readonly results: ReadonlyArray<PlanResult>
}

export type ImportCanceling =
  | { readonly _tag: "Cancelled"; /** Number of documents that will never be handed over. */ readonly dropped: number }
  | { readonly _tag: "Refused"; readonly text: string }

export interface KeptShare {
  readonly taxCode: string
  readonly net: string
  readonly tax: string
  readonly total: string
}

/**
 * One document of an import, in plain JSON.
 *
 * `Stored`: the store has the document and its state under kind and id. `Stray`: rows without a
 * document. Personal data and quotations from the export are removed when the document is
 * forgotten.
 */
export interface KeptDocument {
  readonly is: "Stored" | "Refused" | "Skipped" | "Stray"
  readonly kind: DocumentKind | null
  readonly id: string | null
  readonly number: string
  readonly news: "new" | "known"
  /**
   * Day that decides when the document is forgotten. Null if the export states none; then the
   * import's day counts.
   */
  readonly day: CivilDate | null
  readonly source: Provenance
  /** Buyer, currency and total are present for a refused document with complete data, else null. */
  readonly buyer: string | null
  readonly currency: string | null
  readonly total: string | null
  readonly shares: ReadonlyArray<KeptShare> | null
  readonly said: string | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

export interface KeptPage {
  readonly import: number
  readonly documents: ReadonlyArray<KeptDocument>
}

export interface ImportQuery {
  readonly accounts?: ReadonlyArray<string>
  /** Default: all except imports of which the store keeps only waiting documents. */
  readonly standings?: ReadonlyArray<ImportStanding>
  readonly before?: number
  /** Default 50. */
  readonly limit?: number
}

/**
 * Finding for a document of an accepted import that the store did not take at the hand-over. The
 * document is stored with the reason.
 */
export const NotTakenFinding = catalogue({
  FILE_REFUSED: {
    severity: "error",
    meaning: "A file was not imported: it has a problem or an open question, and no operator was present to answer",
    consequence: "No document of the file was sent.",
    fix: "Import the file at a terminal or on the page: both show the problem or the question. The item ends when a file of this name is imported. If the file must not be imported, dismiss it with a reason."
  },
  NOT_TAKEN: {
    severity: "error",
    meaning: "A document of an accepted import could not be planned when the import was handed over",
    consequence: "The document was not sent, and is not sent automatically.",
    fix: "If the number is already used, give the document another number in the source and import it again. If the account moved to another device, import the document again without a change."
  }
})

/**
 * Returns the reason why the store did not take a document, or null if the store took the document.
 */
export const notTakenBecause = (verdict: PlanVerdict): string | null => {
  switch (verdict._tag) {
    case "NumberTaken":
      return `the number belongs to ${verdict.by.kind} ${verdict.by.id}, account ${verdict.by.account}`
    case "OtherLane":
      return `the account is pinned to device ${verdict.pinned} now`
    default:
      return null
  }
}

export const notTaken = ({ document, source, sourceDate }: PlannedDocument, reason: string): KeptDocument => ({
  is: "Refused",
  kind: document.kind,
  id: document.id,
  number: document.number,
  news: "new",
  day: sourceDate,
  source,
  buyer: document.buyer,
  currency: document.currency,
  total: Money.formatAmount(document.total),
  shares: null,
  said: null,
  findings: [Finding.make(NotTakenFinding.NOT_TAKEN, { detail: reason, at: source, path: ["number"] })]
})

export interface ImportOperations {
  /**
   * Begins an import and returns its id. No document of the import is accepted yet.
   *
   * `memory`: an import that is `kept` stays visible, `until-handed-over` only until all its
   * documents were handed over.
   */
  readonly beginImport: (made: ImportMade, memory: "kept" | "until-handed-over") => StoreEffect<number>
  readonly keepPage: (page: KeptPage) => StoreEffect<void>
  readonly keepRest: (id: number, documents: ReadonlyArray<PlannedDocument>) => StoreEffect<void>
  /**
   * Accepts an import: from this commit on, all its stored documents will be handed over, by this
   * process or another.
   *
   * `pulled`: the run of a live source that read the documents. The run's marks move in the same
   * commit. `refused`: the refused documents of the plan, recorded in the same commit.
   */
  readonly acceptImport: (
    id: number,
    counts: ImportCounts,
    pulled?: PulledRun,
    refused?: RefusedNote
  ) => StoreEffect<void>
  /**
   * Plans the next waiting documents of accepted imports of these accounts, as translated at
   * acceptance. Returns none if no document waits.
   */
  readonly handOver: (accounts: ReadonlyArray<string>) => StoreEffect<Option.Option<HandedOver>>
  /**
   * Ends an import for good. Documents already handed over stay as they are, the rest is dropped.
   * An operator's decision.
   */
  readonly cancelImport: (id: number, because?: string) => StoreEffect<ImportCanceling>
  readonly imports: (query: ImportQuery) => StoreEffect<ReadonlyArray<KeptImport>>
  readonly importOf: (id: number) => StoreEffect<Option.Option<KeptImport>>
  readonly importDocuments: (id: number) => Stream.Stream<ReadonlyArray<KeptDocument>, StoreError>
}
