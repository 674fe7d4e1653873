/** Kinds of problems that an operator has to look at. */
import { ZReportFinding } from "../day/ZReportFinding.ts"
import { lateRequest } from "../submission/ledger/QuietPeriod.ts"
import type { Step } from "../finding/Step.ts"

/** Problems of a fiscal day. */
export type DayCode = "DAY_FAILED" | "DAY_MISSING" | "DAY_OVERLONG" | "DAY_DIFFERS" | "RECEIPT_NOT_OURS"

/** Every kind of item. */
export type AttentionCode =
  | DayCode
  | "ACCOUNT_STOPPED"
  | "STORE_UNGUARDED"
  | "STORE_UNWRITTEN"
  | "SENT_UNCHECKED"
  | "STOPPED"
  | "NOT_WORKED"
  | "UNKNOWN"
  | "HELD"
  | "EXPIRED"
  | "FAILED_AT_GATEWAY"
  | "HORIZON_NEAR"
  | "UNANSWERED"
  | "ANSWER_UNPROVEN"
  | "STUCK"
  | "IMPORT_WAITS"
  | "IMPORT_INCOMPLETE"
  | "IMPORT_BROKE_OFF"
  | "IMPORT_NOT_ACCEPTED"
  | "IMPORT_REFUSED"
  | "CONFLICT"
  | "PROOF_MISSING"
  | "UNMATCHED"
  | "SOURCE_STOPPED"
  | "SOURCE_NOT_READ"
  | "SOURCE_SILENT"
  | "SOURCE_LOGIN_ENDS"

/** Meaning of a kind of item. */
export interface AttentionText {
  readonly meaning: string
  readonly consequence: string
  readonly fix: string
  readonly until: string
  /** Order of severity: the lower, the worse. */
  readonly rank: number
  /** Steps for the code's page. The actions of an item are chosen by the current state. */
  readonly steps?: ReadonlyArray<Step>
}

const differs = ZReportFinding.DAY_DIFFERS

