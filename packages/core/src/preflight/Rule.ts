/**
 * Type of the device's receipt rules that a client can check before sending
 * (docs/gateway.md#rules).
 */
import type { Money } from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { Step } from "../finding/Step.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { Translated } from "../translate/Translated.ts"

/**
 * `red`: the fiscal day could not be closed. `yellow`: the device marks the receipt. `refuse`: the
 * device rejects the receipt.
 */
export type Color = "red" | "yellow" | "refuse"

export interface Rule extends FindingCode {
  readonly color: Color
}

/** One breach of a rule, at a path of the source document. */
export interface Violation {
  readonly path: Path
  readonly message?: string
  readonly detail?: string
  /** Fix for this case, if the rule's own fix does not apply. */
  readonly fix?: string
  readonly steps?: ReadonlyArray<Step>
}

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
