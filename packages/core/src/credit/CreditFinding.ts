/** Contradictions between a credit note and its original that the device does not check. */
import { catalogue } from "../finding/FindingCode.ts"

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
