/** Queries for submissions and changes, and their results. */
import type { DateTime } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { State, Submission } from "./Submission.ts"

/** Filter for submissions. */
export interface ListQuery {
  readonly accounts?: ReadonlyArray<string>
  readonly lane?: string
  readonly states?: ReadonlyArray<State>
  /** Only invoices, or only credit notes. */
  readonly kind?: DocumentKind
  /** First and last day of the document's own date, both inclusive. */
  readonly datedFrom?: CivilDate
  readonly datedTo?: CivilDate
  /** Submissions whose state changed at this time or later. */
  readonly changedFrom?: DateTime.DateTime
  /** Submissions after this `seq`. */
  readonly after?: number
  /** Submissions before this `seq`. */
  readonly before?: number
  /** Order of planning, or the reverse. Default `oldest-first`. */
  readonly order?: "oldest-first" | "newest-first"
  /**
   * Further filter: text in the number, the identifier or the buyer's name, ignoring the case of
   * ASCII letters.
   */
  readonly matching?: string
  /** Default 200. */
  readonly limit?: number
}

/** Filter for changes. */
export interface ChangeQuery {
  readonly accounts?: ReadonlyArray<string>
  /** Position to start after. Default: the first change. */
  readonly after?: number
  /** Changes at this time and later. */
  readonly since?: DateTime.Utc
  /**
   * `newest-first`: for callers that start now, or check for any change. Default `oldest-first`.
   */
  readonly order?: "oldest-first" | "newest-first"
  /** Default 200. */
  readonly limit?: number
}

/** A submission with its current state, at its position in the order of last changes. */
export interface ChangedSubmission {
  readonly submission: Submission
  /** Grows. Pass the position as `after` for the next page. */
  readonly position: number
  /** Time of the change. */
  readonly at: DateTime.Utc
  /**
   * `recent`: a concurrent commit may still get an earlier position. A reader that stores a
   * position must store an earlier, `final` one.
   */
  readonly order: "final" | "recent"
}

/** Number of documents by outcome in one interval. */
export interface Activity {
  /** Start of the interval. */
  readonly from: DateTime.Utc
  readonly counts: Readonly<Partial<Record<State, number>>>
}