/** Texts of every kind. */
export const texts: Readonly<Record<AttentionCode, AttentionText>> = {
  ACCOUNT_STOPPED: {
    meaning: "The account cannot send documents",
    consequence: "Nothing is sent for the account until the cause is removed.",
    fix: "Look up the cause that is shown, remove it, and resume sending.",
    until:
      "The item stays until the account is opened successfully, or for 7 days after the last try if no document waits.",
    rank: 0,
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  STOPPED: {
    meaning: "Sending to a device is stopped",
    consequence: "Nothing is sent to the device until the cause is removed.",
    fix: "Look up the cause that is shown in brackets.",
    until: "The stop ends when the cause is removed and the account is opened again.",
    rank: 1
  },
  DAY_FAILED: {
    meaning: "A fiscal day could not be closed",
    consequence:
      "The day stays open; when it is open for longer than the device allows, the device marks every receipt (RCPT041).",
    fix: "Look up the codes in the message: the authority must repair the receipts before the day can be closed.",
    until: "The item stays until a report of the day shows that it was closed.",
    rank: 2,
    steps: [{ do: "doctor" }]
  },
  DAY_MISSING: {
    meaning: "A fiscal day has no report, although a later day has one",
    consequence: "The counters of the day cannot be compared with the documents that were sent.",
    fix: "Ask the gateway's support for the report of the day.",
    until: "The item stays until the report arrives, 20 later days have reports, or an operator acknowledges the day.",
    rank: 3
  },
  DAY_DIFFERS: {
    meaning: "A day report and the documents sent differ",
    consequence: differs.consequence,
    fix: differs.fix,
    until:
      "The item stays until the counters agree, 20 later days have reports, or an operator acknowledges the difference. A worker compares again every 15 minutes; another difference is a new item.",
    rank: 4
  },
  RECEIPT_NOT_OURS: {
    meaning: "Receipt numbers of the device are missing in the store",
    consequence:
      "The device may have made a receipt that is not in the store: a second one, or one of another program.",
    fix: "Look up the missing numbers in the gateway's portal. If another till or program uses the device, state that for the device.",
    until:
      "The item stays until a receipt of the store has the number, the counters of the day agree without it, 20 later days have reports, or an operator acknowledges it.",
    rank: 4
  },
  DAY_OVERLONG: {
    meaning: "The fiscal day is open for longer than the device allows",
    consequence: "The device marks every receipt until the day is closed (RCPT041).",
    fix: "Close the day in the gateway's portal, or ask the gateway's support to close it.",
    until: "The item stays until the day is closed.",
    rank: 2,
    steps: [{ do: "doctor" }]
  },
  CONFLICT: {
    meaning: "What is known of a document contradicts itself",
    consequence: "The recorded result of a document may be wrong.",
    fix: "Look at each document, resolve its contradiction, and record that it is resolved.",
    until: "The item stays until a decision about each document is recorded.",
    rank: 5,
    steps: [{ do: "list" }, { do: "explain" }]
  },
  UNKNOWN: {
    meaning: "It is not known whether a document arrived",
    consequence: "Later documents of the device wait, so that none is fiscalised twice.",
    fix: `Look up each document in the gateway's portal, and record the outcome. ${lateRequest}`,
    until:
      "The item stays until the outcome arrives or an operator records it. During the quiet period after the request, a decision to send the document again is refused; the refusal shows when the period ends.",
    rank: 6,
    steps: [
      { do: "list", state: "Unknown" },
      { do: "explain" },
      { do: "resolve", as: "accepted" },
      { do: "resolve", as: "fiscalised" },
      { do: "resolve", as: "not-processed" }
    ]
  },
  EXPIRED: {
    meaning: "The gateway no longer reports an outcome",
    consequence: "It is not known whether the documents were fiscalised.",
    fix: "Look up each document in the gateway's portal, and record the outcome.",
    until: "The item stays until an operator records the outcome.",
    rank: 7,
    steps: [
      { do: "list", state: "Expired" },
      { do: "resolve", as: "fiscalised" }
    ]
  },
  HORIZON_NEAR: {
    meaning: "The gateway will soon stop reporting an outcome",
    consequence: "After 7 days the outcome cannot be asked for.",
    fix: "Ask for the outcome now, and check that a worker runs.",
    until: "The item stays until the outcome arrives.",
    rank: 8,
    steps: [{ do: "resume" }]
  },
  NOT_WORKED: {
    meaning: "Documents wait, and no process sends them",
    consequence: "The documents are not sent until a process sends them.",
    fix: "Resume sending now, or start a worker.",
    until: "The item stays until the documents are sent.",
    rank: 9,
    steps: [{ do: "resume" }]
  },
  IMPORT_WAITS: {
    meaning: "An import is not finished",
    consequence: "The other documents are not sent until a process continues; no document is lost or sent twice.",
    fix: "Resume sending: all accepted documents are then sent as they were translated. If the import must not be sent, cancel it.",
    until: "The item stays until all documents are handed over, or the import is cancelled.",
    rank: 10,
    steps: [{ do: "resume" }, { do: "imports" }]
  },
  IMPORT_INCOMPLETE: {
    meaning: "Documents of an import could not be planned",
    consequence: "These documents were not sent, and are not sent automatically.",
    fix: "Look at the import: it shows a reason for each of these documents. Correct them in the source, import them again, then cancel the old import.",
    until: "The item stays until the import is cancelled.",
    rank: 10,
    steps: [{ do: "imports" }]
  },
  IMPORT_BROKE_OFF: {
    meaning: "An import broke off",
    consequence: "Some documents of the import may never have been sent.",
    fix: "Import the same files again (sent documents are not sent twice), then cancel the old import.",
    until: "The item stays until the import is cancelled.",
    rank: 10,
    steps: [{ do: "imports" }]
  },
  IMPORT_NOT_ACCEPTED: {
    meaning: "An import ended before it was accepted",
    consequence: "No document of the import is sent.",
    fix: "Import the same files again.",
    until: "The item stays until the files are imported again, the import is cancelled, or a day has passed.",
    rank: 11,
    steps: [{ do: "imports" }]
  },
  IMPORT_REFUSED: {
    meaning: "Documents were not accepted",
    consequence: "These documents are not sent. A live source is asked for them again in every run.",
    fix: "Look up the code that is shown, and correct the documents in the source or the mapping book. Then import them again, or run the source again. If they must not be sent, dismiss them with a reason.",
    until:
      "The item stays until the documents are accepted, the source states that they are not issued, or an operator dismisses them with a reason.",
    rank: 12,
    steps: [{ do: "imports" }]
  },
  SOURCE_STOPPED: {
    meaning: "A live source could not be imported",
    consequence:
      "No new documents of the source are sent. No document is lost: the next run begins at the end of the last successful run.",
    fix: "Look up the cause that is shown, remove it, and run the source again.",
    until: "The item stays until a run of the source succeeds.",
    rank: 3
  },
  SOURCE_NOT_READ: {
    meaning: "A live source has not been read for more than a day",
    consequence: "New documents of the source are not sent until it is read.",
    fix: "Start the scheduled job of the source, or run the source now.",
    until: "The item stays until a run of the source succeeds.",
    rank: 9
  },
  SOURCE_SILENT: {
    meaning: "A live source has had no new documents for longer than expected (quietAfter)",
    consequence: "If the company still issues documents, they do not arrive here.",
    fix: "Check in the source whether documents were issued in that time. If so, check the tenant and the permissions of the login.",
    until: "The item stays until a run finds new documents.",
    rank: 14
  },
  SOURCE_LOGIN_ENDS: {
    meaning: "The login of a live source ends soon",
    consequence: "After the login has ended, the source is not read until the operator logs in again.",
    fix: "Run the source: a run that refreshes the login extends it.",
    until: "The item stays until a run has refreshed the login.",
    rank: 14
  },
  HELD: {
    meaning: "Documents are held back",
    consequence: "The documents are not sent until the cause is removed or the operator decides.",
    fix: "Look at the reason for each document, and look it up: late, historical, outdated, original, credited, contradicted, operator, before-start, older-copy, rejection-unconfirmed, duplicate or replaces.",
    until: "The item stays until an operator decides, or the cause is removed.",
    rank: 12,
    steps: [
      { do: "list", state: "Held" },
      { do: "why", code: "late" }
    ]
  },
  FAILED_AT_GATEWAY: {
    meaning: "The gateway rejected or declined documents",
    consequence: "The documents are not fiscalised.",
    fix: "If the cause is the device and not the documents (such as DEV01), send them again unchanged once it is removed: each request is asked for once more before its document is sent. Otherwise correct each document in the source as the gateway's text requires, and import it again. If the document was replaced by a new one, withdraw it.",
    until: "The item stays until the documents are sent again, imported again after a correction, or withdrawn.",
    rank: 13,
    steps: [
      { do: "list", state: "Rejected" },
      { do: "list", state: "Declined" },
      { do: "explain" },
      { do: "resolve", as: "resend" }
    ]
  },
  UNANSWERED: {
    meaning: "The gateway has not reported an outcome",
    consequence:
      "The outcome is not known, and the document is not sent again automatically. A request id that an operator entered may be wrong.",
    fix: "Ask for the outcome now. If an operator entered the request id, check it and enter the right one. Otherwise look up the document in the gateway's portal.",
    until: "The item stays until the gateway reports the request, or an operator records the outcome.",
    rank: 15,
    steps: [{ do: "resume" }, { do: "explain" }, { do: "resolve", as: "accepted" }]
  },
  PROOF_MISSING: {
    meaning: "Receipts have no proof",
    consequence:
      "The documents are not sent again. Their receipts cannot be shown, and a second receipt would not be recognized. The proof is asked for until 7 days after the request.",
    fix: "Look up the documents in the gateway's portal. If the receipts are there, record that. If the gateway never gives a proof, set STAT-11 of the account to none.",
    until: "The item stays until the gateway gives the proof, or an operator records that the receipt was checked.",
    rank: 14,
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  ANSWER_UNPROVEN: {
    meaning: "A failure does not show if there is a receipt",
    consequence:
      "The documents stay Accepted, and a correction of them is not taken: a receipt may still be made, and another would be a second one.",
    fix: "Look up each document in the gateway's portal. If none of them has a receipt there, record this for the text; each is asked for once more. If the cause is the device (such as DEV01), send them again unchanged once it is on: this records your look, and each is asked for once more before. If one has a receipt, record that one as fiscalised.",
    until: "The item stays until an operator or time settles the failure, or the gateway states another outcome.",
    rank: 16,
    steps: [{ do: "resume" }, { do: "explain" }]
  },
  STUCK: {
    meaning: "Documents wait for longer than usual",
    consequence: "The documents are not fiscalised yet.",
    fix: "Resume sending; if that does not help, check the account.",
    until: "The item stays until the state of the documents changes.",
    rank: 16,
    steps: [{ do: "resume" }, { do: "doctor" }]
  },
  STORE_UNGUARDED: {
    meaning: "A protection of the store is off",
    consequence: "It would not be detected that the store is an older copy, or that it lost a document.",
    fix: "Look up the cause that is shown.",
    until: "The item stays until the account is opened and the protection is on.",
    rank: 17
  },
  STORE_UNWRITTEN: {
    meaning: "The store cannot be written",
    consequence: "Nothing is sent, and no answer of the gateway is stored, until the store can be written.",
    fix: "Free some space on the disk of the store, or restore the right to write its file and folder. Then resume sending.",
    until: "The item stays until the process has written to the store again, or sending was resumed.",
    rank: 0,
    steps: [{ do: "resume" }]
  },
  SENT_UNCHECKED: {
    meaning: "Documents are sent without a check",
    consequence: "An error that the check would find is found by the authority, after the document was sent.",
    fix: "Ask the gateway's support for the fact that is shown. Until then, check the documents in the portal.",
    until: "The item stays until an import finds that the gateway states the fact again.",
    rank: 17,
    steps: [{ do: "doctor" }, { do: "show-device" }]
  },
  UNMATCHED: {
    meaning: "Outcomes arrived that belong to no known document",
    consequence:
      "The outcomes are kept: they may belong to a document that is Unknown, or another program sends with the same credentials.",
    fix: "Look at each Unknown document: these outcomes are shown as candidates for it.",
    until: "The item stays until the outcomes are matched, at most 8 days.",
    rank: 18,
    steps: [{ do: "list", state: "Unknown" }, { do: "explain" }]
  }
}
