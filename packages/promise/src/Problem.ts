/** One thing that is wrong, so that a program can switch on it and a person can act on it. */

import type { Key } from "./Key.ts"

export interface Problem {
  /** Stable: `TAX_UNMAPPED`, `RCPT016`. `connector why CODE` explains it. */
  readonly code: string
  /** An `error` refuses its document; a `warning` is said, and the document goes on. */
  readonly severity: "error" | "warning"
  readonly message: string
  /** The figures of this one case; null where the message says all. */
  readonly detail: string | null
  /** What to do about it. */
  readonly fix: string
  /** Where in the document: field names and indices from its root, as `["lines", 2, "quantity"]`. Empty: the document itself. */
  readonly path: ReadonlyArray<string | number>
  /** The code's page. */
  readonly docUrl: string
  /** Of a thrown problem: the document that it is found in. Absent where a result has the problem, or it belongs to no document. */
  readonly document?: Key & { readonly number: string }
  /** What a person may say to it, each with what says it; none where only the document, or the export, can be corrected. */
  readonly choices?: ReadonlyArray<Choice>
}

/** One way to settle what is open about an export or a document: `settles` says which field has the answer. */
export type Choice = Meant &
  (
    | {
        readonly settles: "options"
        /** What to lay over the export's `options`. */
        readonly options: Readonly<Record<string, unknown>>
        readonly write: null
      }
    | {
        readonly settles: "book"
        /** What to write into the mapping book: `bookWith` does. */
        readonly entries: ReadonlyArray<BookEntry>
        /** `fits`: what the document states of the spelling speaks for it. Those come first. */
        readonly standing: "fits" | "possible"
        readonly options: null
        readonly write: null
      }
    | {
        readonly settles: "originals"
        /** The credit note's number: the key in `originals` of `plan` and `sync`, whose value is the number or id of its invoice. */
        readonly note: string
        readonly options: null
        readonly write: string
      }
    | {
        readonly settles: "writing"
        readonly options: null
        /** What a person has to fill in: an option of the export, as `{"settings":{"currency":"…"}}`, or what the column map has to say. */
        readonly write: string
      }
  )

interface Meant {
  /** What it would mean; null where the problem says all. */
  readonly reading: string | null
  /** Up to three cells as they would be read then: the export's own figures, so not for a log. */
  readonly examples: ReadonlyArray<string>
}

/** What a spelling of the documents means, for the mapping book. */
export type BookEntry =
  | {
      readonly what: "tax"
      readonly spelling: string
      /** The account's code of the tax; the book's own where it has one for the device's tax. */
      readonly code: string
      /** The device's tax id. */
      readonly device: number
      readonly name: string | null
      /** `"15"`; null is exempt, which is not `"0"`. */
      readonly percent: string | null
      /** The first and last day of the tax; null without a limit. */
      readonly since: string | null
      readonly until: string | null
      /** What an entry for a blank tax is limited to. */
      readonly account?: string | undefined
      readonly product?: string | undefined
    }
  | { readonly what: "currency"; readonly spelling: string; readonly code: string; readonly device: string }
  | { readonly what: "payment method"; readonly spelling: string; readonly method: string }
