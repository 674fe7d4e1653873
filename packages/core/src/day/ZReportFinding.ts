import { catalogue } from "../finding/FindingCode.ts"

export const ZReportFinding = catalogue({
  Z_REPORT_FAILED: {
    severity: "error",
    meaning: "The fiscal day could not be closed",
    consequence:
      "The day stays open; when it is open for longer than the device allows, the device marks every receipt (RCPT041).",
    fix: "Look up the codes in the message: an employee of the authority must repair the receipts before the day can be closed."
  },
  Z_REPORT_UNBALANCED: {
    severity: "error",
    meaning: "The balances of the report do not match its sales, credit notes and debit notes (DOC-14)",
    consequence: "The figures of the day are not reliable.",
    fix: "Report the day to the gateway's support."
  },
  Z_REPORT_SIGN: {
    severity: "warning",
    meaning: "A counter of the report has the wrong sign for its kind (DOC-14)",
    consequence: "Sums for the day would be wrong.",
    fix: "Report the day to the gateway's support."
  },
  DAY_DIFFERS: {
    severity: "warning",
    meaning:
      "The counters of a closed fiscal day differ from the documents that the store shows as fiscalised on that day",
    consequence:
      "The device may have a receipt that is not in the store, or the store may show a document as fiscalised that has no receipt.",
    fix: "Compare the day with the store, and look up the named documents in the gateway's portal. If no document is named, another program uses the device: state that once for the device.",
    steps: [
      { do: "list", state: "Unknown" },
      { do: "list", state: "Expired" }
    ]
  },
  Z_REPORT_UNPLACED: {
    severity: "warning",
    meaning: "Documents of the day have codes whose tax on the device is not known",
    consequence: "These documents are left out of the comparison.",
    fix: "Compare the mappings and add the missing ones.",
    steps: [{ do: "compare-mappings" }]
  }
})
