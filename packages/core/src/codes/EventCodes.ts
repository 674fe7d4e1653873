/** Codes other than findings. */
import type { GatewayErrorReason } from "../gateway/contract/GatewayError.ts"
import type { AdapterError } from "../source/Adapter.ts"
import { texts as attention } from "../attention/AttentionCode.ts"
import type { ReconcileCode } from "../submission/Notice.ts"
import { docsPage } from "../finding/DocsPage.ts"
import type { Step } from "../finding/Step.ts"
import type { StopCause } from "../submission/Lane.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { StoredConflict } from "../submission/Explanation.ts"
import type { State } from "../submission/Submission.ts"
import type { CodeEntry } from "./CodeEntry.ts"
import { lateRequest } from "../submission/ledger/QuietPeriod.ts"

type EventCodeText = Pick<CodeEntry, "meaning" | "consequence" | "fix" | "steps">

const submissions = "The document is certainly not processed; it stays Planned and the lane stops."

const gatewayErrors: Record<GatewayErrorReason["_tag"], EventCodeText> = {
  NotFound: {
    meaning: "The gateway answered 404",
    consequence: `If the request was for the device: no device is attached to the account. ${submissions}`,
    fix: "Check baseUrl and paths of the account, and check in the gateway's portal that a device is attached."
  },
  CredentialsRefused: {
    meaning: "The gateway does not accept the key, the secret, the application or the station (401, 403)",
    consequence: submissions,
    fix: "Find out what is wrong: a GET checks the key, the application and the station; a signed request also checks the secret. Correct it, then resume sending.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  Declined: {
    meaning: "The gateway declined the request (400, 413, 415, 422)",
    consequence: "The document is Declined and not processed; the next documents are sent.",
    fix: "Correct the document in the source as the shown text requires, and import it again."
  },
  Misdirected: {
    meaning: "The server at this address does not accept the operation (405, 411)",
    consequence: submissions,
    fix: "Check baseUrl and paths of the account: the server at this address is probably not the gateway."
  },
  Limited: {
    meaning: "The gateway received too many requests (429)",
    consequence: `${submissions} The document is sent again automatically when the gateway allows it.`,
    fix: "Wait, or set `pace` of the account in the configuration."
  },
  Unavailable: {
    meaning: "A request for information got no answer, or an answer with an error status such as 500",
    consequence:
      "No document was sent by this request. If the failure may pass, the request was already repeated for a while.",
    fix: "Read the shown text. If there was no answer, check that this machine can reach the gateway; otherwise try again later.",
    steps: [{ do: "doctor" }]
  },
  NotSent: {
    meaning: "The gateway could not be reached",
    consequence: submissions,
    fix: "Check the network, the name in baseUrl and its certificate; then resume sending.",
    steps: [{ do: "resume" }]
  },
  UnknownOutcome: {
    meaning: "A request was sent and no usable answer arrived: it is not known whether the document was processed",
    consequence:
      "The document becomes Unknown and is not sent again automatically, because it might be fiscalised twice. Its lane waits.",
    fix: `Check the recorded facts, look up the document in the gateway's portal, and record the outcome. ${lateRequest}`,
    steps: [{ do: "explain" }, { do: "resolve", as: "fiscalised" }, { do: "resolve", as: "not-processed" }]
  },
  MalformedAnswer: {
    meaning: "The gateway answered a request for information in a form that is not documented",
    consequence: "The answer is not used.",
    fix: `Report the text to the authors of the connector. The assumptions about the gateway are in ${docsPage("assumptions")}.`
  }
}

