import { type Assumption, discipline, nothing, on, paths } from "./Assumption.ts"

export const results = {
  "STAT-1": {
    takes:
      "A request in progress is answered with Success false, without Error and without QrData. A result has three values; a result without an error is not always a success.",
    strength: "D/I",
    switch: on("STAT-1"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "failed documents stay pending until their seven days are over"
  },
  "STAT-2": {
    takes:
      "IsActionable shows whether a failed document may be corrected and sent again. If IsActionable is absent, the document may be sent again.",
    strength: "C",
    switch: on("STAT-2"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "corrected documents are rejected again as already processed"
  },
  "STAT-3": {
    takes: "Error is plain text that may contain codes of the authority.",
    strength: "C/I",
    switch: nothing("an Error of another shape is read as text"),
    usedIn: ["core/src/gateway/operation/Status", "core/src/gateway/exchange/AnswerText"],
    wrongIf: "the reason of a rejection is shown as JSON"
  },
  "STAT-4": {
    takes: "FiscalInvoicePdf is a file name, and is the argument of the download.",
    strength: "C",
    switch: paths("downloadPdf"),
    usedIn: ["core/src/gateway/operation/Pdf"],
    wrongIf: "downloads are answered 404, or the name is a link"
  },
  "STAT-5": {
    takes: "Results are matched by RequestId, never by position; request ids may be missing, unknown or repeated.",
    strength: "I",
    switch: discipline,
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "each request id has one result, in the order of the request, which is accepted, too"
  },
  "STAT-6": {
    takes:
      "The answer to a submission is the request id, optionally with white space around it and in one pair of double quotes; both are removed.",
    strength: "C",
    switch: on("STAT-6"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf: "/status does not know a request id that was returned in quotes"
  },
  "STAT-7": {
    takes: "A request is processed within seconds, so its status is first asked for after 6 seconds.",
    strength: "C",
    switch: on("STAT-7"),
    usedIn: ["core/src/sending/StatusPoller"],
    wrongIf: "most requests are still pending when their status is first asked for"
  },
  "STAT-8": {
    takes:
      "A request id has 1 to 200 printable ASCII characters without white space and at least one digit, and does not begin with <, {, [ or a double quote. After any other 2xx answer the outcome is unknown.",
    strength: "I",
    switch: on("STAT-8"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf:
      "a submission is Unknown, and the explanation of its document shows an answer that is a request id without a digit"
  },
  "STAT-9": {
    takes:
      "A failure without the code of a receipt rule is not a result: the gateway may still work on the request, whatever the text says and whatever IsActionable is. The failure is a result if a signed delivery states it and /status says the same after the quiet period; if it was the only answer in every look during the stated time, in which the account could send, and a document that was accepted later has its receipt; or if an operator has looked in the portal. A text that /status also gives for an id that no request has is never a result.",
    strength: "I",
    switch: on("STAT-9"),
    usedIn: ["core/src/submission/ledger/Settled"],
    wrongIf:
      "documents stay Accepted for hours although the gateway has finished with them, or two receipts are made because the gateway says one text for longer than the stated time while it works"
  },
  "STAT-10": {
    takes:
      "The code of a receipt rule (RCPT and three digits) in the Error is a result of processing, in one look, if no proof, pending result or field that may show a receipt is beside it, the code is part of no number of the account and of nothing that the document sent, and /status does not say the same of an id that no request has.",
    strength: "I",
    switch: nothing("without it no rejection could be corrected before the time of STAT-9 is over"),
    usedIn: ["core/src/submission/ledger/StatedFailure", "core/src/submission/ledger/Settled"],
    wrongIf: "a document was Rejected with the code of a receipt rule, and has a receipt at the gateway"
  },
  "STAT-11": {
    takes:
      "A success has a verification code or a receipt number above 0 in QrData. A success without them counts, is asked for again until 7 days after the request, and is reported after 10 minutes (PROOF_MISSING).",
    strength: "I",
    switch: on("STAT-11"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "every document of the account is listed under PROOF_MISSING"
  }
} as const satisfies { readonly [id: string]: Assumption }
