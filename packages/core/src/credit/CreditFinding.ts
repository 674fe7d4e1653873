import { catalogue } from "../finding/FindingCode.ts"

const refused = "The document is refused and not sent."

export const AllocationFinding = catalogue({
  NOTE_PARTLY_ALLOCATED: {
    severity: "warning",
    meaning: "Only a part of the credit note is allocated to its invoice",
    consequence: "The receipt credits the whole credit note to that invoice.",
    fix: "If the rest is for the same invoice, no action is needed. Otherwise allocate the whole credit note in the source before it is sent."
  },
  NOTE_OVER_ALLOCATED: {
    severity: "error",
    meaning: "The allocations of the credit note are larger than its total",
    consequence: refused,
    fix: "Correct the allocations or the credit note in the source, and export again."
  },
  NOTE_ALLOCATED_SINCE: {
    severity: "warning",
    meaning: "The source changed the allocation of a credit note after it was sent",
    consequence: "The credit note is not sent again; its receipt credits the invoice with which it was sent.",
    fix: "If the allocation concerns only payments, no action is needed; it does not reduce the tax of the other invoices."
  },
  ORIGINAL_UNREADABLE: {
    severity: "error",
    meaning: "The date of the invoice that this credit note credits is missing or cannot be read",
    consequence: `The taxes of the credit note are those of the original's date (DOC-15). ${refused}`,
    fix: "Correct the date of the invoice."
  }
})

const goesOn = "The credit note is sent: the device does not compare it with the original."

export const CreditFinding = catalogue({
  CREDIT_BUYER_DIFFERS: {
    severity: "error",
    meaning:
      "The buyer of the credit note differs from the buyer of the original invoice: another TIN, VAT number, customer id or name",
    consequence:
      "The document is refused and not sent, because it may credit the invoice of another buyer. If the operator named the original, this is a warning.",
    fix: "Correct the buyer or the link in the source. If both are the same buyer, or the original is another invoice, name the original for the import.",
    answers: [{ ask: "original" }]
  },
  CREDIT_ORIGINAL_DIFFERS: {
    severity: "error",
    meaning:
      "The credit note states another number, date, currency or total for its original than the original invoice has",
    consequence: "The document is refused and not sent, because it is not clear which invoice it credits.",
    fix: "Correct the link in the source, or name the original for the import.",
    answers: [{ ask: "original" }]
  },
  CREDIT_QUANTITY_EXCEEDS: {
    severity: "warning",
    meaning: "The credit note returns a larger quantity of a line than the original has",
    consequence: goesOn,
    fix: "Check the quantities and the original of the credit note. If the original is another invoice, name it for the import.",
    answers: [{ ask: "original" }]
  }
})
