/**
 * Findings of `connector doctor`, in addition to the findings of the rooms that the doctor calls.
 */
import { catalogue } from "../finding/FindingCode.ts"

const unsent = "Nothing can be sent for the account."

export const DoctorFinding = catalogue({
  REQUESTS_UNSIGNED: {
    severity: "warning",
    meaning: "The account has no secret",
    consequence: "Requests go unsigned, and what a webhook delivers is never believed: outcomes are asked for instead.",
    fix: "Give the account its secret (secretFile), where the gateway issued one."
  },
  CLOCK_SKEW: {
    severity: "warning",
    meaning: "This machine's clock differs from the gateway's",
    consequence:
      "A receipt dated ahead of the device's clock is marked (RCPT031), and every receipt until then is refused.",
    fix: "Let the machine's clock be set by a time server."
  },
  SUBSCRIPTION_ENDS: {
    severity: "warning",
    meaning: "The device's subscription ends soon, or has just ended",
    consequence: "Without it the device takes nothing.",
    fix: "Renew it in the gateway's portal."
  },
  PERMISSION_ENDS: {
    severity: "warning",
    meaning: "A permission of the device ends soon, or has ended",
    consequence: "Historical batches, and credit notes without original, are refused from then on.",
    fix: "Have it prolonged in the gateway's portal before the next such import; otherwise nothing."
  },
  ENVIRONMENT_MIXED: {
    severity: "error",
    meaning: "The store has sent this account's documents to another device or environment",
    consequence:
      "Numbers and receipt dates belong to one device; a test device and a live one must not share an account.",
    fix: "Use one account name, and one configuration, per device."
  },
  STORE_UNUSABLE: {
    severity: "error",
    meaning: "The store cannot be opened or read",
    consequence: unsent,
    fix: "Look up the code that is shown: STORE_UNAVAILABLE, STORE_CORRUPT, STORE_FOREIGN or STORE_NEWER_VERSION."
  },
  STORE_NEEDS_LOOK: {
    severity: "warning",
    meaning: "Something in the store waits for an operator",
    consequence: "It does not continue without an operator.",
    fix: "Look at it, and look up the code that is shown.",
    steps: [{ do: "health" }]
  },
  MAPPINGS_DIFFER: {
    severity: "error",
    meaning: "The gateway does not map what the book says",
    consequence: "Documents with the codes named are not sent.",
    fix: "Have the mappings planned, look at the plan, and have it done.",
    steps: [{ do: "compare-mappings" }]
  },
  MAPPING_NAMES_DIFFER: {
    severity: "warning",
    meaning: "The gateway calls a tax code otherwise than the book",
    consequence: "Only the name on the receipt differs; the tax is the same.",
    fix: "Have the mappings planned and done; or take the gateway's name into the book.",
    steps: [{ do: "compare-mappings" }]
  }
})
