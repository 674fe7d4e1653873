/** One thing that is wrong, so that a program can switch on it and a person can act on it. */

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
}
