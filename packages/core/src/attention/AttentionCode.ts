/** Kinds of problems that an operator has to look at, one entry with its meaning for each. */
import { lateRequest } from "../ledger/QuietPeriod.ts"
import type { Step } from "../finding/Step.ts"

/** Problems of a fiscal day. */
export type DayCode = "DAY_FAILED" | "DAY_MISSING" | "DAY_OVERLONG" | "DAY_DIFFERS"

/** Every kind of item. */
export type AttentionCode =
  | DayCode
  | "ACCOUNT_STOPPED"
  | "STORE_UNGUARDED"
  | "SENT_UNCHECKED"
  | "STOPPED"
  | "NOT_WORKED"
  | "UNKNOWN"
  | "HELD"
  | "EXPIRED"
  | "FAILED_AT_GATEWAY"
  | "HORIZON_NEAR"
  | "UNANSWERED"
  | "STUCK"
  | "IMPORT_WAITS"
  | "IMPORT_INCOMPLETE"
  | "IMPORT_BROKE_OFF"
  | "IMPORT_NOT_ACCEPTED"
  | "CONFLICT"
  | "UNMATCHED"
  | "SOURCE_STOPPED"
  | "SOURCE_NOT_READ"
  | "SOURCE_SILENT"
  | "SOURCE_NOT_SENT"
  | "SOURCE_LOGIN_ENDS"

/** Meaning of a kind of item. */
export interface AttentionText {
  readonly meaning: string
  readonly consequence: string
  readonly fix: string
  /** Condition that ends an item, as text. */
  readonly until: string
  /** Order of severity: the lower, the worse. */
  readonly rank: number
  /** Steps for the code's page. The actions of an item are chosen by the current state. */
  readonly steps?: ReadonlyArray<Step>
}

