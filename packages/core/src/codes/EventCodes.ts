/**
 * Entries of codes other than findings: causes of stopped lanes and of held documents, failures of
 * the gateway, the store or an adapter, and codes of health.
 */
import type { GatewayErrorReason } from "../gateway/contract/GatewayError.ts"
import type { AdapterError } from "../source/Adapter.ts"
import { texts as attention } from "../attention/AttentionCode.ts"
import { docsPage } from "../finding/DocsPage.ts"
import type { StopCause } from "../submission/Lane.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { StoredConflict } from "../submission/Explanation.ts"
import type { State } from "../submission/Submission.ts"
import type { CodeEntry } from "./CodeEntry.ts"
import { lateRequest } from "../ledger/QuietPeriod.ts"

type Text = Pick<CodeEntry, "meaning" | "consequence" | "fix" | "steps">

const submissions = "A submission is certainly not processed; it stays Planned and the lane stops."

const gatewayErrors: Record<GatewayErrorReason["_tag"], Text> = {
  NotFound: {
    meaning: "The gateway answered 404",
    consequence: `For the device: none is attached to the account. ${submissions}`,
    fix: "Check baseUrl and paths of the account, and in the gateway's portal that a device is attached."
  },
  CredentialsRefused: {
    meaning: "The gateway does not accept the key, the secret, the application or the station (401, 403)",
    consequence: submissions,
    fix: "Find out which of them: a GET proves the key, a signed call the secret. Correct it and go on.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  Declined: {
    meaning: "The gateway declined what was sent (400, 413, 415, 422)",
    consequence: "The document is not processed. It is Declined, and the next ones go on.",
    fix: "Correct the document in the source after the text shown, and import again."
  },
  Misdirected: {
    meaning: "The address does not take the operation (405, 411)",
    consequence: submissions,
    fix: "A server that is not the gateway answers there: check baseUrl and paths of the account."
  },
  Limited: {
    meaning: "The gateway wants fewer requests (429)",
    consequence: `${submissions} It is tried again automatically, when the gateway allows it.`,
    fix: "Wait, or set `pace` of the account in the configuration."
  },
  Unavailable: {
    meaning: "The gateway did not answer a question",
    consequence: "Nothing was sent by it. Requests for information are repeated automatically for a while.",
    fix: "Try again later, and look whether the gateway is reached at all.",
    steps: [{ do: "doctor" }]
  },
  NotSent: {
    meaning: "The gateway could not be reached",
    consequence: submissions,
    fix: "Check the network, the name in baseUrl and its certificate; then go on.",
    steps: [{ do: "resume" }]
  },
  UnknownOutcome: {
    meaning: "A request was sent and no usable answer came: it is not known whether it was processed",
    consequence:
      "A document becomes Unknown and is not sent again blindly, since it might be fiscalised twice. Its lane waits.",
    fix: `Check the recorded facts, look in the gateway's portal, and record the result. ${lateRequest}`,
    steps: [{ do: "explain" }, { do: "resolve", as: "fiscalised" }, { do: "resolve", as: "not-processed" }]
  },
  MalformedAnswer: {
    meaning: "The gateway answered a question in a form that is not documented",
    consequence: "The answer is not used.",
    fix: `Report the text to the authors of the connector. The assumptions about the gateway are in ${docsPage("assumptions")}.`
  }
}

const adapterErrors: Record<AdapterError["reason"]["_tag"], Text> = {
  ExportUnreadable: {
    meaning: "The export cannot be read at all",
    consequence: "Nothing is read or sent.",
    fix: "Do what the message says; usually the file is another kind of export, or was damaged on the way."
  },
  InputFailed: {
    meaning: "The file could not be read to its end",
    consequence: "Nothing is sent.",
    fix: "Check that the file is there, is complete and may be read."
  },
  AdapterBroke: {
    meaning: "The adapter's own code broke off with an exception",
    consequence: "Nothing is sent.",
    fix: "Report it to the author of the adapter, with the document and the line of code that the message names; the export is not to blame."
  },
  ReadingAmbiguous: {
    meaning: "The export can be read in more than one way",
    consequence: "Nothing is guessed and nothing is sent.",
    fix: "Say which reading is right, as it is shown beside it."
  }
}

