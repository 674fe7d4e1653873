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
  /** Of an export that can be read in more than one way, or not yet: what a person may say to it, each with the options that say it. */
  readonly choices?: ReadonlyArray<Choice>
}

/** One way to settle what is open about an export. */
export interface Choice {
  /** What it would mean; null where the problem says all. */
  readonly reading: string | null
  /** Up to three cells as they would be read then: the export's own figures, so not for a log. */
  readonly examples: ReadonlyArray<string>
  /** What to lay over the export's `options`; null where a person has to write something. */
  readonly options: Readonly<Record<string, unknown>> | null
  /** What to write where `options` is null: the option to fill in, as `{"settings":{"currency":"…"}}`, or what the column map has to say. */
  readonly write: string | null
}
