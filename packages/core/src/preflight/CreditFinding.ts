/** Contradictions between a credit note and its original that the device does not check. */
import { catalogue } from "../finding/FindingCode.ts"

const goesOn = "The credit note is sent: the device does not compare it with the original."

export const CreditFinding = catalogue({
  CREDIT_BUYER_DIFFERS: {
    severity: "error",
    meaning: "The credit note's buyer is not the original's: another TIN, VAT number, customer id or name",
    consequence:
      "It may credit the invoice of another buyer. The credit note is refused; nothing of it is sent. Where the original was settled by hand, this is a warning.",
    fix: "Correct the buyer or the link in the source. Where the two are one buyer, or the original is another, settle the original by hand.",
    answers: [{ ask: "original" }]
  },
  CREDIT_ORIGINAL_DIFFERS: {
    severity: "error",
    meaning: "The credit note states its original's number, date, currency or total otherwise than that invoice has it",
    consequence: "It is not clear which invoice it credits. The credit note is refused; nothing of it is sent.",
    fix: "Correct the link in the source, or settle the original by hand.",
    answers: [{ ask: "original" }]
  },
  CREDIT_QUANTITY_EXCEEDS: {
    severity: "warning",
    meaning: "The credit note returns more of a line than the original has",
    consequence: goesOn,
    fix: "Check its quantities and that it names the right original; another may be settled by hand.",
    answers: [{ ask: "original" }]
  }
})
