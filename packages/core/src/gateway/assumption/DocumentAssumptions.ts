/** Fields of documents, order, history, limits, the subscription and the shape of answers. */
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
    takes:
      "ProductCode is the HS code. It is required and has 8 digits (4 are allowed unless the tax is 0 % or exempt).",
    strength: "D",
    switch: book("defaults.productCode"),
    usedIn: ["core/src/preflight/documentRules"],
    wrongIf: "the device reports RCPT047 or RCPT048 for codes that we sent, or accepts codes that we refuse"
  },
  "DOC-3": {
    takes:
      "Tin has 10 digits, VatNumber has 9. A buyer with any detail has Name and Tin; without Tin, Name begins with Cash. Missing values are null, never empty text.",
    strength: "D",
    switch: book("defaults.cashBuyer"),
    usedIn: ["core/src/preflight/documentRules", "core/src/translate/Buyer"],
    wrongIf: "the device reports RCPT043 for buyers that we sent"
  },
  "DOC-4": {
    takes: "Credit notes have positive amounts and quantities.",
    strength: "C",
    switch: nothing("the rule RCPT040 of the device refuses a negative total"),
    usedIn: ["core/src/translate/Signs"],
    wrongIf: "credit notes are rejected because of their sign"
  },
  "DOC-5": {
    takes:
      "Reference of a credit note is its reason, and is required; OriginalInvoiceId is the InvoiceId of the original.",
    strength: "C/D",
    switch: book("defaults.creditReason"),
    usedIn: ["core/src/translate/translate", "core/src/preflight/documentRules"],
    wrongIf: "the device reports RCPT032 or RCPT034 for credit notes that we sent"
  },
  "DOC-6": {
    takes:
      "SubTotal is Total less TotalTax, if prices include tax and if they exclude it. LineAmount is the amount after discount; DiscountAmount is positive and applies to the whole line.",
    strength: "C/D",
    switch: nothing("the device computes these amounts again: amounts computed in another way break its rules"),
    usedIn: ["core/src/translate/Totals", "core/src/preflight/documentRules"],
    wrongIf: "the device reports RCPT019, RCPT024, RCPT037 or RCPT038 for documents that we sent"
  },
  "DOC-7": {
    takes:
      "Tax is computed per tax group and rounded half-up to cents. Exempt has no percent, not 0 %. The only tolerance is one cent for the amount of a line.",
    strength: "D/I",
    switch: on("DOC-7"),
    usedIn: ["core/src/translate/Rounding", "core/src/preflight/check"],
    wrongIf: "the device reports RCPT026 or RCPT027 for documents that we sent, or accepts documents that we refuse"
  },
  "DOC-8": {
    takes: "Quantities and unit prices have up to 6 decimal places, amounts have 2.",
    strength: "D",
    switch: nothing("more decimal places are a finding on the document, fewer are never wrong"),
    usedIn: ["core/src/translate/Lines", "core/src/document/Money"],
    wrongIf: "documents are declined because of their decimal places"
  },
  "DOC-9": {
    takes:
      "Date is sent to the device as the receipt date: ISO 8601 with an offset, in whole seconds, in the configured zone.",
    strength: "D",
    switch: book("zone"),
    usedIn: ["core/src/document/Instant", "core/src/dating/ReceiptDates"],
    wrongIf: "receipts show another time than the document"
  },
  "DOC-10": {
    takes: "IsRetry true means that this document was sent before; the gateway's reaction to it is not known.",
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
      "Maximum lengths: number 50 characters, names 250, phone 20, email 100, each part of an address 100 (with all four parts, if there is an address), line description 200, currency 3.",
    strength: "D",
    switch: nothing("longer text is a finding on the document"),
    usedIn: ["core/src/translate/Buyer", "core/src/translate/Lines"],
    wrongIf: "documents are declined because of a length that we sent"
  },
  "DOC-12": {
    takes:
      "In the configuration of the device, taxId may be written taxID, taxPercent may be absent (exempt), a validity period may be stated, and vatNumber is absent if the taxpayer is not registered for VAT.",
    strength: "D/C",
    switch: tolerance,
    usedIn: [
      "core/src/gateway/operation/FiscalDevice",
      "core/src/preflight/DeviceFacts",
      "sandbox/src/wire/FiscalDevice"
    ],
    wrongIf: "RCPT021 or RCPT025 refuses a document that the device would accept"
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
      "A Z-report counts Sale, SaleTax, CreditNote, CreditNoteTax, DebitNote, DebitNoteTax and Balance. Credits are negative, and for each currency the balances are the sum of sales and notes.",
    strength: "D/I",
    switch: nothing("other counters are read as well"),
    usedIn: ["core/src/gateway/operation/ZReport", "sandbox/src/day/Counters"],
    wrongIf: "the counters of a report do not add up"
  },
  "DOC-15": {
    takes: "The tax of a credit note must be valid on the date of its original, not on its own date.",
    strength: "I",
    switch: nothing("the periods of the mapping book are applied to the date of the original"),
    usedIn: ["core/src/translate/translate", "sandbox/src/receipt/color"],
    wrongIf: "the device reports RCPT025 for credit notes whose original is older than a change of rate"
  },
  "DOC-16": {
    takes: "A buyer that is {} or null is a walk-in customer; empty text is the same as null.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/translate/Buyer", "sandbox/src/wire/Document"],
    wrongIf: "documents without a buyer are rejected"
  },
  "DOC-17": {
    takes: "A Date without an offset is in the account's zone. The connector always sends an offset.",
    strength: "C",
    switch: nothing("a Date with an offset is documented; the sandbox accepts a Date without an offset by `dates`"),
    usedIn: ["core/src/document/WireCodec", "sandbox/src/http/Leniency"],
    wrongIf: "documents are declined because of the offset of their Date"
  },
  "DOC-18": {
    takes: "A tax mapping may have no TaxName; the TaxCode is then the name. The connector always sends a TaxName.",
    strength: "C",
    switch: nothing("a TaxName is documented; the sandbox accepts a mapping without a TaxName by `taxNames`"),
    usedIn: ["core/src/gateway/operation/TaxMapping", "sandbox/src/http/Leniency"],
    wrongIf: "a mapping with a TaxName is refused"
  },
  "DOC-19": {
    takes:
      "A credit note may state amounts with tax although its original states them without, because no receipt rule compares the two; RCPT035 compares totals, so the tax of the invoice and its notes may differ by a cent.",
    strength: "I",
    switch: on("DOC-19"),
    usedIn: ["core/src/credit/Prepared", "core/src/session/Credit"],
    wrongIf: "the device refuses a prepared credit note whose original is without tax"
  },
  "DOC-20": {
    takes:
      "Which of two receipts of one invoice a credit note credits is not documented: what is left of each is unknown, and the sum of the device is right either way.",
    strength: "I",
    switch: nothing("after such a note nothing is credited until an operator states which receipt was credited"),
    usedIn: ["core/src/session/Credit", "core/src/store/lanes/CreditTurn"],
    wrongIf: "the gateway's portal shows such a credit note on no receipt, or on both"
  },
  "ORD-1": {
    takes: "The gateway sends the receipts of an account to the device in the order in which it accepted them.",
    strength: "I",
    switch: on("ORD-1"),
    usedIn: ["core/src/account/OpenAccount", "sandbox/src/gateway/Processing"],
    wrongIf: "the device reports RCPT030 although receipt dates increase in the order of submission"
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
      "The gateway, and every server before it, answers 400, 401, 403, 404, 405, 411, 413, 415, 422 and 429 before it processes a document. Known limit: one that answers so after processing makes a second receipt, because the document is sent or corrected again; the value unknown prevents this.",
    strength: "I",
    switch: on("LIM-1"),
    usedIn: ["core/src/gateway/exchange/Answer", "core/src/gateway/contract/CertainlyNotProcessed"],
    wrongIf: "a document that was answered with one of these statuses has two receipts"
  },
  "SUB-1": {
    takes:
      "The states of a subscription are an open list: active means that it runs; cancelled, expired, suspended and similar states mean that it does not run; any other state is unknown and is only a warning.",
    strength: "I",
    switch: on("SUB-1"),
    usedIn: ["core/src/preflight/DeviceReadiness"],
    wrongIf: "the device refuses documents while the subscription has a state that is only a warning"
  },
  "SUB-1b": {
    takes: "If the gateway has no subscription (404), the device still accepts receipts.",
    strength: "I",
    switch: on("SUB-1b"),
    usedIn: ["core/src/preflight/DeviceReadiness"],
    wrongIf: "the device refuses documents while Subscription is answered 404"
  },
  "SHAPE-1": {
    takes:
      "The keys in answers may have any case; the configuration of a device may be nested once more, or be text inside text; supported currencies may be one text; addresses in requests may have empty parts.",
    strength: "C",
    switch: tolerance,
    usedIn: ["core/src/gateway/exchange/AnswerRecord", "core/src/gateway/operation/AnswerTable"],
    wrongIf: "documents are refused because a fact of the device is unreadable (FACT_UNREADABLE)"
  }
} as const satisfies { readonly [id: string]: Assumption }
