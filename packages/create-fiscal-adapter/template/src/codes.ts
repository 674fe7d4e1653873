/** Findings of this adapter alone, each with its consequence and a fix. */
import { FindingCode } from "@fiscal-connector/core/adapter"

export const Findings = FindingCode.catalogue({
  REFUND_WITHOUT_SALE: {
    severity: "warning",
    meaning: "A refund does not say which sale it refunds",
    consequence: "It is held until an operator states which invoice it credits.",
    fix: "Name the sale in the system, or settle it with --original REFUND=SALE."
  }
})
