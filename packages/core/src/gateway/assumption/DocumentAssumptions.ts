/**
 * Assumptions about fields of documents, order, history, limits, the subscription and the shape of
 * answers (DOC-1 to DOC-18, ORD-1, HIST-1, LIM-1, SUB-1, SUB-1b, SHAPE-1).
 */
import { type Assumption, book, nothing, on, tolerance } from "./Assumption.ts"

export const documents = {
  "DOC-1": {
    takes: "PaymentMethod is Cash, Card, MobileWallet, Coupon, Credit, BankTransfer or Other, and optional.",
    strength: "D/C",
    switch: book("defaults.payment"),
    usedIn: ["core/src/document/PaymentMethod", "core/src/document/WireCodec"],
    wrongIf: "documents without a payment method are declined"
  },
  "DOC-2": {
    takes: "ProductCode is the HS code: mandatory, 8 digits (4 are allowed unless the tax is 0 % or exempt).",
    strength: "D",
    switch: book("defaults.productCode"),
    usedIn: ["core/src/preflight/documentRules"],
    wrongIf: "RCPT047 or RCPT048 comes back for codes we let through, or codes we refuse are taken"
  },
  "DOC-3": {
    takes:
      "Tin has 10 digits, VatNumber 9. A buyer of whom anything is stated has Name and Tin; without Tin the name begins with Cash. Missing values are null, never empty text.",
    strength: "D",
    switch: book("defaults.cashBuyer"),
    usedIn: ["core/src/preflight/documentRules", "core/src/translate/Buyer"],
    wrongIf: "RCPT043 comes back for buyers we let through"
  },
  "DOC-4": {
    takes: "Credit notes carry positive amounts and quantities.",
    strength: "C",
    switch: nothing("a negative total is refused by the device's rule RCPT040"),
    usedIn: ["core/src/translate/Signs"],
    wrongIf: "credit notes come back rejected for their sign"
  },
  "DOC-5": {
    takes: "A credit note's Reference is its reason, and mandatory; OriginalInvoiceId is the original's InvoiceId.",
    strength: "C/D",
    switch: book("defaults.creditReason"),
    usedIn: ["core/src/translate/translate", "core/src/preflight/documentRules"],
    wrongIf: "RCPT032 or RCPT034 comes back for credit notes we let through"
  },
  "DOC-6": {
    takes:
      "SubTotal is Total less TotalTax in both modes; LineAmount is after discount; DiscountAmount is positive and the whole line's.",
    strength: "C/D",
    switch: nothing("the device recomputes them: another arithmetic breaks its rules"),
    usedIn: ["core/src/translate/Totals", "core/src/preflight/documentRules"],
    wrongIf: "RCPT019, RCPT024, RCPT037 or RCPT038 comes back for documents we let through"
  },
  "DOC-7": {
    takes:
      "Tax is computed per tax group and rounded half-up to cents. Exempt has no percent, not 0. No tolerance, except one cent for a line's product.",
    strength: "D/I",
    switch: on("DOC-7"),
    usedIn: ["core/src/translate/Rounding", "core/src/preflight/check"],
    wrongIf: "RCPT026 or RCPT027 comes back for documents we let through, or documents we refuse would be taken"
  },
  "DOC-8": {
    takes: "Quantities and unit prices have up to 6 places, amounts 2.",
    strength: "D",
    switch: nothing("more places are a finding on the document, fewer are never wrong"),
    usedIn: ["core/src/translate/Lines", "core/src/document/Money"],
    wrongIf: "documents are declined for their places"
  },
  "DOC-9": {
    takes:
      "Date is forwarded as the receipt's date: ISO 8601 with an offset, in whole seconds, in the configured zone.",
    strength: "D",
    switch: book("zone"),
    usedIn: ["core/src/document/Instant", "core/src/preflight/ReceiptDates"],
    wrongIf: "receipts show another time than the document's"
  },
  "DOC-10": {
    takes: "IsRetry true says that this document was sent before; what the gateway does with it is not known.",
    strength: "C/?",
    switch: on("DOC-10"),
    usedIn: ["core/src/account/OpenAccount"],
    wrongIf: "a document sent again with IsRetry has one receipt (deduplicates) or two (unknown)"
  },
  "DOC-10b": {
    takes: "IsRetry is also true for the attempt after an actionable rejection.",
    strength: "C/?",
    switch: on("DOC-10b"),
    usedIn: ["core/src/submission/SubmissionStore"],
    wrongIf: "corrected documents are answered with the outcome of the rejected attempt"
  },
  "DOC-11": {
    takes:
      "Number 50 characters, names 250, phone 20, email 100, each part of an address 100 and all four parts when there is one, line description 200, currency 3.",
    strength: "D",
    switch: nothing("longer text is a finding on the document"),
    usedIn: ["core/src/translate/Buyer", "core/src/translate/Lines"],
    wrongIf: "documents are declined for a length that we let through"
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
    wrongIf: "RCPT021 or RCPT025 refuses what the device takes"
  },
  "DOC-13": {
    takes: "RegulatorTaxId is another name of DestinationTaxId.",
    strength: "I",
    switch: tolerance,
    usedIn: ["core/src/gateway/operation/TaxMapping"],
    wrongIf: "a mapping has both, and they differ"
  },
  "DOC-14": {
    takes:
      "A Z-report counts Sale, SaleTax, CreditNote, CreditNoteTax, DebitNote, DebitNoteTax and Balance; credits are negative, and per currency the balances add up to sales and notes.",
    strength: "D/I",
    switch: nothing("other counters are read as well"),
    usedIn: ["core/src/gateway/operation/ZReport", "sandbox/src/day/Counters"],
    wrongIf: "a report's counters do not add up"
  },
  "DOC-15": {
    takes: "A credit note's tax must be valid on its original's date, not on its own.",
    strength: "I",
    switch: nothing("the mapping book's periods are read at the original's date"),
    usedIn: ["core/src/translate/translate", "sandbox/src/receipt/color"],
    wrongIf: "RCPT025 comes back for credit notes across a change of rate"
  },
  "DOC-16": {
    takes: "A buyer that is {} or null is a walk-in customer; empty text reads as null.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/translate/Buyer", "sandbox/src/wire/Document"],
    wrongIf: "documents without a buyer are rejected"
  },
  "DOC-17": {
    takes: "A Date without an offset is in the account's zone. We always send one.",
    strength: "C",
    switch: nothing("a Date with an offset is documented; the sandbox takes one without by `dates`"),
    usedIn: ["core/src/document/WireCodec", "sandbox/src/http/Leniency"],
    wrongIf: "documents are declined for the offset of their Date"
  },
  "DOC-18": {
    takes: "A tax mapping may have no TaxName; the TaxCode is then the name. We always send one.",
    strength: "C",
    switch: nothing("a TaxName is documented; the sandbox takes a mapping without one by `taxNames`"),
    usedIn: ["core/src/gateway/operation/TaxMapping", "sandbox/src/http/Leniency"],
    wrongIf: "a mapping with a TaxName is refused"
  },
  "ORD-1": {
    takes: "The gateway hands an account's receipts to the device in the order in which it accepted them.",
    strength: "I",
    switch: on("ORD-1"),
    usedIn: ["core/src/account/OpenAccount", "sandbox/src/gateway/Processing"],
    wrongIf: "RCPT030 comes back although receipt dates rise in the order of submission"
  },
  "HIST-1": {
    takes: "AllowCsvUpload until ExpireCsvUpload also permits back-dated submissions.",
    strength: "I",
    switch: on("HIST-1"),
    usedIn: ["core/src/import", "core/src/gateway/operation/FiscalDevice"],
    wrongIf: "back-dated documents are rejected although the permission has not expired"
  },
  "LIM-1": {
    takes:
      "A 429 is answered before anything is done. A gateway that counts only after it took the document would make a second receipt of the resend.",
    strength: "I",
    switch: on("LIM-1"),
    usedIn: ["core/src/gateway/exchange/Answer", "core/src/gateway/contract/CertainlyNotProcessed"],
    wrongIf: "a document that was once answered with 429 has two receipts"
  },
  "SUB-1": {
    takes:
      "Subscription states are an open list: active runs, words such as cancelled, expired and suspended do not, every other word is unknown and only warns.",
    strength: "I",
    switch: on("SUB-1"),
    usedIn: ["core/src/preflight/DeviceReadiness"],
    wrongIf: "documents are refused by the device while the subscription has a state that only warned"
  },
  "SUB-1b": {
    takes: "A subscription that the gateway does not have (404) does not keep the device from taking receipts.",
    strength: "I",
    switch: on("SUB-1b"),
    usedIn: ["core/src/preflight/DeviceReadiness"],
    wrongIf: "documents are refused by the device while Subscription is answered 404"
  },
  "SHAPE-1": {
    takes:
      "Answers spell their keys in any case; a device configuration may be nested once more or be text inside text; supported currencies may come as one text; requests may carry addresses with empty parts.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/gateway/exchange/AnswerRecord", "core/src/gateway/operation/AnswerTable"],
    wrongIf: "documents are refused because a fact of the device is unreadable (FACT_UNREADABLE)"
  }
} as const satisfies { readonly [id: string]: Assumption }
