import { catalogue } from "../finding/FindingCode.ts"

const unsent = "Nothing can be sent for the account."

export const DoctorFinding = catalogue({
  REQUESTS_UNSIGNED: {
    severity: "warning",
    meaning: "The account has no secret",
    consequence:
      "Requests are not signed, and webhook deliveries are not trusted: the connector asks for outcomes instead.",
    fix: "If the gateway issued a secret, name its file in secretFile of the account."
  },
  CLOCK_SKEW: {
    severity: "warning",
    meaning: "The clock of this machine differs from the gateway's clock",
    consequence:
      "If a receipt date is ahead of the device's clock, the receipt is marked (RCPT031) and every other receipt until that date is refused.",
    fix: "Set the clock of this machine by a time server."
  },
  SUBSCRIPTION_ENDS: {
    severity: "warning",
    meaning: "The device's subscription ends within 14 days, or its end date has passed",
    consequence: "Without a subscription the device does not accept documents.",
    fix: "Renew the subscription in the gateway's portal."
  },
  PERMISSION_ENDS: {
    severity: "warning",
    meaning: "A permission of the device ends soon, or has ended",
    consequence:
      "After the end of the permission, the imports that it allows are refused: historical batches, or credit notes without an original.",
    fix: "If you plan such an import, extend the permission in the gateway's portal before it. Otherwise no action is needed."
  },
  ENVIRONMENT_MIXED: {
    severity: "error",
    meaning: "The store has sent documents of this account to another device or environment",
    consequence:
      "Numbers and receipt dates belong to one device; a test device and a live device must not share an account.",
    fix: "Use a separate account name and configuration for each device."
  },
  STORE_UNUSABLE: {
    severity: "error",
    meaning: "The store cannot be opened or read",
    consequence: unsent,
    fix: "Look up the code that is shown, such as STORE_UNAVAILABLE or STORE_CORRUPT."
  },
  STORE_NEEDS_LOOK: {
    severity: "warning",
    meaning: "A problem in the store needs a decision of the operator",
    consequence: "The documents of the problem are not processed until the operator decides.",
    fix: "Look at the problem, and look up the code that is shown.",
    steps: [{ do: "health" }]
  },
  GATEWAY_DIFFERS: {
    severity: "warning",
    meaning: "The gateway has behaved differently from an assumption of the connector",
    consequence: "Answers of the gateway may be read wrongly: the page of the assumption states the symptom.",
    fix: "Compare the observation with the page of the assumption. If a setting is shown and fits your gateway, add it to `assumptions` of the account. The connector changes no setting automatically."
  },
  MAPPINGS_DIFFER: {
    severity: "error",
    meaning: "The mappings of the gateway differ from the mapping book",
    consequence: "Documents with the named codes are not sent.",
    fix: "Plan the changes of the mappings, check the plan, then apply it.",
    steps: [{ do: "compare-mappings" }]
  },
  MAPPING_NAMES_DIFFER: {
    severity: "warning",
    meaning: "The gateway has another name for a tax code than the mapping book",
    consequence: "Only the name on the receipt differs; the tax is the same.",
    fix: "Plan the changes of the mappings and apply them, or write the gateway's name into the mapping book.",
    steps: [{ do: "compare-mappings" }]
  }
})