/** Texts of every kind. */
export const texts: Readonly<Record<AttentionCode, AttentionText>> = {
  ACCOUNT_STOPPED: {
    meaning: "An account cannot send",
    consequence: "Nothing is sent for the account until the cause is gone.",
    fix: "Look up the cause that is shown, mend it, and go on.",
    until:
      "The item stays until the account is opened successfully, or for 7 days after the last try while nothing waits.",
    rank: 0,
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  STOPPED: {
    meaning: "A lane is stopped",
    consequence: "Nothing is sent to its device until the cause is gone.",
    fix: "Look up the cause that is shown in brackets.",
    until: "The stop ends when the cause is gone and the account is opened again.",
    rank: 1
  },
  DAY_FAILED: {
    meaning: "A fiscal day could not be closed",
    consequence: "The day stays open; past its longest duration the device marks every receipt (RCPT041).",
    fix: "Look up the codes in the message. The authority repairs the receipts, then the day is closed again.",
    until: "The item stays until a report of the day says that it was closed.",
    rank: 2,
    steps: [{ do: "doctor" }]
  },
  DAY_MISSING: {
    meaning: "A fiscal day has no report, although a later day has one",
    consequence: "The counters of the day cannot be compared with what was sent.",
    fix: "Ask the gateway's support for the report of the day.",
    until: "The item stays until the report is there, 20 later days have reports, or an operator acknowledges the day.",
    rank: 3
  },
  DAY_DIFFERS: {
    meaning: "The counters of a closed fiscal day are not what the store has fiscalised on that day",
    consequence:
      "A receipt may exist that the store does not know, or a document may not have a receipt although the store says so.",
    fix: "Compare the day with the store, and look up the documents that are named in the gateway's portal. Where none is named, another program uses the device.",
    until:
      "The item stays until the counters agree, 20 later days have reports, or an operator acknowledges the difference. A worker compares again every 15 minutes; another difference is a new item.",
    rank: 4,
    steps: [
      { do: "list", state: "Unknown" },
      { do: "list", state: "Expired" }
    ]
  },
  DAY_OVERLONG: {
    meaning: "The fiscal day is open for longer than the device allows",
    consequence: "The device marks every receipt until the day is closed (RCPT041).",
    fix: "Have the day closed, in the gateway's portal or by its support.",
    until: "The item stays until the day is closed.",
    rank: 2,
    steps: [{ do: "doctor" }]
  },
  CONFLICT: {
    meaning: "There are contradictions that no operator has settled",
    consequence: "The recorded result of a document may be wrong.",
    fix: "Look at each document, and record when it was dealt with.",
    until: "The item stays until a decision about each document is recorded.",
    rank: 5,
    steps: [{ do: "list" }, { do: "explain" }]
  },
  UNKNOWN: {
    meaning: "A request was sent and its outcome is unknown",
    consequence: "Its lane waits, so that nothing is fiscalised twice.",
    fix: `Look at each, look it up in the gateway's portal, and state what its outcome is. ${lateRequest}`,
    until:
      "The item stays until the outcome arrives or an operator states it. Within the quiet period after the request a decision that lets the document be sent again is refused, with the time from which it is accepted.",
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
    meaning: "The gateway no longer answers for requests it accepted",
    consequence: "It is not known whether they were fiscalised.",
    fix: "Look in the gateway's portal, then state what the outcome is.",
    until: "The item stays until an operator states the outcome.",
    rank: 7,
    steps: [
      { do: "list", state: "Expired" },
      { do: "resolve", as: "fiscalised" }
    ]
  },
  HORIZON_NEAR: {
    meaning: "The gateway will soon stop answering for a request: it does so for 7 days",
    consequence: "After that the gateway can no longer be asked for its result.",
    fix: "Ask at once, and look whether anything runs at all.",
    until: "The item stays until the outcome arrives.",
    rank: 8,
    steps: [{ do: "resume" }]
  },
  NOT_WORKED: {
    meaning: "Documents are planned, and no process works their lane",
    consequence: "They are not sent until a process continues.",
    fix: "Go on now, or start a worker.",
    until: "The item stays until the documents are sent.",
    rank: 9,
    steps: [{ do: "resume" }]
  },
  IMPORT_WAITS: {
    meaning: "An import was accepted, and documents of it wait to be handed over: its process was ended",
    consequence: "They are not sent until a process continues. Nothing is lost and nothing is sent twice.",
    fix: "Go on: everything that was accepted is handed over and sent, as it was translated then. An import that is not to be sent is ended by its cancellation.",
    until: "The item stays until everything is handed over, or the import is cancelled.",
    rank: 10,
    steps: [{ do: "resume" }, { do: "imports" }]
  },
  IMPORT_INCOMPLETE: {
    meaning: "An import was handed over, and some of its documents could not be planned",
    consequence: "Nothing of these documents was sent, and none of them is sent automatically.",
    fix: "Look at the import: each of these documents has its reason. Correct them in the source and import them again. Then end the old import by its cancellation.",
    until: "The item stays until the import is cancelled.",
    rank: 10,
    steps: [{ do: "imports" }]
  },
  IMPORT_BROKE_OFF: {
    meaning: "An earlier version of this program was ended while it handed over an import",
    consequence: "Documents of its files may never have been sent.",
    fix: "Import the same files again: what was sent is not sent twice. Then end the old import by its cancellation.",
    until: "The item stays until the import is cancelled.",
    rank: 10,
    steps: [{ do: "imports" }]
  },
  IMPORT_NOT_ACCEPTED: {
    meaning: "An import ended before it was accepted: its process was ended",
    consequence: "Nothing of it is sent.",
    fix: "Import the same files again.",
    until: "The item stays until the files are imported again, the import is cancelled, or a day has passed.",
    rank: 11,
    steps: [{ do: "imports" }]
  },
  SOURCE_STOPPED: {
    meaning: "A source that is read live could not be read, or what was read could not be planned",
    consequence: "Nothing new of it is sent. Nothing is lost: the next run begins where the last one ended well.",
    fix: "Look up the cause that is shown, mend it, and run the source again.",
    until: "The item stays until a run of the source ends well.",
    rank: 3
  },
  SOURCE_NOT_READ: {
    meaning: "A source that is read live has not been read for more than a day",
    consequence: "Documents of it are not sent until it is read.",
    fix: "Start the job that runs it, or run it now.",
    until: "The item stays until a run of the source ends well.",
    rank: 9
  },
  SOURCE_SILENT: {
    meaning: "A source that is read live has had nothing new for longer than it is expected to (quietAfter)",
    consequence: "If the company still issues documents, they do not arrive here.",
    fix: "Look in the source whether documents were issued since. If there are some, check the tenant and what the login may read.",
    until: "The item stays until a run finds something new.",
    rank: 14
  },
  SOURCE_NOT_SENT: {
    meaning: "Documents of a source that is read live cannot be sent",
    consequence: "Nothing of them is sent. They are asked for again in every run.",
    fix: "Look up the codes that are shown, and correct the documents in the source, or the mapping book. The next run sends them.",
    until: "The item stays until the documents are sent, or the source states that they are not issued.",
    rank: 12
  },
  SOURCE_LOGIN_ENDS: {
    meaning: "The login of a source that is read live ends soon",
    consequence: "Once it has ended nothing is read until someone logs in again.",
    fix: "Run the source: each run that refreshes the login makes it last again.",
    until: "The item stays until a run has refreshed the login.",
    rank: 14
  },
  HELD: {
    meaning: "Documents are held",
    consequence: "They are not sent until the cause is gone.",
    fix: "See why each is held, and look the cause up: late, historical, original, contradicted or person.",
    until: "The item stays until an operator decides, or the cause is gone.",
    rank: 12,
    steps: [
      { do: "list", state: "Held" },
      { do: "why", code: "late" }
    ]
  },
  FAILED_AT_GATEWAY: {
    meaning: "The gateway rejected or declined documents",
    consequence: "They are not fiscalised.",
    fix: "Correct each in the source after the gateway's text and import it again; or withdraw it, for example after a new one was issued.",
    until: "The item stays until the documents are imported again corrected, or withdrawn.",
    rank: 13,
    steps: [{ do: "list", state: "Rejected" }, { do: "list", state: "Declined" }, { do: "explain" }]
  },
  UNANSWERED: {
    meaning: "The gateway accepted a request, and no status has mentioned it since",
    consequence:
      "Its result is not known, and it is not sent again automatically. A request id that an operator entered may be wrong.",
    fix: "Ask at once. Where an operator entered the request id, look at the document and enter the right one. Else look in the gateway's portal.",
    until: "The item stays until the gateway mentions the request, or an operator states the outcome.",
    rank: 15,
    steps: [{ do: "resume" }, { do: "explain" }, { do: "resolve", as: "accepted" }]
  },
  STUCK: {
    meaning: "Documents have waited longer than usual",
    consequence: "They are not fiscalised yet.",
    fix: "Go on; where that does not help, look at the account.",
    until: "The item stays until the documents move on.",
    rank: 16,
    steps: [{ do: "resume" }, { do: "doctor" }]
  },
  STORE_UNGUARDED: {
    meaning: "A guard of the store is off",
    consequence: "An older copy of the store, or a lost commit, would not be noticed.",
    fix: "Look up the cause that is shown.",
    until: "The item stays until an opening of the account finds the guard on.",
    rank: 17
  },
  SENT_UNCHECKED: {
    meaning: "Documents are sent without a check: an operator accepted a fact of the device as unknown",
    consequence: "The authority finds such errors only after the document was sent.",
    fix: "Ask the gateway's support for the fact that is shown. Until it is there, check it in the portal.",
    until: "The item stays until an import finds that the gateway states the fact again.",
    rank: 17,
    steps: [{ do: "doctor" }, { do: "show-device" }]
  },
  UNMATCHED: {
    meaning: "Outcomes have arrived that belong to no document we know",
    consequence: "They are kept: an Unknown document may be theirs, or another program submits with these credentials.",
    fix: "They are shown as candidates with each Unknown document.",
    until: "The item stays until the outcomes are matched, at most 8 days.",
    rank: 18,
    steps: [{ do: "list", state: "Unknown" }, { do: "explain" }]
  }
}
