/** What can be found wrong, as data: one entry per stable code, with what follows from it and what to do. */

import type { Answer } from "./Answer.ts"
import type { Step } from "./Step.ts"

/** An `error` refuses its document (or, with no document, the rows it names); a `warning` is shown and the document goes on. */
export type Severity = "error" | "warning"

/** A code of the catalogue: severity, meaning, what follows, what to do. */
export interface FindingCode {
  /** Stable, upper case: `RCPT016`, `TAX_UNMAPPED`, `CSV_UNTERMINATED_QUOTE`. */
  readonly code: string
  readonly severity: Severity
  /** What is the matter, in general. */
  readonly meaning: string
  /** What would happen, or has happened, because of it. */
  readonly consequence: string
  /** What the person does next. */
  readonly fix: string
  /**
   * `elsewhere`: other records or rows show it, and the file of refused rows does not have them. There the reason itself is the evidence: the
   * document stays refused until the reason is taken out.
   */
  readonly evidence?: "elsewhere"
  /** Any of these settles it without a change to the export. */
  readonly answers?: ReadonlyArray<Answer>
  /** What the connector can do about it, in this order. */
  readonly steps?: ReadonlyArray<Step>
}

/** One package's or room's codes; the key is the code. */
export type Catalogue<Code extends string> = { readonly [C in Code]: FindingCode & { readonly code: C } }

/** Builds a catalogue from its entries, each under its own code. */
export const catalogue = <const Code extends string>(
  entries: Record<Code, Omit<FindingCode, "code">>
): Catalogue<Code> =>
  Object.fromEntries(
    Object.entries<Omit<FindingCode, "code">>(entries).map(([code, entry]) => [code, { code, ...entry }])
  ) as Catalogue<Code>

/** Returns, by name, the codes of which only the reason is evidence when a refused document is imported again. */
export const withEvidenceElsewhere = (codes: Iterable<FindingCode>): ReadonlyMap<string, FindingCode> =>
  new Map(Array.from(codes).flatMap((code) => (code.evidence === "elsewhere" ? [[code.code, code]] : [])))
