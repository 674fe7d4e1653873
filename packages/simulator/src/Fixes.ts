/** What is printed about a document that waits for a person, as that person does it: the steps it names, and nothing else. */
import { find } from "@fiscal-connector/core/unstable/codes/CodeEntry"
import { coreCodes } from "@fiscal-connector/core/unstable/codes/KnownCodes"
import type { Step } from "@fiscal-connector/core/unstable/finding/Step"
import type { Submission } from "@fiscal-connector/core/submission/Submission"

/** What a person does about it. */
export type Fix =
  | "resend"
  | "withdraw"
  /** Looks in the gateway's portal and says what it shows. */
  | "portal"
  /** Asks the gateway, and says that it was dealt with. */
  | "acknowledge"
  /** Looks in the portal: says that it was fiscalised where it is there, and has it sent where it is not. */
  | "look"
  /** Imports it again, with something said in addition. */
  | "import"
  /** Something else has to be seen to first; nothing about this one. */
  | "wait"

/** The entry that is printed for a state, or for what a document is held for. */
export const codeOf = ({ hold, rejection, state }: Pick<Submission, "state" | "hold" | "rejection">): string =>
  state === "Held" && hold !== null
    ? `HELD_${hold.cause}`
    : state === "Rejected" && rejection?.nature === "final"
      ? "REJECTED_FINAL"
      : state

const printed: Readonly<Record<string, ReadonlyArray<Step>>> = {
  // what `explain` and the report of an import say of a state that has no code of its own
  Declined: [{ do: "resolve", as: "resend" }],
  Rejected: [{ do: "resolve", as: "resend" }]
}

/** What the printed steps have a person do. */
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
