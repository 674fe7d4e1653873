/** Type of the receipt rules that need only the document (docs/gateway.md#rules). */
import type { Money } from "../document/Money.ts"
import type { Rule, Violation } from "../finding/Rule.ts"
import type { Translated } from "../translate/Translated.ts"

/** Switches of assumption DOC-7, amounts in the document's currency. */
export interface Tolerances {
  /** Tolerance for sums and group taxes; 0 by default, at most 0.02. */
  readonly sums: Money
  /** Tolerance for a line's product; 0.01. */
  readonly lineProduct: Money
}

/** A rule that needs only the document. `totals` rules apply only to a complete document. */
export interface DocumentRule {
  readonly rule: Rule
  readonly scope: "document" | "totals"
  check(translated: Translated, tolerances: Tolerances): Iterable<Violation>
}
