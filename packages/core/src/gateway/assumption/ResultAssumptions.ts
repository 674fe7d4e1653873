/** Status and results (STAT-1 to STAT-8). */
import { type Assumption, discipline, inGateway, nothing, on, paths } from "./Assumption.ts"

export const results = {
  "STAT-1": {
    takes:
      "A request in progress is answered with Success false, no Error and no QrData. A result has three values; no error is never success.",
    strength: "D/I",
    switch: on("STAT-1"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "failed documents stay pending until their seven days are over",
    tests: inGateway(
      "Status.test.ts: is pending, never fiscalised, when there is no error and no success",
      "Status.test.ts: is rejected without an error where STAT-1 says so"
    )
  },
  "STAT-2": {
    takes: "IsActionable says whether a failure may be corrected and sent again. Where it is absent, it may.",
    strength: "C",
    switch: on("STAT-2"),
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "corrected documents are rejected again as already dealt with",
    tests: inGateway("Status.test.ts: is final only when IsActionable is false, or is not there and STAT-2 says so")
  },
  "STAT-3": {
    takes: "Error is plain text, in which codes of the authority may occur.",
    strength: "C/I",
    switch: nothing("an Error of another shape is read as text all the same"),
    usedIn: ["core/src/gateway/operation/Status", "core/src/gateway/exchange/AnswerText"],
    wrongIf: "rejections show JSON for a reason",
    tests: inGateway("Status.test.ts: reads an Error that is an object, and bounds and cleans its text")
  },
  "STAT-4": {
    takes: "FiscalInvoicePdf is a file name, the argument of the download.",
    strength: "C",
    switch: paths("downloadPdf"),
    usedIn: ["core/src/gateway/operation/Pdf"],
    wrongIf: "downloads are answered 404, or the name is a link",
    tests: inGateway(
      "WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
      "WireRequests.test.ts: never sends for a PDF whose name would climb up the path"
    )
  },
  "STAT-5": {
    takes: "Results are matched by RequestId, never by position; ids may be missing, unknown or repeated.",
    strength: "I",
    switch: discipline,
    usedIn: ["core/src/gateway/operation/Status"],
    wrongIf: "it cannot be wrong to our harm: one per id in the order asked is a case of it",
    tests: inGateway("Status.test.ts: matches by request id: out of order, missing, unknown and repeated ones")
  },
  "STAT-6": {
    takes:
      "The answer to a submission is the request id, perhaps with white space round it and in one pair of double quotes, which are taken off.",
    strength: "C",
    switch: on("STAT-6"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf: "/status knows no id that came in quotes",
    tests: inGateway(
      "Status.test.ts: is a request id with white space and one pair of quotes taken off",
      "Status.test.ts: keeps its quotes where STAT-6 says so"
    )
  },
  "STAT-7": {
    takes: "A request is processed within seconds: its status is first looked at after 6.",
    strength: "C",
    switch: on("STAT-7"),
    usedIn: ["core/src/engine/StatusPoller"],
    wrongIf: "the first look at most requests still finds them pending",
    tests: []
  },
  "STAT-8": {
    takes:
      "A request id is 1 to 200 printable ASCII characters without white space, not beginning with <, {, [ or a double quote, and with a digit at least. Any other 2xx answer leaves the outcome unknown.",
    strength: "I",
    switch: on("STAT-8"),
    usedIn: ["core/src/gateway/operation/Submit"],
    wrongIf: "submissions are Unknown whose answer, as the document's explanation shows it, is an id without a digit",
    tests: inGateway(
      "Status.test.ts: is none when it is empty, markup, JSON of another kind, a sentence or too long",
      "Status.test.ts: is none without a digit, however short and plain it is",
      "AssumptionSwitches.test.ts: STAT-8: any takes a request id that has no digit"
    )
  }
} as const satisfies { readonly [id: string]: Assumption }
