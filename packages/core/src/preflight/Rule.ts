/** The device's receipt rules a client can check before it sends (docs/gateway.md#rules), as data. */
import type { Money } from "../document/Money.ts"
import type { Path } from "../finding/Finding.ts"
import type { Step } from "../finding/Step.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { Translated } from "../translate/Translated.ts"

/** `red`: the fiscal day could not be closed. `yellow`: the receipt is marked. `refuse`: the device would not take it. */
export type Colour = "red" | "yellow" | "refuse"

export interface Rule extends FindingCode {
  readonly colour: Colour
}

/** One breach of a rule, at a path of the source document. */
export interface Violation {
  readonly path: Path
  readonly message?: string
  readonly detail?: string
  /** What to do in this case, where the rule's own advice is none. */
  readonly fix?: string
  readonly steps?: ReadonlyArray<Step>
}

/** Switches of assumption DOC-7, amounts in the document's currency. */
export interface Tolerances {
  /** For sums and group taxes; 0 unless switched, at most 0.02. */
  readonly sums: Money
  /** For a line's product; 0.01. */
  readonly lineProduct: Money
}

/** A rule that one document can be held against by itself. `totals` rules only make sense on a complete document. */
export interface DocumentRule {
  readonly rule: Rule
  readonly scope: "document" | "totals"
  check(translated: Translated, tolerances: Tolerances): Iterable<Violation>
}
