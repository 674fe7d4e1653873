/** Problems between a mapping book, the gateway's mappings and the device's taxes. */
import { catalogue } from "../finding/FindingCode.ts"

const rejected = "Documents with this code are refused here, and would be marked red by the device (RCPT025)."

export const MappingFinding = catalogue({
  MAPPING_REPOINTED: {
    severity: "error",
    meaning: "The gateway maps a code of the book to something else than the book says",
    consequence:
      "Mappings have no dates: pointing the code elsewhere would also change what earlier documents under it mean, and those on their way. It is not done.",
    fix: "Give the new rate a new code in the book, and end the old entry with `until`."
  },
  MAPPING_AMBIGUOUS: {
    severity: "error",
    meaning: "The gateway maps one code twice, to different things",
    consequence: "It is not clear which of them applies. Nothing is done about the code.",
    fix: "Delete the wrong one.",
    steps: [
      { do: "list-mappings", of: "tax" },
      { do: "list-mappings", of: "currency" }
    ]
  },
  MAPPING_UNREADABLE: {
    severity: "error",
    meaning: "A row of the gateway's mappings cannot be read, and may map a code of the book",
    consequence:
      "The code is not added: the gateway would map it twice, perhaps to different things. Documents with the code are refused.",
    fix: "Have the row corrected or deleted in the gateway's portal, then plan again.",
    steps: [{ do: "list-mappings", of: "tax" }, { do: "list-mappings", of: "currency" }, { do: "compare-mappings" }]
  },
  MAPPING_REPEATED: {
    severity: "warning",
    meaning: "The gateway maps one code twice, to the same thing",
    consequence: "Nothing, until one of the two is changed.",
    fix: "Plan again with deletions: the later one is then deleted.",
    steps: [{ do: "compare-mappings", extras: "delete" }]
  },
  MAPPING_EXTRA: {
    severity: "warning",
    meaning: "The gateway has a mapping that the book does not name",
    consequence: "It stays as it is.",
    fix: "Add it to the book, or plan again with deletions.",
    steps: [{ do: "pull-mappings" }, { do: "compare-mappings", extras: "delete" }]
  },
  MAPPING_IN_USE: {
    severity: "error",
    meaning: "A mapping that would be deleted or changed is used by documents in the store",
    consequence: "Their credit notes, and documents being sent, need it. It is not deleted.",
    fix: "Keep the code in the book, with `until` if it is no longer used."
  },
  MAPPING_PLAN_STALE: {
    severity: "error",
    meaning: "The gateway's mappings, or the book, are not those the plan was made for",
    consequence: "Nothing more is done.",
    fix: "Look at what changed, and plan again.",
    steps: [{ do: "compare-mappings" }]
  },
  DEVICE_TAX_GONE: {
    severity: "error",
    meaning: "The device does not have the tax that the book names",
    consequence: rejected + " No mapping to it is added.",
    fix: "Correct `device` of the entry after the device's taxes, and plan again.",
    steps: [{ do: "show-device" }, { do: "compare-mappings" }]
  },
  DEVICE_TAX_PERCENT: {
    severity: "error",
    meaning: "The device's tax has another percent than the book says",
    consequence: rejected + " No mapping to it is added.",
    fix: "If the rate has changed, add a new code with `since`; else correct `percent` or `device`. Then plan again.",
    steps: [{ do: "show-device" }, { do: "compare-mappings" }]
  },
  DEVICE_TAX_PERIOD: {
    severity: "warning",
    meaning: "The book uses a tax on days on which the device does not apply it",
    consequence: "Documents of those days are refused (RCPT025).",
    fix: "Set `since` and `until` of the entry to the device's days, and add the entry of the other time; then plan again.",
    steps: [{ do: "compare-mappings" }]
  },
  DEVICE_TAX_ENDED: {
    severity: "warning",
    meaning: "The device no longer has the tax of an entry that has ended",
    consequence: "Credit notes of invoices of that time are refused (RCPT025).",
    fix: "Ask the gateway's support whether the device can still credit that time."
  },
  DEVICE_TAX_UNNAMED: {
    severity: "warning",
    meaning: "The device has a tax that no entry of the book names",
    consequence: "No document can use it.",
    fix: "Add an entry if documents will need it, e.g. for a new rate, with `since`."
  },
  DEVICE_CURRENCY_UNSUPPORTED: {
    severity: "error",
    meaning: "The device does not know the currency that the book maps to",
    consequence: "Documents in it are refused (RCPT010). No mapping to it is added.",
    fix: "Correct `device` of the entry after the device's currencies, and plan again.",
    steps: [{ do: "show-currencies" }, { do: "compare-mappings" }]
  }
})
