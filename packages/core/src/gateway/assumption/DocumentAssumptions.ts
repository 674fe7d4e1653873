/** Fields of documents, order and history (DOC-1 to DOC-18, ORD-1, HIST-1, LIM-1). */
import { type Assumption, book, inGateway, inSandbox, nothing, on, tolerance } from "./Assumption.ts"

export const documents = {
  "DOC-1": {
    takes: "PaymentMethod is Cash, Card, MobileWallet, Coupon, Credit, BankTransfer or Other, and optional.",
    strength: "D/C",
    switch: book("defaults.payment"),
    usedIn: ["core/src/document/PaymentMethod", "core/src/document/WireCodec"],
    wrongIf: "documents without a payment method are declined",
    tests: ["core/test/document/WireCodec.test.ts"]
  },
  "DOC-2": {
    takes: "ProductCode is the HS code: mandatory, 8 digits (4 are allowed unless the tax is 0 % or exempt).",
    strength: "D",
    switch: book("defaults.productCode"),
    usedIn: ["core/src/preflight/documentRules"],
    wrongIf: "RCPT047 or RCPT048 comes back for codes we let through, or codes we refuse are taken",
    tests: ["core/test/preflight/DocumentRules.test.ts"]
  },
  "DOC-3": {
    takes:
      "Tin has 10 digits, VatNumber 9. A buyer of whom anything is stated has Name and Tin; without Tin the name begins with Cash. Missing values are null, never empty text.",
    strength: "D",
    switch: book("defaults.cashBuyer"),
    usedIn: ["core/src/preflight/documentRules", "core/src/translate/Buyer"],
    wrongIf: "RCPT043 comes back for buyers we let through",
    tests: ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/OrderAndBuyer.test.ts"]
  },
  "DOC-4": {
    takes: "Credit notes carry positive amounts and quantities.",
    strength: "C",
    switch: nothing("a negative total is refused by the device's rule RCPT040"),
    usedIn: ["core/src/translate/Signs"],
    wrongIf: "credit notes come back rejected for their sign",
    tests: ["core/test/translate/Laws.test.ts"]
  },
  "DOC-5": {
    takes: "A credit note's Reference is its reason, and mandatory; OriginalInvoiceId is the original's InvoiceId.",
    strength: "C/D",
    switch: book("defaults.creditReason"),
    usedIn: ["core/src/translate/translate", "core/src/preflight/documentRules"],
    wrongIf: "RCPT032 or RCPT034 comes back for credit notes we let through",
    tests: ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/CreditRules.test.ts"]
  },
  "DOC-6": {
    takes:
      "SubTotal is Total less TotalTax in both modes; LineAmount is after discount; DiscountAmount is positive and the whole line's.",
    strength: "C/D",
    switch: nothing("the device recomputes them: another arithmetic breaks its rules"),
    usedIn: ["core/src/translate/Totals", "core/src/preflight/documentRules"],
    wrongIf: "RCPT019, RCPT024, RCPT037 or RCPT038 comes back for documents we let through",
    tests: ["core/test/translate/GoldenDocuments.test.ts", "sandbox/test/receipt/TotalRules.test.ts"]
  },
  "DOC-7": {
    takes:
      "Tax is computed per tax group and rounded half-up to cents. Exempt is no percent, not 0. No tolerance, save a cent for a line's product.",
    strength: "D/I",
    switch: on("DOC-7"),
    usedIn: ["core/src/translate/Rounding", "core/src/preflight/check"],
    wrongIf: "RCPT026 or RCPT027 comes back for documents we let through, or documents we refuse would be taken",
    tests: ["core/test/preflight/DocumentRules.test.ts", "sandbox/test/receipt/TotalRules.test.ts"]
  },
  "DOC-8": {
    takes: "Quantities and unit prices have up to 6 places, amounts 2.",
    strength: "D",
    switch: nothing("more places are a finding on the document, fewer are never wrong"),
    usedIn: ["core/src/translate/Lines", "core/src/document/Money"],
    wrongIf: "documents are declined for their places",
    tests: ["core/test/translate/Laws.test.ts", "sandbox/test/receipt/OrderAndBuyer.test.ts"]
  },
  "DOC-9": {
    takes:
      "Date is forwarded as the receipt's date: ISO 8601 with an offset, in whole seconds, in the configured zone.",
    strength: "D",
    switch: book("zone"),
    usedIn: ["core/src/document/Instant", "core/src/preflight/ReceiptDates"],
    wrongIf: "receipts show another time than the document's",
    tests: ["core/test/document/Instant.test.ts", "core/test/document/WireCodec.test.ts"]
  },
  "DOC-10": {
    takes: "IsRetry true says that this document was sent before; what the gateway does with it is not known.",
    strength: "C/?",
    switch: on("DOC-10"),
    usedIn: ["core/src/account/OpenAccount"],
    wrongIf: "a document sent again with IsRetry has one receipt (deduplicates) or two (unknown)",
    tests: ["sandbox/test/Faults.test.ts"]
  },
  "DOC-10b": {
    takes: "IsRetry is also true for the attempt after an actionable rejection.",
    strength: "C/?",
    switch: on("DOC-10b"),
    usedIn: ["core/src/submission/SubmissionStore"],
    wrongIf: "corrected documents are answered with the outcome of the rejected attempt",
    tests: ["sandbox/test/Faults.test.ts"]
  },
  "DOC-11": {
    takes:
      "Number 50 characters, names 250, phone 20, email 100, each part of an address 100 and all four parts when there is one, line description 200, currency 3.",
    strength: "D",
    switch: nothing("longer text is a finding on the document"),
    usedIn: ["core/src/translate/Buyer", "core/src/translate/Lines"],
    wrongIf: "documents are declined for a length that we let through",
    tests: ["sandbox/test/receipt/OrderAndBuyer.test.ts"]
  },
  "DOC-12": {
    takes:
      "In the device's configuration taxId may be written taxID, taxPercent may be absent (exempt), validity may be stated, and vatNumber is absent when the taxpayer is not registered for VAT.",
    strength: "D/C",
    switch: tolerance,
    usedIn: [
      "core/src/gateway/operation/FiscalDevice",
      "core/src/preflight/DeviceFacts",
      "sandbox/src/wire/FiscalDevice"
    ],
    wrongIf: "RCPT021 or RCPT025 refuses what the device takes",
    tests: inGateway(
      "Answers.test.ts: Get Fiscal Device gives every field and its configuration, date-times without offset as they came",
      "Answers.test.ts: a taxpayer that is not registered for VAT has no VAT number, in the device and in its configuration"
    )
  },
  "DOC-13": {
    takes: "RegulatorTaxId is another name of DestinationTaxId.",
    strength: "I",
    switch: tolerance,
    usedIn: ["core/src/gateway/operation/TaxMapping"],
    wrongIf: "a mapping has both, and they differ",
    tests: inGateway(
      "Answers.test.ts: a tax id under its other name is read, and where both are there the second is kept"
    )
  },
  "DOC-14": {
    takes:
      "A Z-report counts Sale, SaleTax, CreditNote, CreditNoteTax, DebitNote, DebitNoteTax and Balance; credits are negative, and per currency the balances add up to sales and notes.",
    strength: "D/I",
    switch: nothing("other counters are read as well"),
    usedIn: ["core/src/gateway/operation/ZReport", "sandbox/src/day/Counters"],
    wrongIf: "a report's counters do not add up",
    tests: inSandbox("day/Counters.test.ts: have one row per currency, type and tax, or payment method")
  },
  "DOC-15": {
    takes: "A credit note's tax must be valid on its original's date, not on its own.",
    strength: "I",
    switch: nothing("the mapping book's periods are read at the original's date"),
    usedIn: ["core/src/translate/translate", "sandbox/src/receipt/colour"],
    wrongIf: "RCPT025 comes back for credit notes across a change of rate",
    tests: ["core/test/preflight/DeviceRules.test.ts", "sandbox/test/receipt/CreditRules.test.ts"]
  },
  "DOC-16": {
    takes: "A buyer that is {} or null is a walk-in customer; empty text reads as null.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/translate/Buyer", "sandbox/src/wire/Document"],
    wrongIf: "documents without a buyer are rejected",
    tests: inSandbox(
      "Transactions.test.ts: take numbers as strings, no X-App-Version, {} as buyer and an empty original"
    )
  },
  "DOC-17": {
    takes: "A Date without an offset is in the account's zone. We always send one.",
    strength: "C",
    switch: nothing("a Date with an offset is documented; the sandbox takes one without by `dates`"),
    usedIn: ["core/src/document/WireCodec", "sandbox/src/http/Leniency"],
    wrongIf: "documents are declined for the offset of their Date",
    tests: inSandbox(
      "Leniency.test.ts: a Date without an offset is taken by switch only, in the device's zone (DOC-17)"
    )
  },
  "DOC-18": {
    takes: "A tax mapping may come without TaxName; the TaxCode stands for it. We always send one.",
    strength: "C",
    switch: nothing("a TaxName is documented; the sandbox takes a mapping without one by `taxNames`"),
    usedIn: ["core/src/gateway/operation/TaxMapping", "sandbox/src/http/Leniency"],
    wrongIf: "a mapping with a TaxName is refused",
    tests: inSandbox(
      "Leniency.test.ts: a tax mapping without TaxName is taken by switch only; the TaxCode stands for it (DOC-18)"
    )
  },
  "ORD-1": {
    takes: "The gateway hands an account's receipts to the device in the order in which it accepted them.",
    strength: "I",
    switch: on("ORD-1"),
    usedIn: ["core/src/account/OpenAccount", "sandbox/src/gateway/Processing"],
    wrongIf: "RCPT030 comes back although receipt dates rise in the order of submission",
    tests: inSandbox("Device.test.ts: works receipts off in the order of acceptance, whatever the delays")
  },
  "HIST-1": {
    takes: "AllowCsvUpload until ExpireCsvUpload also permits back-dated submissions.",
    strength: "I",
    switch: on("HIST-1"),
    usedIn: ["core/src/import", "core/src/gateway/operation/FiscalDevice"],
    wrongIf: "back-dated documents are rejected although the permission has not expired",
    tests: []
  },
  "LIM-1": {
    takes:
      "A 429 is answered before anything is done. A gateway that counts only after it took the document would make a second receipt of the resend.",
    strength: "I",
    switch: on("LIM-1"),
    usedIn: ["core/src/gateway/exchange/Answer", "core/src/gateway/contract/CertainlyNotProcessed"],
    wrongIf: "a document that was once answered with 429 has two receipts",
    tests: inGateway(
      "CertainlyNotProcessed.test.ts: is no longer a 429 where LIM-1 says that it may come after the document was taken",
      "AssumptionSwitches.test.ts: LIM-1: not-processed takes a 429 for answered before anything was done",
      "AssumptionSwitches.test.ts: LIM-1: unknown leaves the outcome of a submission open after a 429, and means nothing for a read"
    )
  }
} as const satisfies { readonly [id: string]: Assumption }
