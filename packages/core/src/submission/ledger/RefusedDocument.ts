/**
 * Documents that were given to an account and refused: they are not submissions, and stay counted
 * until they are taken, stated as not issued, withdrawn or dismissed.
 */
import type { DateTime, Effect } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import type { StoreError } from "./StoreError.ts"

/** Name of a refused document: its kind and id, or its kind and number without an id. */
export const nameOf = ({
  id,
  kind,
  number
}: {
  readonly kind: DocumentKind | null
  readonly id: string
  readonly number: string
}): string => `${kind ?? "record"} ${id || number}`

/** A refused document, as a file, a source or a program states it. */
export interface RefusedGiven {
  /** `nameOf` the document; a row that is not a document has a digest of its content. */
  readonly name: string
  readonly kind: DocumentKind | null
  readonly number: string
  readonly day: CivilDate | null
  /** Digest of what is stated, without its place. */
  readonly content: string
  readonly codes: ReadonlyArray<string>
  /** `now-late`: this run sends documents after which the document is late. */
  readonly dated: "now-late" | "as-before"
}

/** A refused document in the store. */
export interface StoredRefusal extends Omit<RefusedGiven, "dated"> {
  readonly account: string
  /** The source's name, or the format of the file. */
  readonly origin: string
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
  /** Time since which the document is late because others were sent; null if it is not. */
  readonly lateAt: DateTime.Utc | null
  readonly standing: "open" | "dismissed"
}

/** Result of a run for refused documents. */
export interface RefusedNote {
  readonly account: string
  readonly origin: string
  readonly refused: ReadonlyArray<RefusedGiven>
  /** Names of documents that are not refused any more: known, or stated as not issued. */
  readonly ended: ReadonlyArray<string>
}

/** Refused documents of one account and one cause, for attention. */
export interface RefusedCause {
  readonly account: string
  /** First code of the documents. */
  readonly cause: string
  readonly count: number
  readonly since: DateTime.Utc
  /** Number of documents that are fiscalised: the source has changed since. */
  readonly fiscalised: number
  /** Numbers of the first documents, at most three. */
  readonly first: ReadonlyArray<string>
}

/** Selection of refused documents to dismiss. Each given condition must match. */
export interface RefusedSelection {
  readonly account: string
  readonly cause?: string | undefined
  /** Numbers; empty: all of the cause. */
  readonly numbers: ReadonlyArray<string>
}

/** Store operations for refused documents. Each is one transaction. */
export interface RefusedOperations {
  /**
   * Records refused documents and ends others. A dismissed document stays dismissed while its
   * content and codes are equal.
   */
  readonly note: (note: RefusedNote) => Effect.Effect<void, StoreError>
  /** Returns the refused documents of an account, oldest first. */
  readonly of: (account: string) => Effect.Effect<ReadonlyArray<StoredRefusal>, StoreError>
  /** Dismisses documents: an operator's decision, with a reason. Returns their numbers. */
  readonly dismiss: (selection: RefusedSelection, because: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
}
