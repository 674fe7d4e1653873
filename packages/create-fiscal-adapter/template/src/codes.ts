/** What only this adapter can find wrong, each with what follows from it and what the person does next. */
import { catalogue } from "@fiscal-connector/core/finding/FindingCode"

export const Findings = catalogue({
  REFUND_WITHOUT_SALE: {
    severity: "warning",
    meaning: "A refund does not say which sale it refunds",
    consequence: "It is held until an operator states which invoice it credits.",
    fix: "Name the sale in the system, or settle it with --original REFUND=SALE."
  }
})
