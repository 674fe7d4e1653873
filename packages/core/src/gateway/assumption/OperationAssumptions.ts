import { type Assumption, nothing, on, paths, tolerance } from "./Assumption.ts"

export const operations = {
  "OP-1": {
    takes: "The PDF of a document is GET /download/{FiscalInvoicePdf}.",
    strength: "C",
    switch: paths("downloadPdf"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/Pdf"],
    wrongIf: "downloads of fiscalised documents are answered 404"
  },
  "OP-2": {
    takes: "Tax mappings are GET /taxmapping, which returns a JSON array, and GET /taxmapping/{id}.",
    strength: "C/I",
    switch: paths("taxMappings", "taxMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/TaxMapping"],
    wrongIf: "the requests are answered 404 or 405, or the answer is not an array"
  },
  "OP-3": {
    takes:
      "A tax mapping is updated by PUT /taxmapping/{id} with all its fields and deleted by DELETE /taxmapping/{id}.",
    strength: "C",
    switch: paths("updateTaxMapping", "deleteTaxMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/TaxMapping"],
    wrongIf: "the requests are answered 404 or 405 for a mapping that is listed"
  },
  "OP-4": {
    takes: "Supported currencies are GET /currencymapping/supported-currencies, which returns an array of strings.",
    strength: "C",
    switch: paths("supportedCurrencies"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/CurrencyMapping"],
    wrongIf: "the request is answered 404, or the answer is not an array of strings"
  },
  "OP-5": {
    takes:
      "Currency mappings are GET /currencymapping, which returns a JSON array, GET /currencymapping/{id} and DELETE /currencymapping/{id}.",
    strength: "C/I",
    switch: paths("currencyMappings", "currencyMapping", "deleteCurrencyMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/CurrencyMapping"],
    wrongIf: "the requests are answered 404 or 405, or the answer to the list is not an array"
  },
  "OP-6": {
    takes: "The last segment of a single Z-report's path is the fiscal day number.",
    strength: "D",
    switch: paths("zReport"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/ZReport"],
    wrongIf: "a listed day is answered 404, or with another day"
  },
  "OP-7": {
    takes: "The PDF of a Z-report is GET /reports/z-report/{day}/pdf.",
    strength: "?",
    switch: paths("zReportPdf"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/ZReport"],
    wrongIf: "the request is answered 404 for a listed day"
  },
  "OP-8": {
    takes: "The test request is POST /test with {}, signed.",
    strength: "?",
    switch: paths("test"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/Gateway"],
    wrongIf: "the request is answered 404"
  },
  "OP-9": {
    takes: "An update is answered with a boolean; false means that no change was made.",
    strength: "C",
    switch: on("OP-9"),
    usedIn: ["core/src/gateway/operation/Mapping"],
    wrongIf: "an update was answered with false, and the change appears when the mapping is read again"
  },
  "NUM-1": {
    takes: "Numbers may be JSON strings, in requests and in answers.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/gateway/exchange/AnswerRecord", "core/src/document/Money", "sandbox/src/wire/Decimal"],
    wrongIf: "a number in an answer is malformed"
  },
  "NUM-2": {
    takes:
      "The device numbers its receipts without gaps, through all days or from 1 on each day: a number that no proof has is a receipt of another program, or a second one.",
    strength: "I",
    switch: nothing("a fiscal day whose counters agree shows that the device skips numbers"),
    usedIn: ["core/src/day/ReceiptNumbers", "core/src/day/DayDifferences", "core/src/submission/ledger/ReceiptGap"],
    wrongIf: "RECEIPT_NOT_OURS or STORE_BEHIND is reported, and the portal has no receipt with the missing number"
  },
  "TIME-1": {
    takes: "Date-times without an offset in answers are in the account's zone, which is the zone of the mapping book.",
    strength: "I",
    switch: on("TIME-1"),
    usedIn: ["core/src/gateway/operation/LocalDateTime"],
    wrongIf: "ClosedAt of a Z-report differs by whole hours from the time when the day was closed"
  },
  "ZREP-1": {
    takes: "Pages of Z-reports are numbered from 1.",
    strength: "?",
    switch: on("ZREP-1"),
    usedIn: ["core/src/gateway/operation/ZReport"],
    wrongIf: "the latest reports are missing in the stream of all pages, or appear twice"
  },
  "ZREP-2": {
    takes: "DateOpenedAt of a single report is OpenedAt; ClosedAt and Summaries may be absent.",
    strength: "D",
    switch: tolerance,
    usedIn: ["core/src/gateway/operation/ZReport"],
    wrongIf: "a report has no opening time"
  }
} as const satisfies { readonly [id: string]: Assumption }
