/** Not submissions: counted until they are taken, stated as not issued, withdrawn or dismissed. */
import type { DateTime, Effect } from "effect"
import type { CivilDate } from "../../document/CivilDate.ts"
import type { DocumentKind } from "../../document/FiscalDocument.ts"
import type { StoreError } from "./StoreError.ts"

export const nameOf = ({
  id,
  kind,
  number
}: {
  readonly kind: DocumentKind | null
  readonly id: string
  readonly number: string
}): string => `${kind ?? "record"} ${id || number}`

export const unnumbered = "without a number"

export interface RefusedGiven {
  /** `nameOf` the document. One without an id and a number has a digest of its content. */
  readonly name: string
  readonly kind: DocumentKind | null
  readonly number: string
  readonly day: CivilDate | null
  readonly original: string | null
  readonly content: string
  readonly codes: ReadonlyArray<string>
  /** `now-late`: this run sends documents after which the document is late. */
  readonly dated: "now-late" | "as-before"
}

export interface StoredRefusal extends Omit<RefusedGiven, "dated"> {
  readonly account: string
  readonly origin: string
  readonly firstAt: DateTime.Utc
  readonly lastAt: DateTime.Utc
  /** Time since which the document is late because others were sent; null if it is not. */
  readonly lateAt: DateTime.Utc | null
  readonly standing: "open" | "dismissed"
}

export interface RefusedNote {
  readonly account: string
  readonly origin: string
  readonly refused: ReadonlyArray<RefusedGiven>
  readonly ended: ReadonlyArray<string>
}

export interface RefusedCause {
  readonly account: string
  readonly cause: string
  readonly count: number
  readonly since: DateTime.Utc
  /** Number of documents that are fiscalized: the source has changed since. */
  readonly fiscalised: number
  readonly first: ReadonlyArray<string>
}

/** Selection of refused documents to dismiss. Each given condition must match. */
export interface RefusedSelection {
  readonly account: string
  readonly cause?: string | undefined
  readonly numbers: ReadonlyArray<string>
}

export interface RefusedOperations {
  /**
   * Records refused documents and ends others. A dismissed document stays dismissed while its
   * content and codes are equal.
   */
  readonly note: (note: RefusedNote) => Effect.Effect<void, StoreError>
  readonly of: (account: string) => Effect.Effect<ReadonlyArray<StoredRefusal>, StoreError>
  readonly dismiss: (selection: RefusedSelection, because: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
}
