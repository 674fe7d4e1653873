/** Figures about the newest requests of an account: everything that was seen of its gateway. */

export interface GatewaySeen {
  readonly requestIds: { readonly all: number; readonly quoted: number; readonly withoutDigit: number }
  readonly pending: number
  readonly delivered: { readonly all: number; readonly early: number }
  readonly toOutcome: { readonly medianMillis: number; readonly longestMillis: number } | null
  readonly failures: {
    readonly all: number
    readonly coded: number
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
    readonly sharedProof: number
    readonly sharedNumber: number
    readonly outOfOrder: number
    readonly pdfPaths: number
    readonly pdfs: number
  }
  readonly retries: {
    readonly all: number
    readonly sameId: number
    readonly twoReceipts: number
  }
  readonly refused: ReadonlyArray<{ readonly status: number; readonly count: number }>
  /** Outcomes without a known request that arrived within 15 minutes after such an answer. */
  readonly afterRefusal: number
}
