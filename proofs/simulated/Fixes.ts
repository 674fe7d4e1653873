/**
 * Derives the operator's action from the printed steps for a document: the operator does what the
 * steps name, and nothing else.
 */
import { find } from "../../packages/core/src/codes/CodeEntry.ts"
import { coreCodes } from "../../packages/core/src/codes/KnownCodes.ts"
import type { Step } from "../../packages/core/src/finding/Step.ts"
import type { Submission } from "../../packages/core/src/submission/Submission.ts"

/** Action of the operator. */
export type Fix =
  | "resend"
  | "withdraw"
  /** Looks in the gateway's portal and records what it shows. */
  | "portal"
  /** Asks the gateway, and records the conflict as settled. */
  | "acknowledge"
  /**
   * Looks in the portal: records the document as fiscalized if found there, and otherwise has the
   * document sent.
   */
  | "look"
  /** Imports the document again, with an additional option. */
  | "import"
  /** Does nothing about this document: another problem must be solved first. */
  | "wait"

/** Returns the code of the printed entry for a state, or for the cause of a hold. */
export const codeOf = ({ hold, rejection, state }: Pick<Submission, "state" | "hold" | "rejection">): string =>
  state === "Held" && hold !== null
    ? `HELD_${hold.cause}`
    : state === "Rejected" && rejection?.nature === "final"
      ? "REJECTED_FINAL"
      : state

const printed: Readonly<Record<string, ReadonlyArray<Step>>> = {
  // `explain` and the report of an import print these steps for states without their own code.
  Declined: [{ do: "resolve", as: "resend" }],
  Rejected: [{ do: "resolve", as: "resend" }]
}

/** Returns the operator's action for the printed steps. */
export const fixOf = (code: string): Fix => {
  const steps = printed[code] ?? find(coreCodes, code)?.steps ?? []
  const said = new Set(steps.map((step) => (step.do === "resolve" ? step.as : step.do)))
  if (said.has("import-again")) return "import"
  if (said.has("resend")) return said.has("fiscalised") ? "look" : "resend"
  if (said.has("acknowledged")) return "acknowledge"
  if (said.has("accepted") || said.has("fiscalised") || said.has("not-processed")) return "portal"
  if (said.has("withdraw")) return "withdraw"
  return "wait"
}
