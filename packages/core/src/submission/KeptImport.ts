/** An import as the store remembers it: what it was made of, and each of its documents, so that what became of them can be shown at any later time. */
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Instant } from "../document/Instant.ts"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import { catalogue } from "../finding/FindingCode.ts"
import type { Provenance } from "../finding/Provenance.ts"
import type { PlannedDocument } from "./PlannedDocument.ts"
import type { PlanResult, PlanVerdict } from "./PlanResult.ts"

/** A file as it was read: its name, its size, and the SHA-256 of its bytes, by which anybody can tell whether another file is the same. */
export interface FileRecord {
  readonly name: string
  readonly bytes: number
  /** 64 hexadecimal digits, as `sha256sum` prints them. */
  readonly sha256: string
}

/** What an import was made of. */
export interface ImportMade {
  /** When it was handed to the store, in the book's zone. */
  readonly at: Instant
  /** Where it went: account, taxpayer, device and environment. */
  readonly destination: Pick<PlannedDocument, "account" | "taxpayer" | "lane" | "environment">
  /** By which adapter the files were read. */
  readonly adapter: string
  readonly files: ReadonlyArray<FileRecord>
  readonly book: FileRecord | null
  /** What a person has said about how the files are to be read, by the names the adapter has for it. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** How many documents an import had, and how many of them never came into the store. */
export interface ImportCounts {
  readonly documents: number
  readonly refused: number
  readonly skipped: number
}

/**
 * How far an import has come. `begun`: documents are being kept, and nothing was accepted; the process may be gone. `accepted`: everything that
 * was consented to is in the store, and documents wait to be handed over. `whole`: everything was handed over. `incomplete`: the same, and the store did not take some documents; they are
 * among the import's documents, as refused, until an operator cancels the import. `cancelled`: an operator ended the
 * import, and what had not been handed over never will be. `unfinished`: an earlier version broke off while it handed over, so that documents of
 * the files may be missing.
 */
export type ImportStanding = "begun" | "accepted" | "whole" | "incomplete" | "cancelled" | "unfinished"

/** An import of the store. */
export interface KeptImport extends ImportMade, ImportCounts {
  /** Grows with every import of the store. */
  readonly id: number
  readonly standing: ImportStanding
  /** Documents that wait to be handed over. */
  readonly rest: number
}

/** Documents of an import that were handed over together, and what planning each of them resulted in. */
export interface HandedOver {
  readonly import: number
  readonly results: ReadonlyArray<PlanResult>
}

/** What cancelling an import resulted in. */
export type ImportCancelling =
  | { readonly _tag: "Cancelled"; /** Documents that are never handed over now. */ readonly dropped: number }
  | { readonly _tag: "Refused"; readonly because: string }

/** What of a document goes under one tax code, as texts of exact amounts. */
export interface KeptShare {
  readonly taxCode: string
  readonly net: string
  readonly tax: string
  readonly total: string
}

/**
 * One document of an import, in plain JSON. `Stored`: the store has it under its kind and id, and says how it stands. `Stray`: rows that belong to
 * no document. What names people or quotes the export is gone once it is forgotten.
 */
export interface KeptDocument {
  readonly is: "Stored" | "Refused" | "Skipped" | "Stray"
  readonly kind: DocumentKind | null
  readonly id: string | null
  readonly number: string
  /** Whether the store had it before. */
  readonly news: "new" | "known"
  /** The day by which it is forgotten; null where the export states none, and the import's day counts. */
  readonly day: CivilDate | null
  readonly source: Provenance
  /** Of one that was refused, where it could be shaped. */
  readonly buyer: string | null
  readonly currency: string | null
  readonly total: string | null
  /** Its taxes, where they can be told apart. */
  readonly shares: ReadonlyArray<KeptShare> | null
  /** Why it was skipped. */
  readonly said: string | null
  readonly findings: ReadonlyArray<Finding.Finding>
}

/** Documents that are remembered together, and the import they belong to. */
export interface KeptPage {
  readonly import: number
  readonly documents: ReadonlyArray<KeptDocument>
}

/** Which imports are asked for, the newest first. */
export interface ImportQuery {
  readonly accounts?: ReadonlyArray<string>
  /** Default: all but imports of which the store keeps only what waits. */
  readonly standings?: ReadonlyArray<ImportStanding>
  /** Imports before this id. */
  readonly before?: number
  /** Default 50. */
  readonly limit?: number
}

/** Documents of an accepted import that the store did not take when they were handed over; they are kept with the reason. */
export const NotTakenFinding = catalogue({
  NOT_TAKEN: {
    severity: "error",
    meaning: "A document of an accepted import could not be planned when the import was handed over",
    consequence: "Nothing of it was sent, and it is not sent automatically.",
    fix: "If the number is taken, give the document another number in the source. If the account moved to another device, leave it. Then import the document again."
  }
})

/** Why the store did not take a document; null where it did. */
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

/** The document as its import remembers it. */
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
