/** Operations whose details the contract does not show (OP-1 to OP-9). */
import { type Assumption, inGateway, on, paths, tolerance } from "./Assumption.ts"

export const operations = {
  "OP-1": {
    takes: "A document's PDF is GET /download/{FiscalInvoicePdf}.",
    strength: "C",
    switch: paths("downloadPdf"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/Pdf"],
    wrongIf: "downloads of fiscalised documents are answered 404",
    tests: inGateway(
      "WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
      "WireRequests.test.ts: takes a path from the configuration, its segment encoded"
    )
  },
  "OP-2": {
    takes: "Tax mappings are GET /taxmapping, a bare array, and GET /taxmapping/{id}.",
    strength: "C/I",
    switch: paths("taxMappings", "taxMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/TaxMapping"],
    wrongIf: "they are answered 404 or 405, or with something else than an array",
    tests: inGateway(
      "WireRequests.test.ts: Get All TaxMappings is sent as GET /api/taxmapping",
      "WireRequests.test.ts: Get Specific Tax Mapping is sent as GET /api/taxmapping/7"
    )
  },
  "OP-3": {
    takes:
      "A tax mapping is updated by PUT /taxmapping/{id} with all its fields and deleted by DELETE /taxmapping/{id}.",
    strength: "C",
    switch: paths("updateTaxMapping", "deleteTaxMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/TaxMapping"],
    wrongIf: "they are answered 404 or 405 for a mapping that is listed",
    tests: inGateway(
      "WireRequests.test.ts: Update Tax Mapping is sent as PUT /api/taxmapping/7",
      "WireRequests.test.ts: Delete Tax Mapping is sent as DELETE /api/taxmapping/7"
    )
  },
  "OP-4": {
    takes: "Supported currencies are GET /currencymapping/supported-currencies, an array of strings.",
    strength: "C",
    switch: paths("supportedCurrencies"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/CurrencyMapping"],
    wrongIf: "it is answered 404, or with something else than an array of strings",
    tests: inGateway(
      "WireRequests.test.ts: Supported Currencies is sent as GET /api/currencymapping/supported-currencies"
    )
  },
  "OP-5": {
    takes:
      "Currency mappings are GET /currencymapping, a bare array, GET /currencymapping/{id} and DELETE /currencymapping/{id}.",
    strength: "C/I",
    switch: paths("currencyMappings", "currencyMapping", "deleteCurrencyMapping"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/CurrencyMapping"],
    wrongIf: "they are answered 404 or 405, or the list with something else than an array",
    tests: inGateway(
      "WireRequests.test.ts: Get All CurrencyMappings is sent as GET /api/currencymapping",
      "WireRequests.test.ts: Delete Currency Mapping is sent as DELETE /api/currencymapping/9"
    )
  },
  "OP-6": {
    takes: "The last segment of a single Z-report's path is the fiscal day number.",
    strength: "D",
    switch: paths("zReport"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/ZReport"],
    wrongIf: "a listed day is answered 404, or with another day",
    tests: inGateway("WireRequests.test.ts: Get Specific Z-Report is sent as GET /api/reports/z-report/41")
  },
  "OP-7": {
    takes: "A Z-report's PDF is GET /reports/z-report/{day}/pdf.",
    strength: "?",
    switch: paths("zReportPdf"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/operation/ZReport"],
    wrongIf: "it is answered 404 for a listed day",
    tests: inGateway("WireRequests.test.ts: Download Z-report As PDF is sent as GET /api/reports/z-report/41/pdf")
  },
  "OP-8": {
    takes: "Test is POST /test with {}, signed.",
    strength: "?",
    switch: paths("test"),
    usedIn: ["core/src/gateway/contract/Operation", "core/src/gateway/Gateway"],
    wrongIf: "it is answered 404",
    tests: inGateway("WireRequests.test.ts: Test is sent as POST /api/test")
  },
  "OP-9": {
    takes: "An update is answered with a boolean; false means that nothing was updated.",
    strength: "C",
    switch: on("OP-9"),
    usedIn: ["core/src/gateway/operation/Mapping"],
    wrongIf: "an update answered with false is there when the mapping is read again",
    tests: inGateway(
      "Answers.test.ts: updates are done by true, by nothing and by anything else, but not by false",
      "AssumptionSwitches.test.ts: OP-9: done takes an update answered with false for done"
    )
  },
  "NUM-1": {
    takes: "Numbers may come as JSON strings, on either side.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/gateway/exchange/AnswerRecord", "core/src/document/Money", "sandbox/src/wire/Decimal"],
    wrongIf: "a number in an answer is malformed",
    tests: inGateway("Answers.test.ts: numbers may come as strings, and no digit of an amount is lost")
  },
  "TIME-1": {
    takes: "Date-times in answers without an offset are in the account's zone, which is the mapping book's.",
    strength: "I",
    switch: on("TIME-1"),
    usedIn: ["core/src/gateway/operation/LocalDateTime"],
    wrongIf: "a Z-report's ClosedAt is off by whole hours from when the day was closed",
    tests: inGateway("AssumptionSwitches.test.ts: TIME-1: a zone reads date-times without an offset in that zone")
  },
  "ZREP-1": {
    takes: "Pages of Z-reports are numbered from 1.",
    strength: "?",
    switch: on("ZREP-1"),
    usedIn: ["core/src/gateway/operation/ZReport"],
    wrongIf: "the latest reports are missing from the stream over all pages, or come twice",
    tests: inGateway("Answers.test.ts: Z-reports stream over all pages, the first numbered as ZREP-1 says")
  },
  "ZREP-2": {
    takes: "A single report's DateOpenedAt is OpenedAt; ClosedAt and Summaries may be absent.",
    strength: "D",
    switch: tolerance,
    usedIn: ["core/src/gateway/operation/ZReport"],
    wrongIf: "a report has no opening",
    tests: inGateway(
      "Answers.test.ts: a single Z-report has its summaries, its opening under the other name, and no closing"
    )
  }
} as const satisfies { readonly [id: string]: Assumption }