const adapterErrors: Record<AdapterError["reason"]["_tag"], EventCodeText> = {
  ExportUnreadable: {
    meaning: "The export cannot be read at all",
    consequence: "Nothing is read or sent.",
    fix: "Follow the message; usually the file is another kind of export, or is damaged."
  },
  InputFailed: {
    meaning: "The file could not be read to its end",
    consequence: "Nothing is sent.",
    fix: "Check that the file exists and is complete, and that you may read it."
  },
  AdapterBroke: {
    meaning: "The adapter stopped with an internal error",
    consequence: "Nothing is sent.",
    fix: "Report the error to the author of the adapter, with the document and the line of code that the message names. The export is not the cause."
  },
  ReadingAmbiguous: {
    meaning: "The export can be read in more than one way",
    consequence: "No reading is chosen automatically, and no document is sent.",
    fix: "Choose the right reading: the answers are shown with the message."
  }
}

const storeErrors: Record<StoreError["reason"], EventCodeText> = {
  unavailable: {
    meaning: "The store cannot be used now",
    consequence: "Nothing is sent, because a document must be stored before it is sent.",
    fix: "Check that the file or the server of the store exists, can be written to, and has free space."
  },
  denied: {
    meaning: "The database refuses the user or the password",
    consequence: "Nothing is sent, because a document must be stored before it is sent. Trying again does not help.",
    fix: "Correct the user or the password of the store, or give the user access to the database."
  },
  corrupt: {
    meaning: "The contents of the store are inconsistent",
    consequence: "Nothing is sent.",
    fix: "Keep the damaged file under another name, and put the last backup in its place. Check the gateway before a document is sent again from the backup."
  },
  foreign: {
    meaning: "The file is not a store of this program: it is empty, or the database of another program",
    consequence: "The file is neither read nor changed.",
    fix: "Name the right file (`store` in the configuration). The first import creates the file if it is missing."
  },
  "newer-version": {
    meaning: "The store was written by a newer version of this program",
    consequence: "The store is neither read nor changed.",
    fix: "Use that version or a later one."
  },
  moved: {
    meaning: "The store was moved to another place",
    consequence: "Nothing is sent from this store any more and nothing is written to it; it can still be read.",
    fix: `Name the new place in "store" of the configuration (${docsPage("run.md#move")}).`
  },
  replaced: {
    meaning: "The file of the store was removed or replaced by another file while it was open",
    consequence: "This process has stopped, because it would write into a deleted file.",
    fix: "Put the newest file of the store in its place, then start the program again. If the file is an older copy, nothing is sent from it and the message shows what to do."
  },
  stopped: {
    meaning: "The store is an older copy, or it is not proven that it contains everything that was sent",
    consequence:
      "Nothing is planned in it or sent from it, because documents that are missing in it would be fiscalised twice.",
    fix: "Restore the newest copy of the store and start again. If there is no newer copy, the operator accepts this copy, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  conflict: {
    meaning: "Another worker made a change at the same time",
    consequence: "Nothing is lost: one of the two changes was stored.",
    fix: "Run the command again."
  }
}

