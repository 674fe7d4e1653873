/**
 * Tests of each assumption (docs/gateway.md#assumptions): a file under packages/, or `file: title`.
 * Every assumption of the gateway room must have a test.
 */
import type { AssumptionId } from "@fiscal-connector/core/unstable/gateway/assumption/Assumptions"

export const assumptionTests: Readonly<Record<AssumptionId, ReadonlyArray<string>>> = {
  "AUTH-1": [
    "core/test/gateway/WireRequests.test.ts: Submit Invoice is sent as POST /api/invoice",
    "core/test/gateway/AssumptionSwitches.test.ts: AUTH-1: every-request signs the empty body of a read as well"
  ],
  "AUTH-2": [
    "core/test/gateway/Signature.test.ts: is the Base64 of an HMAC-SHA256 keyed by the secret's text",
    "core/test/gateway/Signature.test.ts: keys by the decoded bytes only where AUTH-2 says so"
  ],
  "AUTH-3": [
    "core/test/gateway/Signature.test.ts: signs the very bytes, non-ASCII included",
    "core/test/gateway/WireRequests.test.ts: Submit Credit Note is sent as POST /api/creditnote"
  ],
  "AUTH-4": [
    "core/test/gateway/GatewayConfig.test.ts: refuses what could not stand in a header, such as a key read from a file with its newline"
  ],
  "AUTH-5": ["core/test/gateway/CertainlyNotProcessed.test.ts: a complete answer of 401"],
  "AUTH-6": [
    "core/test/gateway/Signature.test.ts: verifies against any of several secrets, so that one can be rotated"
  ],
  "AUTH-7": [
    "core/test/gateway/GatewayConfig.test.ts: takes https anywhere and http on loopback only",
    "core/test/gateway/GatewayConfig.test.ts: takes http further away only where AUTH-7 says so"
  ],
  "AUTH-8": ["sandbox/test/Credentials.test.ts: is recorded with its version, and never with its key or signature"],
  "HOOK-1": [
    "core/test/gateway/Status.test.ts: loses no good result to a bad one beside it, but an answer of nothing but bad ones is malformed",
    "core/test/webhook/WebhookReceiver.test.ts: is read under the header and in the form that the account's switches name (HOOK-1, HOOK-3)"
  ],
  "HOOK-2": [
    "core/test/gateway/Status.test.ts: is fiscalised with its proof when Success is true",
    "core/test/gateway/Status.test.ts: keeps what it does not know, and what does not fit its field"
  ],
  "HOOK-3": [
    "core/test/gateway/Signature.test.ts: never verifies without a secret, without a signature, or by a signature that is not canonical Base64 of 32 bytes",
    "core/test/webhook/WebhookReceiver.test.ts: is read under the header and in the form that the account's switches name (HOOK-1, HOOK-3)",
    "core/test/webhook/WebhookReceiver.test.ts: is taken again and again, and changes nothing the second time (HOOK-3)"
  ],
  "HOOK-4": [
    "core/test/webhook/WebhookReceiver.test.ts: leads to 503 in time, whatever it does, and is no reason to lose what was delivered",
    "core/test/webhook/WebhookReceiver.test.ts: is answered 401 and changes nothing: no signature"
  ],
  "HOOK-5": [
    "core/test/webhook/WebhookReceiver.test.ts: of an empty array is answered 2xx, as registration sends such (HOOK-5)",
    "core/test/webhook/WebhookReceiver.test.ts: loses no good result to a bad one beside it"
  ],
  "HOOK-6": ["core/test/webhook/WebhookReceiver.test.ts: changes only documents of the account whose secret signed it"],
  "HOOK-7": [
    "core/test/submission/Outcome.test.ts",
    "core/test/webhook/WebhookOrders.test.ts",
    "core/test/webhook/WebhookReceiver.test.ts: may come before the submission's own answer: its outcome is kept until then (HOOK-7)"
  ],
  "STAT-1": [
    "core/test/gateway/Status.test.ts: is pending, never fiscalised, when there is no error and no success",
    "core/test/gateway/Status.test.ts: is rejected without an error where STAT-1 says so"
  ],
  "STAT-2": [
    "core/test/gateway/Status.test.ts: is final only when IsActionable is false, or is not there and STAT-2 says so"
  ],
  "STAT-3": ["core/test/gateway/Status.test.ts: reads an Error that is an object, and bounds and cleans its text"],
  "STAT-4": [
    "core/test/gateway/WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
    "core/test/gateway/WireRequests.test.ts: never sends for a PDF whose name would climb up the path"
  ],
  "STAT-5": [
    "core/test/gateway/Status.test.ts: matches by request id: out of order, missing, unknown and repeated ones"
  ],
  "STAT-6": [
    "core/test/gateway/Status.test.ts: is a request id with white space and one pair of quotes taken off",
    "core/test/gateway/Status.test.ts: keeps its quotes where STAT-6 says so"
  ],
  "STAT-7": [],
  "STAT-8": [
    "core/test/gateway/Status.test.ts: is none when it is empty, markup, JSON of another kind, a sentence or too long",
    "core/test/gateway/Status.test.ts: is none without a digit, however short and plain it is",
    "core/test/gateway/AssumptionSwitches.test.ts: STAT-8: any takes a request id that has no digit"
  ],
  "STAT-9": [
    "core/test/gateway/NoResult.test.ts: is not a result, in all the ways a gateway says it",
    "core/test/gateway/NoResult.test.ts: leaves 200 wordings of real rejections what they are: final at once",
    "core/test/gateway/NoResult.test.ts: goes by the account's own pattern, or by none"
  ],
  "OP-1": [
    "core/test/gateway/WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
    "core/test/gateway/WireRequests.test.ts: takes a path from the configuration, its segment encoded"
  ],
  "OP-2": [
    "core/test/gateway/WireRequests.test.ts: Get All TaxMappings is sent as GET /api/taxmapping",
    "core/test/gateway/WireRequests.test.ts: Get Specific Tax Mapping is sent as GET /api/taxmapping/7"
  ],
  "OP-3": [
    "core/test/gateway/WireRequests.test.ts: Update Tax Mapping is sent as PUT /api/taxmapping/7",
    "core/test/gateway/WireRequests.test.ts: Delete Tax Mapping is sent as DELETE /api/taxmapping/7"
  ],
  "OP-4": [
    "core/test/gateway/WireRequests.test.ts: Supported Currencies is sent as GET /api/currencymapping/supported-currencies"
  ],
  "OP-5": [
    "core/test/gateway/WireRequests.test.ts: Get All CurrencyMappings is sent as GET /api/currencymapping",
    "core/test/gateway/WireRequests.test.ts: Delete Currency Mapping is sent as DELETE /api/currencymapping/9"
  ],
  "OP-6": ["core/test/gateway/WireRequests.test.ts: Get Specific Z-Report is sent as GET /api/reports/z-report/41"],
  "OP-7": [
    "core/test/gateway/WireRequests.test.ts: Download Z-report As PDF is sent as GET /api/reports/z-report/41/pdf"
  ],
  "OP-8": ["core/test/gateway/WireRequests.test.ts: Test is sent as POST /api/test"],
  "OP-9": [
    "core/test/gateway/Answers.test.ts: updates are done by true, by nothing and by anything else, but not by false",
    "core/test/gateway/AssumptionSwitches.test.ts: OP-9: done takes an update answered with false for done"
  ],
  "NUM-1": ["core/test/gateway/Answers.test.ts: numbers may come as strings, and no digit of an amount is lost"],
  "TIME-1": [
    "core/test/gateway/AssumptionSwitches.test.ts: TIME-1: a zone reads date-times without an offset in that zone"
  ],
  "ZREP-1": ["core/test/gateway/Answers.test.ts: Z-reports stream over all pages, the first numbered as ZREP-1 says"],
  "ZREP-2": [
    "core/test/gateway/Answers.test.ts: a single Z-report has its summaries, its opening under the other name, and no closing"
  ],
  "DOC-1": ["core/test/document/WireCodec.test.ts"],
  "DOC-2": ["core/test/preflight/DocumentRules.test.ts"],
  "DOC-3": ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/OrderAndBuyer.test.ts"],
  "DOC-4": ["core/test/translate/Laws.test.ts"],
  "DOC-5": ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/CreditRules.test.ts"],
  "DOC-6": ["core/test/translate/GoldenDocuments.test.ts", "sandbox/test/receipt/TotalRules.test.ts"],
  "DOC-7": ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/TotalRules.test.ts"],
  "DOC-8": ["core/test/translate/Laws.test.ts", "sandbox/test/receipt/OrderAndBuyer.test.ts"],
  "DOC-9": ["core/test/document/Instant.test.ts", "core/test/document/WireCodec.test.ts"],
  "DOC-10": ["sandbox/test/Faults.test.ts"],
  "DOC-10b": ["sandbox/test/Faults.test.ts"],
  "DOC-11": ["sandbox/test/receipt/OrderAndBuyer.test.ts"],
  "DOC-12": [
    "core/test/gateway/Answers.test.ts: Get Fiscal Device gives every field and its configuration, date-times without offset as they came",
    "core/test/gateway/Answers.test.ts: a taxpayer that is not registered for VAT has no VAT number, in the device and in its configuration"
  ],
  "DOC-13": [
    "core/test/gateway/Answers.test.ts: a tax id under its other name is read, and where both are there the second is kept"
  ],
  "DOC-14": ["sandbox/test/day/Counters.test.ts: have one row per currency, type and tax, or payment method"],
  "DOC-15": ["core/test/preflight/DeviceRules.test.ts", "sandbox/test/receipt/CreditRules.test.ts"],
  "DOC-16": [
    "sandbox/test/Transactions.test.ts: take numbers as strings, no X-App-Version, {} as buyer and an empty original"
  ],
  "DOC-17": [
    "sandbox/test/Leniency.test.ts: a Date without an offset is taken by switch only, in the device's zone (DOC-17)"
  ],
  "DOC-18": [
    "sandbox/test/Leniency.test.ts: a tax mapping without TaxName is taken by switch only; the TaxCode stands for it (DOC-18)"
  ],
  "ORD-1": ["sandbox/test/Device.test.ts: works receipts off in the order of acceptance, whatever the delays"],
  "HIST-1": [],
  "SUB-1": [
    "core/test/preflight/BesideTheRules.test.ts: stops at words that mean an end, and warns of words that nobody has seen (SUB-1)"
  ],
  "SUB-1b": [
    "core/test/preflight/BesideTheRules.test.ts: warns where there is no subscription, unless SUB-1b says stop"
  ],
  "SHAPE-1": [
    "core/test/gateway/AnswerTable.test.ts: unwraps a configuration that is nested once more, an object, or text inside text (SHAPE-1): nested once more",
    "core/test/gateway/AnswerTable.test.ts: splits supported currencies that come as one text (SHAPE-1)"
  ],
  "LIM-1": [
    "core/test/gateway/CertainlyNotProcessed.test.ts: is no longer a 429 where LIM-1 says that it may come after the document was taken",
    "core/test/gateway/AssumptionSwitches.test.ts: LIM-1: not-processed takes a 429 for answered before anything was done",
    "core/test/gateway/AssumptionSwitches.test.ts: LIM-1: unknown leaves the outcome of a submission open after a 429, and means nothing for a read"
  ]
}