const storeErrors: Record<StoreError["reason"], Text> = {
  unavailable: {
    meaning: "The store cannot be used now",
    consequence: "Nothing is sent, because nothing could be stored before.",
    fix: "Check that its file or server is there, may be written, and has room."
  },
  denied: {
    meaning: "The database refuses the user or the password",
    consequence: "Nothing is sent, because nothing could be stored before. Trying again does not help.",
    fix: "Correct the user or the password of the store, or have the user allowed at the database."
  },
  corrupt: {
    meaning: "The store holds something that does not fit together",
    consequence: "Nothing is sent.",
    fix: "Keep the file as it is, and restore the last backup beside it; nothing must be sent again from an older state without looking at the gateway."
  },
  foreign: {
    meaning: "The file is not a store of this program: it is empty, or another program's database",
    consequence: "It is neither read nor changed.",
    fix: "Name the right file (`store` in the configuration). The first import creates the file if it is missing."
  },
  "newer-version": {
    meaning: "The store was written by a newer version",
    consequence: "It is neither read nor changed.",
    fix: "Use the version that wrote it, or a later one."
  },
  moved: {
    meaning: "The store was moved to another place",
    consequence: "Nothing is sent from it any more, and nothing is written to it; it can still be read.",
    fix: `Name the new place in "store" of the configuration (${docsPage("store.md#move")}).`
  },
  replaced: {
    meaning: "Another file was put in the place of the store while it was open",
    consequence: "This process has stopped: it would write into a deleted file.",
    fix: "Start again. If the new file is an older copy, nothing is sent from it and the message says what to do."
  },
  conflict: {
    meaning: "Another worker changed the same thing at the same time",
    consequence: "Nothing is lost: one of the two was taken.",
    fix: "Run the command again."
  }
}

const stops: Record<StopCause, Text> = {
  credentials: {
    meaning: "The gateway refused the credentials (401, 403)",
    consequence: "Nothing more is sent in this lane.",
    fix: "Correct key, secret, application or station, then go on.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  "not-found": {
    meaning: "The gateway answered a submission with 404",
    consequence: "Nothing more is sent in this lane.",
    fix: "Check baseUrl and paths, and that a device is attached; then go on.",
    steps: [{ do: "resume" }]
  },
  misdirected: {
    meaning: "The address does not take submissions (405, 411)",
    consequence: "Nothing more is sent in this lane.",
    fix: "Check baseUrl and paths of the account, then go on.",
    steps: [{ do: "resume" }]
  },
  limited: {
    meaning: "The gateway wants fewer requests (429)",
    consequence: "The lane continues automatically after the pause that the gateway asked for.",
    fix: "No action needed; or set `pace` of the account."
  },
  "not-sent": {
    meaning: "The gateway cannot be reached",
    consequence: "The lane tries again automatically, at growing intervals, with a harmless request first.",
    fix: "Check the network if it lasts."
  },
  "device-changed": {
    meaning: "The account feeds another device than before",
    consequence: "Numbers and receipt dates belong to a device and its taxpayer, so nothing more is sent.",
    fix: "Put the former device back; if the change is intended, move the account to the new one.",
    steps: [{ do: "doctor" }, { do: "repin" }]
  },
  "device-refuses": {
    meaning: "The device, its subscription or a permission it needs is not active",
    consequence: "Nothing more is sent to this device.",
    fix: "Find out which, have it made active, and go on.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  clock: {
    meaning: "This machine's clock differs from the gateway's by more than is allowed",
    consequence: "Receipts would be dated wrong (RCPT031, RCPT030), so nothing more is sent in this lane.",
    fix: "Set the clock, best by a time service, then go on. `clockSkew` of the account says how much is allowed.",
    steps: [{ do: "resume" }]
  },
  "mark-in-future": {
    meaning: "A receipt date after now may have reached the device",
    consequence: "Every receipt until then would be refused (RCPT030), so the lane waits.",
    fix: "Check this machine's clock; else wait until the date shown.",
    steps: [{ do: "doctor" }]
  },
  "store-older": {
    meaning: "The store does not have an attempt that was begun through it: an older copy was put in its place",
    consequence: "Nothing more is sent in this lane: what the lost store had sent would be fiscalised twice.",
    fix: "Put the newest copy in its place and start again. If there is no newer copy, an operator accepts this copy, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  "store-unproven": {
    meaning:
      "The store's database is another one than before, and nothing here tells whether it has everything that was sent",
    consequence: "Nothing is sent in this lane until a process that has sent finds its last attempts in the store.",
    fix: "Start a worker on a machine that has sent to the device. If there is no such machine, compare with the gateway, then accept the store, with a reason.",
    steps: [{ do: "accept-older" }]
  }
}

