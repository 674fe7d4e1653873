/** What is worth a look in a credit note although the device does not ask for it. */
import { catalogue } from "../finding/FindingCode.ts"

const goesOn = "The credit note goes on: the device does not compare it with the original."

export const CreditFinding = catalogue({
  CREDIT_BUYER_DIFFERS: {
    severity: "warning",
    meaning: "The credit note's buyer has another TIN than the original's",
    consequence: goesOn,
    fix: "Check that it names the right original; another may be settled by hand.",
    answers: [{ ask: "original" }]
  },
  CREDIT_QUANTITY_EXCEEDS: {
    severity: "warning",
    meaning: "The credit note takes back more of a line than the original has",
    consequence: goesOn,
    fix: "Check its quantities and that it names the right original; another may be settled by hand.",
    answers: [{ ask: "original" }]
  }
})
