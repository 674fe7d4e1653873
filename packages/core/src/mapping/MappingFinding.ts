import { catalogue } from "../finding/FindingCode.ts"

const rejected = "Documents with this code are refused and not sent, because the device would mark them red (RCPT025)."

export const MappingFinding = catalogue({
  MAPPING_REPOINTED: {
    severity: "error",
    meaning: "The gateway maps a code of the mapping book to another tax or currency than the mapping book",
    consequence:
      "The mapping is not changed. Mappings have no dates, so a change would also apply to earlier documents with the code and to documents that are being sent.",
    fix: "Give the new rate a new code in the mapping book, and end the old entry with `until`."
  },
  MAPPING_AMBIGUOUS: {
    severity: "error",
    meaning: "The gateway has two different mappings for one code",
    consequence: "The code is not changed, because it is not clear which mapping applies.",
    fix: "Delete the wrong mapping.",
    steps: [
      { do: "list-mappings", of: "tax" },
      { do: "list-mappings", of: "currency" }
    ]
  },
  MAPPING_UNREADABLE: {
    severity: "error",
    meaning: "A mapping of the gateway cannot be read, and may belong to a code of the mapping book",
    consequence:
      "Documents with the code are refused and not sent. The code is not added, because the gateway might then have two mappings for it.",
    fix: "Correct or delete the mapping in the gateway's portal, then plan again.",
    steps: [{ do: "list-mappings", of: "tax" }, { do: "list-mappings", of: "currency" }, { do: "compare-mappings" }]
  },
  MAPPING_REPEATED: {
    severity: "warning",
    meaning: "The gateway has the same mapping twice",
    consequence: "This has no effect until one of the two mappings is changed.",
    fix: "Plan again with deletions: the later mapping is then deleted.",
    steps: [{ do: "compare-mappings", extras: "delete" }]
  },
  MAPPING_EXTRA: {
    severity: "warning",
    meaning: "The gateway has a mapping that is not in the mapping book",
    consequence: "The mapping is not changed.",
    fix: "Add the mapping to the mapping book, or plan again with deletions.",
    steps: [{ do: "pull-mappings" }, { do: "compare-mappings", extras: "delete" }]
  },
  MAPPING_IN_USE: {
    severity: "error",
    meaning: "Documents in the store use a mapping that would be deleted or changed",
    consequence:
      "The mapping is not deleted or changed, because documents that are being sent, and credit notes for sent documents, need it.",
    fix: "Keep the code in the mapping book; if it is no longer used, add `until`."
  },
  MAPPING_PLAN_STALE: {
    severity: "error",
    meaning: "The mappings of the gateway or the mapping book have changed after the plan was made",
    consequence: "The rest of the plan is not applied.",
    fix: "Look at the changes, and plan again.",
    steps: [{ do: "compare-mappings" }]
  },
  DEVICE_TAX_GONE: {
    severity: "error",
    meaning: "The device does not have the tax that the mapping book names",
    consequence: `${rejected} No mapping to the tax is added.`,
    fix: "Set `device` of the entry to a tax of the device, and plan again.",
    steps: [{ do: "show-device" }, { do: "compare-mappings" }]
  },
  DEVICE_TAX_PERCENT: {
    severity: "error",
    meaning: "The tax has another percent on the device than in the mapping book",
    consequence: `${rejected} No mapping to the tax is added.`,
    fix: "If the rate changed, add a new code with `since`. Otherwise correct `percent` or `device`. Then plan again.",
    steps: [{ do: "show-device" }, { do: "compare-mappings" }]
  },
  DEVICE_TAX_PERIOD: {
    severity: "warning",
    meaning: "The mapping book uses a tax on days on which the device does not apply it",
    consequence: "Documents of those days are refused and not sent (RCPT025).",
    fix: "Set `since` and `until` of the tax in the book to the days on which the device applies it, add an entry for the other days, then plan again.",
    steps: [{ do: "compare-mappings" }]
  },
  DEVICE_TAX_ENDED: {
    severity: "warning",
    meaning: "An entry of the mapping book has ended, and the device no longer has its tax",
    consequence: "Credit notes for invoices of that period are refused and not sent (RCPT025).",
    fix: "Ask the gateway's support whether the device can still credit invoices of that period."
  },
  DEVICE_TAX_UNNAMED: {
    severity: "warning",
    meaning: "The device has a tax that is not in the mapping book",
    consequence: "No document can use the tax.",
    fix: "If documents will need the tax, for example a new rate, add an entry with `since`."
  },
  DEVICE_CURRENCY_UNSUPPORTED: {
    severity: "error",
    meaning: "The device does not support the currency that the mapping book names",
    consequence: "Documents in the currency are refused and not sent (RCPT010). No mapping to the currency is added.",
    fix: "Set `device` of the entry to a currency of the device, and plan again.",
    steps: [{ do: "show-currencies" }, { do: "compare-mappings" }]
  }
})