const holds: Record<HoldCause, Text> = {
  late: {
    meaning:
      "The document is dated at or before another receipt that may have reached the device; or receipts are dated when they are sent, and it is not of today",
    consequence: "With its own date it would be a red receipt (RCPT030). It is not sent.",
    fix: "Set `late` of the mapping book to restamp and import again, or send this one after all: it is then dated now.",
    steps: [{ do: "resolve", as: "resend" }]
  },
  historical: {
    meaning: "The document is dated at or before the close of the last fiscal day",
    consequence: "It would violate the order of days (RCPT014). It is not sent.",
    fix: "Import it as a historical batch, under the device's upload permission. If the portal already has it, record that. Otherwise send it with the date of now, or withdraw it.",
    steps: [
      { do: "import-again", timing: "historical" },
      { do: "resolve", as: "fiscalised" },
      { do: "resolve", as: "resend" },
      { do: "withdraw" }
    ]
  },
  outdated: {
    meaning:
      "On the date of its receipt, a tax of the document is no longer valid, or the original of the credit note is more than twelve months old",
    consequence: "The device looks at the receipt date: it would be a red receipt (RCPT025, RCPT033). It is not sent.",
    fix: "Issue it again in the source with its new date and import that, or leave it unsent.",
    steps: [{ do: "withdraw" }]
  },
  original: {
    meaning: "The invoice that the credit note credits is not known to be fiscalised",
    consequence:
      "It would be a credit note without an original (RCPT032). It is released automatically when the original is fiscalised.",
    fix: "Resolve the original first."
  },
  credited: {
    meaning: "The credit note was due to be sent again, and others have credited the rest of its original since",
    consequence: "It would be a red receipt (RCPT035). It is not sent.",
    fix: "Look at the other credit notes. Leave this one unsent, or credit the rest with a new credit note in the source.",
    steps: [{ do: "explain" }, { do: "withdraw" }]
  },
  contradicted: {
    meaning: "An earlier revision of the document turned out to be fiscalised",
    consequence: "Sending this one would fiscalise it twice.",
    fix: "Look at both; credit the difference in the source, and withdraw this one.",
    steps: [{ do: "explain" }, { do: "withdraw" }]
  },
  person: {
    meaning: "The document waits for an operator, who holds it or must decide about it",
    consequence: "It is not sent until an operator decides.",
    fix: "Look it up in the gateway's portal. If it is not there, send it. If it is there, record that. Or withdraw it.",
    steps: [{ do: "resolve", as: "resend" }, { do: "resolve", as: "fiscalised" }, { do: "withdraw" }]
  }
}

