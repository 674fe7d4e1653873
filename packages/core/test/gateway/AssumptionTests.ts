/**
 * Tests of each assumption (docs/gateway.md#assumptions): a file under packages/, or `file: title`.
 * Every assumption of the gateway room must have a test.
 */
import type { AssumptionId } from "../../src/gateway/assumption/Assumptions.ts"

export const assumptionTests: Readonly<Record<AssumptionId, ReadonlyArray<string>>> = {
  "AUTH-1": [
    "core/test/gateway/WireRequests.test.ts: Submit Invoice is sent as POST /api/invoice",
    "core/test/gateway/AssumptionSwitches.test.ts: AUTH-1: every-request signs the empty body of a read as well"
  ],
  "AUTH-2": [
    "core/test/gateway/Signature.test.ts: is the Base64 text of an HMAC-SHA256 with the secret's text as the key",
    "core/test/gateway/Signature.test.ts: uses the decoded bytes as the key only with AUTH-2"
  ],
  "AUTH-3": [
    "core/test/gateway/Signature.test.ts: covers the exact bytes, including non-ASCII",
    "core/test/gateway/WireRequests.test.ts: Submit Credit Note is sent as POST /api/creditnote"
  ],
  "AUTH-4": [
    "core/test/gateway/GatewayConfig.test.ts: refuses values that cannot be in a header, such as a key read from a file with its newline"
  ],
  "AUTH-5": ["core/test/gateway/CertainlyNotProcessed.test.ts: a complete answer of 401"],
  "AUTH-6": [
    "core/test/gateway/Signature.test.ts: verifies with any of several secrets, so that a secret can be rotated"
  ],
  "AUTH-7": [
    "core/test/gateway/GatewayConfig.test.ts: allows https anywhere and http on loopback only",
    "core/test/gateway/GatewayConfig.test.ts: allows http beyond loopback only with AUTH-7"
  ],
  "AUTH-8": ["sandbox/test/Credentials.test.ts: is recorded with its version, and never with its key or signature"],
  "HOOK-1": [
    "core/test/gateway/Status.test.ts: keeps good results next to bad ones, but an answer with only bad ones is malformed",
    "core/test/sending/WebhookReceiver.test.ts: is read with the header and the form in the account's switches (HOOK-1, HOOK-3)"
  ],
  "HOOK-2": [
    "core/test/gateway/Status.test.ts: is fiscalised with its proof if Success is true",
    "core/test/gateway/Status.test.ts: keeps unknown fields, and values that do not match their field"
  ],
  "HOOK-3": [
    "core/test/gateway/Signature.test.ts: never verifies without a secret, without a signature, or with one that is not canonical Base64 of 32 bytes",
    "core/test/sending/WebhookReceiver.test.ts: is read with the header and the form in the account's switches (HOOK-1, HOOK-3)",
    "core/test/sending/WebhookReceiver.test.ts: is accepted repeatedly, and changes nothing the second time (HOOK-3)"
  ],
  "HOOK-4": [
    "core/test/sending/WebhookReceiver.test.ts: causes a 503 answer in time, and the delivered results are not lost",
    "core/test/sending/WebhookReceiver.test.ts: is answered 401 and changes nothing: no signature"
  ],
  "HOOK-5": [
    "core/test/sending/WebhookReceiver.test.ts: of an empty array is answered 2xx, as sent during registration (HOOK-5)",
    "core/test/sending/WebhookReceiver.test.ts: keeps good results next to a bad one"
  ],
  "HOOK-6": [
    "core/test/sending/WebhookReceiver.test.ts: changes only documents of the account with the secret that signed it"
  ],
  "HOOK-7": [
    "core/test/submission/Outcome.test.ts",
    "core/test/sending/WebhookOrders.test.ts",
    "core/test/sending/WebhookReceiver.test.ts: may arrive before the submission's own answer: its outcome is kept until then (HOOK-7)"
  ],
  "STAT-1": [
    "core/test/gateway/Status.test.ts: is pending, never fiscalised, without an error and without success",
    "core/test/gateway/Status.test.ts: is rejected without an error with STAT-1"
  ],
  "STAT-2": ["core/test/gateway/Status.test.ts: is final only if IsActionable is false, or absent with STAT-2"],
  "STAT-3": ["core/test/gateway/Status.test.ts: reads an Error that is an object, and shortens and cleans its text"],
  "STAT-4": [
    "core/test/gateway/WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
    "core/test/gateway/WireRequests.test.ts: is not sent for a PDF whose name would leave the path"
  ],
  "STAT-5": ["core/test/gateway/Status.test.ts: matches by request id: unordered, missing, unknown and repeated ids"],
  "STAT-6": [
    "core/test/gateway/Status.test.ts: is a request id without white space and without one pair of quotes",
    "core/test/gateway/Status.test.ts: keeps its quotes with STAT-6"
  ],
  "STAT-7": [],
  "STAT-8": [
    "core/test/gateway/Status.test.ts: is not a request id if it is empty, markup, other JSON, a sentence or too long",
    "core/test/gateway/Status.test.ts: is not a request id without a digit, even if it is short and plain",
    "core/test/gateway/AssumptionSwitches.test.ts: STAT-8: any accepts a request id without digits"
  ],
  "STAT-9": [
    "core/test/sending/Unproven.test.ts: after 20 hours in which it was the only answer, and a later document has its receipt",
    "core/test/sending/Unproven.test.ts: is a rejection after the quiet period, if a look then says the same",
    "core/test/gateway/AssumptionSwitches.test.ts: STAT-9: a duration, never or any; values of earlier versions decide nothing"
  ],
  "STAT-10": [
    "core/test/sending/Unproven.test.ts: that is a part of a number of the account proves nothing",
    "core/test/sending/Unproven.test.ts: that the document has sent itself proves nothing"
  ],
  "STAT-11": [
    "core/test/gateway/Status.test.ts: lacks its proof if a success has no code and no receipt number, unless STAT-11 expects none",
    "core/test/sending/Proofs.test.ts"
  ],
  "OP-1": [
    "core/test/gateway/WireRequests.test.ts: Download PDF is sent as GET /api/download/a%20b%2F..%2F%C3%BC%3F.pdf",
    "core/test/gateway/WireRequests.test.ts: has a configured path with an encoded segment"
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
    "core/test/gateway/Answers.test.ts: an update is done after true, an empty answer or any other answer except false",
    "core/test/gateway/AssumptionSwitches.test.ts: OP-9: done treats an update answered with false as done"
  ],
  "NUM-1": ["core/test/gateway/Answers.test.ts: numbers may be strings, and amounts keep all digits"],
  "NUM-2": [
    "core/test/day/DayDifferences.test.ts: finds a missing receipt number on a device of this store alone, unless a request may have it"
  ],
  "TIME-1": [
    "core/test/gateway/AssumptionSwitches.test.ts: TIME-1: a zone reads date-times without an offset in that zone"
  ],
  "ZREP-1": [
    "core/test/gateway/Answers.test.ts: Z-reports stream over all pages, with the first page number of ZREP-1"
  ],
  "ZREP-2": [
    "core/test/gateway/Answers.test.ts: a single Z-report has its summaries, an opening time under its alias, and no closing time"
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
    "core/test/gateway/Answers.test.ts: Get Fiscal Device returns every field and its configuration, and date-times without offset unchanged",
    "core/test/gateway/Answers.test.ts: a taxpayer without VAT registration has no VAT number, in the device and in its configuration"
  ],
  "DOC-13": [
    "core/test/gateway/Answers.test.ts: a tax id under its alias is read, and if both names are present the alias is kept as unknown"
  ],
  "DOC-14": ["sandbox/test/day/Counters.test.ts: have one row per currency, type and tax, or payment method"],
  "DOC-15": ["core/test/preflight/DeviceRules.test.ts", "sandbox/test/receipt/CreditRules.test.ts"],
  "DOC-16": [
    "sandbox/test/Transactions.test.ts: accept numbers as strings, no X-App-Version, {} as buyer and an empty original"
  ],
  "DOC-17": [
    "sandbox/test/Leniency.test.ts: a Date without an offset is accepted only with a switch, in the device's zone (DOC-17)"
  ],
  "DOC-18": [
    "sandbox/test/Leniency.test.ts: a tax mapping without TaxName is accepted only with a switch; the TaxCode is used for it (DOC-18)"
  ],
  "DOC-20": [
    "cli/test/Credit.test.ts: credits one of two receipts once, and nothing after it until the credited one is stated"
  ],
  "DOC-19": [
    "core/test/credit/Prepared.test.ts: credits the rest of a voided invoice with tax, one line for each tax",
    "core/test/credit/Prepared.test.ts: states amounts without tax as its invoice does, if the gateway takes no other mode (DOC-19)",
    "core/test/credit/Prepared.test.ts: makes receipts and source equal to the cent for each tax, in any history, and never credits more than is left"
  ],
  "ORD-1": ["sandbox/test/Device.test.ts: processes receipts in the order of acceptance, whatever the delays"],
  "HIST-1": [],
  "SUB-1": [
    "core/test/preflight/BesideTheRules.test.ts: stops sending for words that mean an end, and warns of unknown words (SUB-1)"
  ],
  "SUB-1b": ["core/test/preflight/BesideTheRules.test.ts: warns of a missing subscription, unless SUB-1b is stop"],
  "SHAPE-1": [
    "core/test/gateway/AnswerTable.test.ts: unwraps a configuration that is nested once more, an object, or text inside text (SHAPE-1): nested once more",
    "core/test/gateway/AnswerTable.test.ts: splits supported currencies in a single text (SHAPE-1)"
  ],
  "LIM-1": [
    "core/test/gateway/CertainlyNotProcessed.test.ts: does not include a ${entry.status} if LIM-1 states that it may come after processing",
    "core/test/gateway/AssumptionSwitches.test.ts: LIM-1: not-processed treats a 429 as answered before processing",
    "core/test/gateway/AssumptionSwitches.test.ts: LIM-1: unknown leaves a submission's outcome open after a 429, and does not affect reads"
  ]
}
