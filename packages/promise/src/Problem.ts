/** A problem with a stable code for programs, and a message and a fix for operators. */

import type { Key } from "./Key.ts"

export interface Problem {
  /** Stable code: `TAX_UNMAPPED`, `RCPT016`. `connector why CODE` explains it. */
  readonly code: string
  /** An `error` refuses the document; a `warning` is reported, and the document is sent. */
  readonly severity: "error" | "warning"
  readonly message: string
  /** Figures of this case; null if the message says everything. */
  readonly detail: string | null
  /** Action that solves the problem. */
  readonly fix: string
  /**
   * Path in the document: field names and indices from the root, such as
   * `["lines", 2, "quantity"]`. Empty for the document itself.
   */
  readonly path: ReadonlyArray<string | number>
  /** Documentation page of the code. */
  readonly docUrl: string
  /**
   * Document of a thrown problem. Absent in a result's problems, and for a problem of no document.
   */
  readonly document?: Key & { readonly number: string }
  /**
   * Statements of a file, with their treatment and up to three values; only for
   * `STATEMENTS_NOT_READ`. Contains texts of the export: do not log.
   */
  readonly statements?: ReadonlyArray<ExportStatement>
  /**
   * Possible answers of an operator. Absent if only the document or the export can be corrected.
   */
  readonly choices?: ReadonlyArray<Choice>
}

/**
 * Values of one column or field of a file, or one text outside its documents. Declared here, so
 * that a job without core checks: core's Statement is one of these.
 */
export interface ExportStatement {
  readonly place:
    | "column"
    | "field"
    | "row outside the table"
    | "sheet"
    | "cell comment"
    | "struck cell"
    | "number format"
    | "file name"
  /** Name of the column or sheet, path of the field, or text of the row. */
  readonly name: string
  /** Up to three different values, as in the file. */
  readonly samples: ReadonlyArray<string>
  /** `figures`: numbers that the documents also state. `constant`: one value in the whole file. */
  readonly values: "numbers" | "figures" | "texts" | "constant"
  /**
   * `held`: compared with what is read. `harmless`: by the documentation of the product.
   * `answered`: by the operator. `named`: shown to the operator as not read.
   */
  readonly treatment: "read" | "held" | "harmless" | "answered" | "named"
  /** Reason for the treatment. */
  readonly reason?: string
}

/**
 * One possible answer to an open question about an export or a document. `settles` names the field
 * that holds the answer.
 */
export type Choice = AnswerMeaning &
  (
    | {
        readonly settles: "options"
        /** Options to merge over the export's `options`. */
        readonly options: Readonly<Record<string, unknown>>
        readonly write: null
      }
    | {
        readonly settles: "book"
        /** Entries for the mapping book; `bookWith` writes them. */
        readonly entries: ReadonlyArray<BookEntry>
        /**
         * `fits`: the document's statements about the spelling support the answer. Fitting answers
         * come first.
         */
        readonly standing: "fits" | "possible"
        readonly options: null
        readonly write: null
      }
    | {
        readonly settles: "originals"
        /**
         * Number of the credit note: the key in `originals` of `plan` and `sync`; the value is the
         * number or id of the invoice.
         */
        readonly note: string
        readonly options: null
        readonly write: string
      }
    | {
        readonly settles: "writing"
        readonly options: null
        /**
         * Text that an operator has to complete: an option of the export, such as
         * `{"settings":{"currency":"…"}}`, or an entry of the column map.
         */
        readonly write: string
      }
  )

interface AnswerMeaning {
  /** Meaning of the answer; null if the problem says everything. */
  readonly reading: string | null
  /** Up to three cells as read with this answer. Contains figures of the export: do not log. */
  readonly examples: ReadonlyArray<string>
}

/** Entry of the mapping book for a spelling of the documents. */
export type BookEntry =
  | {
      readonly what: "tax"
      readonly spelling: string
      /**
       * Account's code of the tax. If the book already has a code for the device's tax, the book's
       * code.
       */
      readonly code: string
      /** Tax id of the device. */
      readonly device: number
      readonly name: string | null
      /** Percent as text, `"15"`; null for exempt, which differs from `"0"`. */
      readonly percent: string | null
      /** First and last day of the tax; null without a limit. */
      readonly since: string | null
      readonly until: string | null
      /** Conditions of an entry for a blank tax. */
      readonly account?: string | undefined
      readonly product?: string | undefined
    }
  | { readonly what: "currency"; readonly spelling: string; readonly code: string; readonly device: string }
  | { readonly what: "payment method"; readonly spelling: string; readonly method: string }