const conflicts: Record<StoredConflict["code"], Text> = {
  OUTCOME_CONFLICT: {
    meaning: "Two statements about one document contradict each other",
    consequence: "The stronger one counts: fiscalised before rejected, the gateway before an operator.",
    fix: "Look at both; when it is clear, record that it was dealt with.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  DOUBLE_FISCALISED: {
    meaning: "One document has two receipts",
    consequence: "Its tax is due twice. Both proofs are kept.",
    fix: "Issue a credit note for one of them in the source, then record that it was dealt with.",
    steps: [{ do: "resolve", as: "acknowledged" }]
  },
  OTHER_DEVICE: {
    meaning: "The proof of a document names another device than it was sent to",
    consequence:
      "The gateway may feed two devices with one account: numbers and receipt dates are then in no order. The lane stands still.",
    fix: "Ask the gateway whose receipt it is. When it is clear, record for each such document that it was dealt with; the lane then continues.",
    steps: [{ do: "resolve", as: "acknowledged" }]
  },
  SUCCESS_WITH_ERROR: {
    meaning: "The gateway reports a success together with an error text",
    consequence:
      "The document has its receipt and is not sent again. The device may have marked the receipt; a red mark keeps the fiscal day from closing.",
    fix: "Read the text and look at the receipt in the gateway's portal. When it is clear, record that it was dealt with.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  SOURCE_CANCELLED: {
    meaning: "The source has cancelled a document that is planned or was sent",
    consequence:
      "What was sent stays as it is, and its tax is due until it is credited. What is still planned would be sent.",
    fix: "Withdraw it while it is planned. After that, issue a credit note in the source, then record that it was dealt with.",
    steps: [
      { do: "withdraw", because: "cancelled in the source" },
      { do: "resolve", as: "acknowledged" }
    ]
  },
  SOURCE_CONFLICT: {
    meaning: "The export now states something else than what was sent",
    consequence: "What was sent stays as it is; the change is not sent.",
    fix: "If the change is intended, issue a credit note and a new invoice in the source; then record that it was dealt with.",
    steps: [{ do: "resolve", as: "acknowledged" }]
  }
}

/** States without another entry. Health, holds or the gateway's codes explain the other states. */
const states: Record<Exclude<State, "Held" | "Unknown" | "Expired" | "Declined">, Text> = {
  Planned: {
    meaning: "The document is stored and waits for its turn",
    consequence: "It is sent when the documents before it for the same device were sent.",
    fix: "Go on, unless a worker runs.",
    steps: [{ do: "resume" }]
  },
  Sending: {
    meaning: "The request is on its way to the gateway",
    consequence: "If the program ends now, it is Unknown at the next start.",
    fix: "Wait; where nothing runs any more, go on.",
    steps: [{ do: "resume" }]
  },
  Accepted: {
    meaning: "The gateway has the document and has given a request id",
    consequence: "Its outcome arrives by webhook or on request, for seven days.",
    fix: "Ask for its outcome.",
    steps: [{ do: "resume" }]
  },
  Fiscalised: {
    meaning: "The document is fiscalised, and its proof is kept",
    consequence: "This is final: it is never sent again.",
    fix: "No action needed. A credit note in the source undoes it."
  },
  Rejected: {
    meaning: "The gateway processed the document, and it failed",
    consequence: "It is not fiscalised. The next ones go on.",
    fix: "Correct it in the source after the gateway's text, and import it again.",
    steps: [{ do: "explain" }]
  },
  Withdrawn: {
    meaning: "An operator decided that the document is not to be sent, or not to be waited for",
    consequence: "It is not sent. Evidence that comes later is still taken.",
    fix: "No action needed if that was intended."
  }
}

const entries = (
  group: string,
  texts: Readonly<Record<string, Text>>,
  code: (name: string) => string = (name) => name
): ReadonlyArray<CodeEntry> =>
  Object.entries(texts).map(([name, text]) => ({
    code: code(name),
    ...(code(name) !== name && { alias: name }),
    group,
    ...text
  }))

const upper = (prefix: string) => (name: string) => `${prefix}_${name.toUpperCase().replaceAll("-", "_")}`

/** All entries. A new case of any of the unions does not compile without an entry. */
export const eventCodes: ReadonlyArray<CodeEntry> = [
  ...entries("Why the gateway did not give its answer", gatewayErrors),
  ...entries("Why an export could not be read on", adapterErrors),
  ...entries("Why a lane is stopped", stops, upper("LANE")),
  ...entries("States of a document", states, upper("STATE")),
  ...entries("Why a document is held", holds, upper("HELD")),
  ...entries("Contradictions about a document", conflicts),
  ...entries(
    "What needs attention",
    Object.fromEntries(
      Object.entries(attention).map(([code, { consequence, fix, meaning, steps }]) => [
        code,
        { meaning, consequence, fix, ...(steps && { steps }) }
      ])
    )
  ),
  ...entries("Why the store could not do its work", storeErrors, upper("STORE"))
]
