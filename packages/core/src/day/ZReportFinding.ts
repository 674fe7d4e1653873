/** Findings about the report of a fiscal day, alone or compared with the store. */
import { catalogue } from "../finding/FindingCode.ts"

export const ZReportFinding = catalogue({
  Z_REPORT_FAILED: {
    severity: "error",
    meaning: "The fiscal day could not be closed",
    consequence: "The day stays open; past its longest duration the device marks every receipt (RCPT041).",
    fix: "Look up the codes in the message; an employee of the authority repairs the receipts, then the day is closed again."
  },
  Z_REPORT_UNBALANCED: {
    severity: "error",
    meaning: "The report's balances are not its sales, credit notes and debit notes (DOC-14)",
    consequence: "The day's figures cannot be relied on.",
    fix: "Report the day to the gateway's support."
  },
  Z_REPORT_SIGN: {
    severity: "warning",
    meaning: "A counter has a sign that its kind does not have (DOC-14)",
    consequence: "Sums over the day would be wrong.",
    fix: "Report the day to the gateway's support."
  },
  Z_REPORT_DIFFERS: {
    severity: "warning",
    meaning: "The day's counters are not what the store has fiscalised on that day",
    consequence: "Either something else feeds the device, or the store does not know everything that was fiscalised.",
    fix: "Look for documents that are Unknown or Expired, and for other users of the device.",
    steps: [
      { do: "list", state: "Unknown" },
      { do: "list", state: "Expired" }
    ]
  },
  Z_REPORT_UNPLACED: {
    severity: "warning",
    meaning: "Documents of the day carry codes that the gateway no longer maps",
    consequence: "They are left out of the comparison.",
    fix: "Look for missing mappings.",
    steps: [{ do: "compare-mappings" }]
  }
})
