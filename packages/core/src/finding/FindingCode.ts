/** Catalog of findings as data: one entry per stable code, with consequence and fix. */

import type { Answer } from "./Answer.ts"
import type { Step } from "./Step.ts"

/**
 * An `error` refuses its document (or, without a document, the named rows). A `warning` is shown
 * and the document continues.
 */
export type Severity = "error" | "warning"

/** A code of the catalog: severity, meaning, consequence and fix. */
export interface FindingCode {
  /** Stable code in upper case: `RCPT016`, `TAX_UNMAPPED`, `CSV_UNTERMINATED_QUOTE`. */
  readonly code: string
  readonly severity: Severity
  readonly meaning: string
  readonly consequence: string
  /** Next action of the operator. */
  readonly fix: string
  /**
   * `elsewhere`: evidence is in other records or rows, which a file of refused rows does not
   * contain. There the stated reason is the evidence: the document stays refused until the reason
   * is removed.
   */
  readonly evidence?: "elsewhere"
  /** Answers, each of which settles the finding without a change to the export. */
  readonly answers?: ReadonlyArray<Answer>
  /** Actions of the connector, in order. */
  readonly steps?: ReadonlyArray<Step>
}

/** The codes of one package or room, keyed by code. */
export type Catalogue<Code extends string> = { readonly [C in Code]: FindingCode & { readonly code: C } }

/** Builds a catalog and adds each code to its entry. */
export const catalogue = <const Code extends string>(
  entries: Record<Code, Omit<FindingCode, "code">>
): Catalogue<Code> =>
  Object.fromEntries(
    Object.entries<Omit<FindingCode, "code">>(entries).map(([code, entry]) => [code, { code, ...entry }])
  ) as Catalogue<Code>

/**
 * Returns, by name, the codes whose only evidence is the stated reason when a refused document is
 * imported again.
 */
export const withEvidenceElsewhere = (codes: Iterable<FindingCode>): ReadonlyMap<string, FindingCode> =>
  new Map(Array.from(codes).flatMap((code) => (code.evidence === "elsewhere" ? [[code.code, code]] : [])))
