/** Type of the device's receipt rules (docs/gateway.md#rules). */
import type { Path } from "./Finding.ts"
import type { FindingCode } from "./FindingCode.ts"
import type { Step } from "./Step.ts"

/**
 * `red`: the fiscal day could not be closed. `yellow`: the device marks the receipt. `refuse`: the
 * device rejects the receipt.
 */
export type Color = "red" | "yellow" | "refuse"

export interface Rule extends FindingCode {
  readonly color: Color
}

export interface Violation {
  readonly path: Path
  readonly message?: string
  readonly detail?: string
  readonly fix?: string
  readonly steps?: ReadonlyArray<Step>
}