const stops: Record<StopCause, EventCodeText> = {
  credentials: {
    meaning: "The gateway refused the credentials (401, 403)",
    consequence: "Nothing more is sent to this device.",
    fix: "Correct the key, the secret, the application or the station, then resume sending.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  "not-found": {
    meaning: "The gateway answered a submission with 404",
    consequence: "Nothing more is sent to this device.",
    fix: "Check baseUrl and paths, and that a device is attached; then resume sending.",
    steps: [{ do: "resume" }]
  },
  misdirected: {
    meaning: "The server at this address does not accept documents (405, 411)",
    consequence: "Nothing more is sent to this device.",
    fix: "Check baseUrl and paths of the account, then resume sending.",
    steps: [{ do: "resume" }]
  },
  limited: {
    meaning: "The gateway received too many requests (429)",
    consequence: "The lane continues automatically after the pause that the gateway asked for.",
    fix: "No action needed. To send fewer requests, set `pace` of the account."
  },
  "not-sent": {
    meaning: "The gateway cannot be reached",
    consequence:
      "The lane tries again automatically, at growing intervals; the first request of each try sends no document.",
    fix: "If the problem stays, check the network."
  },
  "device-changed": {
    meaning: "The account sends to another device than before",
    consequence: "Nothing more is sent, because numbers and receipt dates belong to one device and its taxpayer.",
    fix: "Attach the former device again. If the change is intended, move the account to the new device.",
    steps: [{ do: "doctor" }, { do: "repin" }]
  },
  "device-refuses": {
    meaning: "The device, its subscription or a required permission is not active",
    consequence: "Nothing more is sent to this device.",
    fix: "Find out which of them is not active, have it activated, then resume sending.",
    steps: [{ do: "doctor" }, { do: "resume" }]
  },
  clock: {
    meaning: "The clock of this machine differs from the gateway's clock by more than is allowed",
    consequence: "Nothing more is sent to this device, because receipts would have a wrong date (RCPT031, RCPT030).",
    fix: "Set the clock, preferably by a time service, then resume sending. `clockSkew` of the account is the allowed difference.",
    steps: [{ do: "resume" }]
  },
  "same-failure": {
    meaning: "Document after document failed with the same cause, and the device's own state does not explain it",
    consequence:
      "The documents that wait are not sent, because they would probably fail in the same way. Every 15 minutes one document is sent as a test; the lane continues when a document has its receipt.",
    fix: "Read the text of the failures, and ask the gateway's support about it. When the cause is removed, resume sending; then send the failed documents again.",
    steps: [{ do: "list", state: "Rejected" }, { do: "doctor" }, { do: "resume" }]
  },
  "mark-in-future": {
    meaning: "The device may have received a receipt with a date in the future",
    consequence: "The lane waits, because the device would refuse every receipt until that date (RCPT030).",
    fix: "Check the clock of this machine; if it is right, wait until the date that is shown.",
    steps: [{ do: "doctor" }]
  },
  "store-older": {
    meaning: "The store is an older copy: a request that was sent is missing in it",
    consequence:
      "Nothing more is sent to this device, because documents that are missing in the copy would be fiscalised twice.",
    fix: "Restore the newest copy of the store and start again. If there is no newer copy, the operator accepts this copy, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  "store-unproven": {
    meaning:
      "The store has another database than before, and it is not proven that the database contains everything that was sent",
    consequence:
      "Nothing is sent to this device until a process that has sent documents finds its last requests in the store.",
    fix: "Start a worker on a machine that has sent documents to the device. If there is no such machine, compare the store with the gateway, then accept the store, with a reason.",
    steps: [{ do: "accept-older" }]
  },
  "store-behind": {
    meaning: "The device has receipts that are not in the store, which may be an older copy",
    consequence:
      "Nothing more is sent to this device, because documents that are missing in the store would be fiscalised twice.",
    fix: "If another till or program makes receipts on the device, state it once, then resume sending. Otherwise restore the newest copy of the store. If there is no newer copy, accept this one, with a reason.",
    steps: [{ do: "other-programs", stated: "others" }, { do: "accept-older" }]
  }
}

/** A receipt may exist: looking first, then what the operator saw. */
const afterLook: ReadonlyArray<Step> = [
  { do: "explain" },
  { do: "resolve", as: "fiscalised" },
  { do: "resolve", as: "resend" },
  { do: "withdraw" }
]
const eachAfterLook = "If it has a receipt, record that. If it has none, send it, or withdraw it."

