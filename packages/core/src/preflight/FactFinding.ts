/**
 * Findings for guards that cannot be evaluated: the fact is missing, unreadable, not stated, or
 * accepted as unknown by an operator.
 */
import { catalogue } from "../finding/FindingCode.ts"

export const FactFinding = catalogue({
  FACT_UNREADABLE: {
    severity: "error",
    meaning: "The gateway states a fact that this document needs, and the form of the fact cannot be read",
    consequence:
      "The document is not sent, because the device might accept it as a red receipt. Documents that do not need the fact are sent.",
    fix: "Ask the gateway's operator to return the field as documented. To send without the check, accept the fact as unknown, with the reason.",
    steps: [{ do: "show-device" }, { do: "accept-unknown" }]
  },
  FACT_MISSING: {
    severity: "error",
    meaning: "The gateway does not state a fact that this document needs",
    consequence: "The document is not sent, because the device might accept it as a red receipt.",
    fix: "Complete the configuration of the device in the gateway's portal. To send without the check, accept the fact as unknown, with the reason.",
    steps: [{ do: "show-device" }, { do: "accept-unknown" }]
  },
  FACT_NOT_STATED: {
    severity: "warning",
    meaning: "The gateway does not state an optional fact",
    consequence: "The check that needs the fact is not made.",
    fix: "If this is intended, no action is needed. Otherwise enter the fact in the gateway's portal."
  },
  FACT_ACCEPTED: {
    severity: "warning",
    meaning: "An operator accepted that the gateway does not state a fact",
    consequence: "Documents are sent without the check that needs the fact, until the gateway states the fact again.",
    fix: "Enter the fact in the gateway's portal; the acceptance then ends automatically."
  }
})
