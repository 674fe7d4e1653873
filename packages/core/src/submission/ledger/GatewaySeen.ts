/** Figures about the newest requests of an account: everything that was seen of its gateway. */

/** Figures of one account. */
export interface GatewaySeen {
  /** Request ids in answers to submissions, and those with a quote or without a digit. */
  readonly requestIds: { readonly all: number; readonly quoted: number; readonly withoutDigit: number }
  /** Requests that a status reported as pending. */
  readonly pending: number
  /** Outcomes in signed deliveries, and those that came before the answer to the submission. */
  readonly delivered: { readonly all: number; readonly early: number }
  /** Time from acceptance to the outcome. Null without an outcome. */
  readonly toOutcome: { readonly medianMillis: number; readonly longestMillis: number } | null
  readonly failures: {
    readonly all: number
    /** Failures whose text has a code of the authority. */
    readonly coded: number
    /** Failures that were reported as final. */
    readonly final: number
    /**
     * Requests that were reported as a success after a failure: one with the code of a receipt
     * rule, one that was settled without a code, and a text that had settled nothing.
     */
    readonly thenSuccess: { readonly coded: number; readonly settled: number; readonly text: number }
  }
  readonly receipts: {
    readonly all: number
    readonly withoutProof: number
    /** Receipts whose verification code another document has, too. */
    readonly sharedProof: number
    /** Receipts with the same number on the same day of the same device. */
    readonly sharedNumber: number
    /** Neighbors in the order of acceptance whose receipt numbers fall. */
    readonly outOfOrder: number
    /** Names of PDFs that are not one path segment. */
    readonly pdfPaths: number
    readonly pdfs: number
  }
  readonly retries: {
    readonly all: number
    /** Retries that were answered with the request id of an earlier attempt. */
    readonly sameId: number
    /** Documents with receipts under two request ids. */
    readonly twoReceipts: number
  }
  /** Answers to submissions that count as proof that nothing was processed, by status. */
  readonly refused: ReadonlyArray<{ readonly status: number; readonly count: number }>
  /** Outcomes without a known request that arrived within 15 minutes after such an answer. */
  readonly afterRefusal: number
}