const holds: Record<HoldCause, EventCodeText> = {
  late: {
    meaning:
      "The document is not dated after the last receipt that may have reached the device; or receipts are dated when they are sent, and the document is not dated today",
    consequence:
      "The document is not sent: with its own date it would become a red receipt (RCPT030), or its receipt would have another date than the source states.",
    fix: "Set `late` of the mapping book to restamp and import the document again, or send the document with the current date.",
    steps: [{ do: "resolve", as: "resend" }]
  },
  historical: {
    meaning: "The document is not dated after the close of the last fiscal day",
    consequence: "The document is not sent, because it would violate the order of fiscal days (RCPT014).",
    fix: "Import the document as a historical batch, under the device's upload permission. If the document is already in the gateway's portal, record that. Otherwise send it with the current date, or withdraw it.",
    steps: [
      { do: "import-again", timing: "historical" },
      { do: "resolve", as: "fiscalised" },
      { do: "resolve", as: "resend" },
      { do: "withdraw" }
    ]
  },
  outdated: {
    meaning:
      "On the receipt date, a tax of the document is no longer valid, or the original of the credit note is more than twelve months old",
    consequence:
      "The document is not sent: the device checks the receipt date, and the receipt would be red (RCPT025, RCPT033).",
    fix: "Issue the document again in the source with the new date and import it, or withdraw it.",
    steps: [{ do: "withdraw" }]
  },
  original: {
    meaning: "It is not known whether the invoice that the credit note credits is fiscalised",
    consequence: "The credit note is not sent (RCPT032); it is released automatically when the original is fiscalised.",
    fix: "Settle the original invoice first."
  },
  credited: {
    meaning:
      "The credit note was to be sent again, and other credit notes have credited the rest of its original; or its original was sent without a tax of the note; or a note is meant for one of several receipts of its original",
    consequence: "The credit note is not sent, because it would become a red receipt (RCPT035, RCPT036).",
    fix: "Look at the other credit notes. Withdraw this one, credit the rest with a new credit note in the source, or state which receipt of the invoice the gateway's portal shows as credited.",
    steps: [{ do: "explain" }, { do: "withdraw" }]
  },
  contradicted: {
    meaning:
      "An earlier revision of the document was fiscalised; or the gateway refused the document after a request whose outcome nothing but an operator's statement settles",
    consequence: "The document is not sent, because it may be fiscalised already.",
    fix: "Look up the document in the gateway's portal. If it has a receipt, record that; if the source states something else, credit the difference there. If no request of it was processed, record that again: then the refused document can be corrected.",
    steps: [{ do: "explain" }, { do: "resolve", as: "fiscalised" }, { do: "resolve", as: "not-processed" }]
  },
  operator: {
    meaning: "The document waits for a decision of the operator, for the reason that is shown",
    consequence: "The document is not sent until the operator decides.",
    fix: `Read the reason, and look up the document in the gateway's portal. ${eachAfterLook}`,
    steps: afterLook
  },
  "before-start": {
    meaning: "The document is dated before the day on which the account begins",
    consequence: "The document is not sent: what was used before may have fiscalised it.",
    fix: `Look up the document where receipts were made before the account began. ${eachAfterLook}`,
    steps: afterLook
  },
  "older-copy": {
    meaning: "The store was an older copy, and the lost store may have sent the document",
    consequence: "The document is not sent, because it may be fiscalised already.",
    fix: `Look up the document in the gateway's portal. ${eachAfterLook} Several documents that you have looked up are decided about by a list of their numbers.`,
    steps: afterLook
  },
  "rejection-unconfirmed": {
    meaning: "The gateway no longer says that an earlier request of the document was rejected",
    consequence: "The correction is not sent, because the earlier request may still become a receipt.",
    fix: `Look up the document in the gateway's portal. ${eachAfterLook}`,
    steps: afterLook
  },
  duplicate: {
    meaning:
      "The store knows a document, or a registered original, that may be the same sale: the numbers differ only in zeros, case or separators, or it is registered as fiscalised elsewhere",
    consequence: "The document is not sent until the operator decides, because the sale would have two receipts.",
    fix: "Compare the two. If they are the same sale, say so: the spelling then means the known document in every later import. If they are two sales, send the document; the question is not asked again.",
    steps: [
      { do: "explain" },
      { do: "resolve", as: "same" },
      { do: "resolve", as: "resend" },
      { do: "resolve", as: "fiscalised" },
      { do: "withdraw" }
    ]
  },
  replaces: {
    meaning:
      "The source states that the document replaces another one that has a receipt or may still get one; or that it was replaced by one",
    consequence: "The document is not sent, because one sale would have two receipts.",
    fix: "Credit the receipt in full, here or by a note of the source: the document is then released automatically. If both are to be receipts, send it with a reason. Otherwise withdraw it.",
    steps: afterLook
  }
}

