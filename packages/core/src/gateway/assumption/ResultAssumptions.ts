/** Assumptions about status and results (STAT-1 to STAT-9). */
import { type Assumption, discipline, nothing, on, paths } from "./Assumption.ts"

export const results = {
  "STAT-1": {
    takes:
      "A request in progress is answered with Success false, no Error and no QrData. A result has three values; no error is never success.",
    strength: "D/I",
    switch: on("STAT-1"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "failed documents stay pending until their seven days are over"
  },
  "STAT-2": {
    takes: "IsActionable says whether a failure may be corrected and sent again. Where it is absent, it may.",
    strength: "C",
    switch: on("STAT-2"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "corrected documents are rejected again as already dealt with"
  },
  "STAT-3": {
    takes: "Error is plain text, in which codes of the authority may occur.",
    strength: "C/I",
    switch: nothing("an Error of another shape is read as text"),
    usedIn: ["core/src/gateway/operation/Status", "core/src/gateway/exchange/AnswerText"],
    wrongIf: "rejections show JSON for a reason"
  },
  "STAT-4": {
    takes: "FiscalInvoicePdf is a file name, the argument of the download.",
    strength: "C",
    switch: paths("downloadPdf"),
    usedIn: ["core/src/gateway/operation/Pdf"],
    wrongIf: "downloads are answered 404, or the name is a link"
  },
  "STAT-5": {
    takes: "Results are matched by RequestId, never by position; ids may be missing, unknown or repeated.",
    strength: "I",
    switch: discipline,
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "it cannot be wrong to our harm: one per id in the order asked is a case of it"
  },
  "STAT-6": {
    takes:
      "The answer to a submission is the request id, perhaps with white space round it and in one pair of double quotes, which are taken off.",
    strength: "C",
    switch: on("STAT-6"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf: "/status knows no id that came in quotes"
  },
  "STAT-7": {
    takes: "A request is processed within seconds: its status is first looked at after 6.",
    strength: "C",
    switch: on("STAT-7"),
    usedIn: ["core/src/engine/StatusPoller"],
    wrongIf: "the first look at most requests still finds them pending"
  },
  "STAT-8": {
    takes:
      "A request id is 1 to 200 printable ASCII characters without white space, not beginning with <, {, [ or a double quote, and with a digit at least. Any other 2xx answer leaves the outcome unknown.",
    strength: "I",
    switch: on("STAT-8"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf: "submissions are Unknown whose answer, as the document's explanation shows it, is an id without a digit"
  },
  "STAT-9": {
    takes:
      "A status item without QrData and without a code of the authority, whose whole text says that the request or its id is not found, not known or does not exist, is not a result: the request is asked for again, and expires at its horizon. Every other failure with a text is a rejection at once.",
    strength: "I",
    switch: on("STAT-9"),
    usedIn: ["core/src/gateway/operation/NoResult"],
    wrongIf:
      "documents are Rejected with a text that speaks of the request id alone, or expire although the gateway rejected them with such a text"
  }
} as const satisfies { readonly [id: string]: Assumption }