// PROOF_MISSING has its entry among the codes of attention
const conflicts: Record<Exclude<StoredConflict["code"], "PROOF_MISSING">, EventCodeText> = {
  OUTCOME_CONFLICT: {
    meaning: "Two statements about one document contradict each other",
    consequence: "The stronger statement counts: fiscalised before rejected, the gateway before an operator.",
    fix: "Compare the two statements; when the outcome is clear, record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  DOUBLE_FISCALISED: {
    meaning: "One document has two receipts",
    consequence: "The tax of the document is due twice. Both proofs are kept.",
    fix: "Credit one receipt here. If the source has credited it already, record that the contradiction is resolved.",
    steps: [{ do: "credit" }, { do: "resolve", as: "acknowledged" }]
  },
  ALSO_ELSEWHERE: {
    meaning: "An invoice was registered as fiscalised elsewhere, and has a receipt here or may still get one",
    consequence: "One sale may have two receipts, and its tax is due twice.",
    fix: "Compare the two receipts. If the sale has two, issue a credit note for one of them in the source, then record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  OTHER_DEVICE: {
    meaning: "The proof of a document names another device than the document was sent to",
    consequence:
      "The lane is stopped: the gateway may send the documents of one account to two devices, and numbers and receipt dates would be out of order.",
    fix: "Ask the gateway which device made the receipt. Then record for each such document that the contradiction is resolved; the lane continues.",
    steps: [{ do: "resolve", as: "acknowledged" }]
  },
  SUCCESS_WITH_ERROR: {
    meaning: "The gateway reports a success together with an error text",
    consequence:
      "The document has its receipt and is not sent again. The device may have marked the receipt; a red mark keeps the fiscal day from closing.",
    fix: "Read the text and look at the receipt in the gateway's portal. When the result is clear, record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  SUCCESS_AND_FAILURE: {
    meaning: "The gateway reports a failure together with the proof of a receipt",
    consequence:
      "The document may have its receipt: it is not sent again, no correction is taken, and its number stays used. The outcome is still asked for.",
    fix: "Look up the document in the gateway's portal. If it is there, record that it is fiscalised; if it failed, record that it is rejected.",
    steps: [{ do: "explain" }, { do: "resolve", as: "fiscalised" }]
  },
  PROOF_SHARED: {
    meaning: "The gateway states one verification code for two documents of a device",
    consequence: "Both documents stay as they are. One of them may have no receipt.",
    fix: "Look up both documents in the gateway's portal. When it is clear which receipt belongs to which, record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  CODE_NOT_UNIQUE: {
    meaning: "The gateway states one verification code for three documents of a device or more",
    consequence:
      "The code proves nothing: two requests of one document that succeeded count as two receipts, also under this code. Shown once for the account.",
    fix: "Ask the gateway's support for the meaning of the code. Then record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  RECEIPT_NOT_UNIQUE: {
    meaning: "Two receipts of one fiscal day have the same receipt number and different verification codes",
    consequence: "The receipt numbers of this gateway do not identify a receipt. Shown once for the lane.",
    fix: "Compare the receipts in the gateway's portal. Then record that the contradiction is resolved.",
    steps: [{ do: "explain" }, { do: "resolve", as: "acknowledged" }]
  },
  SOURCE_CANCELLED: {
    meaning: "The source canceled a document that is planned or was sent",
    consequence:
      "A planned document would still be sent; a sent document stays as it is, and its tax is due until it is credited.",
    fix: "If the document is planned, withdraw it. If it was fiscalised, send the credit note that is prepared for it.",
    steps: [{ do: "withdraw" }, { do: "credit" }, { do: "resolve", as: "acknowledged" }]
  },
  SOURCE_CONFLICT: {
    meaning: "The export now differs from the document that was sent",
    consequence: "The sent document stays as it is; the change is not sent.",
    fix: "If the change lowers the invoice, send the credit note that is prepared for it. If it raises the invoice, put the document back in the source and issue another invoice for the rest.",
    steps: [{ do: "credit" }, { do: "resolve", as: "acknowledged" }]
  }
}

const reconciled: Record<ReconcileCode, EventCodeText> = {
  SOURCE_NOT_HERE: {
    meaning: "The source has a document of the period that was never given to the connector, or that is refused",
    consequence: "The sale is in the books and not taxed.",
    fix: "Import the export that has the document, which also says why it is refused. If it must not be sent, void it in the source."
  },
  NOT_IN_SOURCE: {
    meaning: "The store has documents of the period that the given source does not have",
    consequence: "These documents were not compared with the source. A sale may be taxed and not in the books.",
    fix: "Give all exports of the period at once. If the source no longer has a document, credit its receipt.",
    steps: [{ do: "imports" }]
  },
  SALES_IN_TWO_SYSTEMS: {
    meaning: "At least half of the invoices of a system are those of another system under other numbers",
    consequence: "If they are the same sales, each has two receipts and is taxed twice.",
    fix: "Compare the named documents. If they are the same sales, import one of the systems only, and credit the receipts of the other. Otherwise acknowledge the difference."
  }
}

/** States without another entry. Health, holds or the gateway's codes explain the other states. */
const states: Record<Exclude<State, "Held" | "Unknown" | "Expired" | "Declined">, EventCodeText> = {
  Planned: {
    meaning: "The document is stored and waits to be sent",
    consequence: "The document is sent after the earlier documents for the same device.",
    fix: "If no worker runs, resume sending.",
    steps: [{ do: "resume" }]
  },
  Sending: {
    meaning: "The request with the document is being sent to the gateway",
    consequence: "If the program ends now, the document is Unknown at the next start.",
    fix: "Wait; if no process runs, resume sending.",
    steps: [{ do: "resume" }]
  },
  Accepted: {
    meaning: "The gateway accepted the document and returned a request id",
    consequence: "The outcome arrives by webhook, or can be asked for during seven days.",
    fix: "Ask for the outcome.",
    steps: [{ do: "resume" }]
  },
  Fiscalised: {
    meaning: "The document is fiscalised, and its proof is kept",
    consequence: "This state is final: the document is never sent again.",
    fix: "No action needed. To reverse the document, void it in the source, and send the credit note that is prepared for it."
  },
  Rejected: {
    meaning: "The gateway processed the document and rejected it",
    consequence: "The document is not fiscalised; the next documents are sent.",
    fix: "Correct the document in the source as the gateway's text requires, and import it again.",
    steps: [{ do: "explain" }]
  },
  Withdrawn: {
    meaning: "An operator decided that the document is not sent, or that its outcome is not waited for",
    consequence:
      "The document is not sent from now on; a request that was sent before is not taken back. An outcome that arrives later is still recorded.",
    fix: "If this was intended, no action is needed."
  }
}

const entries = (
  group: string,
  texts: Readonly<Record<string, EventCodeText>>,
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
  ...entries("Differences of a period", reconciled),
  ...entries(
    "What needs attention",
    Object.fromEntries(
      Object.entries(attention).flatMap(([code, { consequence, fix, meaning, steps }]) =>
        // a finding about a Z-report, too
        code === "DAY_DIFFERS" ? [] : [[code, { meaning, consequence, fix, ...(steps && { steps }) }]]
      )
    )
  ),
  ...entries("Why the store could not do its work", storeErrors, upper("STORE"))
]
